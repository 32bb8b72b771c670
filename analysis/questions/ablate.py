"""Worth of an ability, a card or a rule: the same games with the same dice, with it and without it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart, ColumnNote
from analysis.answer.numbers import THIN, change, count, percent, points
from analysis.answer.tables import Table, highest
from analysis.data.commands import deciding_games
from analysis.data.players import LONG_ANSWER, SEARCH
from analysis.data.study import Study
from analysis.question import question
from analysis.stats.intervals import Adjustment
from analysis.variants.ablation import Worth, affordable, bans_of, everything, thing_words, things_of, worth
from analysis.variants.tables import GAIN_WORDS, left_out, run_words, table, truncated_steps

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

GAMES = 20_000  # with each thing, at most by default
ALL_GAMES = 100_000  # of all trials together, if everything is tried
CHARTED = 30  # things in the chart
ADJUSTED: dict[Adjustment, str] = {"holm": "p (Holm)", "bh": "p (BH)"}


@question(
    without=("line_up",),
    options={"things": "[ENTRANT:]THING...", "names": "--list"},
    lists="names",
    examples=("ablate arena --list", "ablate arena hero.rhino_guy.charge", "ablate arena --chart worth.png"),
)
def ablate(
    study: Study,
    things: list[str] = (),  # type: ignore[assignment]
    games: int | None = None,
    entrant: str | None = None,
    names: bool = False,
) -> Answer:
    """Worth of an ability, a card or a rule.

    The same games with the same dice are played with it and without it. Players who may not use a thing also plan without it;
    they use it only if there is no other legal choice.

    Parameters
    ----------
    things : list of str
        Things to forbid one at a time, to one entrant (entrant:thing) or to all, with * for any text (hero.rhino_guy.*); by
        default everything, to each entrant that uses it.
    games : int, optional
        Games in all, at most, with and without each thing. By default those of about twelve seconds with it, at most 20,000,
        and again those that it can affect; of several things as many in all. For everything those of about 40 seconds, at most
        100,000. At least two rounds of line-ups with and without each.
    entrant : str, optional
        Forbid the things only to this entrant, by its id.
    names : bool
        Only list what can be forbidden.

    Examples
    --------
    >>> import fairfight as ff
    >>> result = ff.ablate("arena", "hero.rhino_guy.charge", 400, policy="random", progress=False)
    >>> result.frame["name"].tolist()
    ['Rhino Guy']

    """
    if things and names:
        raise ValueError(f"--list: lists all things; leave {things[0]} out")
    if entrant is not None and not things:
        raise ValueError(f"--entrant {entrant}: needs the name of a thing")
    if names:
        return list_of_things(study)
    every = not things
    usual = study.games_in(SEARCH, ALL_GAMES) if every else study.games_in(LONG_ANSWER, GAMES)
    base = study.design(usual if games is None else games)
    if every:
        result = everything(base, base.games_wanted, study.jobs, study.player.watch)
    else:
        bans = bans_of(base, things, entrant)
        shared = 2 * base.games_wanted // (1 + len(bans))  # as many games in all as for one thing
        wanted = max(2 * base.round_games, shared) if games is None else affordable(base, bans, games)
        base = replace(base, games_wanted=wanted)
        result = worth(base, bans, study.jobs, study.player.watch)
    frame = worths(result, ranked=every)
    stopped = result.games < result.base.games
    again = more(result, frame)
    return Answer(
        summary(frame, again),
        (worth_table(result, frame),),
        (Chart(partial(worth_chart, frame), "Worth of abilities, cards and rules."),),
        tuple(notes(result, frame, ranked=every)),
        facts(result),
        again=again,
        shown=f"the first {count(result.games)} of {count(result.base.games)} games each way" if stopped else "",
    )


def list_of_things(study: Study) -> Answer:
    """Everything that can be forbidden in a game. Raises ValueError if there is nothing."""
    known = things_of(study.game, study.cards)
    rows = tuple((thing,) for thing in known)
    caption = f"What can be forbidden in {study.game.title}"
    return Answer(f"{caption}: {count(len(known))}.", (Table("things", ("thing",), rows, caption),))


def worths(result: Worth, ranked: bool = False) -> pd.DataFrame:
    """Lines of `Worth` with words for the thing (label) and the id of the entrant under the ban.

    ranked: sort by absolute worth, significant ones first, and what belongs to the entrant, such as an ability, before what is
    common to all, such as moving; if none is significant, leave the order of the cards, because noise ranks nothing.
    """
    ids = result.base.cards.ids
    whom = ["everybody" if entrant < 0 else ids[entrant] for entrant in result.lines["entrant"].astype(int)]
    frame = result.lines.assign(forbidden_to=whom, label=[thing_words(result.base, thing) for thing in result.lines["thing"]])
    if not ranked:
        return frame
    sure = frame["sure"].astype(bool)
    if not sure.any():
        return frame
    order = frame.assign(sure=sure, own=is_own(frame), size=frame["worth"].abs().fillna(-1))
    return frame.loc[order.sort_values(["sure", "own", "size"], ascending=False, kind="stable").index].reset_index(drop=True)


def is_own(frame: pd.DataFrame) -> pd.Series:
    """Whether each thing belongs to the entrant that lacks it, such as an ability of a hero; not, such as moving."""
    both = zip(frame["forbidden_to"], frame["thing"], strict=True)
    return pd.Series([whom in thing.split(".") for whom, thing in both], frame.index, bool)


def more(result: Worth, frame: pd.DataFrame) -> dict[str, int]:
    """Games that would decide, if nothing is surely worth anything."""
    worths_ = frame.dropna(subset=["worth"])
    if worths_.empty or worths_["sure"].any():
        return {}
    return deciding_games(result.played, worths_.rename(columns={"worth": "change"}))


def summary(frame: pd.DataFrame, again: Mapping[str, int]) -> str:
    """The sentence: the thing of an entrant that is surely worth most, or that none is. again: games that would decide."""
    worths_ = frame.dropna(subset=["worth"])
    if worths_.empty:
        return "Nothing could be compared."
    sure = worths_[worths_["sure"].astype(bool)]
    candidates = sure if len(sure) else worths_
    own = candidates[is_own(candidates)]
    top = highest(own if len(own) else candidates, "worth", size=True)
    if not top["worth"]:
        return "Nothing that was taken away changed a win rate in these games."
    worth_ = f"{points(change(top['after'], top['before']))} points, {points(top['low'])} to {points(top['high'])}"
    if sure.empty:
        return (
            f"Nothing is surely worth anything; “{top['label']}” looks worth most to {top['name']} ({worth_}); "
            f"about {count(again['games'])} games would decide."
        )
    return (
        f"“{top['label']}” is worth most: without it {top['name']} wins {percent(top['after'])} instead of "
        f"{percent(top['before'])} ({worth_})."
    )


def facts(result: Worth) -> dict[str, object]:
    """How the games were played, and which things were not used in them."""
    return {
        **result.base.facts(),
        "games": result.games,
        "played": result.played,
        "looked_at": result.usages.looked_at,
        "adjusted": result.method,
        "unused": list(result.unused),
        "truncated": result.truncated,
    }


def worth_table(result: Worth, frame: pd.DataFrame) -> Table:
    """What each thing is worth to whom."""
    base = result.base
    columns = {
        "label": "what",
        "thing": "id",
        "name": f"win rate of ({base.teams.word if base.teams else base.game.entrant_word})",
        "before": "with it",
        "after": "without",
        "worth": "worth",
        "sure": "sure",
        "low": "worth low",
        "high": "worth high",
        "forbidden_to": "forbidden to",
        "p_adjusted": ADJUSTED[result.method],
        "of_decisions": "of decisions",
        "of_games": "in games",
        "n": "n",
        "gain": "gain",
        "truncated_before": "truncated with it",
        "truncated_after": "truncated without",
    }
    shown = frame.drop(columns=["entrant", "paired"])
    details = ("id", "forbidden to", *(("worth low", "worth high") if len(frame) > 1 else ()))
    written = shown.assign(sure=shown["sure"].astype(bool))
    caption = "What it is worth, in points of the win rate"
    return replace(table(written, "worth", caption, columns, details=details, below="id"), whole=shown)


def worth_chart(frame: pd.DataFrame) -> Figure:
    """The largest worths, with their intervals."""
    more = len(frame) - CHARTED
    rest = f" {more} more are worth less." if more > 0 else ""
    return charts.gains(chart_frame(frame), counts=("games", f"Games with it, and the same number without.{rest}"))


def chart_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """Data of the chart: the first rows, in panels by entrant if the bans differ by entrant."""
    rows = frame.head(CHARTED).assign(change=lambda part: part["worth"], thing=lambda part: part["label"])
    several = rows["name"].duplicated().any() and rows["thing"].duplicated().any()
    if several or len(set(rows["forbidden_to"])) > 1:
        return rows.assign(panel=rows["name"], name=rows["thing"])
    return rows.assign(name=rows["name" if len(set(rows["thing"])) == 1 else "thing"])


def notes(result: Worth, frame: pd.DataFrame, ranked: bool) -> list[str]:
    """What the worth is, which games were played, and what was left out."""
    again = "for each, played again without it if the ban can affect them" if ranked else "with it, and again those it can affect"
    return [
        "Worth: win rate with it minus that without it, in the same line-ups with the same dice.",
        "All players know about the ban and plan accordingly; a banned action is still taken if there is no other.",
        f"{count(result.games)} games {again}; {count(result.played)} in all.",
        ColumnNote(
            "Use: share of the decisions with an alternative and of the games, for the row's win rate, in "
            f"{count(result.usages.looked_at)} unchanged games.",
            *("of decisions", "in games"),
        ),
        GAIN_WORDS,
        truncated_steps(result.truncated, frame["truncated_after"], result.base),
        f"Sure: significant, {ADJUSTED[result.method]} over all rows; intervals at 95{THIN}%, for each row alone.",
        *left_out("Left out, because not used in the replayed games", result.unused),
        run_words(result.base),
    ]
