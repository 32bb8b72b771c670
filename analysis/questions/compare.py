"""Which of two entrants is stronger, or that they are alike: pairs of games until it is certain."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart
from analysis.answer.numbers import THIN, Format, count, percent
from analysis.answer.prose import MANY_TRUNCATED, bounds_of, limit_words, share_of
from analysis.answer.tables import Table, table
from analysis.answer.verdicts import FAIR, TOO_STRONG, TOO_WEAK
from analysis.answer.verdicts import OPEN as UNDECIDED
from analysis.data.commands import TIMES, more_games
from analysis.data.looks import until
from analysis.data.players import LONG_ANSWER
from analysis.data.rows import distinct
from analysis.data.study import Study
from analysis.playtests.pairs import compare as compare_of_log
from analysis.question import question
from analysis.stats.betting import ALIKE, FIRST, OPEN, SECOND, characteristics, checked_margin, fixed_pairs, thresholds
from analysis.winrates.head_to_head import SEATS, USUAL_DEVIATION, Duel, find, pairing, usual_games

VERDICTS = {FIRST: (TOO_STRONG, TOO_WEAK), SECOND: (TOO_WEAK, TOO_STRONG), ALIKE: (FAIR, FAIR), OPEN: (UNDECIDED, UNDECIDED)}
EVEN = 0.5
GAMES = 1_000_000  # at most by default
GAPS = (0.0, 0.5, 1.0, 2.0)  # for which the test is described, in multiples of the margin


@question(
    log=compare_of_log,
    without=("seats", "line_up"),
    examples=("compare arena rhino_guy mirror_mage --margin 2", "compare riftborn my_beasts beast_rush --decks my-decks.toml"),
)
def compare(study: Study, first: str, second: str, margin: float = 1.0, alpha: float = 0.05, games: int | None = None) -> Answer:
    """Which of two entrants is stronger, or that they are within a margin.

    Plays pairs of games, each line-up from both seats with the same dice, until the answer is certain.

    Parameters
    ----------
    first : str
        An entrant (id); a team by its parts, such as a+b+c.
    second : str
        Another one of the same game.
    margin : float
        Largest difference that does not matter, in percentage points.
    alpha : float
        Risk of a wrong decision.
    games : int, optional
        Games in all, at most, rounded up to pairs; by default enough for the margin, or those of about twelve seconds.

    Examples
    --------
    >>> import fairfight as ff
    >>> result = ff.compare("arena", "rhino_guy", "bow_master", margin=5, games=200, policy="random", progress=False)
    >>> result.frame["name"].tolist()
    ['Rhino Guy', 'Bow Master']

    """
    gap = checked_margin(margin)
    thresholds(alpha)
    if len(study.policies) > 1:
        raise ValueError(f"policy={','.join(map(str, study.policies))!r} must be one policy for all seats")
    entrants = find(first, second, study.game, study.cards)
    most = min(usual_games(gap), study.games_in(LONG_ANSWER, GAMES)) if games is None else games
    experiment = pairing(study.experiment(SEATS, 1), entrants, most)
    duel = Duel(experiment, gap, alpha)
    for _ in until(duel, study.player.play(experiment)):
        pass
    interrupted = bool(study.player.shown)
    names = [distinct(study.cards.names)[entrant] for entrant in entrants]
    shares = sides(duel, names)
    many = duel.truncated >= MANY_TRUNCATED * max(1, duel.games)
    more = {} if duel.decision != OPEN else more_games(experiment.games, 1 if interrupted else TIMES)
    return Answer(
        summary(duel, shares),
        (shares_table(study, shares), evidence(duel, names), expectations(duel)),
        drawings(duel, shares),
        (*notes(duel), *([] if many else left_out_words(duel))),
        facts(duel, interrupted),
        again=more,
        shown=study.player.shown,
        warnings=tuple(left_out_words(duel)) if many else (),
    )


def sides(duel: Duel, names: list[str]) -> pd.DataFrame:
    """Share of the wins of both: columns name, estimate, low, high, pairs, n (games), truncated (share of the games)."""
    estimate, low, high = duel.share()[["estimate", "low", "high"]].astype(float)
    frame = pd.DataFrame({"name": names, "estimate": [estimate, 1 - estimate], "low": [low, 1 - high], "high": [high, 1 - low]})
    return frame.assign(pairs=duel.pairs, n=duel.games, truncated=duel.truncated / max(1, duel.games))


def summary(duel: Duel, shares: pd.DataFrame) -> str:
    """The decision, and the share of the first."""
    first, second = shares["name"]
    words = {
        FIRST: f"{first} is stronger than {second}",
        SECOND: f"{second} is stronger than {first}",
        ALIKE: f"{first} and {second} are within {margin_words(duel)} of each other",
        OPEN: f"Not decided between {first} and {second}",
    }[duel.decision]
    if not duel.pairs:
        return f"{words}: no pair of games came to an end."
    named = shares.iloc[1 if duel.decision == SECOND else 0]
    if duel.decision in (FIRST, SECOND) and named["low"] <= EVEN:
        gap = f"by how much is open {bounds_of(named)}"
        return f"{words}: it wins {percent(named['estimate'])} of {count(named['n'])} games, but {gap}."
    return f"{words}: {named['name']} wins {share_of(named, 'games')}."


def margin_words(duel: Duel) -> str:
    """The margin in percentage points."""
    points = round(100 * duel.margin, 9)
    return f"{points:g}{THIN}point{'' if points == 1 else 's'}"


def shares_table(study: Study, shares: pd.DataFrame) -> Table:
    """Both shares."""
    columns = {"name": study.game.entrant_word, "estimate": "share", "low": "low", "high": "high"}
    return table(shares, "shares", "Head to head", columns | {"pairs": "pairs", "n": "games", "truncated": "truncated"})


def evidence(duel: Duel, names: list[str]) -> Table:
    """The four tests: columns claim, evidence (against it) and refuted_at, logarithms of wealth."""
    not_ahead, stronger = thresholds(duel.alpha)
    claims = [f"{name} is not stronger" for name in names] + [f"{name} is ahead by {margin_words(duel)}" for name in names]
    frame = pd.DataFrame(
        {
            "claim": claims,
            "evidence": np.round(duel.evidence, 2),
            "refuted_at": np.round([stronger, stronger, not_ahead, not_ahead], 2),
        }
    )
    headings = {"claim": "claim", "evidence": "evidence against it", "refuted_at": "refuted at"}
    return table(frame, "tests", "Sequential tests", headings)


def expectations(duel: Duel) -> Table:
    """Length and decisions of the test by the true gap."""
    deviation = duel.deviation or USUAL_DEVIATION
    by_gap = characteristics(np.array(GAPS) * duel.margin, duel.margin, deviation, duel.alpha)
    by_gap = by_gap.assign(games=(SEATS * by_gap["pairs"]).round().astype(int))
    fixed = SEATS * fixed_pairs(duel.margin, deviation, duel.alpha)
    caption = f"What to expect of such a test; with a fixed number of games it needs {count(fixed)}"
    answers = {FIRST: "stronger", ALIKE: "alike", SECOND: "weaker"}
    columns = {"gap": "true gap (points)", "games": "games on average", **answers}
    formats: dict[str, Format] = {"true gap (points)": "points", **dict.fromkeys(answers.values(), "percent")}
    return table(by_gap, "expected", caption, columns, formats)


def drawings(duel: Duel, shares: pd.DataFrame) -> tuple[Chart, ...]:
    """Both shares beside the margin; nothing without pairs."""
    if not duel.pairs:
        return ()
    drawn = shares.assign(seats=SEATS, fair=0.5, verdict=VERDICTS[duel.decision])
    band = duel.margin / 0.5  # relative to one half
    return (
        Chart(lambda: charts.forest(drawn, band=band), f"Share of the wins; the band is {margin_words(duel)} wide each way."),
    )


def notes(duel: Duel) -> list[str]:
    """How certain the decision is, what the interval is, and which games count."""
    sentences = [
        f"At most {percent(duel.alpha)} of such decisions are wrong: calling one stronger that is not, or two alike that are "
        f"{margin_words(duel)} or more apart.",
        "The interval is a confidence sequence, valid although the results were checked while playing; the tests decide earlier.",
    ]
    if duel.draws:
        sentences.append(f"{count(duel.draws)} games had no single winner and count as half a win for each.")
    return sentences


def left_out_words(duel: Duel) -> list[str]:
    """Sentence on truncated games, whose pairs are left out; none without them."""
    if not duel.truncated:
        return []
    left_out = duel.games // SEATS - duel.pairs
    share = percent(duel.truncated / duel.games, 2)
    stopped = f"{count(duel.truncated)} of {count(duel.games)} games ({share}) were stopped at "
    stopped += limit_words(duel.experiment.game.limits_itself)
    return [f"{stopped}; the {count(left_out)} pairs with such a game are left out."]


def facts(duel: Duel, interrupted: bool) -> dict[str, Any]:
    """What was played and decided."""
    return duel.experiment.facts() | {
        "games": duel.games,
        "pairs": duel.pairs,
        "truncated": duel.truncated,
        "draws": duel.draws,
        "interrupted": interrupted,
        "decision": duel.decision,
        "margin": duel.margin,
        "alpha": duel.alpha,
        "deviation": duel.deviation,
    }
