"""The fewest, smallest changes that bring every win rate near its fair share, tested in games that had no part in the search."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart
from analysis.answer.numbers import THIN, Format, count, number, percent
from analysis.answer.prose import article, limit_words, listed, number_word, seated, some, truncated_change
from analysis.answer.tables import Table, data_only, table
from analysis.answer.verdicts import MEANING
from analysis.data.players import LONG_ANSWER, SEARCH, games_in, player_words
from analysis.data.study import Study
from analysis.question import question
from analysis.results import Cards
from analysis.tuning.confirm import GOOD, StrongTest, Tuned, free_numbers, search_and_retest, tested_by, values_of
from analysis.tuning.goal import Band, Cells, Goal, Knobs, Plan, TooFewGamesError, knobs_of, read_target
from analysis.variants.sensitivity import found_by, words_of
from analysis.variants.tables import ENDS
from analysis.winrates.study_rates import entrant_rates
from sim.engine.policies import PolicySpec

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

LEAST_UNITS = 2  # least number of units to consider, if not all
NAMED = 2  # changes and names in a summary
GAMES = 400_000  # at most by default
TEST_GAMES = 20_000  # of the strong players, at most
DIGITS = 2  # decimals of a distance in points
Z = 1.96  # standard errors on either side


@question(
    without=("line_up", "forbid"),
    searches=True,
    makes_cards=True,
    examples=("tune arena --band 45:55 --out my-arena",),
    title="What to change so that all win equally often?",
)
def tune(
    study: Study,
    games: int | None = None,
    *,
    band: str = "45:55",
    target: Path | None = None,
    max_changes: int = 8,
    fields: list[str] | None = None,
) -> Answer:
    """The fewest, smallest changes of whole numbers that bring every win rate into a band, or the matchups to a target.

    Numbers that the card file marks as fixed are left alone. Quick players search, unless others are named; their proposal is
    re-tested with games of another seed, and then by the strong players.

    Parameters
    ----------
    games : int, optional
        Games in all, at most, including the re-test; by default those of about a minute, at most 400,000, or the fewest that
        suffice if these are more. Those of the strong players come on top. At least 3,200 for each of --max-changes, and about
        2,286 for each number that can change; a quarter of that for a number of one entrant out of eight.
    band : str
        Lowest and highest wanted win rate at two seats, in per cent; scaled for more seats.
    target : Path, optional
        TOML file with wanted matchups and share of the first seat, instead of a band.
    max_changes : int
        Largest number of changes.
    fields : list of str, optional
        Patterns of the numbers to change, such as hero.*.move; by default those of the entrants.

    Returns
    -------
    Answer
        `cards` is the changed card set; `frame` has a row per change. `frames` also has win_rates before and after, in the games
        of the re-test, and trade_off, the best set of every size.

    """
    goal = Goal(Band.parse(band), max_changes, None if target is None else read_target(target))
    experiment = study.experiment(study.contest, 1)
    cells = Cells.of(experiment)
    numbers, limit = knobs_of(study.game, study.cards, cells.ids, fields), ""
    games = games_to_play(study, goal, cells, numbers) if games is None else games
    if study.base is None:
        numbers, limit = affordable(study, games, goal, cells, numbers)
    player = replace(study.player, partial=False)  # a search that was cut short proposes nothing
    tuned = search_and_retest(experiment, goal, games, numbers, partial(player.play, stage="games", total=games))
    test = None
    if study.tester is not None:
        more = games_in(study.game, (study.tester,), LONG_ANSWER, TEST_GAMES)
        test = tested_by(tuned, study.tester, more, partial(player.play, stage="games of strong players", total=more))
    return Answer(
        summary(study, tuned, test),
        tables(study, tuned, test),
        (
            Chart(partial(rates_chart, tuned), f"Win rates now and with the changes, in the same games; {study.players}."),
            Chart(partial(trade_off_chart, tuned), "Spread of the true win rates with the best set of each size.", "trade-off"),
        ),
        tuple(notes(tuned, limit, test)),
        facts(tuned, test),
        cards=Cards(study.game, study.cards).update(values_of(tuned.changes)),
    )


def games_to_play(study: Study, goal: Goal, cells: Cells, numbers: Knobs) -> int:
    """The games of about a minute, or the fewest that suffice if these are more."""
    games = study.games_in(SEARCH, GAMES)
    try:
        Plan.of(games, numbers, cells, goal.max_changes)
    except TooFewGamesError as few:
        return few.least
    return games


def affordable(study: Study, games: int, goal: Goal, cells: Cells, every: Knobs) -> tuple[Knobs, str]:
    """The largest set of numbers that this number of games can test, and a note if it is not all of them.

    These are the numbers of the units whose win rates are farthest from fair or, if not even those of two units can be tested,
    those with the most significant effects. Raises TooFewGamesError.
    """
    frame = entrant_rates(study)
    frame = frame[frame["seats"] == cells.seats]
    far = (frame["estimate"] - cells.fair).abs().fillna(0.0)
    order = frame["entrant"].iloc[(-far).argsort(kind="stable")].astype(int).tolist()
    error = None
    for size in range(cells.units, LEAST_UNITS - 1, -1):
        chosen = [knob for knob in every.knobs if size == cells.units or knob.unit in order[:size]]
        try:
            numbers = tested(games, goal, cells, every, chosen)
        except TooFewGamesError as few:
            error = few
            if all(knob.unit is None for knob in chosen):
                break
        else:
            names = [cells.names[unit] for unit in order[:size]]
            note = f"The games were only enough for the numbers of {listed(names)}, the farthest from fair."
            return numbers, "" if size == cells.units else note
    assert error is not None, "at least one set was tried"
    tried = found_by(study)
    paths = {knob.path for knob in every.knobs}
    ranked = [] if tried is None or tried.frame.empty else [path for path in tried.frame["path"].unique() if path in paths]
    for size in range(len(ranked), 1, -1):
        with suppress(TooFewGamesError):
            numbers = tested(games, goal, cells, every, [knob for knob in every.knobs if knob.path in ranked[:size]])
            return numbers, (
                f"The games were only enough for {number_word(size)} numbers: of those tried one by one, the ones with the most "
                f"significant effects. All {count(len(every.knobs))} take {count(error.least)} games."
            )
    raise error


def tested(games: int, goal: Goal, cells: Cells, every: Knobs, chosen: list[Any]) -> Knobs:
    """Some of the numbers. Raises TooFewGamesError if there are too few games to test them."""
    numbers = replace(every, knobs=tuple(chosen))
    Plan.of(games, numbers, cells, goal.max_changes)
    return numbers


def summary(study: Study, tuned: Tuned, test: StrongTest | None) -> str:
    """The changes, and whether they reach the goal, at both levels if the strong players have tested them."""
    words = [
        f"“{words_of(study, str(path))}” from {number(before)} to {number(after)}"
        for path, before, after in tuned.changes.itertuples(index=False, name=None)
    ]
    changes = " and ".join(words) if len(words) <= NAMED else f"{number_word(len(words))} numbers, such as {words[0]}"
    reached = reached_words(tuned, tuned.aims)
    if test is not None:
        reached += f"; with strong players {reached_words(tuned, test.aims)}"
    if not words:
        return f"Found no better change: with the cards as they are, {reached}."
    if is_needed(tuned):
        return f"Change {changes}: then {reached}."
    return f"No change is necessary: no win rate is surely outside {band_words(tuned)}. The search favours {changes}."


def reached_words(tuned: Tuned, aims: pd.DataFrame) -> str:
    """Clause on whether all outputs are within their bands in new games. aims: of a re-test."""
    outside = aims[~aims["place"].isin(GOOD)]
    unsure = int((aims["place"] == "probably in").sum())
    if outside.empty:
        open_ = f", {unsure} not surely" if unsure else ""
        return f"all {len(aims)} are {wanted(tuned)} in new games{open_}"
    names = [f"{name} ({percent(after)})" for name, after in outside[["name", "after"]].itertuples(index=False, name=None)]
    more = [f"{number_word(len(names) - NAMED)} more"] if len(names) > NAMED else []
    return f"{listed([*names[:NAMED], *more])} {'is' if len(names) == 1 else 'are'} not {wanted(tuned)}"


def wanted(tuned: Tuned) -> str:
    """Words for the goal."""
    target = tuned.goal.target
    return f"within {band_words(tuned)}" if target is None else f"within {100 * target.tolerance:g} points of the target"


def band_words(tuned: Tuned) -> str:
    """The band of wanted win rates."""
    return f"{100 * tuned.aim.low[0]:g} to {100 * tuned.aim.high[0]:g}{THIN}%"


def is_needed(tuned: Tuned) -> bool:
    """Whether any win rate of the current cards is surely outside the band; for a target, always."""
    beyond = (tuned.units["before_low"] > tuned.aim.high[0]) | (tuned.units["before_high"] < tuned.aim.low[0])
    return tuned.goal.target is not None or bool(beyond.any())


def facts(tuned: Tuned, test: StrongTest | None) -> dict[str, Any]:
    """How the games were played and divided, and what was reached."""
    tested = {"policy": str(test.player), "games": test.games, "reached": test.reached} if test else None
    goal = {"low": tuned.goal.band.low, "high": tuned.goal.band.high, "max_changes": tuned.goal.max_changes}
    return {
        **tuned.experiment.facts(),
        "games": tuned.games,
        "goal": goal,
        "reached": tuned.reached,
        "sure": tuned.sure,
        "selection_bias": tuned.bias,
        "unwon": tuned.unwon,
        "truncated": tuned.truncated,
        "evaluations": tuned.sets,
        "search_games": tuned.search_games,
        "retest_games": tuned.retest_games,
        "retest_seed": tuned.retest_seed,
        "left_alone": dict(tuned.knobs.left),
        **({"tested": tested} if tested else {}),
    }


def tables(study: Study, tuned: Tuned, test: StrongTest | None) -> tuple[Table, ...]:
    """The changes, win rates before and after (of both levels), outputs of a target, matchups, the best set of every size."""
    words = {"words": "number", "before": "now", "after": "becomes", "path": "field of the card file"}
    changes = tuned.changes.assign(words=[words_of(study, path) for path in tuned.changes["path"]])
    sets = best_sets(tuned)
    sets = sets.assign(words=[words_of(study, path) for path in sets["path"]], mark=marks(sets["proposed"]))
    return (
        table(changes, "changes", "What to change", words, below="field of the card file"),
        rates_table(study, tuned, tuned.units),
        *([replace(rates_table(study, tuned, test.units, test.player), id="strong_win_rates")] if test else []),
        target_table(tuned),
        matchup_table(tuned),
        trade_off_table(tuned),
        replace(
            table(sets, "best_sets", "The best changes of each number", {"changes": "changes", "mark": "proposed", **words}),
            below="field of the card file",
        ),
        data_only(tuned.next, "further_changes"),
        data_only(tuned.stalled, "stalled"),
    )


def rates_table(study: Study, tuned: Tuned, units: pd.DataFrame, player: PolicySpec | None = None) -> Table:
    """Win rates before and after in the games of a re-test. units: see `retested`; player: of the re-test, if it is another."""
    experiment, players = tuned.experiment, player_words(study.game, (player,)) if player else study.players
    columns = {"name": experiment.teams.word if experiment.teams else experiment.game.entrant_word}
    for when in ("before", "after"):
        columns |= {when: when, f"{when}_low": f"{when} low", f"{when}_high": f"{when} high"}
    columns |= {"change": "change", "low": "change low", "high": "change high", "n": "n"}
    columns |= {"predicted": "search said"} if "predicted" in units else {}
    if tuned.goal.target is None:
        columns |= {"verdict": "verdict"}
    shares: dict[str, Format] = dict.fromkeys(("before low", "before high", "after low", "after high", "search said"), "percent")
    caption = f"Win rates in {seated(experiment.seats)} games of the re-test with {players} (fair: {percent(tuned.cells.fair)})"
    made = table(units, "win_rates", caption, columns, shares)
    return replace(made, details=(*made.details, "search said", "before low", "before high", "change low", "change high"))


def target_table(tuned: Tuned) -> Table:
    """The outputs of a target in the games of the re-test; only data for a band, whose outputs are the win rates."""
    if tuned.goal.target is None:
        return data_only(tuned.aims, "aims")
    columns = {"name": "what", "low": "wanted from", "high": "wanted to", "before": "before", "after": "after"}
    columns |= {"predicted": "search said", "place": "reached"}
    shares: dict[str, Format] = dict.fromkeys(("wanted from", "wanted to", "search said"), "percent")
    return table(tuned.aims, "aims", "The target in the games of the re-test", columns, shares)


def matchup_table(tuned: Tuned) -> Table:
    """Who beats whom after the changes; empty without matchups."""
    names = [str(name) for name in tuned.matrix.columns]
    frame = tuned.matrix.reset_index(drop=True)
    if not names:
        return data_only(frame, "pairs")
    pairs = frame.set_axis(names).rename_axis("name").melt(var_name="opponent_name", value_name="estimate", ignore_index=False)
    frame.insert(0, "name", names)
    columns = {"name": tuned.experiment.game.entrant_word, **{name: name for name in names}}
    caption = "Who beats whom after the changes: win rate of the row"
    made = table(frame, "pairs", caption, columns, dict.fromkeys(names, "percent"))
    return replace(made, whole=pairs.reset_index().dropna(ignore_index=True))


def trade_off_table(tuned: Tuned) -> Table:
    """Effect of each further change: distances from the middle of the goal, in points."""
    frame = tuned.trade_off.assign(mark=marks(tuned.trade_off["proposed"]))
    points = {"rms_points": "rms", "farthest_points": "farthest", "predicted_points": "predicted_rms"}
    shown = frame.assign(**{name: (100 * frame[column]).round(DIGITS) for name, column in points.items()})
    columns = {"changes": "changes", "rms_points": "distance", "farthest_points": "farthest", "predicted_points": "search said"}
    columns |= {"games": "games", "mark": ""}
    caption = "Effect of each further change: root mean square and largest distance from the goal's middle, points, re-tested"
    return replace(table(shown, "trade_off", caption, columns), whole=tuned.trade_off)


def best_sets(tuned: Tuned) -> pd.DataFrame:
    """The changes of the best set of each size: columns changes (their number), proposed, path, before, after."""
    rows = [
        {"changes": row["changes"], "proposed": row["proposed"], **change}
        for row in tuned.trade_off.to_dict("records")
        for change in row["numbers"]
    ]
    return pd.DataFrame(rows, columns=["changes", "proposed", "path", "before", "after"])


def marks(proposed: pd.Series) -> pd.Series:
    """A word for the proposed set."""
    return proposed.map({True: "proposed", False: ""})


def notes(tuned: Tuned, limit: str, test: StrongTest | None = None) -> Iterator[str]:
    """What is missing, how the proposal was tested, how it was found. limit: note on the numbers that were considered."""
    if limit:
        yield limit
    yield from shortfalls(tuned)
    yield f"Re-test: {count(tuned.retest_games)} games of seed {tuned.retest_seed}, which had no part in the search."
    if test is not None:
        yield f"Strong players ({test.player}): {count(test.games)} games of the same seed."
    distances = tuned.trade_off.set_index("changes")["rms"]
    if len(tuned.steps) in distances.index:
        bias = 100 * tuned.bias
        yield (
            f"Root mean square distance from the middle of the goal, corrected for noise: "
            f"{100 * distances[len(tuned.steps)]:.{DIGITS}f} points; the search's estimate is {abs(bias):.{DIGITS}f} points "
            f"{'nearer' if bias < 0 else 'farther'} (selection bias)."
        )
    left = len(tuned.knobs.left)
    yield (
        f"Search: {count(tuned.sets)} card sets, {count(tuned.search_games)} games; {len(tuned.knobs.knobs)} numbers could be "
        f"changed, {left} {'was' if left == 1 else 'were'} left alone."
    )
    if tuned.goal.target is None:
        yield f"Verdict after the changes, for the wanted band: {MEANING[0].lower()}{MEANING[1:].replace('fair band', 'band')}"
    yield truncated_change(*tuned.truncated, limit_words(tuned.experiment.game.limits_itself))
    if len(tuned.stalled):
        steps = [f"{path} to {after}" for path, _, after in tuned.stalled.itertuples(index=False, name=None)]
        why = "Left out with larger steps, because significantly more games ended without a winner in the first look"
        yield f"{why}: {listed(steps)}."
    if any(tuned.unwon):
        before, after = map(percent, tuned.unwon)
        yield f"Finished games without a winner, also left out: {before} before, {after} after."


def shortfalls(tuned: Tuned) -> Iterator[str]:
    """Why the goal is not reached, and what would help."""
    distances = tuned.trade_off.set_index("proposed")["rms"]
    if tuned.steps and distances[True] >= tuned.trade_off["rms"].iloc[0]:
        yield "In the re-test the changes brought the win rates no nearer."
    outside = tuned.aims[~tuned.aims["place"].isin(GOOD)]
    for output in outside.index.tolist():
        yield further(tuned, output)
    if len(outside) and len(tuned.steps) >= tuned.goal.max_changes:
        yield f"No more than {some(tuned.goal.max_changes, 'change')} {'was' if tuned.goal.max_changes == 1 else 'were'} allowed."
    if len(outside) and outside["place"].eq("probably short").all():
        yield "The gaps are within chance; more games would decide."


def further(tuned: Tuned, output: int) -> str:
    """Effect of one more changed number on an output outside its band."""
    name = str(tuned.aims["name"].iloc[output])
    helpful = tuned.next[tuned.next["name"] == name]
    if len(helpful):
        best = helpful.iloc[0]
        return (
            f"One further change, {best['path']} {best['before']} to {best['after']}, would bring {name} to about "
            f"{percent(best['rate'])} (±{100 * Z * best['error']:.1f} points, by the search's model, not re-tested)."
        )
    unit = output if tuned.goal.target is None else None
    if not free_numbers(tuned.knobs, tuned.steps, unit):
        return f"{name} has no further number that may be changed."
    has_numbers = unit is not None and any(knob.unit == unit for knob in tuned.knobs.knobs)
    of_what = "its own numbers" if has_numbers else article("number")
    return f"No single further change of {of_what} brings {name} nearer, by the search's model."


def rates_chart(tuned: Tuned) -> Figure:
    """Win rates before and after the changes, highest before at the top."""
    frame = tuned.units.sort_values("before", ascending=False, kind="stable")
    drawn = frame[["name", "n", "change", *ENDS]].rename(columns=ENDS)
    return charts.dumbbell(drawn, words=("now", "with the changes"), label="win rate", change="change, points")


def trade_off_chart(tuned: Tuned) -> Figure:
    """Spread of the win rates by number of changes, re-tested and by the search."""
    frame = tuned.trade_off
    shown = (("re-tested", "spread", "spread_low", "spread_high"), ("search said", *["predicted_spread"] * 3))
    parts = [
        pd.DataFrame({"line": line, "x": frame["changes"], "estimate": frame[at], "low": frame[low], "high": frame[high]})
        for line, at, low, high in shown
    ]
    drawn = pd.concat([part.assign(n=frame["games"]) for part in parts], ignore_index=True)
    drawn = drawn.assign(panel="Spread of the win rates", present=float(len(tuned.steps)))
    return charts.lines(drawn, label="numbers changed", close=True)
