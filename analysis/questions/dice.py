"""Exact distributions of dice expressions and of the rolls of a game, beside a simulation."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.answer.model import Answer
from analysis.answer.numbers import count, decimal, number, one_in, percent, points
from analysis.answer.prose import listed, some
from analysis.answer.tables import highest, lowest
from analysis.data.names import open_game
from analysis.data.player import Watch
from analysis.dice.asked import asked_of
from analysis.dice.exact import Rolled, check_rolls, choose, of_asked, of_rolls, refuse_game_options
from analysis.dice.pictures import charts_of
from analysis.dice.tables import VALUES_OF, chances_asked, is_several, is_table, summaries, tables_of
from analysis.games import Source, cards_of, playing
from analysis.question import Settings, question
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.exact import Roll
from sim.seeds import checked_seed
from sim.stopping import heeding

SUSPECT = 0.01  # adjusted p-value below which simulated rolls do not fit
LEAD_MAX = 26  # words on what is computed, in a sentence with the chances of outcomes
FAR = 4.0  # standard errors between the means, likewise


@question(
    options={"others": "MORE"},
    examples=(
        'dice "5d6>=4 - 3d6>=4"',
        'dice "{n}d6>=4" --table 0:10 --html pool.html',
        "dice arena --entrant rhino_guy --ability hammer_time --against 2",
    ),
)
def dice(
    roll: Source,
    entrant: str | None = None,
    ability: str | None = None,
    against: int | None = None,
    rolls: int = 100_000,
    cards: Path | None = None,
    seed: int = 1,
    *,
    at_least: int | None = None,
    table: str | None = None,
    deck: Path | None = None,
    others: Settings = (),
) -> Answer:
    """Exact distribution of dice, beside a simulation.

    Pools: 3d6 (sum), 5d6>=4 (how many dice show 4 or more), 4d6kh3, 2d20kl, 4d6dl1 (sum of those kept), 2d6r1, 2d6ro<3 (rerolls),
    d8! (8 is rolled again), 4dF, d%, d{0,1,1,2} (own faces). Between them + - * / //, comparisons (2d6+3>=10), and, or, brackets,
    max, min, floor, ceil, abs, highest(2, d6, d8, d10), count(...), sum(...), pairs(3d6, 2d6). A name is one roll used twice:
    "r = 5d10; count(r>=6) - count(r==1)"; 6d(4d6dl1) rolls six times. Outcomes: "r = d20; crit: r==20; hit: r>=12; miss: 1".
    Cards: "draw 7 from 60: at least 1 of 4 and 2 to 4 of 24 lands".

    Parameters
    ----------
    roll : str, Cards, Games or Path
        Dice such as "5d6>=4 - 3d6>=4", or a game or a run folder for the rolls of its cards. In Python also a list of dice.
    entrant : str, optional
        Of a game: only the rolls of this entrant (id).
    ability : str, optional
        Of a game: only the rolls for this ability, such as hammer_time.
    against : int, optional
        Of a game: only the rolls against this number, such as the Defence.
    rolls : int
        Rolls to simulate.
    cards : Path, optional
        Folder with your cards.toml, or a spreadsheet, instead of the reference set.
    seed : int
        The same seed gives the same rolls.
    at_least : int, optional
        Only the chance of this result or more.
    table : str, optional
        Range of numbers, such as 0:5, each of which replaces {n} in the dice, such as "{n}d6>=4".
    deck : Path or str, optional
        Of draws: a list with lines such as 4x Lightning Bolt, a table (.csv, .xlsx), a deck file, or a game, whose decks are
        compared.
    others : list of str
        Further dice, to compare with the first.

    Examples
    --------
    >>> import fairfight as ff
    >>> result = ff.dice("5d6>=4 - 3d6>=4")
    >>> result.frames["rolls"][["mean", "at_least_1"]].round(3).to_numpy().tolist()
    [[1.0, 0.637]]
    >>> result.frame["exact"].sum().round(9)
    np.float64(1.0)
    >>> ff.dice("5d")
    Traceback (most recent call last):
    ...
    analysis.dice.tokens.DiceError: dice expression, position 3: expected the number of faces in 2..1000, found the end
      5d
        ^

    """
    check_rolls(rolls)
    checked_seed(seed)
    asked = asked_of(roll, [*others], table, deck, cards)
    if asked:
        options = {"entrant": entrant, "ability": ability, "against": against}
        refuse_game_options(asked[0].text, options | ({} if deck else {"cards": cards}))
        answer = answer_of([of_asked(one, rolls, seed) for one in asked], at_least=at_least, compared=deck is None)
        decks = dict.fromkeys(one.deck for one in asked if one.deck)
        return replace(answer, notes=(*(f"{one.title}: {one.left_out}." for one in decks if one.left_out), *answer.notes))
    game, card_set = cards_named(roll, cards)
    chosen = choose(game, card_set, entrant, ability, against)
    with playing(game, ("rolls",), progress=True) as watch:
        rolled = rolled_so_far(chosen, rolls, seed, watch)
    shown = "" if len(rolled) == len(chosen) else f"the first {len(rolled)} of {len(chosen)} rolls"
    return answer_of(rolled, shown=shown, at_least=at_least)


def cards_named(source: Source, cards: Path | None) -> tuple[Game, CardSet]:
    """The game and the cards of what the question is asked about. Raises ValueError."""
    if isinstance(source, str):
        return open_game(source, cards)
    if cards is not None:
        raise ValueError(f"cards={cards}: only works with the name of a game; leave it out")
    given = cards_of(source)
    return given.game, given.card_set


def rolled_so_far(rolls: Sequence[Roll], number: int, seed: int, watch: Watch) -> list[Rolled]:
    """Solve and simulate rolls; after an interrupt, those so far. Raises KeyboardInterrupt if there are none."""
    rolled: list[Rolled] = []
    try:
        with heeding():
            for one in of_rolls(rolls, number, seed, watch):
                rolled.append(one)  # noqa: PERF402 - keeps those before an interrupt
    except KeyboardInterrupt:
        if not rolled:
            raise
    return rolled


def answer_of(
    rolled: Sequence[Rolled], result: str = "result", shown: str = "", at_least: int | None = None, compared: bool = True
) -> Answer:
    """The answer about rolls that were solved and simulated.

    result: what they count; shown: see `Answer`; compared: whether rolls of several expressions are compared with each other.
    """
    rolls = summaries(rolled, at_least)
    misfit = unfit_words(rolls)
    solved = rolls["solved"].all()
    fits = [f"{count(rolls['rolls'].iloc[0])} simulated rolls fit the exact chances."] if solved and not misfit else []
    unsolved = rolls.loc[~rolls["solved"]]
    notes = (
        *(simulated_words(row) for row in unsolved.to_dict("records")),
        *fits,
        "z: mean of the simulated rolls less the exact mean, in standard errors.",
        "p: chi-square test over all values, rare ones pooled, adjusted for all rolls (Holm); below 0.01 by chance in one of a "
        "hundred runs.",
    )
    return Answer(
        summary(rolled, rolls, at_least),
        tables_of(rolled, rolls, result, at_least, compared),
        charts_of(rolled, result, at_least),
        notes,
        shown=shown,
        story=story(rolled),
        warnings=(misfit,) if misfit else (),
    )


def is_long(roll: Rolled) -> bool:
    """Whether the words of outcomes are too long for a sentence with the chances, whose labels are words too."""
    return bool(roll.labels) and len(roll.words.split()) > LEAD_MAX


def story(rolled: Sequence[Rolled]) -> tuple[str, ...]:
    """What each of a few rolls computes, of a table the last; of one roll only long words."""
    if not is_several(rolled):
        return (f"{lead(rolled[0])}.",) if is_long(rolled[0]) else ()
    lines = {roll.line or roll.title: roll for roll in rolled}
    if len(lines) > VALUES_OF:
        return ()
    return tuple(f"{roll.title}: {computed(roll)}." for roll in lines.values())


def simulated_words(row: Mapping[Hashable, Any]) -> str:
    """The sentence on a roll that takes too long to solve."""
    margin = points(1.96 * 0.5 / row["rolls"] ** 0.5).removeprefix("+")
    return (
        f"{row['title']} takes too long to solve exactly: simulated, {count(row['rolls'])} rolls, shares within {margin} points."
    )


def summary(rolled: Sequence[Rolled], rolls: pd.DataFrame, at_least: int | None = None) -> str:
    """The sentence: what one roll computes and how it comes out, how a roll depends on a number, or the extremes of several."""
    chances = chances_asked(rolled, at_least)
    if len(rolls) == 1 and at_least is not None and chances is not None:
        return f"{lead(rolled[0])}: at least {at_least} in {chance_words(chances[0])}."
    if len(rolls) == 1:
        shares = outcome(rolled[0], rolls.iloc[0])
        return f"{shares[0].upper()}{shares[1:]}." if is_long(rolled[0]) else f"{lead(rolled[0])}: {shares}."
    above = "" if at_least is None else f"at least {at_least}: "
    if is_table(rolled) and len({roll.line for roll in rolled}) == 1:
        values = rolls["mean"].tolist() if chances is None else chances
        ends = [
            f"{decimal(value, 2) if chances is None else chance_words(value)} with n = {roll.number}"
            for roll, value in ((rolled[0], values[0]), (rolled[-1], values[-1]))
        ]
        return f"{rolled[0].line}: {'mean ' if chances is None else above}{ends[0]}, {ends[1]}{crossing(rolled, chances)}."
    if chances is not None:
        order = np.argsort(chances, kind="stable")
        top, low = (f"{rolled[place].title} ({chance_words(chances[place])})" for place in (order[-1], order[0]))
        return (
            f"{above.capitalize()}{'most' if above else 'Most'} likely of {some(len(rolls), 'roll')}: {top}; least likely: {low}."
        )
    top, low = (f"{row['title']} ({decimal(row['mean'], 2)})" for row in (highest(rolls, "mean"), lowest(rolls, "mean")))
    return f"Highest mean of {some(len(rolls), 'roll')}: {top}; lowest: {low}."


def crossing(rolled: Sequence[Rolled], chances: Sequence[float] | None) -> str:
    """From which number on a chance that rises or falls is above or below one half; empty if it is always on one side."""
    if chances is None:
        return ""
    above = [chance >= 0.5 for chance in chances]
    at = next((place for place in range(1, len(above)) if above[place] != above[place - 1]), 0)
    if not at or len(set(above[at:])) > 1:
        return ""
    return f"; {'at least' if above[at] else 'below'} one half from n = {rolled[at].number} on"


def computed(roll: Rolled) -> str:
    """What a roll computes, in words."""
    if roll.condition and roll.words.startswith("1 if "):
        return f"chance that {roll.words.removeprefix('1 if ').removesuffix(', else 0')}"
    return roll.words


def lead(roll: Rolled) -> str:
    """An expression in words, or the name of a roll of a game."""
    text = computed(roll) or roll.title
    return f"{text[0].upper() if roll.words and text[:2].isalpha() else text[0]}{text[1:]}{'' if roll.solved else ', simulated'}"


def outcome(roll: Rolled, row: pd.Series) -> str:
    """How a roll comes out: the chance of each outcome, of a condition, or mean and most frequent value."""
    chances = dict(zip(roll.exact.values.tolist(), roll.exact.probabilities.tolist(), strict=True))
    if roll.labels:
        return ", ".join(f"{roll.labels[int(value)]} {chance_words(chance)}" for value, chance, _ in roll.values())
    if roll.condition:
        return chance_words(chances.get(1, 0.0))
    mean = decimal(row["mean"], 2)
    if len(chances) == 1:
        return f"always {number(row['mode'])}"
    most = f"most often {number(row['mode'])} ({percent(row['mode_chance'])})"
    least, highest_value = min(chances), max(chances)
    if least >= 1:
        return f"mean {mean}, {most}, from {number(least)} to {number(highest_value)}"
    return f"mean {mean}, {most}, at least 1: {percent(row['at_least_1'])}"


def chance_words(chance: float) -> str:
    """A chance in per cent, and of a rare result how often it comes."""
    rare = one_in(chance)
    return f"{percent(chance)} ({rare})" if rare else percent(chance)


def unfit_words(rolls: pd.DataFrame) -> str:
    """Sentence on rolls whose simulation does not fit the exact chances; empty if all fit."""
    wrong = (rolls["p_holm"] < SUSPECT) | (rolls["z"].abs() > FAR)
    if not wrong.any():
        return ""
    names = listed(rolls.loc[wrong, "title"].tolist())
    return f"The simulation does not fit the exact chances, so one of the two is wrong: {names}."
