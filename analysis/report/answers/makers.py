"""Whether decks made in different ways value the cards alike: the worth of a copy in each, and how far the orders agree."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import numpy as np
import pandas as pd

from analysis.agreement import LEAST
from analysis.card_ways import LEAST_HELD, Way, shared_cards, way_agreement, way_differences, way_worths
from analysis.charts import strands
from analysis.meetings import Meetings, least_decks
from analysis.report.answers.prose import at_seats, listed, number_word, point_interval, some
from analysis.report.answers.tables import table
from analysis.report.model import Chart, Format, Section, Table
from analysis.study import Play, Study
from analysis.wording import count, percent, percent_range, points
from sim.engine.cards import CardError
from sim.engine.decks import Maker
from sim.engine.measures import Question
from sim.weights import remade

SURE = 0.05  # p-value adjusted over all cards and pairs of ways
USUAL = "200"  # decks made in each way
OF_TWO = 2  # seats at which decks meet
NAMED = 3  # cards in a sentence
ENDS = 30  # lines of the table of differences on the page, from each end


def makers(study: Study, question: Question) -> Section | None:
    """Lines of what a copy of each card is worth from way to way; tables of that, of the agreement and of the differences.

    Settings: decks (how many are made in each way), games (of each way, in multiples of the usual number). Left out where
    entrants are no decks, are made in one way only, or are too few to tell their cards apart.
    """
    decking = study.game.decks
    if decking is None or len(decking.makers) == 1 or OF_TWO not in study.contests:
        return None
    games = study.games_for(question, study.budget.games)
    play = study.player("decks by their making", games * len(decking.makers))
    tried = [_played(study, question, maker, play) for maker in decking.makers.values()]
    ways = [way for way in tried if way]
    if len(ways) == 1 or not ways or len(shared_cards(ways)) < LEAST:
        return None
    worths, moves, agreed = way_worths(ways), way_differences(ways), way_agreement(ways, study.seed)
    answer = f"{_agreed(agreed)} {_moved(moves)}"
    caption = f"What a copy of a card adds {at_seats(OF_TWO)} instead of an average one of the {count(len(shared_cards(ways)))} "
    caption += (
        f"that all ways tell, in points of the win rate at an even match: {count(games)} games in each way between "
    )
    caption += f"{_sizes(ways)}, with {study.policy} in every seat. Coloured: p (Holm) < {SURE} from one to the next."
    chart = Chart(question.id, strands(_drawn(ways, worths, moves)), caption, f"Lines from way to way. {answer}")
    tables = (_agreement_table(question, agreed), _worth_table(question, ways, worths), _move_table(question, moves))
    return Section(
        question.id, question.text, answer, (chart,), tables, _note(study, ways, list(decking.makers.values()))
    )


def _played(study: Study, question: Question, maker: Maker, play: Play) -> Way | None:
    """Decks made in one way and their games; None where the cards do not suffice or the decks tell too little."""
    decking = study.game.decks
    assert decking is not None
    number, games = int(question.settings.get("decks", (USUAL,))[0]), study.games_for(question, study.budget.games)
    try:
        made = maker.make(study.cards.document, number, Random(study.fresh_seed))
        cards = remade(study.game, decking.only(study.cards.document, made.decks), study.cards)
    except CardError:
        return None
    base = replace(study.experiment(OF_TWO, games), cards=cards, games_wanted=games, seed=study.fresh_seed)
    meetings, decks = Meetings(len(cards.ids)), decking.of(cards)
    for block in play(base):
        meetings.add(block.rows)
    return (
        Way.of(maker.title, decks, meetings) if (meetings.by_deck()[0] > 0).sum() >= least_decks(decks.counts) else None
    )


def _drawn(ways: list[Way], worths: pd.DataFrame, moves: pd.DataFrame) -> pd.DataFrame:
    """What the chart takes: each way beside the one before."""
    sure = {(row["first"], row["second"], row["card"]) for _, row in moves[moves["p_holm"] < SURE].iterrows()}
    before = {after.title: way.title for way, after in pairwise(ways)}
    beyond = [(before.get(way), way, card) in sure for way, card in zip(worths["way"], worths["card"], strict=True)]
    return worths.assign(column=worths["way"], name=worths["card_name"], sure=beyond)


def _agreed(frame: pd.DataFrame) -> str:
    """How often two cards stand the same way round, for each pair of ways, the most alike first."""
    ordered = [row for _, row in frame.sort_values("tau", ascending=False, kind="stable").iterrows()]
    shares = [[(1 + float(row[word])) / 2 for word in ("tau", "low", "high")] for row in ordered]
    parts = [
        f"{percent(share, 0)} ({'' if at else '95 % interval '}{percent_range(low, high, 0)}) between {_pair(row)}"
        for at, (row, (share, low, high)) in enumerate(zip(ordered, shares, strict=True))
    ]
    said = f"Of all pairs of {number_word(ordered[0]['things'])} cards so many stand in the same order: {listed(parts)}"
    taus = listed([f"{row['tau']:.2f}" for row in ordered])
    return f"{said}; Kendall's tau is {taus}, and by chance alone it would be 0."


def _pair(row: pd.Series) -> str:
    """Two ways in words."""
    return f"{row['first']} and {row['second']}"


def _moved(frame: pd.DataFrame) -> str:
    """The cards whose worth differs surely, those that differ most first."""
    sure = frame[frame["p_holm"] < SURE].sort_values("change", key=abs, ascending=False, kind="stable")
    of = some(len(frame), "difference")
    if sure.empty:
        return f"No card is surely worth more in one way than in another ({of} between ways looked at)."
    parts = [
        f"{row['card_name']} by {points(row['change'])} points a copy in {row['second']} against {row['first']} "
        f"{point_interval(row['low'], row['high'])}"
        for _, row in sure.iloc[:NAMED].iterrows()
    ]
    return (
        f"Of {of} between ways {number_word(len(sure))} {'is' if len(sure) == 1 else 'are'} sure: {listed(parts)}"
        + (", and others less." if len(sure) > NAMED else ".")
    )


def _agreement_table(question: Question, frame: pd.DataFrame) -> Table:
    """How far every two ways agree."""
    columns = {"first": "way", "second": "other way", "tau": "Kendall's tau", "low": "tau low", "high": "tau high"}
    columns |= {"alike": "pairs in the same order", "seen": "tau of the estimates", "things": "cards"}
    formats: dict[str, Format] = dict.fromkeys((*list(columns.values())[2:5], "tau of the estimates"), "number")
    shown = frame.assign(alike=(1 + frame["tau"]) / 2).round({"tau": 3, "low": 3, "high": 3, "seen": 3})
    return table(shown, f"{question.id}-agreement", "How far the orders of the cards agree", columns, formats | {
        "pairs in the same order": "percent", "cards": "count"})  # fmt: skip


def _worth_table(question: Question, ways: list[Way], worths: pd.DataFrame) -> Table:
    """What a copy is worth by card, a group of columns per way, in the order of the first."""
    frame, columns = pd.DataFrame(), {"card_name": "card"}
    formats: dict[str, Format] = {}
    for at, way in enumerate(ways):
        own = worths[worths["way"] == way.title].set_index("card")
        frame = frame if at else own[["card_name"]]
        for word, heading in (("estimate", ""), ("low", " low"), ("high", " high"), ("decks", ": held by")):
            frame = frame.assign(**{f"{word}{at}": own[word]})
            columns[f"{word}{at}"] = f"{way.title}{heading}"
            formats[f"{way.title}{heading}"] = "count" if word == "decks" else "points"
        frame = frame.assign(**{f"n{at}": own["n"]})
        columns[f"n{at}"], formats[f"{way.title}: n"] = f"{way.title}: n", "count"
    frame = frame.sort_values("estimate0", ascending=False, kind="stable")
    return table(frame, f"{question.id}-worth", "What a copy is worth in each way", columns, formats)


def _move_table(question: Question, frame: pd.DataFrame) -> Table:
    """What changes between every two ways, largest first."""
    columns = {"card_name": "card", "first": "from", "second": "to", "change": "change", "low": "change low"}
    columns |= {"high": "change high", "p_holm": "p (Holm)"}
    shown = frame.sort_values("change", ascending=False, kind="stable")
    return table(
        shown, f"{question.id}-changes", "What a copy is worth more in one way than in another", columns, ends=ENDS
    )


def _sizes(ways: list[Way]) -> str:
    """How many decks of which ways have played."""
    return listed([f"{count(way.worth.decks)} {way.title}" for way in ways])


def _note(study: Study, ways: list[Way], all_: list[Maker]) -> str:
    """How it was worked out, what it is and what it cannot tell."""
    note = f"Decks of one way play each other (seed {study.fresh_seed}), and the winner is regressed on the copies of every card "
    note += "in both, errors over decks. By lot, what a deck holds besides is chance, and the worth of a copy is what it does "
    note += "there; where decks are picked, the picks choose what goes with what, and it is an association, adjusted for all "
    note += "else that both decks hold. " + " ".join(
        f"{maker.title[:1].upper()}{maker.title[1:]}: {maker.words}." for maker in all_
    )
    note += " Errors alone turn cards round: tau and its interval are the posterior of the true worths, both normal over cards, "
    note += "with flat priors on their spreads and on tau; the table has the tau of the estimates beside it."
    shared, names = set(shared_cards(ways)), ways[0].decks.names
    for way in ways:
        few = [names[card] for card in np.flatnonzero(~way.told) if card not in shared]
        if few:
            note += f" In {way.title} fewer than {LEAST_HELD} decks differ in {listed(few)}: left out in all ways."
    return note + f" Named and coloured only if p (Holm) < {SURE}."
