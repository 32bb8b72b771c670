"""What `fairfight matchups` prints: matrix, ratings and equilibrium as tables, and lines that say how to read them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.deck_choice import deck_facts, making_lines
from analysis.matchup_study import MatchupStudy
from analysis.naming import forbidden_lines
from analysis.ratings import DRAWS, Fit
from analysis.report.cells import shown
from analysis.report.model import SECONDARY, Format, Table
from analysis.wording import THIN, count, counted, limit_words, number, percent, truncated_words
from sim.experiment import Experiment

SURE = 0.05
MATRIX_MAX = 20  # entrants of which people see the matrix; of more, the most uneven matchups
ENDS = 15  # matchups
SHARES = ("share", "share low", "share high", "in the mix", "alpha-rank", "alpha low", "alpha high")
RATES = ("win rate", "low", "high", "ratings expect", "against the mix", "mix low", "mix high")
FORMATS: dict[str, Format] = {
    **dict.fromkeys((*SHARES, *RATES), "percent"),
    **dict.fromkeys(("Elo", "Elo low", "Elo high", "n"), "count"),
    **dict.fromkeys(("rating", "standard error"), "number"),
    **dict.fromkeys(("p (Holm)", "p (BH)"), "p"),
}
RATING_COLUMNS = {"name": "", "elo": "Elo", "elo_low": "Elo low", "elo_high": "Elo high", "rating": "rating"}
RATING_COLUMNS |= {"error": "standard error", "n": "n"}
MIX_COLUMNS = {"name": "", "share": "share", "low": "share low", "high": "share high", "support": "in the mix"}
MIX_COLUMNS |= {"alpha": "alpha-rank", "alpha_low": "alpha low", "alpha_high": "alpha high"}
MIX_COLUMNS |= {"field": "against the mix", "field_low": "mix low", "field_high": "mix high"}
PAIR_COLUMNS = {"name": "", "opponent": "against", "estimate": "win rate", "low": "low", "high": "high", "n": "n"}
PAIR_COLUMNS |= {"p_holm": "p (Holm)", "p_bh": "p (BH)", "expected": "ratings expect"}


@dataclass(frozen=True)
class MatchupTables:
    """A study of matchups as tables and plain values."""

    facts: dict[str, Any]
    pairs: Table
    seen: Table  # what people see of the pairs
    ratings: Table
    equilibrium: Table
    lines: tuple[str, ...]

    def main(self) -> Table:
        """Return the table of the CSV file: every two, from both sides."""
        return self.pairs

    def tables(self) -> list[Table]:
        """Return the tables in the order in which one reads them."""
        return [self.seen, self.ratings, self.equilibrium]

    def as_json(self) -> dict[str, Any]:
        """Return everything under one roof."""
        return {"facts": self.facts, "pairs": self.pairs, "ratings": self.ratings, "equilibrium": self.equilibrium}


def matchup_tables(experiment: Experiment, study: MatchupStudy) -> MatchupTables:
    """Make the tables and lines of a study."""
    game = experiment.game
    found = {"fit": study.fit, "intransitivity": study.order}
    facts = experiment.facts() | deck_facts(game, experiment.cards) | {"gain": study.encounters.gain}
    facts |= {"truncated": study.encounters.truncated}
    facts |= {name: asdict(one) if one else None for name, one in found.items()}
    facts |= {"sure_cycles": [asdict(cycle) for cycle in study.cycles]}
    word = game.entrant_word
    few = len(study.encounters.names) <= MATRIX_MAX
    return MatchupTables(
        facts,
        pairs_table(study, word),
        matrix_table(study, word) if few else _most_uneven(study, word),
        ratings_table(study, word),
        equilibrium_table(study, word),
        _lines(experiment, study),
    )


def pairs_table(study: MatchupStudy, word: str, id_: str = "pairs") -> Table:
    """Every two with interval, n and marks, from both sides. word: what an entrant is called."""
    return _table(study.pairs, id_, "Every two, from both sides", PAIR_COLUMNS, word)


def ratings_table(study: MatchupStudy, word: str, id_: str = "ratings") -> Table:
    """Ratings with intervals, best first."""
    caption = f"Ratings: Bradley and Terry, Elo points around an average {word}"
    return _table(study.ratings.table, id_, caption, RATING_COLUMNS, word)


def equilibrium_table(study: MatchupStudy, word: str, id_: str = "equilibrium") -> Table:
    """Equilibrium shares with intervals, largest first."""
    caption = "What players who know the matchups would play: shares of the equilibrium mix, and alpha-rank"
    return _table(study.equilibrium, id_, caption, MIX_COLUMNS, word)


def matrix_table(study: MatchupStudy, word: str) -> Table:
    """Win rate of the row against the column with its mark, the strongest first."""
    frame = study.pairs
    names = study.ratings.table["name"].tolist()
    keys = zip(frame["name"], frame["opponent"], strict=True)
    said = (f"{shown(rate, 'percent')}{mark}" for rate, mark in zip(frame["estimate"], marks(frame), strict=True))
    cells = dict(zip(keys, said, strict=True))
    rows = tuple((name, *(cells.get((name, other)) for other in names)) for name in names)
    return Table("matchups", (word, *names), rows, "Who beats whom: win rate of the row against the column")


def marks(frame: pd.DataFrame) -> list[str]:
    """** where a matchup is uneven for sure after Holm, * where only after Benjamini and Hochberg."""
    return [str(mark) for mark in np.select([frame["p_holm"] < SURE, frame["p_bh"] < SURE], ["**", "*"], "")]


def _most_uneven(study: MatchupStudy, word: str) -> Table:
    frame = study.pairs.sort_values(["low", "estimate"], ascending=False, kind="stable").head(ENDS)
    return _table(
        frame, "uneven", f"The {ENDS} most uneven matchups; all are in the CSV file and in JSON", PAIR_COLUMNS, word
    )


def _table(frame: pd.DataFrame, id_: str, caption: str, columns: dict[str, str], word: str) -> Table:
    """Columns of a frame: name in the frame -> heading, that of the names being `word`."""
    cells = frame[list(columns)].astype(object).itertuples(index=False)
    rows = tuple(tuple(None if pd.isna(cell) else cell for cell in row) for row in cells)
    headings = tuple(heading or word for heading in columns.values())
    formats = {name: form for name, form in FORMATS.items() if name in headings}
    return Table(id_, headings, rows, caption, formats, secondary=("alpha low", "ratings expect", *SECONDARY))


def _lines(experiment: Experiment, study: MatchupStudy) -> tuple[str, ...]:
    """How the tables came about, and what they say together."""
    cards = experiment.cards
    made = f"{cards.title} (digest {cards.digest}): {count(experiment.games)} games, seed {experiment.seed}, policy "
    made += f"{experiment.policy_words}; line-ups: {experiment.design}."
    marked = (
        f"** uneven for sure (p < {SURE} after Holm's correction over all matchups), * after Benjamini and Hochberg's "
    )
    marked += f"(of all such marks at most {percent(SURE, 0)} are false). {_known(study)}"
    mix = "Share: of the mix that no choice beats (Nash); in the mix: chance that the share is above nought, with matchups known "
    mix += (
        f"only so well. Alpha-rank: how often each holds a population that keeps trying others. Intervals: 95{THIN}%."
    )
    return (
        made,
        *making_lines(cards),
        *forbidden_lines(experiment.forbidden),
        truncated_words(
            study.encounters.truncated, study.encounters.played, limit_words(experiment.game.limits_itself)
        ),
        *gain_line(study),
        marked,
        *order_lines(study),
        *_of_cycles(study),
        mix,
    )


def _known(study: MatchupStudy) -> str:
    """How well the matchups are known."""
    widest = 100 * float((study.pairs["high"] - study.pairs["low"]).max()) / 2
    said = f"Each matchup: {counted(study.pairs['n'].tolist())} games that one of the two won, known to ±{widest:.1f} points or "
    return said + f"better at 95{THIN}%; all intervals are in the CSV file and in JSON."


def gain_line(study: MatchupStudy) -> list[str]:
    """How many games the pairs save, in words."""
    gain = study.encounters.gain
    if not study.encounters.paired or np.isnan(gain):
        return []
    how = "Every two play from both seats with the same dice, and pairs are the observations"
    if np.isinf(gain):
        return [f"{how}; all pairs agree, so that the dice decide nothing."]
    return [f"{how}: without pairs {number(gain)} times as many games would tell as much."]


def order_lines(study: MatchupStudy) -> list[str]:
    """Whether the ratings fit, and how much they leave open."""
    lines = []
    if study.fit:
        fit = study.fit
        verdict = "do not fit the matchups" if fit.p < SURE else "fit the matchups as far as these games tell"
        line = f"Ratings {verdict}: X² = {fit.statistic:.1f} on {fit.freedom} degrees of freedom, {p_words(fit)}; farthest off: "
        line += f"{fit.name} against {fit.opponent}, {percent(fit.estimate)} where they expect {percent(fit.expected)}."
        lines.append(line)
    if study.order:
        order = study.order
        line = f"Variance of the matchups that no ratings explain: {percent(order.estimate)} (95{THIN}% interval "
        line += f"{100 * order.low:.1f} to {percent(order.high)}), noise taken off."
        lines.append(line)
    return lines


def p_words(fit: Fit) -> str:
    """Write `p = 0.120`, or that p is at most what so many samples can tell."""
    return f"p {'≤' if fit.p <= 1 / (DRAWS + 1) else '='} {fit.p:.3f}"


def _of_cycles(study: MatchupStudy) -> list[str]:
    if not study.order:
        return []
    if not study.cycles:
        return ["No cycle of three is sure."]
    cycle = study.cycles[0]
    many = f"{count(len(study.cycles))} cycles of three are" if len(study.cycles) > 1 else "One cycle of three is"
    return [f"{many} sure; the clearest: {cycle_words(cycle.names, cycle.rates)}."]


def cycle_words(names: tuple[str, str, str], rates: tuple[float, float, float]) -> str:
    """Write `A beats B (60 %), B beats C (58 %) and C beats A (55 %)`."""
    links = [f"{names[at]} beats {names[(at + 1) % 3]} ({percent(rates[at])})" for at in range(3)]
    return f"{links[0]}, {links[1]} and {links[2]}"
