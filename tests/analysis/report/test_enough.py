"""No sentence of a page is about fewer games than SENTENCE_GAMES."""

import pytest

from analysis.answer.model import Answer
from analysis.answer.prose import SENTENCE_GAMES
from analysis.answer.tables import Table
from analysis.report.enough import TOO_FEW, has_games
from analysis.report.pages import section_of

ENOUGH, FEW = SENTENCE_GAMES, SENTENCE_GAMES - 1


def answer(summary: str, *rows: tuple) -> Answer:
    return Answer(summary, (Table("rates", ("seats", "hero", "win rate", "n"), rows),), notes=("Pike wins 60 %.",))


@pytest.mark.parametrize(
    ("summary", "games", "enough"),
    [
        ("Pike wins most; Needle wins least.", (ENOUGH, ENOUGH, FEW), True),  # the third is not named
        ("Pike wins most; Needle wins least.", (ENOUGH, FEW, ENOUGH), False),
        ("Pike wins most.", (ENOUGH, FEW, FEW), True),
        ("No matchup is uneven.", (FEW, FEW, FEW), False),  # about all of them
        ("No matchup is uneven.", (ENOUGH, FEW, FEW), True),
    ],
)
def test_a_sentence_needs_enough_games_in_each_row_that_it_names(summary, games, enough):
    names = ("Pike", "Needle", "Thread")
    asked = answer(summary, *((2, name, 0.5, number) for name, number in zip(names, games, strict=True)))
    assert has_games(asked) == enough
    section = section_of("rates", "Who wins?", asked)
    assert (section.answer, section.note) == ((summary, "Pike wins 60 %.") if enough else (TOO_FEW, ""))


def test_of_several_rows_with_the_same_names_the_first_counts():
    assert has_games(answer("Pike wins most.", (2, "Pike", 0.5, ENOUGH), (3, "Pike", 0.4, FEW)))
    assert not has_games(answer("Pike wins most.", (2, "Pike", 0.5, FEW), (3, "Pike", 0.4, ENOUGH)))


def test_pairs_of_games_count_as_games():
    table = Table("cards", ("deck", "card", "pairs", "n"), (("A", "Bolt", FEW, ENOUGH),))
    assert not has_games(Answer("Bolt of A carries most.", (table,)))


def test_an_answer_without_numbers_of_games_has_enough():
    assert has_games(Answer("Half of the games are over by turn 5."))
    assert has_games(Answer("Three of 4 agree.", (Table("one", ("name", "share"), (("a", 0.5),)),)))
