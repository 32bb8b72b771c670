"""What to change, as functions of the Python interface."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.games import Source, cards_of, experiment_of, games_of, loop_needed, playing
from analysis.results import Games, Result

if TYPE_CHECKING:
    from analysis.workbench.page import Page


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
