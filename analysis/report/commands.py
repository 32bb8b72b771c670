"""Commands that a page names: they ask a question about the same game, cards and players."""

from __future__ import annotations

from shlex import join

from analysis.data.decks import options_of
from analysis.data.names import words_for
from analysis.data.players import strong_player
from analysis.data.study import Study


def command(study: Study, question: str, *words: str) -> str:
    """Command line of a question. words: its arguments after the game."""
    name, options = words_for(study.game, study.cards)
    return join(["fairfight", question, name, *words, *players_words(study), *options, *options_of(study.cards)])


def players_words(study: Study) -> list[str]:
    """Options that choose the players of a study; none for the strong ones, who play by default."""
    return [] if study.policy == strong_player(study.game) else ["--policy", str(study.policy)]


def at(study: Study, seats: int) -> list[str]:
    """Options that choose a number of seats; none for the one that commands choose by default."""
    return [] if seats == min(study.contests or study.seats) else ["--seats", str(seats)]
