"""Whom what-ifs are tried on where there are too many to try them all."""

import numpy as np

from analysis.report.answers.win_rates import rates
from analysis.study import Study
from sim.engine.measures import Question


def decks_tried(study: Study, question: Question, usual: int) -> list[int]:
    """Entrants farthest from a fair share at the seats of a question, the one that wins most often first.

    The strongest and the weakest are always among them. Setting: decks (how many, else `usual`).
    """
    frame = rates(study)
    known = frame[(frame["n"] > 0) & (frame["seats"] == study.seats_for(question))]
    known = known.sort_values("estimate", ascending=False, kind="stable")
    far = (known["estimate"] - known["fair"]).abs().to_numpy(copy=True)
    far[:1] = far[-1:] = np.inf
    wanted = int(question.settings.get("decks", (str(usual),))[0])
    chosen = np.sort(np.argsort(-far, kind="stable")[:wanted])
    return [int(entrant) for entrant in known["entrant"].to_numpy()[chosen]]
