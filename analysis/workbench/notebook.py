"""The workbench, as a function of the Python interface."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from analysis.games import Source, experiment_of, playing
from analysis.playtests.log import Playtests
from analysis.playtests.reading import read_playtests
from analysis.workbench import NEEDS_PANEL
from analysis.workbench.at_table import rates_at_table

if TYPE_CHECKING:
    from analysis.workbench.page import Page


def workbench(
    cards: Source,
    *,
    seats: int | None = None,
    policy: str | None = None,
    quick: bool = False,
    seed: int | None = None,
    jobs: int | None = None,
    progress: bool = True,
    table: str | Path | Playtests | None = None,
) -> Page:
    """Open the workbench: change numbers of the cards and see win rates, matchups and game length move at once.

    In a notebook the result shows itself as the last line of a cell. Outside, use ``fairfight workbench``. It needs Panel:
    ``pip install '.[workbench]'`` in fairfight's folder.

    Parameters
    ----------
    cards, seats, policy, quick, seed
        The unchanged games, as in `play`.
    jobs : int, optional
        Number of threads that play, by default one per core.
    progress : bool
        Show a progress bar while the game is compiled, if it must be.
    table : str, Path or Playtests, optional
        Games that people played, from a file or from `games`, whose win rates are shown beside those of the simulated ones.

    Returns
    -------
    Page
        `close` stops its games.

    Raises
    ------
    ValueError
        If Panel is not installed, and for any argument that is not valid.

    """
    try:
        from analysis.workbench.page import Page, open_in_notebook  # noqa: PLC0415 - needs Panel
    except ModuleNotFoundError as error:
        if error.name not in {"panel", "bokeh"}:
            raise
        raise ValueError(NEEDS_PANEL) from None

    made = experiment_of(cards, 1, seats, policy, seed, quick=quick)
    log = read_playtests(table) if isinstance(table, str | Path) else table
    rates = None if log is None else rates_at_table(log, made)
    with playing(made.game, ("loop",), progress):
        pass  # only compile, for any players that the page can choose: it would wait for it without a word
    open_in_notebook()
    return Page(made, jobs, table=rates)
