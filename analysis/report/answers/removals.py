"""What a keyword is worth: decks as they are against the same decks with their cards robbed of it, in the same games."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.charts import gains
from analysis.estimates import adjust
from analysis.report.answers.prose import at_seats, listed, number_word, point_interval, seated, size, some, stopped
from analysis.report.answers.retest import games_of
from analysis.report.answers.tables import highest, table
from analysis.report.answers.tried import decks_tried
from analysis.report.model import Chart, Format, Section, Table
from analysis.study import Study
from analysis.whatif import Step, effects
from analysis.wording import percent, points
from sim.engine.cards import CardError
from sim.engine.decks import NO_CARD, Decking, Decks
from sim.engine.measures import Question
from sim.weights import remade

SURE = 0.05  # p-value adjusted over all decks and keywords of the section
USUAL = 8  # decks tried
COUNTS = ("games", "Games: played with and without it.")
SHOWN = 14  # keywords of a deck in the chart


@dataclass(frozen=True)
class Robbed:
    """A deck, and what it is without each keyword. bearers: names of its cards that bear it; copies: of these together."""

    entrant: int
    name: str
    steps: list[Step]
    bearers: Mapping[str, list[str]]
    copies: Mapping[str, int]


def removals(study: Study, question: Question) -> Section | None:
    """Bars of what each keyword on its cards is worth to a deck, and per copy that bears it.

    Settings: decks (how many at most, those farthest from a fair share), leave_out (keywords that are not tried), seats, games
    (in multiples of the usual number).
    """
    decking, decks = study.game.decks, study.game.decks_for(study.cards)
    if decking is None or decks is None or not study.contests:
        return None
    tried = decks_tried(study, question, USUAL)
    found = [_robbed(study, question, (decking, decks), entrant) for entrant in tried]
    frame = _measured(study, question, [one for one in found if any(step.cards for step in one.steps)])
    if frame.empty:
        return None
    seats = study.seats_for(question)
    answer = _said(study, frame, seats)
    caption = f"Win rate of a {study.unit_word} as it is, less that without the keyword on any of its cards {at_seats(seats)}, "
    caption += f"and the same per copy that bears the keyword, with {study.policy} in every seat."
    most = frame.groupby("panel", sort=False).head(SHOWN)
    caption += f" At most {SHOWN} keywords each; the table has all." if len(most) < len(frame) else ""
    figure = gains(most, price="copies", unit="copy", counts=COUNTS, bars=True)
    chart = Chart(question.id, figure, caption, f"Bars of the worth of keywords, by {study.unit_word}. {answer}")
    note = _note(study, found, frame)
    return Section(question.id, question.text, answer, (chart,), (_table(study, question, frame),), note)


def _robbed(study: Study, question: Question, of: tuple[Decking, Decks], entrant: int) -> Robbed:
    """A deck without each of its keywords, whatever their numbers, in the order in which its list bears them."""
    decking, decks = of
    bearers: dict[str, list[str]] = {}
    copies: dict[str, int] = {}
    for card in decks.slots[entrant][decks.slots[entrant] != NO_CARD].tolist():
        for mark in dict.fromkeys(map(_word, decks.marks[card])):
            bearers.setdefault(mark, []).append(decks.names[card])
            copies[mark] = copies.get(mark, 0) + int(decks.counts[entrant, card])
    kept = [mark for mark in bearers if mark not in question.settings.get("leave_out", ())]
    steps = [_without(study, decking, entrant, mark) for mark in kept]
    return Robbed(entrant, study.units[entrant], steps, bearers, copies)


def _without(study: Study, decking: Decking, entrant: int, mark: str) -> Step:
    """A deck's cards without a keyword, as a step of the card set."""
    try:
        bare = decking.bare(study.cards.document, study.unit_ids[entrant], mark)
        cards = remade(study.game, bare, study.cards)
    except CardError as error:
        return Step(mark, 0, "with", "without", None, str(error).splitlines()[0])
    return Step(mark, 0, "with", "without", cards)


def _measured(study: Study, question: Question, found: list[Robbed]) -> pd.DataFrame:
    """What each keyword is worth to each deck, largest first: change, low, high, and p adjusted over all (Holm)."""
    games, seats = study.games_for(question, study.budget.step_games), study.seats_for(question)
    tables = []
    for one in found:
        base = games_of(study, one.entrant, seats, study.fresh_seed, games)
        live = [step for step in one.steps if step.cards]
        play = study.player(f"keywords of {one.name}", base.games * (len(live) + 1))
        part = effects(base, live, one.name, play)
        worth = {"change": 0 - part["change"], "low": 0 - part["high"], "high": 0 - part["low"], "panel": one.name}
        marks = part["path"]
        facts = {"mark": marks, "bearers": marks.map(dict(one.bearers)), "copies": marks.map(dict(one.copies))}
        columns: dict[str, Any] = {**worth, **facts, "name": marks}
        tables.append(part.assign(**columns).sort_values("change", ascending=False, kind="stable"))
    if not tables:
        return pd.DataFrame()
    frame = pd.concat(tables, ignore_index=True)
    p_holm = adjust(frame["p"])
    return frame.assign(
        p_holm=p_holm, sure=p_holm < SURE, price=frame["copies"], per_copy=frame["change"] / frame["copies"]
    )


def _word(mark: str) -> str:
    """A keyword without its number: with any of its numbers it is taken off."""
    return mark.partition("(")[0]


def _said(study: Study, frame: pd.DataFrame, seats: int) -> str:
    """The keyword that is worth most, the one that does most harm, and how many are beyond chance."""
    sure = frame[frame["sure"]]
    of = f"{some(len(frame), 'keyword')} of {some(frame['panel'].nunique(), study.unit_word)}" if len(frame) > 1 else ""
    if sure.empty:
        return f"Without any one of the {of or 'keyword'} the win rate stays what it is within what chance allows."
    top = highest(sure, "change", size=True)
    way = "fewer" if top["change"] > 0 else "more"
    said = f"{top['panel']} depends most on {top['name']} ({_copies(top)}): without it the {study.unit_word} wins "
    said += f"{points(abs(top['change']))[1:]} points {way} of its {seated(seats)} games "
    said += f"{point_interval(-top['high'], -top['low'])}, {percent(top['after'])} instead of {percent(top['before'])}"
    said += f"{stopped(top['truncated_before'] + top['truncated_after'])}."
    good, bad = int((sure["change"] > 0).sum()), sure[sure["change"] < 0]
    said += f" Of {of}, {number_word(good)} {'is' if good == 1 else 'are'} surely worth something" if of else ""
    if of and len(bad):
        named = listed([f"{row['name']} ({row['panel']})" for _, row in bad.iterrows()])
        said += f", and {named} surely {'does' if len(bad) == 1 else 'do'} harm"
    return f"{said}." if of else said


def _copies(row: pd.Series) -> str:
    return f"on {some(row['copies'], 'copy')} of {some(len(row['bearers']), 'card')}"


def _table(study: Study, question: Question, frame: pd.DataFrame) -> Table:
    """Every deck and keyword."""
    columns = {"panel": study.unit_word, "name": "keyword", "on": "on", "copies": "copies", "before": "with"}
    columns |= {"after": "without", "change": "worth", "low": "worth low", "high": "worth high", "per_copy": "per copy"}
    columns |= {"p_holm": "p (Holm)", "n": "n", "gain": "gain"}
    formats: dict[str, Format] = dict.fromkeys(("with", "without"), "percent")
    formats |= dict.fromkeys(("worth", "worth low", "worth high", "per copy"), "points")
    shown = frame.assign(on=[", ".join(names) for names in frame["bearers"]])
    return table(
        shown, question.id, "What each keyword is worth", columns, {**formats, "copies": "count", "gain": "number"}
    )


def _note(study: Study, found: list[Robbed], frame: pd.DataFrame) -> str:
    """How the worth was measured, and what was not."""
    note = "The keyword is taken off every card of one deck; cards, their other numbers and all other decks stay as they are, "
    note += "and what a card costs stays too, so that the worth is that of the keyword alone, at its present price. With and "
    note += "without it the same games are played with the same dice (common random numbers), and the differences are analysed "
    note += f"as pairs ({size(frame['n'].min())} each, seed {study.fresh_seed}); gain says how many times as many games two "
    note += "separate samples would need. Truncated games are left out. A worth is sure, and coloured, if p (Holm) < "
    note += f"{SURE}, adjusted over all {study.units_word} and keywords; intervals are of each alone."
    still = np.isclose(frame["low"] + frame["high"], 0) & (frame["change"] == 0) & ~np.isfinite(frame["gain"])
    quiet = [f"{row['name']} ({row['panel']})" for _, row in frame[still].iterrows()]
    refused = [f"{step.field} ({one.name})" for one in found for step in one.steps if not step.cards]
    note += f" Not one game of the sample went otherwise without: {listed(quiet)}." if quiet else ""
    note += f" The rules of the card file refuse to go without: {listed(refused)}." if refused else ""
    left = len(study.units) - len(found)
    return note + (f" {some(left, study.unit_word).capitalize()} nearer to a fair share not tried." if left else "")
