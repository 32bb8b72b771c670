"""Sizes of the steps that are tried, and the entrants on which they are tried if there are too many."""

from collections.abc import Sequence

import numpy as np

from analysis.data.study import Study
from analysis.document.prose import listed
from analysis.variants.variant import Step, numeric_steps
from analysis.winrates.section import entrant_rates
from sim.engine.measures import Question

USUAL = 1


def sizes(question: Question) -> dict[str, int]:
    """Step size by name of the number. Settings: leaves (names), steps (an integer for each; 1 each if absent)."""
    leaves, steps = question.settings.get("leaves", ()), question.settings.get("steps", ())
    return {leaf: int(size) for leaf, size in zip(leaves, steps, strict=bool(steps))}


def sized_steps(study: Study, question: Question, paths: Sequence[str]) -> list[Step]:
    """Steps of each number, one down and one up."""
    known = sizes(question)
    size_of = {path: known.get(leaf_of(path), USUAL) for path in paths}
    steps: dict[str, list[Step]] = {path: [] for path in paths}
    for size in dict.fromkeys(size_of.values()):
        alike = [path for path in paths if size_of[path] == size]
        for step in numeric_steps(study.game, study.cards, alike, (-size, size)):
            steps[step.field].append(step)
    return [step for both in steps.values() for step in both]


def leaf_of(path: str) -> str:
    """Name of a number: the last word of its path, without the place in a list."""
    return path.rpartition(".")[2].partition("[")[0]


def sizes_said(question: Question) -> str:
    """Sentence on step sizes; empty if all are the usual one."""
    large = [f"{leaf.replace('_', ' ')} {size}" for leaf, size in sizes(question).items() if size != USUAL]
    return f"One step is {USUAL}; for {listed(large)}." if large else ""


def decks_tried(study: Study, question: Question, usual: int) -> list[int]:
    """Entrants farthest from a fair share at the seats of a question, strongest first.

    The strongest and the weakest are always included. Setting: decks (how many, else `usual`).
    """
    frame = entrant_rates(study)
    known = frame[(frame["n"] > 0) & (frame["seats"] == study.seats_for(question))]
    known = known.sort_values("estimate", ascending=False, kind="stable")
    far = (known["estimate"] - known["fair"]).abs().to_numpy(copy=True)
    far[:1] = far[-1:] = np.inf
    wanted = int(question.settings.get("decks", (str(usual),))[0])
    chosen = np.sort(np.argsort(-far, kind="stable")[:wanted])
    return [int(entrant) for entrant in known["entrant"].to_numpy()[chosen]]
