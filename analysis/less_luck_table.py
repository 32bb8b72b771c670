"""What `fairfight winrates --less-luck` adds to its answer: the table of win rates with the luck taken out, and the gain."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isnan
from time import perf_counter

from analysis.frames import distinct
from analysis.less_luck import REROLLS, LuckSums, win_rates
from analysis.playing import Keep
from analysis.report.model import Table
from analysis.winrates import Summary, percents
from analysis.wording import number
from sim.experiment import Experiment
from sim.run import Block, blocks

TIMED, TIMED_PART = (20, 2000), 20  # games of which both ways are timed: least and most, one in so many of the run
NOT_WORTH_IT = "Below 1 it costs more time than it saves: leave --less-luck out and play more games instead."
COLUMNS = {"win rate": "estimate", "low": "low", "high": "high", "n": "n", "plain": "plain", "gain": "gain"}


@dataclass(frozen=True, eq=False)
class Luck:
    """What is counted while games are played; nothing where luck is not asked for."""

    sums: LuckSums | None

    @classmethod
    def asked(cls, experiment: Experiment, wanted: bool, *, until: bool) -> Luck:
        """Begin to count if it is wanted. Raises ValueError where the games allow no such estimate."""
        if wanted and experiment.pair_games > 1:
            raise ValueError("--less-luck and --paired: games of a pair share their luck already; choose one of them")
        if wanted and until:
            raise ValueError(
                "--less-luck and --precision: a run that looks at itself goes by plain win rates; choose one"
            )
        return cls(LuckSums.of(experiment) if wanted else None)

    @property
    def rerolls(self) -> int:
        """Samples of each chance, 0 where luck is not asked for."""
        return REROLLS if self.sums else 0

    def keeping(self, keep: Keep | None) -> Keep | None:
        """What must see every block: the sums, and whoever else wanted to."""
        sums = self.sums
        if sums is None:
            return keep

        def both(block: Block) -> None:
            sums.add(block)
            if keep:
                keep(block)

        return both


def relative_time(experiment: Experiment, jobs: int | None = None) -> float:
    """How many times as long a game takes with its luck as without: some of the games are played again, both ways.

    Each way is played twice and the faster time counts, so that what is loaded or compiled first does not.
    """
    least, most = TIMED
    sample = replace(experiment, games_wanted=min(most, max(least, experiment.games // TIMED_PART)))
    times: dict[int, float] = {}
    for rerolls in (0, REROLLS) * 2:
        began = perf_counter()
        for _ in blocks(sample, jobs, rerolls=rerolls):
            pass
        times[rerolls] = min(times.get(rerolls, float("inf")), perf_counter() - began)
    return times[REROLLS] / max(times[0], 1e-9)


def with_less_luck(summary: Summary, experiment: Experiment, luck: Luck, jobs: int | None = None) -> Summary:
    """The summary with the table, how much was gained, and what is left of it once the longer time is counted."""
    if luck.sums is None:
        return summary
    teams = experiment.teams
    names = distinct(experiment.cards.names if teams is None else teams.names)
    frame = win_rates(luck.sums, names)
    frame = frame[frame["n"] > 0]
    word = experiment.game.entrant_word if teams is None else teams.word
    rows = tuple(frame[["name", *COLUMNS.values()]].astype(object).itertuples(index=False, name=None))
    formats = percents("win rate", "low", "high", "plain")
    table = Table("less-luck", (word, *COLUMNS), rows, "Win rates with the luck taken out", formats)
    gain = luck.sums.gain
    facts = summary.facts | {"rerolls": REROLLS, "gain": None if isnan(gain) else gain}
    return replace(summary, facts=facts, less_luck=table, lines=(*summary.lines, *_lines(gain, experiment, jobs)))


def _lines(gain: float, experiment: Experiment, jobs: int | None) -> tuple[str, ...]:
    """How to read it."""
    if isnan(gain):
        return ()
    return (
        f"With the luck taken out, {number(gain)} times fewer games give the same interval: what rolls and draws did to the "
        f"winning chances, as the game's judgement sees them, is compared with {REROLLS} samples of the same chance and taken "
        "off. That leaves the averages as they are (AIVAT, Burch et al. 2018). Gain: the same by whose games they are.",
        net_words(gain, relative_time(experiment, jobs)),
    )


def net_words(gain: float, longer: float) -> str:
    """What is left of the gain where a game takes `longer` times as long, in a sentence that warns below 1."""
    known = f"A game takes {number(longer)} times as long so: the net gain is {number(gain / longer)}"
    if gain < longer:
        return f"{known}. {NOT_WORTH_IT}"
    return f"{known}, which is how many times as long plain games of the same precision would take."
