"""Questions about a game, its dice and single games, as functions of the Python interface."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analysis.games import Source, cards_of, experiment_of, games_of, loop_needed, playing
from analysis.results import Games, Result


def winrates(
    cards: Source,
    games: int | None = None,
    *,
    seats: int | None = None,
    policy: str | None = None,
    seed: int | None = None,
    line_up: Sequence[str] | None = None,
    forbid: Sequence[str] = (),
    paired: bool = False,
    precision: float | None = None,
    jobs: int | None = None,
    progress: bool = True,
) -> Result:
    """Win rate of every entrant, with interval, by seat, and who beats whom.

    Parameters
    ----------
    cards : Cards, Games, str or Path
        What is played, as in `play`; or games already played, which are read.
    games : int, default 10_000
        Games in all; with `precision`, the largest number of games.
    precision : float, optional
        Play until every win rate is known to within this many percentage points. Intervals then hold at every look.
    paired : bool
        Play every line-up from all seats with the same dice, and analyse the games as pairs.
    seats, policy, seed, line_up, forbid, jobs, progress
        As in `play`.

    Returns
    -------
    Result
        `frame` has a row per entrant, best first: win rate, low, high (95 % interval), n (games), fair, verdict, truncated and
        the rate on every seat, all from 0 to 1. `frames` also has turn_order and, at two seats, matchups and pairs; for teams
        parts, their win rates by member.

    Raises
    ------
    ValueError
        For any argument that is not valid: the argument, its value, and what would be right.

    Examples
    --------
    >>> import fairfight as ff
    >>> rates = ff.winrates("arena", 56, policy="random", progress=False)
    >>> rates.data["facts"]["games"]
    56
    >>> ff.winrates("arena", seats=9)
    Traceback (most recent call last):
    ...
    ValueError: seats=9: Arena is played by 2, 3 or 4 seats

    """
    from analysis.winrates.play import Until, checked_precision, coupled, most_games, play_for_tally
    from analysis.winrates.tables import winrates_result

    half_width = None if precision is None else checked_precision(precision)
    made = experiment_of(cards, games_of(cards, games, 10_000), seats, policy, seed, line_up, forbid)
    if isinstance(cards, Games) and paired and not made.paired:
        raise ValueError("paired=True: these games were not played in pairs; leave it out")
    made = made if isinstance(cards, Games) else coupled(made, paired, "seat")
    if half_width is not None and games is None:
        made = replace(made, games_wanted=most_games(made, half_width))
    until = None if half_width is None else Until(made, half_width)
    with playing(cards, made.game, loop_needed(made), progress, asks=True) as watch:
        played = play_for_tally(made, jobs, watch, until=until)
    if not played.games:
        raise KeyboardInterrupt
    return Result(winrates_result(played), f"Win rates of {made.game.title}")


def answer(
    cards: Source,
    question: str,
    games: int | None = None,
    *,
    seats: int | None = None,
    policy: str | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    progress: bool = True,
) -> Result:
    """Answer one question of a report, as on its page; `questions` lists those of a game.

    Parameters
    ----------
    question : str
        Its name, such as ``"length"``.
    games : int, optional
        Games for each number of seats; what needs other games gets them in the proportions of a report.
    seats : int, optional
        Only games at this number of seats; by default all that the game allows.
    cards, policy, seed, jobs, progress
        As in `play`.

    Examples
    --------
    >>> import fairfight as ff
    >>> ff.answer("arena", "lenght")
    Traceback (most recent call last):
    ...
    ValueError: question='lenght': Arena has no such question; did you mean "length"?

    """
    from analysis.data.study import Budget, Study
    from analysis.report.pages import answer as answered
    from sim.engine.cardfiles.paths import did_you_mean

    known = cards_of(cards)
    asked = {one.id: one for one in known.game.questions}
    if question not in asked:
        hint = did_you_mean(question, list(asked))
        raise ValueError(f"question={question!r}: {known.game.title} has no such question; {hint}")
    budget = Budget.of(known.game)
    budget = budget if games is None else budget.scaled(games / budget.games)
    number = seats if seats is not None or isinstance(cards, Games) else min(known.game.seats)
    made = experiment_of(cards, budget.games, number, policy, seed)
    if len(made.policies) > 1:
        raise ValueError(f"policy={made.policy_words!r} must be one policy for all seats")
    base = made if seats is not None or isinstance(cards, Games) else None
    with playing(cards, made.game, loop_needed(made), progress) as watch:
        study = Study(made.game, made.cards, made.policies[0], made.seed, budget, jobs, watch, base=base)
        section = answered(study, asked[question])
    if section is None:
        raise ValueError(f"question={question!r}: {known.game.title} has nothing to show for it with these cards and seats")
    return Result(section, section.question)
