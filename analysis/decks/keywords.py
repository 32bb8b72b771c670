"""Worth of each keyword to a deck: the same games with the same dice, with the keyword and without it on any card."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer.model import DrawnChart, Section
from analysis.answer.numbers import percent, points
from analysis.answer.prose import at_seats, listed, number_word, point_interval, seated, size, some, stopped
from analysis.answer.tables import highest
from analysis.data.study import Study
from analysis.variants.compare import decks_tried
from analysis.variants.rules import compared, games_of
from analysis.variants.tables import PAIRED, paired_note, remarks, sure_note, table
from analysis.variants.variant import adjusted, made, turned_round
from sim.engine.decks import NO_CARD
from sim.engine.questions import Keywords

USUAL = 8  # decks from which keywords are removed by default
KEYWORDS = 14  # most keywords of a deck in the chart


def removals(study: Study, question: Keywords) -> Section | None:
    """Bars of the value of each keyword to a deck, and per copy with it, of the decks farthest from a fair share."""
    decking, decks = study.game.decks, study.game.decks_for(study.cards)
    if decking is None or decks is None or not study.contests:
        return None
    games, seats = study.games_for(question, study.budget.step_games), study.seats_for(question)
    parts, refused, entrants = [], [], decks_tried(study, question, USUAL)
    for entrant in entrants:
        name, cards = study.units[entrant], decks.slots[entrant][decks.slots[entrant] != NO_CARD].tolist()
        bearers: dict[str, list[str]] = {}  # cards by keyword, in the order of the list
        copies: dict[str, int] = {}
        for card in cards:
            for keyword in dict.fromkeys(mark.partition("(")[0] for mark in decks.marks[card]):  # without their numbers
                bearers.setdefault(keyword, []).append(decks.names[card])
                copies[keyword] = copies.get(keyword, 0) + int(decks.counts[entrant, card])
        bare = partial(decking.bare, study.cards.document, study.unit_ids[entrant])
        kept = [keyword for keyword in bearers if keyword not in question.leave_out]
        steps = [made(study.game, study.cards, (keyword, "with", "without"), partial(bare, keyword)) for keyword in kept]
        refused += [f"{step.field} ({name})" for step in steps if not step.cards]
        base = games_of(study, entrant, seats, study.fresh_seed, games)
        part = compared(study, base, steps, f"keywords of {name}", unit=name)
        if len(part):
            facts = {"name": part["path"], "bearers": part["path"].map(bearers), "copies": part["path"].map(copies)}
            part = turned_round(part).assign(panel=name, **facts)
            parts.append(part.sort_values("change", ascending=False, kind="stable"))
    if not parts:
        return None
    frame = adjusted(pd.concat(parts, ignore_index=True))
    frame = frame.assign(per_copy=frame["change"] / frame["copies"], on=frame["bearers"].map(", ".join))
    answer, most = most_valuable(study, frame, seats), frame.groupby("panel", sort=False).head(KEYWORDS)
    caption = (
        f"Win rate of a {study.unit_word} minus that without the keyword on any of its cards {at_seats(seats)}, and the same per "
        f"copy with the keyword, with {study.policy} in every seat."
    )
    caption += f" At most {KEYWORDS} keywords each; the table has all." if len(most) < len(frame) else ""
    counts = ("games", "Games: played with and without it.")
    figure = charts.gains(most.assign(price=most["copies"]), price="copies", unit="copy", counts=counts, bars=True)
    chart = DrawnChart(question.id, figure, caption, f"Bars of the worth of keywords, by {study.unit_word}. {answer}")
    columns = {"panel": study.unit_word, "name": "keyword", "on": "on", "copies": "copies", "before": "with"}
    columns |= {"after": "without", "change": "worth", "low": "worth low", "high": "worth high", "per_copy": "per copy"}
    columns |= {name: PAIRED[name] for name in ("p_holm", "n", "gain")}
    every = table(frame, question.id, "What each keyword is worth", columns)
    still = np.isclose(frame["low"] + frame["high"], 0) & (frame["change"] == 0) & ~np.isfinite(frame["gain"])
    left = len(study.units) - len(entrants)
    note = (
        "The keyword is removed from every card of one deck; cards, their costs, other numbers and all other decks stay the "
        "same, so the worth is that of the keyword alone, at its present price. "
        f"{paired_note('A deck with the keyword and one without it')} Each worth: {size(frame['n'].min())}, seed "
        f"{study.fresh_seed}.{sure_note(f'{study.units_word} and keywords', 'A worth is significant, and coloured,')}"
    )
    note += remarks(
        ("No game of the sample changed without", [f"{row['name']} ({row['panel']})" for _, row in frame[still].iterrows()]),
        ("The rules of the card file do not allow removing", refused),
    )
    note += f" {some(left, study.unit_word).capitalize()} nearer to a fair share were not tried." if left else ""
    return Section(question.id, question.text, answer, (chart,), (every,), note)


def most_valuable(study: Study, frame: pd.DataFrame, seats: int) -> str:
    """Sentences on the most valuable keyword, harmful ones and how many are significant."""
    sure = frame[frame["sure"]]
    tried_ = f"{some(len(frame), 'keyword')} of {some(frame['panel'].nunique(), study.unit_word)}" if len(frame) > 1 else ""
    if sure.empty:
        return f"Removing {f'any one of the {tried_}' if tried_ else 'the keyword'} does not change the win rate beyond chance."
    top = highest(sure, "change", size=True)
    answer = (
        f"{top['panel']} depends most on {top['name']} (on {some(top['copies'], 'copy')} of {some(len(top['bearers']), 'card')}"
        f"): without it the {study.unit_word} wins {points(abs(top['change']))[1:]} points "
        f"{'fewer' if top['change'] > 0 else 'more'} of its {seated(seats)} games {point_interval(-top['high'], -top['low'])}, "
        f"{percent(top['after'])} instead of {percent(top['before'])}"
        f"{stopped(top['truncated_before'] + top['truncated_after'])}."
    )
    if not tried_:
        return answer
    good, bad = int((sure["change"] > 0).sum()), sure[sure["change"] < 0]
    answer += f" Of {tried_}, {number_word(good)} {'has' if good == 1 else 'have'} a significant value"
    if len(bad):
        named = listed([f"{row['name']} ({row['panel']})" for _, row in bad.iterrows()])
        answer += f", and {named} significantly {'does' if len(bad) == 1 else 'do'} harm"
    return f"{answer}."
