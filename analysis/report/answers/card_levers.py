"""Which number of a card to change: win rates of decks with each number of their cards one step up and down.

Decks hold many cards, so every step is first looked at in few games, those behind the win rates; the strongest are played
again in games of a fresh seed, and only these are judged. A number is changed in every deck that holds the card.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from analysis.report.answers.fields import field_words
from analysis.report.answers.levers import SURE, Lever, answer_of, chart_of, cures_of, measured, table_of, untried
from analysis.report.answers.prose import at_seats, listed, size, some
from analysis.report.answers.retest import games_of, retest, retest_table
from analysis.report.answers.sizes import sized_steps, sizes_said
from analysis.report.answers.tables import table
from analysis.report.answers.tried import decks_tried
from analysis.report.model import Section, Table
from analysis.study import Study
from sim.engine.cards import numeric_fields
from sim.engine.decks import Decks
from sim.engine.measures import Question

USUAL = 2  # decks tried; the answer speaks of the strongest and the weakest, chart and tables of all
KEPT = 12  # numbers of a deck that are played again
SCREEN = 0.1  # of the usual games for the first look
TABLE = "card"  # how paths of a card's numbers begin
LISTED = 15  # lines of the first look that stand on the page, from each end


def card_levers(study: Study, question: Question) -> Section | None:
    """Tornado charts of the decks farthest from a fair share: the numbers of their cards.

    Settings: leaves (names of the numbers, all of a card if absent), steps (how large one is, by leaf, else 1), table (of the
    cards in the card file), decks (how many, two if absent), kept (numbers of each that are played again), screen (games of the
    first look, in multiples of the usual number), seats, games (in multiples of the usual number).
    """
    decks = study.game.decks_for(study.cards)
    if decks is None or not study.contests:
        return None
    seats = study.seats_for(question)
    tried = decks_tried(study, question, USUAL)
    found = [lever for entrant in tried for lever in _lever(study, question, decks, entrant) if lever.live]
    if not found:
        return None
    games = study.games_for(question, study.budget.step_games)
    few = study.games_for(question, round(study.budget.step_games * _number(question, "screen", SCREEN)))
    first = measured(study, found, [games_of(study, one.entrant, seats, study.seed, few) for one in found])
    if first.empty:
        return None
    strong = [_kept(lever, first, round(_number(question, "kept", KEPT))) for lever in found]
    frame = measured(study, strong, [games_of(study, one.entrant, seats, study.fresh_seed, games) for one in strong])
    parts = {str(name): part for name, part in frame.groupby("name", sort=False)}
    cures = [cure for lever in strong if lever.name in parts for cure in cures_of(lever, parts[lever.name], seats)]
    again = retest(study, cures)
    ends = {found[0].name, found[-1].name}  # the strongest and the weakest
    answer = answer_of({name: part for name, part in parts.items() if name in ends}, again, seats)
    chart = chart_of(study, question, frame, answer)
    tables = [
        table_of(study, _ranked(frame), question.id, "The numbers played again, those that move most for sure first")
    ]
    tables += [retest_table(study, again, question.id)] if len(again) else []
    tables.append(_first_look(study, question, first))
    note = _note(study, question, found, (first, frame))
    return Section(question.id, question.text, answer, (chart,), tuple(tables), note)


def _number(question: Question, setting: str, usual: float) -> float:
    """A setting that is one number."""
    return float(question.settings.get(setting, (str(usual),))[0])


def _lever(study: Study, question: Question, decks: Decks, entrant: int) -> Iterator[Lever]:
    """A deck and the numbers of the cards that it holds, in the order of its list."""
    begins, leaves = question.settings.get("table", (TABLE,))[0], question.settings.get("leaves", ())
    paths = numeric_fields(study.cards.document)
    words: dict[str, str] = {}
    for card in decks.slots[entrant][decks.slots[entrant] >= 0].tolist():
        begin = f"{begins}.{decks.ids[card]}."
        for path in paths:
            leaf = path.removeprefix(begin)
            if path.startswith(begin) and (not leaves or leaf in leaves):
                of = field_words(study.cards.document, path, question.settings, skip=2)
                words[path] = f"{decks.names[card]}: {of[:1].lower()}{of[1:]}"
    yield Lever(entrant, study.units[entrant], sized_steps(study, question, list(words)), words)


def _kept(lever: Lever, first: pd.DataFrame, kept: int) -> Lever:
    """The deck with the strongest of its numbers, both steps of each."""
    strongest = _ranked(first[first["name"] == lever.name])["path"].drop_duplicates()[:kept].tolist()
    return Lever(lever.entrant, lever.name, [step for step in lever.steps if step.field in strongest], lever.words)


def _ranked(frame: pd.DataFrame) -> pd.DataFrame:
    """The steps by the least that they surely move a win rate, either way; those that may move it nowhere by their change."""
    least = np.maximum(np.maximum(frame["low"].to_numpy(), -frame["high"].to_numpy()), 0.0)
    ranked = frame.assign(least=least, size=frame["change"].abs())
    return ranked.sort_values(["least", "size"], ascending=False, kind="stable", ignore_index=True)


def _first_look(study: Study, question: Question, first: pd.DataFrame) -> Table:
    """Every step in the few games of the first look."""
    columns = {"name": study.unit_word, "field": "number", "present": "now", "value": "becomes", "change": "change"}
    columns |= {
        "low": "change low",
        "high": "change high",
        "n": "n",
        "source": "source",
        "path": "field of the card file",
    }
    return table(_ranked(first), f"{question.id}-first-look", "Every number in few games", columns, ends=LISTED)


def _note(study: Study, question: Question, found: list[Lever], both: tuple[pd.DataFrame, pd.DataFrame]) -> str:
    """How the steps were chosen and measured, and which were not."""
    first, frame = both
    seats = at_seats(study.seats_for(question))
    tried = f"the {study.units_word} farthest from a fair share {seats}: " if len(found) < len(study.units) else ""
    note = f"Tried are the numbers of the cards of {tried}{listed([lever.name for lever in found])}, "
    note += f"{some(len(first), 'step')} in all. A card that several {study.units_word} hold is changed in all of them. Every "
    note += f"step was looked at first in few games ({size(first['n'].min())} of each {study.unit_word}, seed {study.seed}, as "
    note += (
        "behind the win rates); the numbers that moved a win rate most, by the nearer end of the interval, were played "
    )
    note += f"again in others ({size(frame['n'].min())} per step, seed {study.fresh_seed}), and only these are drawn and judged; "
    note += f"the step named is tried once more (seed {study.retest_seed}). With and without a step the same games are played "
    note += "with the same dice (common random numbers), and the differences are analysed as pairs; gain says how many times as "
    note += "many games two separate samples would need. Truncated games are left out. "
    note += f"Steps are named, and bars coloured, only if p (Holm) < {SURE}, adjusted over all steps played again; intervals are "
    note += "of each step alone."
    return " ".join(filter(None, (note, sizes_said(question)))) + untried(found)
