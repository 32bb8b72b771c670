"""What keywords and cards are worth in general: decks drawn by lot against each other, so that what else they hold is chance."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pandas as pd

from analysis.card_pool import keyword_effects, pool_statistics
from analysis.card_tables import keyword_table, pool_table
from analysis.charts import twofold
from analysis.meetings import Meetings, least_decks
from analysis.report.answers.prose import article, at_seats, listed, number_word, point_interval, some
from analysis.report.answers.tables import highest, lowest
from analysis.report.model import Chart, Section
from analysis.study import Study
from analysis.wording import count, points
from sim.engine.cards import CardError, CardSet
from sim.engine.decks import Decks
from sim.engine.measures import Question
from sim.weights import remade

SURE = 0.05  # p-value adjusted over all keywords
USUAL = "200"  # decks drawn by lot
OF_TWO = 2  # seats at which decks meet
ENDS = 30  # cards of the table on the page, from each end


def keywords(study: Study, question: Question) -> Section | None:
    """Forest of what a keyword adds on a copy of a card, between cards of one level and type; tables of keywords and cards.

    Settings: decks (how many are drawn by lot), games (in multiples of the usual number). Left out where entrants are no decks,
    the game has no keywords, or the decks are too few to tell its cards apart.
    """
    found = _drawn(study, question)
    if found is None:
        return None
    cards, decks = found
    wanted = study.games_for(question, study.budget.games)
    base = replace(study.experiment(OF_TWO, wanted), cards=cards, games_wanted=wanted, seed=study.fresh_seed)
    meetings = Meetings(len(cards.ids))
    play = study.player("decks by lot", base.games)
    for block in play(base):
        meetings.add(block.rows)
    if (meetings.by_deck()[0] > 0).sum() < least_decks(decks.counts):
        return None
    frame = keyword_effects(meetings, decks)
    known = frame.dropna(subset=["p"])
    if known.empty:
        return None
    answer = _said(frame)
    shown = known.assign(name=known["keyword"], estimate=known["value"], sure=known["p_holm"] < SURE)
    figure = twofold(shown, words=("worth of the keyword", ""), label="points of the win rate, per copy")
    caption = f"What {article('keyword')} adds to a copy of a card of the same level and type {at_seats(OF_TWO)}, in points of "
    caption += f"the win rate at an even match: {count(base.games)} games between {count(len(cards.ids))} "
    caption += f"{study.game.entrants_word} by lot, with {study.policy} in every seat."
    chart = Chart(question.id, figure, caption, f"Dot chart of keywords. {answer}")
    words = (
        "What a copy of each card is worth instead of an average one, and win rates of the decks with it and without"
    )
    tables = (
        keyword_table(frame, f"{question.id}-keywords", "What each keyword is worth on a copy"),
        replace(pool_table(pool_statistics(meetings, decks), f"{question.id}-cards", words), ends=ENDS),
    )
    return Section(question.id, question.text, answer, (chart,), tables, _note(study, frame, len(cards.ids)))


def _drawn(study: Study, question: Question) -> tuple[CardSet, Decks] | None:
    """The card set with decks by lot, and these; None where there are none or no keywords."""
    decking = study.game.decks
    if decking is None or OF_TWO not in study.contests:
        return None
    number = int(question.settings.get("decks", (USUAL,))[0])
    try:
        document = decking.by_lot(study.cards.document, number, Random(study.fresh_seed))
        cards = remade(study.game, document, study.cards)
    except CardError:
        return None
    decks = decking.of(cards)
    return (cards, decks) if any(decks.marks) else None


def _said(frame: pd.DataFrame) -> str:
    """The keywords that are worth most and least, if any surely are."""
    known = frame.dropna(subset=["p"])
    sure = known[known["p_holm"] < SURE]
    of = some(len(known), "keyword")
    if sure.empty:
        top = highest(known, "value")
        said = f"Of {of} none is surely worth anything beyond the level of its cards; most likely {_quoted(top)} is, "
        return f"{said}{points(top['value'])} points a copy {point_interval(top['low'], top['high'])}."
    named = [("most", highest(sure, "value"))] + ([("least", lowest(sure, "value"))] if len(sure) > 1 else [])
    parts = [
        f"{_quoted(row)} is worth {way}, {points(row['value'])} points a copy {point_interval(row['low'], row['high'])}"
        for way, row in named
    ]
    differ = f"{number_word(len(sure))} surely differ{'s' if len(sure) == 1 else ''} from nothing"
    return f"Of the keywords, {listed(parts)}. Of {of} {differ}."


def _quoted(row: pd.Series) -> str:
    """A keyword as a word that is spoken of."""
    return f"\u201c{row['keyword']}\u201d"


def _note(study: Study, frame: pd.DataFrame, decks: int) -> str:
    """How it was worked out, and what it cannot tell."""
    few = list(frame[frame["cards"] == 1]["keyword"])
    untold = list(frame[frame["p"].isna()]["keyword"])
    note = f"The winner is regressed on the copies of every card in both of {count(decks)} legal {study.game.entrants_word} by "
    note += f"lot (seed {study.fresh_seed}; errors over decks), and what a copy is worth on the level, its square, the type and "
    note += "the keywords of the card; cards are the observations, so that what a card does by its other numbers is doubt about "
    note += (
        "its keywords. A keyword is worth what the cards that bear it do beyond others of their level and type: their "
    )
    note += f"numbers may be set with an eye on it, and the {study.game.entrants_word} were not built round it."
    note += f" Named and coloured only if p (Holm) < {SURE}."
    note += f" Borne by a single card, and not to be told from it: {listed(few)}." if few else ""
    return note + (f" No two cards tell what is worth {listed(untold)}." if untold else "")
