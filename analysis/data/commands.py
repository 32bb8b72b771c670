"""Commands that an answer or a page names: they ask a question about the same game, cards, seats and players."""

from __future__ import annotations

from shlex import join

import pandas as pd

from analysis.answer.numbers import rounded_up
from analysis.data.arguments import SEATS
from analysis.data.decks import options_of
from analysis.data.names import words_for
from analysis.data.players import strong_player
from analysis.data.study import Study
from analysis.stats.intervals import times_to_decide

TIMES = 4  # as many games are proposed if an answer is not certain: intervals are then half as wide
LEAST_TIMES, MOST_TIMES = 2, 100


def more_games(games: float, times: float = TIMES) -> dict[str, int]:
    """`Answer.again` for an answer that is not certain: this number of times as many games."""
    return {"games": rounded_up(times * games)}


def deciding_games(games: float, changes: pd.DataFrame) -> dict[str, int]:
    """`Answer.again` for changes of which none is sure: the games after which the clearest is, if it is as large as it looks.

    changes: columns change, low, high (of each row alone). games: in all; LEAST_TIMES to MOST_TIMES as many are proposed.
    """
    times = times_to_decide(changes["change"], changes["low"], changes["high"])
    return more_games(games, min(max(times, LEAST_TIMES), MOST_TIMES) if times > 0 else TIMES)


def command(study: Study, question: str, *words: str) -> str:
    """Command line of a question. words: its arguments after the game."""
    name, options = words_for(study.game, study.cards)
    seats = [] if study.base is None or study.base.seats == SEATS else ["--seats", str(study.base.seats)]
    return join(["fairfight", question, name, *words, *seats, *players_words(study), *options, *options_of(study.cards)])


def players_words(study: Study) -> list[str]:
    """Options that choose the players of a study; none for the strong ones, who play by default."""
    players = ",".join(map(str, study.policies))
    return [] if players == str(strong_player(study.game)) else ["--policy", players]


def at(study: Study, seats: int) -> list[str]:
    """Options that choose a number of seats; none for the one that commands choose by default."""
    return [] if seats == min(study.contests or study.seats) else ["--seats", str(seats)]
