"""Which number of which card should change, for the decks farthest from a fair share.

Decks hold many cards, so all steps are first tried in few games, those behind the win rates; the strongest are played again with
a fresh seed, and only these are judged. A number of a card is changed in every deck that holds the card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from analysis.answer.model import Answer, NoAnswerError
from analysis.answer.numbers import count
from analysis.answer.prose import field_words, listed, size
from analysis.data.study import Study
from analysis.question import Settings, question
from analysis.questions.parameters import (
    SIGNIFICANT,
    facts_of,
    retest_tables,
    searched_note,
    sentence,
    sizes_note,
    sizes_of,
    steps_chart,
    steps_table,
    untried,
)
from analysis.questions.variants import settings_of
from analysis.variants.compare import decks_tried
from analysis.variants.parameter_effects import Outlier, cures_of, multiple, retest, sized_steps, step_effects
from analysis.variants.sensitivity import by_least_change
from analysis.variants.tables import GAIN_WORDS, PAIR_WORDS
from sim.engine.cards import numeric_fields

LISTED = 15  # lines of the first look shown from each end


@question(without=("line_up", "forbid"))
def card_parameters(
    study: Study,
    leaves: list[str] = (),  # type: ignore[assignment]
    steps: Settings = (),
    names: Settings = (),
    *,
    decks: int = 2,
    kept: int = 12,
    screen: float = 0.1,
    scale: float = 1.0,
) -> Answer:
    """Change of the win rates of the decks farthest from fair by each number of their cards, one step down and one up.

    Parameters
    ----------
    leaves : list of str
        Names of the numbers of a card, such as attack; by default all.
    steps : list of str, or mapping
        Size of a step by name of the number, such as xp=100; by default 1.
    names : list of str, or mapping
        Names of the items of a list in the card file, such as energy=red,yellow.
    decks : int
        Number of decks, those farthest from a fair share; the strongest and the weakest are always among them.
    kept : int
        Numbers of each deck that are played again: those that moved it most in the first look.
    screen : float
        Games of the first look, as a fraction of those of a step.
    scale : float
        Games of each step, in multiples of the usual number.

    Examples
    --------
    >>> import fairfight as ff
    >>> ff.card_parameters("arena", policy="random", progress=False)
    Traceback (most recent call last):
    ...
    analysis.answer.model.NoAnswerError: Arena has no decks

    """
    if study.game.decks_for(study.cards) is None:
        raise NoAnswerError(f"{study.game.title} has no decks")
    if not study.contests:
        raise NoAnswerError("win rates of decks need a game of two or more seats")
    for name, number in (("decks", decks), ("kept", kept)):
        if number < 1:
            raise ValueError(f"{name}={number} must be at least 1")
    study = study.as_report
    seats, usual, sizes = study.contest, study.budget.step_games, sizes_of(steps)
    chosen = [steps_of(study, entrant, leaves, sizes, settings_of(names)) for entrant in decks_tried(study, seats, decks)]
    outliers = [outlier for outlier in chosen if outlier.live]
    first = step_effects(study, outliers, seats, study.seed, multiple(round(usual * screen), scale))
    if first.empty:
        raise NoAnswerError("no number of the cards of these decks can change")
    strong = [strongest(outlier, first, kept) for outlier in outliers]
    effects = step_effects(study, strong, seats, study.fresh_seed, multiple(usual, scale))
    again = retest(study, cures_of(strong, effects, seats))
    sentences = {outlier.name: sentence(effects[effects["name"] == outlier.name], again, seats) for outlier in outliers}
    known = [words for words in sentences.values() if words]
    summary, *others = dict.fromkeys([known[0], known[-1]])  # the strongest and the weakest
    title = "The numbers played again, the largest significant changes first"
    return Answer(
        summary,
        (
            steps_table(study, by_least_change(effects), "steps", title),
            *retest_tables(study, again),
            steps_table(study, by_least_change(first), "first_look", "Every number in few games", LISTED, brief=True),
        ),
        (steps_chart(study, effects, seats),),
        (
            *others,
            f"{count(len(first))} steps of cards of {listed([outlier.name for outlier in outliers])} were tried in few games "
            f"({size(first['n'].min())}, seed {study.seed}), the strongest again in others ({size(effects['n'].min())}, seed "
            f"{study.fresh_seed}).",
            *searched_note(study),
            f"A card that several {study.units_word} hold is changed in all of them.",
            SIGNIFICANT,
            f"{PAIR_WORDS} {GAIN_WORDS}",
            *sizes_note(sizes),
            *untried(outliers),
        ),
        facts_of(study, seats),
    )


def steps_of(
    study: Study, entrant: int, leaves: Sequence[str], sizes: Mapping[str, int], names: Mapping[str, tuple[str, ...]]
) -> Outlier:
    """A deck and the steps of the numbers of its cards, in the order of its list."""
    decks = study.game.decks_for(study.cards)
    assert decks is not None
    paths = numeric_fields(study.cards.document)
    words: dict[str, str] = {}
    for card in decks.slots[entrant][decks.slots[entrant] >= 0].tolist():
        begin = f"card.{decks.ids[card]}."
        for path in paths:
            if path.startswith(begin) and (not leaves or path.removeprefix(begin) in leaves):
                name = field_words(study.cards.document, path, names, skip=2)
                words[path] = f"{decks.names[card]}: {name[:1].lower()}{name[1:]}"
    return Outlier(entrant, study.units[entrant], sized_steps(study, list(words), sizes), words)


def strongest(outlier: Outlier, first: pd.DataFrame, kept: int) -> Outlier:
    """A deck with its strongest numbers in the first look, both steps of each."""
    part = by_least_change(first[first["name"] == outlier.name])
    paths = part["path"].drop_duplicates()[:kept].tolist()
    return replace(outlier, steps=[step for step in outlier.steps if step.field in paths])
