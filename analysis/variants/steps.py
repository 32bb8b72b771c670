"""Which steps and entrants are tried.

How large one step of a number is: 1, or what a question says for numbers of that name.

Whom what-ifs are tried on where there are too many to try them all.
"""

from collections.abc import Sequence

import numpy as np

from analysis.data.study import Study
from analysis.document.prose import listed
from analysis.variants.variant import Step, numeric_steps
from analysis.winrates.section import entrant_rates
from sim.engine.measures import Question

USUAL = 1


def sizes(question: Question) -> dict[str, int]:
    """Size of a step by the name of the number. Settings: leaves (names), steps (as many whole numbers; 1 each if absent)."""
    leaves, steps = question.settings.get("leaves", ()), question.settings.get("steps", ())
    return {leaf: int(size) for leaf, size in zip(leaves, steps, strict=bool(steps))}


def sized_steps(study: Study, question: Question, paths: Sequence[str]) -> list[Step]:
    """Each number one step down and one step up."""
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
    """How large a step is, in a sentence; empty where nothing is said of it."""
    large = [f"{leaf.replace('_', ' ')} {size}" for leaf, size in sizes(question).items() if size != USUAL]
    return f"One step is {USUAL}, of {listed(large)}." if large else ""


def decks_tried(study: Study, question: Question, usual: int) -> list[int]:
    """Entrants farthest from a fair share at the seats of a question, the one that wins most often first.

    The strongest and the weakest are always among them. Setting: decks (how many, else `usual`).
    """
    frame = entrant_rates(study)
    known = frame[(frame["n"] > 0) & (frame["seats"] == study.seats_for(question))]
    known = known.sort_values("estimate", ascending=False, kind="stable")
    far = (known["estimate"] - known["fair"]).abs().to_numpy(copy=True)
    far[:1] = far[-1:] = np.inf
    wanted = int(question.settings.get("decks", (str(usual),))[0])
    chosen = np.sort(np.argsort(-far, kind="stable")[:wanted])
    return [int(entrant) for entrant in known["entrant"].to_numpy()[chosen]]
