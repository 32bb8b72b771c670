"""What to change, as functions of the Python interface."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from analysis.games import Source, cards_of, experiment_of, games_of, loop_needed, patterns_of, playing
from analysis.results import Games, Result

if TYPE_CHECKING:
    from analysis.workbench.page import Page


def sensitivity(
    cards: Source,
    fields: str | Sequence[str] = (),
    games: int | None = None,
    *,
    precision: float | None = None,
    with_fixed: bool = False,
    seats: int | None = None,
    policy: str | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    progress: bool = True,
) -> Result:
    """Which numbers move balance most: every number of the card file one step up and down, in one run.

    Parameters
    ----------
    fields : str or sequence of str
        Patterns of the numbers to change, such as ``"hero.*.move"``; by default all.
    games : int, optional
        Games in all, at most; by default 200,000, with `precision` as many as necessary.
    precision : float, optional
        Play until every change is known to within this many percentage points.
    with_fixed : bool
        Also change numbers that the card file marks as fixed.
    cards, seats, policy, seed, jobs, progress
        As in `play`.

    Returns
    -------
    Result
        `frame` has a row per step, the most effective first. `frames["steps"]` also has the names of columns in the card file.

    """
    from analysis.variants.sensitivity import Asked, check_games
    from analysis.variants.sensitivity import sensitivity as measured
    from analysis.variants.tables import sensitivity_section
    from analysis.variants.variant import candidates
    from analysis.winrates.play import checked_precision

    half_width = None if precision is None else checked_precision(precision)
    asked = Asked(half_width, 200_000 if games is None and precision is None else games)
    base = experiment_of(cards, 1, seats, policy, seed)
    tried = candidates(base.game, base.cards, patterns_of(fields), with_fixed)
    check_games(base, tried, asked)
    with playing(cards, base.game, loop_needed(base), progress) as watch:
        found = measured(base, tried, asked, jobs, watch)
    return Result(sensitivity_section(found), "Change of win rates by number")


def ablate(
    cards: Source,
    things: str | Sequence[str] | None = None,
    games: int | None = None,
    *,
    entrant: str | None = None,
    seats: int | None = None,
    policy: str | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    progress: bool = True,
) -> Result:
    """Worth of an ability, a card or a rule: the same games with the same dice, with it and without it.

    Players who may not use a thing also plan without it.

    Parameters
    ----------
    things : str or sequence of str, optional
        What to forbid, one at a time; by default everything that can be forbidden, to each entrant that uses it.
    games : int, optional
        Games in all, at most. By default 20,000 with each thing and again those that it can affect; for everything 100,000.
    entrant : str, optional
        Forbid the things only to this entrant.
    cards, seats, policy, seed, jobs, progress
        As in `play`.

    """
    from analysis.variants.ablation import affordable, bans_of, everything, worth
    from analysis.variants.tables import worth_section

    every = things is None
    usual = 100_000 if every else 20_000
    base = experiment_of(cards, usual if games is None else games, seats, policy, seed)
    if every and entrant is not None:
        raise ValueError(f"entrant={entrant!r}: needs the name of a thing")
    bans = [] if every else bans_of(base, [things] if isinstance(things, str) else list(things or ()), entrant)
    if games is not None and not every:
        base = replace(base, games_wanted=affordable(base, bans, games))
    with playing(cards, base.game, loop_needed(base), progress) as watch:
        found = everything(base, base.games_wanted, jobs, watch) if every else worth(base, bans, jobs, watch)
    return Result(worth_section(found, ranked=every), "Worth of abilities, cards and rules")


def cardstats(
    cards: Source,
    games: int | None = None,
    *,
    deck: str | None = None,
    pairs: int | None = None,
    by_turn: int | None = None,
    seats: int | None = None,
    policy: str | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    progress: bool = True,
) -> Result:
    """Effect of every card: win rate when drawn, not drawn, played, and with a plain card in its place.

    Parameters
    ----------
    games : int, optional
        Games in all, at most: those in which cards are observed, and those with each card replaced.
    deck : str, optional
        Only this deck.
    pairs : int, optional
        Games of each deck unchanged, and again with each of its cards replaced; 0 for none.
    by_turn : int, optional
        Count cards drawn by this turn of the player as drawn.
    cards, seats, policy, seed, jobs, progress
        As in `play`.

    """
    from analysis.data.decks import check_deck_game
    from analysis.data.names import entrant_of
    from analysis.data.usage import card_question
    from analysis.decks.section import Selection, afforded, card_study, observed
    from analysis.winrates.play import counted

    known, read = cards_of(cards), isinstance(cards, Games)
    card_question(known.game)
    if pairs is not None and pairs < 0:
        raise ValueError(f"pairs={pairs} must be at least 0")
    if deck is not None:
        check_deck_game(known.game, "deck")
    made = experiment_of(cards, games_of(cards, games, 10_000) if read else 10_000, seats, policy, seed)
    chosen = None if deck is None else entrant_of(deck, known.game, known.card_set)
    selection = Selection(chosen, 1_000 if pairs is None else pairs, by_turn)
    if not read and games is None:
        made = observed(made, selection, 10_000)
    elif not read and games is not None:
        made, selection = afforded(made, selection, games, fixed=pairs is not None)
    with playing(cards, made.game, loop_needed(made), progress, asks=True) as watch:
        return Result(card_study(made, selection, counted(watch, jobs)), f"Cards of {made.game.title}")


def workbench(
    cards: Source,
    *,
    seats: int | None = None,
    policy: str | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    progress: bool = True,
) -> Page:
    """Open the workbench: change numbers of the cards and see win rates, matchups and game length move at once.

    In a notebook the result shows itself as the last line of a cell. Outside, use ``fairfight workbench``. It needs Panel:
    ``pip install '.[workbench]'`` in fairfight's folder.

    Parameters
    ----------
    cards, seats, policy, seed
        The unchanged games, as in `play`.
    jobs : int, optional
        Number of threads that play, by default one per core.
    progress : bool
        Show a progress bar while the game is compiled, if it must be.

    Returns
    -------
    Page
        `close` stops its games.

    Raises
    ------
    ValueError
        If Panel is not installed, and for any argument that is not valid.

    """
    from analysis.workbench import NEEDS_PANEL

    try:
        from analysis.workbench.page import Page, open_in_notebook
    except ModuleNotFoundError as error:
        if error.name not in {"panel", "bokeh"}:
            raise
        raise ValueError(NEEDS_PANEL) from None

    made = experiment_of(cards, 1, seats, policy, seed)
    with playing(cards, made.game, loop_needed(made), progress):
        pass  # only compile: the page would wait for it without a word
    open_in_notebook()
    return Page(made, jobs)
