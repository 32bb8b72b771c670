"""The main chart of each command: what was found, in the form in which the reports draw the same question."""

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
ENDS = 15  # lines of a long chart from each end
EVEN = 0.5
WORDS = (verdicts.TOO_STRONG, verdicts.TOO_WEAK)


def win_rates(played: Played) -> Figure | None:
    """Win rates with intervals; of teams those of their parts, of very many entrants both ends."""
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
    """Win rates with their verdicts, where they have any."""
    known = frame[frame["n"] > 0]
    if known.empty:
        return None
    if "verdict" not in known:
        known = known.assign(verdict="")
    return forest(_ends(known.sort_values("estimate", ascending=False, kind="stable")))


def _ends(frame: pd.DataFrame) -> pd.DataFrame:
    """A frame as it is, or both ends of a long one."""
    return frame if len(frame) <= 2 * ENDS else pd.concat([frame.head(ENDS), frame.tail(ENDS)])


def matchups(study: MatchupStudy) -> Figure:
    """Who beats whom."""
    return heatmap(study.pairs)


def seats(found: SeatSummary) -> Figure:
    """Win share of the first player, overall and where it is farthest from fair."""
    return forest(judged_rows([found]), panels="panel")


def pace(courses: Courses) -> Figure | None:
    """By turn: how often the seat ahead wins, and how many games are led for good; None where no seat won alone."""
    return lines(leads_frame(courses), label="end of turn") if (courses.winner >= 0).any() else None


def what_if(found: WhatIf) -> Figure | None:
    """Win rates before and after."""
    if found.rates.empty:
        return None
    names = {"before": "first", "before_low": "first_low", "before_high": "first_high", "after": "second"}
    names |= {"after_low": "second_low", "after_high": "second_high", "low": "change_low", "high": "change_high"}
    frame = found.rates.rename(columns=names).sort_values("first", ascending=False, kind="stable")
    return dumbbell(_ends(frame), words=("before", "after"), label="win rate", change="change, points")


def screen(found: Screen) -> Figure:
    """Size of the effect of each number beside how far it depends on the others."""
    if found.method == "morris":
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
    frame = found.effects.rename(columns={"path": "name"} | columns)
    frame = frame[["name", *columns.values()]].assign(n=found.points)
    frame = frame.sort_values("second", ascending=False, kind="stable")
    return dumbbell(frame, words=words, label=label, what="points")


_BOUNDS = ("", "_low", "_high")


def tuned_rates(found: Tuned) -> Figure:
    """Win rates now and with the changes."""
    return rates_figure(found)


def compare(found: Verdict) -> Figure:
    """The shares of two entrants with their confidence sequences, judged as the test decided; the band is the margin."""
    columns = ["name", "estimate", "low", "high", "pairs", "n", "truncated"]
    frame = pd.DataFrame(found.main().rows, columns=columns)
    judged = {FIRST: WORDS, SECOND: WORDS[::-1], ALIKE: (verdicts.FAIR,) * 2, OPEN: (verdicts.OPEN,) * 2}
    band = found.duel.margin / EVEN
    return forest(frame.assign(seats=2, fair=EVEN, verdict=judged[found.duel.decision]), band=band)


def strongest(found: Standing) -> Figure | None:
    """Win rates of all entrants with their confidence sequences."""
    seats_ = found.experiment.seats
    return _forest(found.frame.assign(seats=seats_, fair=1 / seats_))


def kits(found: KitEffects) -> Figure | None:
    """Win rates with every kit, by deck; what parts of a kit are worth where there is no other kit; None without either."""
    if not found.kits.empty:
        frame = found.kits.assign(sure=found.kits["p_holm"] < SURE)
        rest = [", ".join(str(row[slot]) for slot in slots_of(found.kits)[1:]) for _, row in frame.iterrows()]
        drawn = frame.assign(panel=frame["name"], name=rest).drop(columns=["low", "high"])
        return choices(drawn.rename(columns={"estimate_low": "low", "estimate_high": "high"}))
    if found.blanks.empty:
        return None
    frame = found.blanks.assign(sure=found.blanks["p_holm"] < SURE, panel=found.blanks["slot"])
    names = [f"{name}: {choice}" for name, choice in zip(frame["name"], frame["choice"], strict=True)]
    return gains(frame.assign(name=names), counts=("games", "Games: played with and without it."), bars=True)


def cards(tally: CardTally, effects: pd.DataFrame) -> Figure | None:
    """What cards do where they were replaced, else win rates when drawn less when not, over all entrants; of many both ends."""
    if len(effects):
        several = len(set(effects["name"])) > 1
        frame = effects.sort_values("effect", ascending=False, kind="stable")
        names = frame["name"] + ": " + frame["card_name"] if several else frame["card_name"]
        frame = frame.assign(name=names, estimate=frame["effect"], sure=frame["p_holm"] < SURE)
        words = ("with the card less with plain ones", "")
        return twofold(_ends(frame[["name", "estimate", "low", "high", "n", "sure"]]), words=words, what="pairs")
    frame = pooled_cards(tally).dropna(subset=["change"]).sort_values("change", ascending=False, kind="stable")
    if frame.empty:
        return None
    drawn = frame.assign(name=frame["card_name"], estimate=frame["change"], sure=frame["p_holm"] < SURE)
    drawn = drawn.drop(columns="n").rename(columns={"n_drawn": "n"})[["name", "estimate", "low", "high", "n", "sure"]]
    return twofold(_ends(drawn), words=("drawn less not drawn (conditional)", ""), what="drawn")


def duel(found: Fought) -> Figure:
    """How a duel ends: exact chances beside the share of the duels that were fought."""
    rows = [
        {"name": line["ending"], "first": line["exact"], "second": line["simulated"]}
        | {
            "first_low": line["exact"],
            "first_high": line["exact"],
            "second_low": line["low"],
            "second_high": line["high"],
        }
        for line in found.endings()
    ]
    frame = pd.DataFrame(rows).assign(n=found.agreement.n)
    return dumbbell(frame, words=("exact", "simulated"), label="chance", what="duels")


def trained(found: Sequence[Trained]) -> Figure:
    """How reliable the judgements of positions are."""
    return reliability(pd.concat([one.reliability.assign(seats=one.seats) for one in found], ignore_index=True))
