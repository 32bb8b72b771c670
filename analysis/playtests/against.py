"""Games that people played against games that the program plays: which players are most like these people, and who differs.

Simulated games are fitted by the same model as a log (see `strengths`); it predicts the winner of each game of the log from its
line-up and turn order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import expit, logit, ndtr, ndtri, stdtr

from analysis.answer.prose import some
from analysis.answer.verdicts import row_level
from analysis.data.rows import distinct
from analysis.playtests.log import Playtests
from analysis.playtests.strengths import Strengths, strengths_of
from analysis.stats.intervals import LEVEL, adjust, mean
from analysis.stats.luce import Floats
from sim.engine.cardfiles.paths import did_you_mean
from sim.engine.cards import CardSet
from sim.engine.contract import Game

UNKNOWN_MAX = 0.5  # share of the games of a log with entrants that the game does not have, above which the log is refused
LISTED_MAX = 60  # entrants that a message can list
NAMED = 3  # of them in a sentence
LEAST = 1e-9  # chance of a winner, so that one surprise does not decide


@dataclass(frozen=True, eq=False)
class Matched:
    """Games of a log that a game can play. log: those games; entrant: (n,) index in the card set by row; left_out: phrases."""

    log: Playtests
    entrant: NDArray[np.int64]
    left_out: tuple[str, ...]


def matched(log: Playtests, game: Game, cards: CardSet) -> Matched:
    """Find the entrants of a log among those of a game, by name or id in any case.

    Games with others, or with numbers of players that the game does not allow, are left out; raises ValueError if they are most.
    """
    names, title = distinct(cards.names), game.title
    index = {key(word): number for words in (cards.ids, names) for number, word in enumerate(words)}
    place = log.rows["entrant"].map(lambda name: index.get(key(name), -1)).to_numpy(np.int64)
    rows = log.rows
    strange = rows["game"].isin(rows.loc[place < 0, "game"])
    crowded = ~rows["seats"].isin([number for number in game.seats_for(cards) if number > 1])
    use = (~strange & ~crowded).to_numpy()
    others = sorted(set(rows.loc[place < 0, "entrant"]))
    left_out = []
    if others:
        hint = did_you_mean(others[0], names) if len(names) <= LISTED_MAX else f"names are such as {names[0]}"
        are = "is" if len(others) == 1 else "are"
        left_out.append(f"{games_in(rows[strange])} with {', '.join(others[:NAMED])}, who {are} not in {title}; {hint}")
    if crowded.any():
        wrong = sorted({int(number) for number in rows.loc[crowded, "seats"]})
        left_out.append(f"{games_in(rows[crowded])} of {' or '.join(map(str, wrong))} players")
    if rows.loc[use, "game"].nunique() < (1 - UNKNOWN_MAX) * log.games:
        raise ValueError(f"{log.path}: {'; '.join(left_out)}: too few games are left to compare with {title}")
    return Matched(replace(log, rows=rows[use].reset_index(drop=True)), place[use], tuple(left_out))


def games_in(rows: pd.DataFrame) -> str:
    """Words for a number of games. rows: of a log."""
    return some(rows["game"].nunique(), "game")


def named_like(played: Matched, names: Sequence[str]) -> Playtests:
    """The log with the entrants named as in the game. names: of the card set."""
    return replace(played.log, rows=played.log.rows.assign(entrant=np.array(names, object)[played.entrant]))


def at_table(log: Playtests, game: Game, cards: CardSet) -> pd.DataFrame:
    """Win rates at the table at each number of players, for a column beside simulated ones; see `matched`.

    Columns seats, name, table, table_low, table_high (adjusted; of all rows at that number together), table_n (games).
    """
    named = named_like(matched(log, game, cards), distinct(cards.names))
    parts = []
    for number in named.seat_counts:
        part = named.at(number)
        strengths = strengths_of(part)
        rates = strengths.rates(row_level(len(strengths.entrants))).set_index("name")
        n = part.rows["entrant"].value_counts().reindex(rates.index)
        columns = {"table": rates["estimate"], "table_low": rates["low"], "table_high": rates["high"], "table_n": n}
        parts.append(pd.DataFrame(columns).rename_axis("name").reset_index().assign(seats=number))
    return pd.concat(parts, ignore_index=True)


def key(name: str) -> str:
    """A name without regard to case, spaces and underscores."""
    return "".join(mark for mark in name.casefold() if mark.isalnum())


def log_losses(played: Matched, models: Mapping[int, Strengths], names: Sequence[str]) -> Floats:
    """Log loss of each game of a log, (games,): minus the logarithm of the chance that was given to its winner.

    models: strengths in simulated games, by number of players. names: of the card set.
    """
    rows = played.log.rows
    losses = np.full(played.log.games, np.nan)
    number, _ = pd.factorize(rows["game"])
    for seats, model in models.items():
        use = (rows["seats"] == seats).to_numpy()
        index = np.array([model.entrants.index(name) if name in model.entrants else -1 for name in names])
        entrant, position = (part[use].reshape(-1, seats) for part in (index[played.entrant], rows["position"].to_numpy()))
        chance = model.chances(entrant, position)
        share = rows["share"].to_numpy(np.float64)[use].reshape(-1, seats)
        losses[number[use][::seats]] = -(share * np.log(np.clip(chance, LEAST, None))).sum(axis=1)
    return losses


def ranking(losses: dict[str, Floats]) -> pd.DataFrame:
    """Players by the mean log loss of the log, the most alike first.

    Columns players, loss, worse (than the best, per game), low, high (95 %), p_holm (NaN for the best), n.
    """
    order = sorted(losses, key=lambda name: float(np.nanmean(losses[name])))
    best = losses[order[0]]
    rows = []
    for name in order:
        gap = losses[name] - best
        finite = gap[np.isfinite(gap)]
        apart = mean(finite) if len(finite) > 1 and finite.any() else None
        error = float(finite.std(ddof=1) / np.sqrt(len(finite))) if apart else np.nan
        p = 2 * float(stdtr(len(finite) - 1, -abs(finite.mean()) / error)) if apart else np.nan
        ends = (apart.low, apart.high) if apart else (np.nan, np.nan)
        rows.append((name, float(np.nanmean(losses[name])), float(finite.mean()), *ends, p, len(finite)))
    frame = pd.DataFrame(rows, columns=["players", "loss", "worse", "low", "high", "p", "n"])
    return frame.assign(p_holm=adjust(frame["p"]))


def compared(strengths: Strengths, simulated: pd.DataFrame) -> pd.DataFrame:
    """Win rates at the table beside simulated ones.

    simulated: name, estimate, n by entrant. Columns name, n (games of the log), estimate, low, high (at the table, adjusted),
    simulated, simulated_low, simulated_high, difference, difference_low, difference_high, p, p_holm, sure, combined,
    combined_low, combined_high, worth. combined: both together, with the simulation as a prior whose spread is that of the
    disagreement over all entrants (empirical Bayes: Efron and Morris 1975, JASA 70:311-319; the spread by moments, DerSimonian
    and Laird 1986, Controlled Clinical Trials 7:177-188). worth: games of each entrant that this prior is worth.
    """
    frame = strengths.rates().merge(simulated.rename(columns={"estimate": "simulated", "n": "simulated_n"}), on="name")
    inside = frame["simulated"].clip(1e-6, 1 - 1e-6)
    own = 1 / np.sqrt(frame["simulated_n"].clip(lower=1) * inside * (1 - inside))
    z = float(ndtri((1 + LEVEL) / 2))
    frame["simulated_low"], frame["simulated_high"] = expit(logit(inside) - z * own), expit(logit(inside) + z * own)
    gap = np.asarray(logit(frame["estimate"]) - logit(inside))
    error = np.sqrt(frame["error"] ** 2 + own**2).to_numpy()
    points = np.sqrt((frame["error"] * frame["estimate"] * (1 - frame["estimate"])) ** 2 + (own * inside * (1 - inside)) ** 2)
    frame["difference"] = frame["estimate"] - frame["simulated"]
    frame["difference_low"], frame["difference_high"] = frame["difference"] - z * points, frame["difference"] + z * points
    frame["p"] = 2 * ndtr(-np.abs(gap) / error)
    frame["p_holm"] = adjust(frame["p"])
    frame["sure"] = frame["p_holm"] < 1 - LEVEL
    spread = disagreement(gap, error)
    prior = spread**2 + own**2
    weight = (1 / prior) / (1 / prior + 1 / frame["error"] ** 2)
    centre = logit(frame["estimate"]) - weight * gap
    half = z / np.sqrt(1 / prior + 1 / frame["error"] ** 2)
    frame["combined"], frame["combined_low"], frame["combined_high"] = expit(centre), expit(centre - half), expit(centre + half)
    frame["worth"] = 1 / (prior * inside * (1 - inside))
    return frame.sort_values("p", kind="stable", ignore_index=True)


def disagreement(gap: Floats, error: Floats) -> float:
    """Standard deviation of the true differences in log-odds, by moments; 0 if the differences are what chance makes."""
    excess = float((gap**2 / error**2).sum()) - len(gap)
    return float(np.sqrt(max(0.0, excess) / (1 / error**2).sum()))
