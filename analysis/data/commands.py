"""Commands that an answer or a page names: they ask a question about the same game, cards, seats and players."""

from __future__ import annotations

from shlex import join

from analysis.data.arguments import SEATS
from analysis.data.decks import options_of
from analysis.data.names import words_for
from analysis.data.players import strong_player
from analysis.data.study import Study


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
