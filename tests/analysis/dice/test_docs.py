"""The tables of docs/dice-and-duels.md: every example computes what the page says."""

import re
from pathlib import Path

import pytest

from analysis.answer.numbers import decimal, percent
from analysis.dice.asked import AskedRoll
from analysis.dice.exact import DiceError, of_asked, parse
from tests.analysis.dice.enumeration import expression

PAGE = (Path(__file__).parents[3] / "docs" / "dice-and-duels.md").read_text(encoding="utf-8")
LANGUAGE = PAGE.partition("## The language of dice")[2].partition("## Duels")[0]
EXAMPLES = re.findall(r"^\| `(.+?)` \| (.+?) \| (.+?) \|$", LANGUAGE, re.MULTILINE)


def result_of(roll):
    """The result as the page writes it."""
    if roll.labels:
        return ", ".join(f"{roll.labels[int(value)]} {percent(chance)}" for value, chance, _ in roll.values())
    return percent(roll.exact.at_least(1)) if roll.condition else f"mean {decimal(roll.exact.mean, 2)}"


def test_the_page_has_examples():
    assert len(EXAMPLES) > 40


@pytest.mark.parametrize(("text", "words", "result"), EXAMPLES, ids=[text for text, *_ in EXAMPLES])
def test_an_example_of_the_page_computes_what_it_says(text, words, result):
    roll = of_asked(AskedRoll(text, text), 10, 1)
    assert roll.solved
    assert (roll.words, result_of(roll)) == (words, result)


@pytest.mark.parametrize("text", ["2d6>=7", "1d8+1d6>=10", "5d6>=4+1d6", "d20>=10+5"])
def test_what_the_page_calls_ambiguous_is_refused(text):
    assert f"`{text}`" in LANGUAGE
    with pytest.raises(DiceError, match="count"):
        parse(text)


def test_the_oracle_covers_every_word_of_the_language_that_it_can_enumerate():
    texts = " ".join(expression(seed)[0] for seed in range(300))
    words = (
        "kh",
        "kl",
        "dh",
        "dl",
        "ro<",
        "rr",
        "dF",
        "d{",
        "count",
        "highest",
        "lowest",
        "pairs",
        "floor",
        "ceil",
        "abs",
        "and",
        "not",
        "d4!",
        "!>=",
        "!)",
        "d4min",
        "d4max",
        "before",
        "battle",
        "kills",
        "r = ",
        "a = ",
        "outcome",
    )
    assert [word for word in words if word not in texts] == []
