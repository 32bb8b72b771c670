"""The main chart of each command, in the form that reports use for the same question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd
from matplotlib.figure import Figure

from analysis.charts import choices, dumbbell, forest, gains, heatmap, lines, reliability, twofold
from analysis.data.card_tally import CardTally
from analysis.decks.cards import pooled_cards
from analysis.decks.loadouts import KitEffects
from analysis.decks.tables import slots_of
from analysis.dice.duels import Fought
from analysis.document import verdicts
from analysis.first_player.section import SeatSummary, judged_rows
from analysis.matchups.study import MatchupStudy
from analysis.stats.sequential import ALIKE, FIRST, OPEN, SECOND
from analysis.timeline.courses import Courses
from analysis.timeline.section import leads_frame
from analysis.tuning.confirm import Tuned
from analysis.tuning.section import rates_figure
from analysis.variants.compare import WhatIf
from analysis.variants.interactions import Screen
from analysis.winrates import play, tables
from analysis.winrates.head_to_head import Verdict
from analysis.winrates.play import Played
from analysis.winrates.rates import fair_share
from analysis.winrates.strongest import Standing

if TYPE_CHECKING:
    from analysis.training.train import Trained

SURE = 0.05
ENDS = 15  # rows shown from each end of a long chart
EVEN = 0.5
WORDS = (verdicts.TOO_STRONG, verdicts.TOO_WEAK)


def win_rates(played: Played) -> Figure | None:
    """Win rates with intervals; for teams those of their parts, for very many entrants both ends."""
    seats, parts = played.experiment.seats, played.parts
    if parts is not None and played.experiment.line_up is None:
        fair = fair_share(seats, float(played.tally.decided[seats]))
        frame = (played.until.rates if played.until else parts.rates)(fair)
    else:
        frame = play.judged_so_far(tables.win_rates(played), played)
        line_up = played.experiment.line_up
        frame = frame if line_up is None else frame[frame["entrant"].isin(line_up)]
    return _forest(frame.assign(seats=seats))


def _forest(frame: pd.DataFrame) -> Figure | None:
    """Forest plot of win rates, with verdicts if there are any."""
    known = frame[frame["n"] > 0]
    if known.empty:
        return None
    if "verdict" not in known:
        known = known.assign(verdict="")
    return forest(_ends(known.sort_values("estimate", ascending=False, kind="stable")))


def _ends(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame, or both ends of a long one."""
    return frame if len(frame) <= 2 * ENDS else pd.concat([frame.head(ENDS), frame.tail(ENDS)])


def matchups(study: MatchupStudy) -> Figure:
    """Who beats whom."""
    return heatmap(study.pairs)


def seats(result: SeatSummary) -> Figure:
    """Win share of the first player, overall and in the matchups farthest from fair."""
    return forest(judged_rows([result]), panels="panel")


def pace(courses: Courses) -> Figure | None:
    """By turn: how often the leader wins, and the share of games led for good; None if no game has a single winner."""
    return lines(leads_frame(courses), label="end of turn") if (courses.winner >= 0).any() else None


def what_if(result: WhatIf) -> Figure | None:
    """Win rates before and after."""
    if result.rates.empty:
        return None
    names = {"before": "first", "before_low": "first_low", "before_high": "first_high", "after": "second"}
    names |= {"after_low": "second_low", "after_high": "second_high", "low": "change_low", "high": "change_high"}
    frame = result.rates.rename(columns=names).sort_values("first", ascending=False, kind="stable")
    return dumbbell(_ends(frame), words=("before", "after"), label="win rate", change="change, points")


def screen(result: Screen) -> Figure:
    """Size of the effect of each number, and how much it depends on the others."""
    if result.method == "morris":
        names, label = ("mu_star", "sigma"), "change of the outcome per step, percentage points"
        words = ("mean size of the effect (mu*)", "dependence on the others (sigma)")
    else:
        names, label = ("s1", "st"), "share of the variance"
        words = ("alone (first order)", "with its interactions (total)")
    columns = {
        f"{name}{end}": f"{place}{end}"
        for name, place in zip(names, ("first", "second"), strict=True)
        for end in _BOUNDS
    }
    frame = result.effects.rename(columns={"path": "name"} | columns)
    frame = frame[["name", *columns.values()]].assign(n=result.points)
    frame = frame.sort_values("second", ascending=False, kind="stable")
    return dumbbell(frame, words=words, label=label, what="points")


_BOUNDS = ("", "_low", "_high")


def tuned_rates(result: Tuned) -> Figure:
    """Win rates now and with the changes."""
    return rates_figure(result)


def compare(result: Verdict) -> Figure:
    """The shares of two entrants with confidence sequences and the decision of the test; the band is the margin."""
    columns = ["name", "estimate", "low", "high", "pairs", "n", "truncated"]
    frame = pd.DataFrame(result.main().rows, columns=columns)
    judged = {FIRST: WORDS, SECOND: WORDS[::-1], ALIKE: (verdicts.FAIR,) * 2, OPEN: (verdicts.OPEN,) * 2}
    band = result.duel.margin / EVEN
    return forest(frame.assign(seats=2, fair=EVEN, verdict=judged[result.duel.decision]), band=band)


def strongest(result: Standing) -> Figure | None:
    """Win rates of all entrants with their confidence sequences."""
    seats_ = result.experiment.seats
    return _forest(result.frame.assign(seats=seats_, fair=1 / seats_))


def kits(result: KitEffects) -> Figure | None:
    """Win rates with every kit, by deck; the worth of the parts of a kit if there is no other kit; None without either."""
    if not result.kits.empty:
        frame = result.kits.assign(sure=result.kits["p_holm"] < SURE)
        rest = [", ".join(str(row[slot]) for slot in slots_of(result.kits)[1:]) for _, row in frame.iterrows()]
        drawn = frame.assign(panel=frame["name"], name=rest).drop(columns=["low", "high"])
        return choices(drawn.rename(columns={"estimate_low": "low", "estimate_high": "high"}))
    if result.blanks.empty:
        return None
    frame = result.blanks.assign(sure=result.blanks["p_holm"] < SURE, panel=result.blanks["slot"])
    names = [f"{name}: {choice}" for name, choice in zip(frame["name"], frame["choice"], strict=True)]
    return gains(frame.assign(name=names), counts=("games", "Games: played with and without it."), bars=True)


def cards(tally: CardTally, effects: pd.DataFrame) -> Figure | None:
    """Effects of cards from replacements, else win rates when drawn minus not drawn, over all entrants; both ends of many."""
    if len(effects):
        several = len(set(effects["name"])) > 1
        frame = effects.sort_values("effect", ascending=False, kind="stable")
        names = frame["name"] + ": " + frame["card_name"] if several else frame["card_name"]
        frame = frame.assign(name=names, estimate=frame["effect"], sure=frame["p_holm"] < SURE)
        words = ("with the card minus with plain ones", "")
        return twofold(_ends(frame[["name", "estimate", "low", "high", "n", "sure"]]), words=words, what="pairs")
    frame = pooled_cards(tally).dropna(subset=["change"]).sort_values("change", ascending=False, kind="stable")
    if frame.empty:
        return None
    drawn = frame.assign(name=frame["card_name"], estimate=frame["change"], sure=frame["p_holm"] < SURE)
    drawn = drawn.drop(columns="n").rename(columns={"n_drawn": "n"})[["name", "estimate", "low", "high", "n", "sure"]]
    return twofold(_ends(drawn), words=("drawn minus not drawn (conditional)", ""), what="drawn")


def duel(result: Fought) -> Figure:
    """Endings of a duel: exact probabilities beside simulated shares."""
    rows = [
        {"name": line["ending"], "first": line["exact"], "second": line["simulated"]}
        | {
            "first_low": line["exact"],
            "first_high": line["exact"],
            "second_low": line["low"],
            "second_high": line["high"],
        }
        for line in result.endings()
    ]
    frame = pd.DataFrame(rows).assign(n=result.agreement.n)
    return dumbbell(frame, words=("exact", "simulated"), label="chance", what="duels")


def trained(results: Sequence[Trained]) -> Figure:
    """Reliability of the evaluations of positions."""
    return reliability(
        pd.concat([result.reliability.assign(seats=result.seats) for result in results], ignore_index=True)
    )
