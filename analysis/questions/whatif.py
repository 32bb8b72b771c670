"""Effect of a change of the cards on every win rate: the same games with the same dice, before and after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer import numbers, verdicts
from analysis.answer.model import Answer, Chart, ColumnNote
from analysis.answer.numbers import THIN, Format, as_written, count, number, percent, points
from analysis.answer.prose import MANY_TRUNCATED, bounds_of, fitting, limit_words, size, some, truncated_change
from analysis.answer.tables import DETAILS, Table, both_ends, data_only, highest
from analysis.data.commands import more_games
from analysis.data.players import LONG_ANSWER, games_in, player_words
from analysis.data.study import Study
from analysis.games import change_of
from analysis.question import Settings, question
from analysis.results import Cards
from analysis.variants.compare import FIRST, LENGTH, SPREAD, WhatIf, afforded, seated, what_if
from analysis.variants.sensitivity import words_of
from analysis.variants.tables import CHANGES, ENDS, EVIDENCE, GAIN_WORDS, PAIR_WORDS, SPREAD_WORDS, TRUNCATED, run_words, table
from analysis.variants.variant import SURE, Change, edited, owner_of, unit_names
from analysis.winrates.play import checked_precision
from analysis.winrates.tested import levels
from sim.engine.cardfiles.paths import numeric_fields

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

GAMES = 20_000  # before the change, at most by default
MOST = 2_000_000  # with a precision
DIRECTIONS = {
    SPREAD: ("more even", "less even"),
    FIRST: ("less for the first", "more for the first"),
    LENGTH: ("shorter", "longer"),
}
TESTED = {"strong_before": "strong before", "strong_after": "strong after", "holds": "holds for"}  # columns of the test
FIRST_NAMES = 6  # entrants listed by name; further ones are counted


@question(
    options={"set_": "--set"},
    examples=("whatif arena --set hero.rhino_guy.move=3", "whatif arena --cards my-arena --against their-arena"),
)
def whatif(
    study: Study, against: Cards | None = None, games: int | None = None, set_: Settings = (), precision: float | None = None
) -> Answer:
    """Effect of a changed number on every win rate.

    The same games with the same dice are played before and after. With another card set, both play the same games; entrants are
    matched by their ids. Rules that the card file leaves at their default can be set too.

    Parameters
    ----------
    against : Cards, str or Path, optional
        Instead of a change: another card set, such as a folder with a cards.toml, or a spreadsheet.
    games : int, optional
        Games in all, before and after together, at most. By default those of about twelve seconds before, at most 20,000, and
        again those that the change can affect.
    set_ : list of str, or mapping
        A field and its value, such as hero.rhino_guy.move=3, or +1 / -1 for steps; several are one change.
    precision : float, optional
        Play until every change is known to within this many percentage points.

    Examples
    --------
    >>> import fairfight as ff
    >>> arena = ff.load("arena")
    >>> result = ff.whatif(arena, arena.set("hero.rhino_guy.move", 3), 400, policy="random", progress=False)
    >>> result.data["change"]
    [{'path': 'hero.rhino_guy.move', 'before': 2, 'after': 3}]
    >>> ff.whatif(arena, set_={"hero.rhino_guy.move": 3}, games=400, policy="random", progress=False).data == result.data
    True

    """
    if (against is None) == (not set_):
        raise ValueError(
            "whatif: name the change with --set PATH=VALUE, such as --set hero.rhino_guy.move=3, or another card set with "
            "--against DIR; one of the two"
        )
    half_width = None if precision is None else checked_precision(precision)
    usual = study.games_in(LONG_ANSWER, GAMES) if precision is None else MOST
    design = study.design(usual if games is None else games)
    change = asked_change(study, design.seats, against, set_)
    base = seated(design, change)
    if games is not None:
        base = afforded(base, change, games)
    result = what_if(base, change, study.jobs, partial(study.player.watch, "games"), half_width)
    test = tested(study, result)
    if test is not None:
        result = replace(result, rates=with_changes(result.rates, test.rates))
    result = replace(result, rates=with_verdicts(result))
    changes = pd.DataFrame([(edit.path, edit.before, edit.value) for edit in change.edits], columns=CHANGE, dtype=object)
    return Answer(
        summary(result, change_name(study, change)),
        (rates_table(result), whole_table(result), data_only(changes, "change")),
        (Chart(partial(rates_chart, result.rates), "Win rates before and after."),) if len(result.rates) else (),
        tuple(notes(result)),
        facts(result, test),
        cards=Cards(study.game, change.cards) if against is None else against,
        again=more_games(result.played) if may_be_chance(result) else {},
        shown=f"the first {count(result.games)} of {count(base.games)} games each way" if result.interrupted else "",
        warnings=tuple(warnings(result, test)),
    )


CHANGE = ("path", "before", "after")


def tested(study: Study, result: WhatIf) -> WhatIf | None:
    """The change with the strong players, which test what quick ones say; None unless these were asked for."""
    if study.tester is None or result.change.idle or result.interrupted or result.rates.empty:
        return None
    games = min(result.games, games_in(study.game, (study.tester,), result.base.seats, LONG_ANSWER, GAMES))
    base = replace(result.base, policies=(study.tester,), games_wanted=games)
    return what_if(base, result.change, study.jobs, partial(study.player.watch, "games of strong players"))


def with_changes(quick: pd.DataFrame, strong: pd.DataFrame) -> pd.DataFrame:
    """Add what the strong players change: columns strong_before, strong_after, strong_change, strong_low, strong_high and holds.

    holds: the levels at which a significant change has this direction, see `winrates.tested.levels`.
    """
    columns = ["before", "after", "change", "low", "high"]
    tests = strong.set_index("name")[[*columns, "sure"]].add_prefix("strong_")
    frame = quick.join(tests, on="name")
    decided, known = frame["sure"].astype(bool), frame["strong_sure"].fillna(False).astype(bool)
    same = known & (frame["change"] * frame["strong_change"] > 0)
    return frame.drop(columns="strong_sure").assign(holds=levels(decided, known, same))


def asked_change(study: Study, seats: int, against: Cards | None, set_: Settings) -> Change:
    """The change that was asked for. Raises ValueError, CardError for a field or value that the cards do not allow."""
    if isinstance(set_, Mapping):
        against = Cards(study.game, study.cards).update(set_) if set_ else against
    if against is not None:
        return change_of(Cards(study.game, study.cards), against, seats)
    return edited(study.game, study.cards, list(set_))


def summary(result: WhatIf, name: str) -> str:
    """The sentence: the win rate of the changed entrant, else the one that changes most, and its verdict. name: of the change."""
    known = result.rates.dropna(subset=["change"])
    if result.change.idle:
        return f"{name}: the change never reaches play."
    if known.empty:
        return f"{name}: no game came to an end."
    top = changed_entrant(result, known)
    before, after = percent(top["before"]), f"{percent(top['after'])} {bounds_of(top, 'after')}"
    if top["verdict"]:
        before, after = f"{before} ({top['verdict_before']})", f"{after[:-1]}, {top['verdict']})"
    moved = f"{points(numbers.change(top['before'], top['after']))} points"
    bounds = f"{points(top['low'])} to {points(top['high'])}{'' if top['p_holm'] < SURE else ', perhaps chance'}"
    who = "" if f"\u201c{top['name']}" in name else f"{top['name']} "
    begin = f"{name}: {who}wins {after}, before {before}"
    return fitting(f"{begin}; {moved} ({bounds}), {size(top['n'])}.", f"{begin}; {moved} ({bounds}).", f"{begin}; {moved}.")


def changed_entrant(result: WhatIf, rates: pd.DataFrame) -> pd.Series:
    """The row of the entrant to which all changed fields belong, else the largest change."""
    base = result.base
    ids = base.teams.ids if base.teams else base.cards.ids
    owners = {owner_of(base.cards.document, edit.path, ids) for edit in result.change.edits}
    own = [unit_names(base)[owner] for owner in owners if owner is not None] if len(owners) == 1 else []
    rows = rates[rates["name"].isin(own)]
    return rows.iloc[0] if len(rows) else highest(rates, "change", size=True)


def change_name(study: Study, change: Change) -> str:
    """What is changed, in words: “Rhino Guy: move” from 2 to 3."""
    if change.rival is not None:
        return f"Against {change.rival.title}"
    if len(change.edits) > 1:
        return some(len(change.edits), "changed field").capitalize()
    (edit,) = change.edits
    words = words_of(study, edit.path) if edit.path in numeric_fields(study.cards.document) else edit.path
    return f"“{words}” from {as_written(edit.before)} to {as_written(edit.value)}"


def with_verdicts(result: WhatIf) -> pd.DataFrame:
    """Add whether each entrant is too strong before and after the change, with intervals of both rates that hold together.

    Verdicts are empty for teams, whose parts are judged by their contribution. The largest change comes first.
    """
    frame, fair = result.rates, float("nan") if result.base.teams else result.fair
    for side, verdict in (("before", "verdict_before"), ("after", "verdict")):
        columns = {side: "estimate", f"{side}_low": "low", f"{side}_high": "high", "n": "n"}
        rates = result.rates[list(columns)].set_axis(list(columns.values()), axis=1).assign(fair=fair)
        judged = verdicts.with_verdicts(verdicts.simultaneous(rates))
        frame = frame.assign(**{f"{side}_low": judged["low"], f"{side}_high": judged["high"], verdict: judged["verdict"]})
    order = frame["change"].abs().fillna(-1).sort_values(ascending=False, kind="stable").index
    return frame.loc[order].reset_index(drop=True)


def may_be_chance(result: WhatIf) -> bool:
    """Whether more games could show a change: none of the changes is significant."""
    return not result.change.idle and result.half_width is None and not result.rates["sure"].any()


def facts(result: WhatIf, test: WhatIf | None = None) -> dict[str, object]:
    """How the games were played and tested, and with which cards."""
    base, change, rival = result.base, result.change, result.change.rival
    known: dict[str, object] = {
        **base.facts(),
        "games": result.games,
        "played": result.played,
        "ended_otherwise": result.moved,
        "reaches_play": not change.idle,
        "paired": paired(result),
        "half_width": result.half_width,
        **dict(zip(TRUNCATED, result.truncated, strict=True)),
    }
    if test is not None:
        known["tested"] = {"policy": test.base.policy_words, "games": test.games}
    if rival is not None:
        known["against"] = {"cards": rival.title, "cards_digest": rival.digest, "only": [list(ids) for ids in rival.only]}
    return known


def paired(result: WhatIf) -> bool:
    """Whether both ways have the same line-ups; seats that choose their entrants can choose otherwise after a change."""
    return bool(result.rates["paired"].all())


def rates_table(result: WhatIf) -> Table:
    """Win rates before and after, the largest change first."""
    base, rates = result.base, result.rates
    word = base.teams.word if base.teams else base.game.entrant_word
    verdict = {"verdict": "now", "verdict_before": "before the change"}
    columns = {"name": word, **CHANGES} | (verdict if (rates["verdict"] != "").any() else {})
    columns |= EVIDENCE | TRUNCATED | (TESTED if "holds" in rates else {})
    caption = f"Win rates with {player_words(base.game, base.policies)}"
    caption += f" (fair: {verdicts.band(result.fair)})" if "verdict" in columns else ""
    formats: dict[str, Format] = dict.fromkeys(("strong before", "strong after"), "percent")
    return table(rates, "win_rates", caption, columns, formats, details=("before the change",))


def whole_table(result: WhatIf) -> Table:
    """The game as a whole, each line in its unit."""
    rows = []
    for line in result.whole.to_dict("records"):
        turns = line["unit"] == "turns"
        rate, change = (number, signed) if turns else (percent, points)
        writers = {"before": rate, "after": rate, "change": change, "low": change, "high": change}
        written = line if turns else line | {"change": numbers.change(line["before"], line["after"])}
        cells = [write(written[name]) if np.isfinite(written[name]) else None for name, write in writers.items()]
        rows.append((line["what"], *cells, direction(line), line["unit"], line["p"], line["n"], line["gain"]))
    headings = ("the whole game", "before", "after", "change", "change low", "change high", "effect", "unit", "p", "n", "gain")
    formats: dict[str, Format] = {"p": "p", "n": "count"}
    return Table("whole", headings, tuple(rows), "", formats, details=(*DETAILS, "unit"), main=True, whole=result.whole)


def direction(line: Mapping[Any, Any]) -> str:
    """What a change of the whole game means: `less even`, `longer`; `may be chance` if it is not significant."""
    if not line["p"] < SURE:
        return "may be chance"
    less, more = DIRECTIONS[line["what"]]
    return more if line["change"] > 0 else less


def signed(value: float) -> str:
    """A change in turns."""
    return f"{'+' if value > 0 else ''}{number(value)}"


def rates_chart(rates: pd.DataFrame) -> Figure:
    """Win rates before and after, those at both ends if there are many."""
    frame = rates.rename(columns=ENDS).sort_values("first", ascending=False, kind="stable")
    return charts.dumbbell(both_ends(frame), words=("before", "after"), label="win rate", change="change, points")


def warnings(result: WhatIf, test: WhatIf | None) -> list[str]:
    """Entrants that play in none of the games, many truncated games, and what the strong players say of quick ones."""
    base, rival = result.base, result.change.rival
    only = []
    if rival is not None:
        for title, ids in zip((base.cards.title, rival.title), rival.only, strict=True):
            only += left_out(title, ids)
    stopped = truncated_change(*result.truncated, limit_words(base.game.limits_itself))
    return [
        *only,
        *([stopped] if max(result.truncated) >= MANY_TRUNCATED else []),
        *(tested_words(result, test) if test is not None else []),
    ]


def notes(result: WhatIf) -> list[str]:
    """Which games were played, how they are compared, and what changed."""
    base, change, rival = result.base, result.change, result.change.rival
    what = f"{'Against' if rival else 'Change:'} {change}."
    few = max(result.truncated) < MANY_TRUNCATED
    stopped = [truncated_change(*result.truncated, limit_words(base.game.limits_itself))] if few else []
    if change.idle:
        return ["The change never reaches play, so it has no effect.", what, *stopped, run_words(base)]
    after = result.played - result.games
    others = ", because the change cannot affect the others" if after < result.games else ""
    return [
        f"{count(result.played)} games in all: {count(result.games)} before, {count(after)} of them again after{others}; "
        f"{count(result.moved)} ({percent(result.moved / result.games)}) ended differently.",
        *interval_notes(result),
        what,
        PAIR_WORDS,
        GAIN_WORDS,
        *stopped,
        SPREAD_WORDS,
        run_words(base),
    ]


def tested_words(result: WhatIf, test: WhatIf) -> list[str]:
    """Sentence on what the strong players make of the change that the summary names."""
    known = result.rates.dropna(subset=["strong_change"])
    if known.empty:
        return []
    top = changed_entrant(result, known)
    moved = points(numbers.change(top["strong_before"], top["strong_after"]))
    sure = f"{points(top['strong_low'])} to {points(top['strong_high'])}"
    return [
        f"With strong players {top['name']} goes from {percent(top['strong_before'])} to {percent(top['strong_after'])} "
        f"({moved} points, {sure}; {count(test.games)} games each way)."
    ]


def left_out(title: str, ids: tuple[str, ...]) -> list[str]:
    """Sentence on entrants that play in none of the games; none without ids."""
    more = f" and {len(ids) - FIRST_NAMES} more" if len(ids) > FIRST_NAMES else ""
    named = f"{', '.join(ids[:FIRST_NAMES])}{more}"
    return [f"Only in {title}, so in none of the games ({len(ids)}): {named}."] if ids else []


def interval_notes(result: WhatIf) -> list[str]:
    """Sentences on the intervals."""
    kind = [
        f"Intervals of changes at 95{THIN}%, for each row alone; those of the win rates after the change hold together.",
        ColumnNote("p (Holm): over all rows of its table.", "p (Holm)"),
    ]
    if not paired(result):
        kind.append("Line-ups differ because seats chose otherwise: two samples are compared, not pairs.")
    if result.half_width is None:
        return kind
    widest = float(((result.rates["high"] - result.rates["low"]) / 2).max())
    why = "interrupted" if result.interrupted else "the games were used up"
    reached = "reached" if widest <= result.half_width else f"not reached: {why}"
    wanted = f"\u00b1{100 * result.half_width:g} points"
    return [*kind, f"Changes of win rates: confidence sequence, valid at every look; {wanted} {reached}."]
