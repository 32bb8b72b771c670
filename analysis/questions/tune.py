"""The fewest, smallest changes that bring every win rate near its fair share, tested in games that had no part in the search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart
from analysis.answer.numbers import THIN, Format, count, number, percent
from analysis.answer.prose import limit_words, listed, number_word, seated, some, truncated_change
from analysis.answer.tables import Table, data_only, table
from analysis.answer.verdicts import MEANING
from analysis.data.players import LONG_ANSWER, SEARCH, player_words
from analysis.data.study import Study
from analysis.question import question
from analysis.results import Cards
from analysis.tuning.confirm import GOOD, Tuned, search_and_retest, values_of
from analysis.tuning.goal import Band, Cells, Goal, Knobs, Plan, TooFewGamesError, knobs_of, least_games, read_target
from analysis.tuning.named import GAMES, strong_of, tune_named
from analysis.tuning.numbers import entrants_named
from analysis.variants.sensitivity import words_of
from analysis.variants.tables import ENDS
from sim.engine.policies import PolicySpec

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

BAND, MOST_CHANGES = "45:55", 8  # by default
NAMED = 2  # changes and names in a summary
PAIR = 2
TEST_SECONDS = 2 * LONG_ANSWER  # of games of the strong players, in a search for all entrants
Z = 1.96  # standard errors on either side


def check(values: Mapping[str, Any]) -> None:
    """Refuse arguments that are impossible for any game, before anything is compiled. Raises ValueError."""
    most = values.get("max_changes", MOST_CHANGES)
    Goal(Band.parse(values.get("band", BAND)), most)
    games, only = values.get("games"), values.get("only")
    if only and values.get("target") is not None:
        raise ValueError("--only names entrants to bring into the band, and --target other goals; leave one of the two out")
    if games is not None and not only and games < least_games(most):
        raise ValueError(f"games={games}: --max-changes {most} takes at least {count(least_games(most))} games")


@question(
    without=("line_up", "forbid"),
    searches=True,
    makes_cards=True,
    check=check,
    needs=("loop",),
    examples=("tune arena --only rhino_guy", "tune arena --band 45:55 --out my-arena"),
    title="What to change so that all win equally often?",
)
def tune(
    study: Study,
    games: int | None = None,
    *,
    only: list[str] | None = None,
    band: str = BAND,
    target: Path | None = None,
    max_changes: int = MOST_CHANGES,
    fields: list[str] | None = None,
) -> Answer:
    """The fewest, smallest changes of whole numbers that bring win rates into a band, or the matchups to a target.

    Quick players search, unless others are named; the strong ones re-test the best set of each size in games of another seed, and
    their games decide. A number moves by at most two steps and half of its value, and only as its own single step does. Numbers
    that the card file marks as fixed are left alone.

    Parameters
    ----------
    games : int, optional
        Games in all, at most, including the re-test; by default those of about 40 seconds, at most 400,000, or the fewest that
        suffice if these are more. Those of the strong players come on top. At least 3,200 for each of --max-changes, and about
        2,286 for each number that can change; a quarter of that for a number of one entrant out of eight.
    only : list of str, optional
        Entrants to bring into the band, by id or name, by changes of their own numbers, those of their cards included, or of
        --fields. Only their win rates count; the answer begins with the single steps that reach the band.
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
        `cards` is the changed card set; `frame` has a row per change, or with `only` per single step. `frames` also has
        strong_win_rates and win_rates before and after, in the games of the re-test, and trade_off, the best set of every size.

    """
    goal = Goal(Band.parse(band), max_changes, None if target is None else read_target(target))
    steps = pd.DataFrame()
    if only:
        units = entrants_named(only, study.unit_ids, study.units, "only")
        seconds = SEARCH if games is None else SEARCH * games / study.games_in(SEARCH, GAMES)
        tuned, steps = tune_named(study, replace(goal, only=tuple(units)), seconds, fields)
    else:
        tuned = tune_all(study, goal, games, fields)
    return answer_of(study, tuned, steps)


def tune_all(study: Study, goal: Goal, games: int | None, fields: list[str] | None) -> Tuned:
    """Tune the win rates of all entrants, or the outputs of a target."""
    experiment = study.experiment(study.contest, 1)
    cells = Cells.of(experiment)
    numbers = knobs_of(study.game, study.cards, cells.ids, fields)
    games = games_to_play(study, goal, cells, numbers) if games is None else games
    player = replace(study.player, partial=False)  # a search that was cut short proposes nothing
    strong = strong_of(study, TEST_SECONDS)
    return search_and_retest(experiment, goal, games, numbers, partial(player.play, stage="games", total=games), strong=strong)


def answer_of(study: Study, tuned: Tuned, steps: pd.DataFrame) -> Answer:
    """The answer. steps: single steps of named entrants, empty without."""
    apart = Chart(partial(trade_off_chart, tuned), "Spread of the true win rates with the best set of each size.", "trade-off")
    rates = tuned.rates
    players = study.players if tuned.strong is None else player_words(study.game, (tuned.strong.player,))
    return Answer(
        summary(study, tuned, steps),
        tables(study, tuned, steps),
        (
            Chart(partial(rates_chart, rates), f"Win rates now and with the changes, in the same games; {players}."),
            *([apart] if len(tuned.trade_off) > 1 and not tuned.focus else []),
        ),
        tuple(notes(tuned)),
        facts(tuned),
        cards=Cards(study.game, study.cards).update(values_of(tuned.changes)),
    )


def games_to_play(study: Study, goal: Goal, cells: Cells, numbers: Knobs) -> int:
    """The games of about 40 seconds, or the fewest that suffice if these are more."""
    games = study.games_in(SEARCH, GAMES)
    try:
        Plan.of(games, numbers, cells, goal.max_changes)
    except TooFewGamesError as few:
        return few.least
    return games


def summary(study: Study, tuned: Tuned, steps: pd.DataFrame) -> str:
    """The changes, and whether they reach the goal, at both levels if the strong players have tested them."""
    words = [change_words(study, *row) for row in tuned.changes.itertuples(index=False, name=None)]
    changes = listed(words) if len(words) <= NAMED else f"{number_word(len(words))} numbers, such as {words[0]}"
    levels = f"with strong players {within_words(tuned, tuned.strong.aims)}" if tuned.strong else within_words(tuned, tuned.aims)
    if tuned.strong:
        levels += f", with quick ones {within_words(tuned, tuned.aims, brief=True)}"
    if not words:
        no_step = "; no single step brings it nearer" if tuned.focus and not len(steps) and not tuned.reached else ""
        return f"{'No change is necessary' if tuned.reached else 'Found no better change'}: {levels}{no_step}."
    if is_needed(tuned):
        return f"Change {changes}: {levels}."
    return f"No change is necessary: no win rate is surely outside {band_words(tuned)}. The search favours {changes}."


def change_words(study: Study, path: str, before: int, after: int) -> str:
    """A change in words."""
    return f"\u201c{words_of(study, str(path))}\u201d from {number(before)} to {number(after)}"


def within_words(tuned: Tuned, aims: pd.DataFrame, brief: bool = False) -> str:
    """Clause on how many outputs are within their bands in new games. aims: of a re-test; brief: without the band."""
    outside = aims[~aims["place"].isin(GOOD)]
    wanted_words = "" if brief else f" {wanted(tuned)}"
    if len(aims) == 1:
        row = aims.iloc[0]
        if brief:
            return percent(row["after"])
        verb, no = "wins" if tuned.aim.units else "has", "not " * len(outside)
        return f"{row['name']} {verb} {percent(row['after'])}, {no}{wanted(tuned)}"
    every = "both" if len(aims) == PAIR else f"all {len(aims)}"
    part = every if outside.empty else f"{len(aims) - len(outside)} of {len(aims)}"
    named = [f"{name} {percent(after)}" for name, after in outside[["name", "after"]].itertuples(index=False, name=None)]
    without = f" (not {listed(named[:NAMED])})" if named and len(named) <= NAMED and not brief else ""
    return f"{part}{' are' * (not brief)}{wanted_words}{without}"


def wanted(tuned: Tuned) -> str:
    """Words for the goal."""
    target = tuned.goal.target
    return f"within {band_words(tuned)}" if target is None else f"within {100 * target.tolerance:g} points of the target"


def band_words(tuned: Tuned) -> str:
    """The band of wanted win rates."""
    return f"{100 * tuned.aim.low[0]:g} to {100 * tuned.aim.high[0]:g}{THIN}%"


def is_needed(tuned: Tuned) -> bool:
    """Whether any win rate of the current cards is surely outside the band; for a target, or named entrants, always."""
    rates = tuned.rates
    beyond = (rates["before_low"] > tuned.aim.high[0]) | (rates["before_high"] < tuned.aim.low[0])
    return tuned.goal.target is not None or bool(tuned.focus) or bool(beyond.any())


def facts(tuned: Tuned) -> dict[str, Any]:
    """How the games were played and divided, and what was reached."""
    test = tuned.strong
    tested = {"policy": str(test.player), "games": test.games, "reached": test.reached} if test else None
    goal = {"low": tuned.goal.band.low, "high": tuned.goal.band.high, "max_changes": tuned.goal.max_changes}
    return {
        **tuned.experiment.facts(),
        "games": tuned.games,
        "goal": goal,
        **({"only": [tuned.cells.ids[unit] for unit in tuned.focus]} if tuned.focus else {}),
        "reached": tuned.reached,
        "sure": tuned.sure,
        "selection_bias": None if isnan(tuned.bias) else tuned.bias,
        "unwon": tuned.unwon,
        "truncated": tuned.truncated,
        "evaluations": tuned.sets,
        "search_games": tuned.search_games,
        "retest_games": tuned.retest_games,
        "retest_seed": tuned.retest_seed,
        "left_alone": dict(tuned.knobs.left),
        **({"tested": tested} if tested else {}),
    }


def tables(study: Study, tuned: Tuned, steps: pd.DataFrame) -> tuple[Table, ...]:
    """Single steps, the changes, win rates before and after (of both levels), a target, matchups, the best set of every size."""
    words = {"words": "number", "before": "now", "after": "becomes", "path": "field of the card file"}
    changes = tuned.changes.assign(words=[words_of(study, path) for path in tuned.changes["path"]])
    test = tuned.strong
    strong = replace(rates_table(study, tuned, test.units, test.player), id="strong_win_rates") if test else None
    quick = rates_table(study, tuned, tuned.units)
    return (
        *([single_steps_table(tuned, steps)] if tuned.focus else []),
        replace(table(changes, "changes", "What to change", words, below="field of the card file"), main=len(changes) > 1),
        *([replace(strong, main=True), quick] if strong else [replace(quick, main=True)]),
        target_table(tuned),
        matchup_table(tuned),
        trade_off_table(study, tuned),
        data_only(best_sets(tuned), "best_sets"),
        data_only(tuned.next, "further_changes"),
        data_only(tuned.stalled, "stalled"),
    )


def single_steps_table(tuned: Tuned, steps: pd.DataFrame) -> Table:
    """The single steps of the named entrants, those that reach the band first."""
    yes_or_no = {True: "yes", False: "no"}
    proposed = [f"{path}={after}" for path, _, after in tuned.changes.itertuples(index=False)] if len(tuned.changes) == 1 else []
    chosen = steps["setting"].isin(proposed)
    frame = steps.assign(
        number=[f"{row['name']}, {row['label']}" if len(tuned.focus) > 1 else row["label"] for row in steps.to_dict("records")],
        within=steps["reaches"].map(yes_or_no).where(~chosen, "yes, proposed"),
        games=steps["tested"].map(yes_or_no),
    )
    frame = pd.concat([frame[chosen], frame[~chosen]], ignore_index=True)
    columns = {"number": "number", "before": "now", "after": "becomes", "rate": "win rate", "low": "low", "high": "high"}
    columns |= {"within": "within", "other": "moves most", "other_change": "by", "games": "tested", "shared_with": "also of"}
    columns |= {"setting": "setting"}
    shares: dict[str, Format] = {"win rate": "percent", "low": "percent", "high": "percent", "by": "points"}
    names = listed([tuned.cells.names[unit] for unit in tuned.focus])
    caption = f"Single steps of {names}, those that bring it within {band_words(tuned)} first"
    made = table(frame, "single_steps", caption, columns, shares)
    return replace(made, details=(*made.details, "tested", "also of", "setting", "low", "high"), whole=steps)


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
    if tuned.focus:
        order = [*tuned.focus, *(unit for unit in units["change"].abs().argsort()[::-1] if unit not in tuned.focus)]
        units = units.iloc[order].reset_index(drop=True)
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


def trade_off_table(study: Study, tuned: Tuned) -> Table:
    """The best set of each size with its changes: how many win rates are within the band, and the largest distance from it."""
    rows = tuned.trade_off.to_dict("records")
    level = "strong_" if tuned.strong else ""
    frame = pd.DataFrame(
        {
            "changes": [row["changes"] for row in rows],
            "within": [f"{int(row[f'{level}within'])} of {len(tuned.aims)}" if row[f"{level}games"] else "" for row in rows],
            "outside": [row[f"{level}outside"] for row in rows],
            "quick": [f"{int(row['within'])} of {len(tuned.aims)}" for row in rows],
            "mark": [*marks(tuned.trade_off["proposed"])],
            "words": ["; ".join(change_words(study, **change) for change in row["numbers"]) or "none" for row in rows],
        }
    )
    columns = {"changes": "changes", "within": "within", "outside": "largest distance"}
    columns |= {"quick": "with quick players"} if tuned.strong else {}
    columns |= {"mark": "", "words": "what changes"}
    caption = (
        f"The best set of each size in the games of the re-test: {'win rates' if tuned.aim.units else 'goals'} {wanted(tuned)}"
    )
    made = table(frame, "trade_off", caption, columns, {"largest distance": "points"}, below="what changes")
    return replace(made, whole=tuned.trade_off)


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


def notes(tuned: Tuned) -> Iterator[str]:
    """What is missing, how the proposal was tested, how it was found."""
    yield from shortfalls(tuned)
    yield f"Re-test: {count(tuned.retest_games)} games of seed {tuned.retest_seed}, which had no part in the search."
    if tuned.strong is not None:
        games = count(tuned.strong.games)
        yield f"Strong players ({tuned.strong.player}): {games} games, those of the re-test with the same seed."
        yield "The games of the strong players decide; sets that they have not played have no count of win rates within the band."
    if tuned.focus:
        named = listed([tuned.cells.names[unit] for unit in tuned.focus])
        yield f"Only games of {named} were played; of the others the table has the change over all of their games."
    left = len(tuned.knobs.left)
    games = f", {count(tuned.search_games)} games" if tuned.search_games else ""
    yield (
        f"Search: {count(tuned.sets)} card sets{games}; {len(tuned.knobs.knobs)} numbers could be "
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
    outside = tuned.decisive[~tuned.decisive["place"].isin(GOOD)]
    for name in outside["name"]:
        helpful = tuned.next[tuned.next["name"] == name]
        if len(helpful):
            best = helpful.iloc[0]
            yield (
                f"One further change, {best['path']} {best['before']} to {best['after']}, would bring {name} to about "
                f"{percent(best['rate'])} (\u00b1{100 * Z * best['error']:.1f} points, by the search's model, not re-tested)."
            )
    if len(outside) and len(tuned.steps) >= tuned.goal.max_changes:
        yield f"No more than {some(tuned.goal.max_changes, 'change')} {'was' if tuned.goal.max_changes == 1 else 'were'} allowed."
    if len(outside) and outside["place"].eq("probably short").all():
        yield "The gaps are within chance; more games would decide."


def rates_chart(rates: pd.DataFrame) -> Figure:
    """Win rates before and after the changes, highest before at the top."""
    frame = rates.dropna(subset=["before", "after"]).sort_values("before", ascending=False, kind="stable")
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
