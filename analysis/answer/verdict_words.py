"""Sentences on who is too strong and who too weak."""

from __future__ import annotations

from itertools import product

import pandas as pd

from analysis.answer import verdicts
from analysis.answer.numbers import count, percent
from analysis.answer.prose import bounds_of, capital, listed, plural

NAMED = 3  # entrants named for each verdict, at most


def judged(known: pd.DataFrame, word: str, room: int) -> str:
    """Who is too strong and too weak, and how many are fair or not decided, in at most `room` characters if it can be said so.

    known: best first; word: for an entrant.
    """
    strong, weak = (known[known["verdict"] == verdict] for verdict in verdicts.UNFAIR)
    fair = int((known["verdict"] == verdicts.FAIR).sum())
    undecided = len(known) - len(strong) - len(weak) - fair
    best, worst = known.iloc[0], known.iloc[-1]
    most = f"{best['name']} wins most, {percent(best['estimate'])} {bounds_of(best)}"
    if fair == len(known):
        return f"All {count(fair)} {plural(word)} are fair; {most}"
    numbers = [f"{count(number)} {word}" for number, word in ((fair, verdicts.FAIR), (undecided, verdicts.OPEN)) if number]
    rest = [f"of {count(len(known))} {plural(word)} {listed(numbers)}"] if numbers and undecided < len(known) else []
    if not len(strong) and not len(weak):
        none = f"no {word} is shown to be too strong or too weak"
        return capital("; ".join([none, f"{most}, {worst['name']} least, {percent(worst['estimate'])}", *rest]))
    sides = {verdicts.TOO_STRONG: strong, verdicts.TOO_WEAK: weak.iloc[::-1]}
    sentences = [
        "; ".join([*(f"{verdict}: {named(part, *how)}" for verdict, part in sides.items() if len(part)), *rest])
        for how in product(range(NAMED, 0, -1), (True, False))
    ]
    return capital(next((sentence for sentence in sentences if len(sentence) <= room), sentences[-1]))


def named(part: pd.DataFrame, most: int, bounded: bool) -> str:
    """Names with their rates; at most `most`, further ones are counted. bounded: the first with its interval."""
    first = part.iloc[0]
    interval = f", {100 * first['low']:.1f} to {100 * first['high']:.1f}" if bounded else ""
    names = [f"{first['name']} ({percent(first['estimate'])}{interval})"]
    names += [f"{row['name']} ({percent(row['estimate'])})" for _, row in part.iloc[1:most].iterrows()]
    return listed([*names, *([f"{count(len(part) - most)} more"] if len(part) > most else [])])
