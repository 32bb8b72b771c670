"""One question of a report, as a function of the Python interface."""

from __future__ import annotations

from dataclasses import replace

from analysis.answer.model import Answer
from analysis.data.budget import Budget
from analysis.data.study import Study
from analysis.games import Source, cards_of, experiment_of, loop_needed, playing
from analysis.report import pages
from analysis.results import Games, reading
from sim.engine.cardfiles.paths import did_you_mean


def answer(
    cards: Source,
    question: str,
    games: int | None = None,
    *,
    seats: int | None = None,
    policy: str | None = None,
    quick: bool = False,
    seed: int | None = None,
    jobs: int | None = None,
    progress: bool = True,
) -> Answer:
    """Answer one question of a report, as on its page; `questions` lists those of a game.

    Parameters
    ----------
    question : str
        Its name, such as ``"length"``.
    games : int, optional
        Games for each number of seats; what needs other games gets them in the proportions of a report.
    seats : int, optional
        Only games at this number of seats; by default all that the game allows.
    cards, policy, quick, seed, jobs, progress
        As in `play`.

    Examples
    --------
    >>> import fairfight as ff
    >>> ff.answer("arena", "lenght")
    Traceback (most recent call last):
    ...
    ValueError: question='lenght': Arena has no such question; did you mean "length"?

    """
    known = cards_of(cards)
    asked = {one.id: one for one in known.game.questions}
    if question not in asked:
        hint = did_you_mean(question, list(asked))
        raise ValueError(f"question={question!r}: {known.game.title} has no such question; {hint}")
    number = seats if seats is not None or isinstance(cards, Games) else min(known.game.seats)
    made = experiment_of(cards, 1, number, policy, seed, quick=quick)
    if len(made.policies) > 1:
        raise ValueError(f"policy={made.policy_words!r} must be one policy for all seats")
    budget = Budget.of(known.game, made.policies[0])
    budget = budget if games is None else budget.scaled(games / budget.games)
    made = replace(made, games_wanted=budget.games_at(made.seats))
    base = made if seats is not None or isinstance(cards, Games) else None
    with playing(made.game, loop_needed(made), progress) as watch, reading(cards):
        study = Study(made.game, made.cards, made.policies[0], made.seed, budget, jobs, watch, base=base)
        reply = pages.answer(study, asked[question])
    if reply is None:
        raise ValueError(f"question={question!r}: {known.game.title} has nothing to show for it with these cards and seats")
    return reply
