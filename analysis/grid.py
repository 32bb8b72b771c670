"""`grid`: ask a question about every combination of several players, numbers of seats, card sets or other arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from inspect import Parameter, signature
from itertools import product
from typing import Any

import pandas as pd

from analysis.answer.model import Answer
from analysis.output.progress import bar
from analysis.question import Settings
from analysis.results import Cards

SEVERAL = (list[str], Settings)  # types of arguments that are lists themselves


def grid(
    question: Callable[..., Answer], *arguments: Any, table: str = "", progress: bool = True, **settings: Any
) -> pd.DataFrame:
    """Ask a question for every combination of arguments, and return all its tables as one.

    Parameters
    ----------
    question : function
        A question of this interface, such as ``ff.winrates``.
    *arguments, **settings
        Its arguments. A list stands for several values, one for each cell of the grid; for an argument that takes a list itself,
        such as ``line_up``, a list of lists. Card sets can be a dict of cards by label.
    table : str, optional
        Id of the table, by default the main one.
    progress : bool
        Show a progress bar over the cells.

    Returns
    -------
    pandas.DataFrame
        The tables of all cells, below each other. The first columns are the arguments that vary.

    Raises
    ------
    ValueError
        If no argument varies, and for the reasons of the question: the message names the cell.
    KeyError
        If the answer has no such table.

    Examples
    --------
    >>> import fairfight as ff
    >>> rates = ff.grid(ff.winrates, "arena", policy=["random", "greedy:1"], seats=[2, 3], games=56, progress=False)
    >>> list(rates.columns[:4]), len(rates)
    (['policy', 'seats', 'entrant', 'name'], 32)

    """
    accepted = signature(question)
    given = accepted.bind_partial(*arguments, **settings).arguments
    order = [*(name for name in given if name not in settings), *(name for name in settings if name in given)]
    varied = {name: values_of(given[name]) for name in order if varies(accepted.parameters[name], given[name])}
    if not varied:
        raise ValueError("grid: no argument is a list; give several values of one, such as seats=[2, 3]")
    quiet = {"progress": False} if "progress" in accepted.parameters else {}
    frames, size = [], len([*cells(varied)])
    with bar(progress) as watch:
        for done, cell in enumerate(cells(varied)):
            watch("cells", done, size)
            labels = {name: label for name, (label, _) in cell.items()}
            try:
                answer = question(**{**quiet, **given, **{name: value for name, (_, value) in cell.items()}})
            except ValueError as error:
                words = ", ".join(f"{name}={label}" for name, label in labels.items())
                raise ValueError(f"{words}: {error}") from error
            frame = answer[table] if table else answer.frame
            rest = frame.drop(columns=[*labels], errors="ignore")
            frames.append(pd.DataFrame([labels] * len(frame), frame.index, [*labels]).join(rest))
            watch("cells", done + 1, size)
    return pd.concat(frames, ignore_index=True)


def varies(parameter: Parameter, value: Any) -> bool:
    """Whether a value stands for several: a list, but a list of words only if the argument does not take one itself."""
    if isinstance(value, dict):
        return parameter.name == "cards"
    if not isinstance(value, (list, range)):
        return False
    return parameter.annotation not in SEVERAL or not all(isinstance(one, str) for one in value)


def values_of(value: Any) -> list[tuple[Any, Any]]:
    """Label and value of each that a list or dict holds."""
    if isinstance(value, Mapping):
        return [*value.items()]
    return [(label(one), one) for one in value]


def label(value: Any) -> Any:
    """A value as it stands in a column: cards by their title, lists as text."""
    if isinstance(value, Cards):
        return value.title
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else value


def cells(varied: Mapping[str, list[tuple[Any, Any]]]) -> Iterator[dict[str, tuple[Any, Any]]]:
    """Every combination: label and value by argument; the last argument varies fastest."""
    for chosen in product(*varied.values()):
        yield dict(zip(varied, chosen, strict=True))
