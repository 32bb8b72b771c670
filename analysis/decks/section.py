"""Report sections on cards, keywords, kits and prices.

Which card carries or drags a deck: win rates when drawn and when not, beside what the card does.

What keywords and cards are worth in general: decks drawn by lot against each other, so that what else they hold is chance.

Whether decks made in different ways value the cards alike: the worth of a copy in each, and how far the orders agree.

What decks should bring: win rates with every other kit, and what each part of a deck's own kit is worth to it.

Whether what one can buy is worth its price: win shares of those who have it and of those who have not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pandas as pd

from analysis.charts import choices, gains, strands, twofold
from analysis.data.card_tally import CardTally
from analysis.data.rows import distinct
from analysis.data.study import Play, Study, finished
from analysis.decks.cards import (
    CONDITIONAL,
    LEAST_HELD,
    Meetings,
    Way,
    deck_cards,
    keyword_effects,
    least_decks,
    pool_statistics,
    pooled_cards,
    shared_cards,
    turns_played,
    way_agreement,
    way_differences,
    way_worths,
)
from analysis.decks.loadouts import KitEffects, KitSteps, kit_effects, kit_steps
from analysis.decks.tables import (
    blank_table,
    deck_table,
    keyword_table,
    kit_table,
    pool_table,
    pooled_table,
    slots_of,
    turn_table,
)
from analysis.document.cards import sources_under
from analysis.document.cells import count, percent, percent_range, points
from analysis.document.model import Chart, Format, Section, Table
from analysis.document.prose import (
    article,
    at_seats,
    capital,
    listed,
    number_word,
    point_interval,
    seated,
    size,
    some,
    stopped,
)
from analysis.document.tables import highest, lowest, table
from analysis.stats.paired import win_gains
from analysis.stats.rank_agreement import LEAST
from analysis.variants.removals import games_of
from analysis.variants.steps import decks_tried
from analysis.variants.variant import Replacements, replacement_effects, with_effects
from sim.engine.cards import CardError, CardSet
from sim.engine.decks import Decks, Maker
from sim.engine.measures import Question
from sim.weights import remade

SURE = 0.05  # p-value adjusted over the cards of a deck
USUAL = 6  # decks looked at card by card
ENDS = 30  # lines of the longest table on the page, from each end
SHOWN = 30  # cards of a chart over all entrants, from both ends


@dataclass(frozen=True)
class Looked:
    """A deck, its cards (see `card_effects.with_effects`), and those that cannot be replaced."""

    entrant: int
    name: str
    frame: pd.DataFrame
    refused: dict[str, str]


def cards(study: Study, question: Question) -> Section | None:
    """Per deck what each card does beside the difference of the win rate when drawn and when not; tables of all of it.

    Roles: see `card_tally.ROLES`, measures that count by card. Settings: by_turn (drawn by that own turn), decks (how many at
    most, those farthest from a fair share), games (pairs for each card replaced, in multiples of the usual number), seats.
    Where entrants are no decks nothing can be replaced, and the cards stand over all entrants.
    """
    tally = study.card_tally
    if tally is None or not tally.games.any() or not (study.game.decks or tally.cards.shared):
        return None
    if study.game.decks is None:
        return _over_all(study, question, tally)
    frame = deck_cards(tally)
    found = [_looked(study, question, frame, entrant) for entrant in decks_tried(study, question, USUAL)]
    charts = tuple(_chart(study, question, tally, one) for one in found)
    answer = " ".join(_said(tally, one) for one in found[:2]) + _overall(study, found)
    tables = (*_tables(study, question, tally, found), *_pooled(study, question, tally))
    return Section(question.id, question.text, answer, charts, tables, _note(study, found))


def _looked(study: Study, question: Question, frame: pd.DataFrame, entrant: int) -> Looked:
    """A deck with what its cards do, from games of their own."""
    own = frame[frame["entrant"] == entrant].reset_index(drop=True)
    decks, name = study.game.decks_for(study.cards), study.names[entrant]
    assert decks is not None
    seats, pairs = study.seats_for(question), study.games_for(question, study.budget.step_games)
    base = replace(study.experiment(seats, -(-pairs * len(study.names) // seats)), seed=study.fresh_seed)
    of_deck = -(-base.games * seats // len(study.names))
    play = study.player(f"cards of {name}", of_deck * (1 + len(own)))
    found: Replacements = replacement_effects(base, entrant, play)
    own.insert(4, "copies", decks.counts[entrant, own["card"]])
    own["source"] = [sources_under(study.cards, f"card.{decks.ids[card]}") for card in own["card"]]
    return Looked(entrant, name, with_effects(own, [found.frame]), found.refused)


def _chart(study: Study, question: Question, tally: CardTally, deck: Looked) -> Chart:
    """The cards of a deck, best first."""
    frame = deck.frame.sort_values("effect", ascending=False, na_position="last", kind="stable")
    frame = frame.assign(sure=frame["effect_p"] < SURE)
    columns = {"card_name": "name", "effect": "estimate", "effect_low": "low", "effect_high": "high", "pairs": "n"}
    columns |= {"change": "other", "low": "other_low", "high": "other_high", "sure": "sure"}
    shown = frame[list(columns)].set_axis(list(columns.values()), axis=1)
    drawn = f"drawn{_by(tally)} less not drawn"
    figure = twofold(shown, words=("with the card less with plain ones", f"{drawn} (conditional)"), what="pairs")
    caption = f"{deck.name}: change of the win rate by each card {at_seats(tally.experiment.seats)}, against "
    caption += f"{_plain(study)}, and below it the win rate when {drawn}, with {study.policy} in every seat."
    alt = f"Dot chart of the cards of {deck.name}. {_said(tally, deck)}"
    return Chart(f"{question.id}-{study.cards.ids[deck.entrant].replace('_', '-')}", figure, caption, alt)


def _said(tally: CardTally, deck: Looked) -> str:
    """The cards that carry and drag a deck, and where drawing a card misleads."""
    sure = deck.frame[deck.frame["effect_p"] < SURE]
    if sure.empty:
        return f"No card of {deck.name} surely does more or less than a plain one."
    top, low = highest(sure, "effect"), lowest(sure, "effect")
    said = [
        _one(row, way) for row, way in ((top, "carries"), (low, "drags")) if (row["effect"] > 0) == (way == "carries")
    ]
    words = f"{deck.name}: {' and '.join(said)}."
    known = deck.frame.dropna(subset=["change"])
    if len(known):
        drawn = highest(known, "change")
        if drawn["card"] != top["card"]:
            does = points(drawn["effect"]) if pd.notna(drawn["effect"]) else "unknown"
            words += f" Drawn{_by(tally)} it wins most often with {drawn['card_name']} ({percent(drawn['drawn'])}), "
            words += f"whose own effect is {does}."
    return words


def _one(row: pd.Series, way: str) -> str:
    """A card and what it does."""
    bounds = point_interval(row["effect_low"], row["effect_high"])
    return f"{row['card_name']} {way} it most, {points(row['effect'])} points {bounds}"


def _overall(study: Study, found: list[Looked]) -> str:
    """How many cards are beyond chance."""
    frame = pd.concat([one.frame for one in found], ignore_index=True).dropna(subset=["effect"])
    if frame.empty:
        return ""
    sure = frame["effect_p"] < SURE
    up, down = int((sure & (frame["effect"] > 0)).sum()), int((sure & (frame["effect"] < 0)).sum())
    said = f" Of {some(len(frame), 'card')} of {some(len(found), study.game.entrant_word)} {up} surely do more than a plain "
    return f"{said}card and {down} less."


def _tables(study: Study, question: Question, tally: CardTally, found: list[Looked]) -> list[Table]:
    """Every card of every deck, and by the turn in which it was played."""
    frame = pd.concat([one.frame for one in found], ignore_index=True)
    frame = frame.assign(card_name=frame["name"].astype(str) + ": " + frame["card_name"])
    caption = f"Every card, drawn{_by(tally)}, played and replaced"
    tables = [replace(deck_table(frame, f"{question.id}-cards", caption), ends=ENDS)]
    if tally.fields.played_turn:
        turns = turns_played(tally)
        turns = turns[turns["entrant"].isin([one.entrant for one in found])]
        caption = "Win rate by the own turn in which the card was played first"
        tables.append(replace(turn_table(turns, f"{question.id}-turns", caption, study.game.entrant_word), ends=ENDS))
    return tables


def _pooled(study: Study, question: Question, tally: CardTally) -> list[Table]:
    """Cards over all entrants that have them."""
    frame = pooled_cards(tally).sort_values("change", ascending=False, kind="stable")
    caption = f"Cards over all {study.game.entrants_word} that have them, drawn{_by(tally)}"
    return [replace(pooled_table(frame, f"{question.id}-pooled", caption, study.game.entrants_word), ends=ENDS)]


def _over_all(study: Study, question: Question, tally: CardTally) -> Section | None:
    """Cards over all entrants, where nothing can be replaced."""
    frame = pooled_cards(tally).dropna(subset=["change"]).sort_values("change", ascending=False, kind="stable")
    if frame.empty:
        return None
    sure = frame.assign(sure=frame["p_holm"] < SURE)
    kept = sure if len(sure) <= SHOWN else pd.concat([sure.head(SHOWN // 2), sure.tail(SHOWN // 2)])
    shown = kept.rename(columns={"n": "seats"}).assign(
        name=kept["card_name"], estimate=kept["change"], n=kept["n_drawn"]
    )
    top, low = frame.iloc[0], frame.iloc[-1]
    said = [
        f"{row['card_name']} {points(row['change'])} points {point_interval(row['low'], row['high'])}"
        for row in (top, low)
    ]
    answer = f"Drawn{_by(tally)} less not drawn, the win rate differs most with {listed(said)}; "
    surely = int(sure["sure"].sum())
    answer += f"of {some(len(frame), 'card')} {surely} differ{'s' if surely == 1 else ''} beyond chance."
    caption = f"Win rate when drawn{_by(tally)} less when not, {at_seats(tally.experiment.seats)} "
    caption += f"with {study.policy} in every seat."
    figure = twofold(shown, words=("drawn less not drawn (conditional)", ""), what="drawn")
    chart = Chart(question.id, figure, caption, f"Dot chart of cards. {answer}")
    note = f"{CONDITIONAL} The difference is that within {study.game.entrants_word}; intervals take groups of games."
    return Section(question.id, question.text, answer, (chart,), tuple(_pooled(study, question, tally)), note)


def _by(tally: CardTally) -> str:
    return f" by own turn {tally.fields.by_turn}" if tally.fields.by_turn else ""


def _plain(study: Study) -> str:
    assert study.game.decks is not None
    return study.game.decks.plain_words


def _note(study: Study, found: list[Looked]) -> str:
    """What is conditional, what is causal, and what could not be replaced."""
    pairs = pd.concat([one.frame["pairs"] for one in found])
    note = f"{CONDITIONAL} Wilson's intervals; differences by Newcombe's method. What a card does is causal: all its copies in "
    note += f"the {study.game.entrant_word} are replaced by {_plain(study)}, both play the same games with the same shuffles "
    note += f"and dice (common random numbers, seed {study.fresh_seed}, {size(pairs.min())} pairs each), and the differences are "
    note += f"analysed as pairs; named and coloured only if p (Holm over the cards of the {study.game.entrant_word}) < {SURE}. "
    note += f"It holds for these opponents and for {study.policy}, which plays both."
    note += " Source: of the numbers printed on the card."
    refused = [f"{card} ({one.name}: {why})" for one in found for card, why in one.refused.items()]
    return note + (f" The card rules refuse to replace {listed(refused)}." if refused else "")


KEYWORDS_USUAL = "200"  # decks drawn by lot
OF_TWO = 2  # seats at which decks meet


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
    answer = _keywords_said(frame)
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
    return Section(question.id, question.text, answer, (chart,), tables, _keywords_note(study, frame, len(cards.ids)))


def _drawn(study: Study, question: Question) -> tuple[CardSet, Decks] | None:
    """The card set with decks by lot, and these; None where there are none or no keywords."""
    decking = study.game.decks
    if decking is None or OF_TWO not in study.contests:
        return None
    number = int(question.settings.get("decks", (KEYWORDS_USUAL,))[0])
    try:
        document = decking.by_lot(study.cards.document, number, Random(study.fresh_seed))
        cards = remade(study.game, document, study.cards)
    except CardError:
        return None
    decks = decking.of(cards)
    return (cards, decks) if any(decks.marks) else None


def _keywords_said(frame: pd.DataFrame) -> str:
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


def _keywords_note(study: Study, frame: pd.DataFrame, decks: int) -> str:
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


MAKERS_USUAL = "200"  # decks made in each way
NAMED = 3  # cards in a sentence


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
    chart = Chart(question.id, strands(_makers_drawn(ways, worths, moves)), caption, f"Lines from way to way. {answer}")
    tables = (_agreement_table(question, agreed), _worth_table(question, ways, worths), _move_table(question, moves))
    return Section(
        question.id, question.text, answer, (chart,), tables, _makers_note(study, ways, list(decking.makers.values()))
    )


def _played(study: Study, question: Question, maker: Maker, play: Play) -> Way | None:
    """Decks made in one way and their games; None where the cards do not suffice or the decks tell too little."""
    decking = study.game.decks
    assert decking is not None
    number, games = (
        int(question.settings.get("decks", (MAKERS_USUAL,))[0]),
        study.games_for(question, study.budget.games),
    )
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


def _makers_drawn(ways: list[Way], worths: pd.DataFrame, moves: pd.DataFrame) -> pd.DataFrame:
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


def _makers_note(study: Study, ways: list[Way], all_: list[Maker]) -> str:
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


KITS_USUAL = 8  # decks tried
COUNTS = ("games", "Games: played with and without it.")


def kits(study: Study, question: Question) -> Section | None:
    """Dots of win rates with each kit, by deck; bars of what a part of the kit is worth; tables of both.

    Settings: decks (how many at most, those farthest from a fair share), seats, games (in multiples of the usual number).
    """
    decking = study.game.decks
    if decking is None or not study.contests:
        return None
    tried = [kit_steps(study.game, study.cards, deck) for deck in decks_tried(study, question, KITS_USUAL)]
    found = [steps for steps in tried if steps and steps.live]
    games, seats = study.games_for(question, study.budget.step_games), study.seats_for(question)
    played = [(steps, games_of(study, steps.entrant, seats, study.fresh_seed, games)) for steps in found]
    play = study.player("kits", sum(base.games * (1 + len(steps.live)) for steps, base in played))
    effects = kit_effects(played, decking, play)
    parts = [part for part in (_kits(study, question, effects), _blanks(study, question, effects)) if part]
    if not parts:
        return None
    answer = " ".join(said for said, _, _ in parts)
    charts = tuple(chart for _, chart, _ in parts)
    tables = tuple(made for _, _, made in parts)
    return Section(question.id, question.text, answer, charts, tables, _kits_note(study, found, effects))


def _kits(study: Study, question: Question, effects: KitEffects) -> tuple[str, Chart, Table] | None:
    """Answer, chart and table of the kits."""
    if effects.kits.empty:
        return None
    frame = effects.kits.assign(sure=effects.kits["p_holm"] < SURE)
    slots = slots_of(effects.kits)
    seats = study.seats_for(question)
    said = _said_of_kits(study, frame, seats)
    caption = f"Win rate of each {study.unit_word} with every kit that it may bring {at_seats(seats)}, and how far that is from "
    caption += f"the win rate with its own; the others keep theirs, with {study.policy} in every seat."
    rest = [", ".join(str(row[slot]) for slot in slots[1:]) for _, row in frame.iterrows()]
    drawn = frame.assign(panel=frame["name"], name=rest).drop(columns=["low", "high"])
    drawn = drawn.rename(columns={"estimate_low": "low", "estimate_high": "high"})
    chart = Chart(question.id, choices(drawn), caption, f"Dots of win rates by kit, one panel per deck. {said}")
    return said, chart, kit_table(frame, question.id, study.unit_word)


def _said_of_kits(study: Study, frame: pd.DataFrame, seats: int) -> str:
    """Which decks would surely do better with another kit, and with which; who brings the best as it is."""
    tried = frame["name"].nunique()
    better = frame[frame["sure"] & (frame["change"] > 0)]
    if better.empty:
        of = f"None of {some(tried, study.unit_word)}" if tried > 1 else f"The {study.unit_word} tried"
        not_ = "" if tried > 1 else " not"
        return f"{of} would{not_} surely win more of its {seated(seats)} games with another kit than with its own."
    best = better.sort_values("change", ascending=False, kind="stable").drop_duplicates("name")
    top = best.iloc[0]
    own = frame[frame["own"] & (frame["name"] == top["name"])].iloc[0]
    said = f"{top['name']} would gain most from another kit: with {_kits_quoted(top)} it would win "
    said += f"{percent(top['estimate'])} of its {seated(seats)} games instead of {percent(own['estimate'])} "
    said += f"with {_kits_quoted(own)}, {points(top['change'])} points "
    said += f"{point_interval(top['low'], top['high'])}{stopped(top['truncated'] + own['truncated'])}."
    others = [
        f"{row['name']} with {_kits_quoted(row)} ({points(row['change'])})" for _, row in best.iloc[1:].iterrows()
    ]
    said += f" Surely better too: {'; '.join(others)}." if others else ""
    kept = [name for name in frame["name"].unique() if name not in set(best["name"])]
    return said + (f" No other kit is surely better for {listed(kept)}." if kept else "")


def _kits_quoted(row: pd.Series) -> str:
    """A kit as a sentence has it: its parts together."""
    return f"\u201c{row['kit']}\u201d"


def _blanks(study: Study, question: Question, effects: KitEffects) -> tuple[str, Chart, Table] | None:
    """Answer, chart and table of the parts left blank."""
    if effects.blanks.empty:
        return None
    frame = effects.blanks.sort_values(["slot", "change"], ascending=[True, False], kind="stable", ignore_index=True)
    order = list(dict.fromkeys(effects.blanks["slot"]))
    frame = pd.concat([frame[frame["slot"] == slot] for slot in order], ignore_index=True)
    frame = frame.assign(sure=frame["p_holm"] < SURE)
    said = " ".join(_said_of_part(study, part) for _, part in frame.groupby("slot", sort=False))
    heads = [f"{slot}: {worth}" if slot.lower() not in worth.lower() else slot for slot, worth in _named(frame)]
    names = [f"{name}: {choice}" for name, choice in zip(frame["name"], frame["choice"], strict=True)]
    figure = gains(frame.assign(panel=heads, name=names), counts=COUNTS, bars=True)
    seats = study.seats_for(question)
    caption = f"Win rate of each {study.unit_word} with a part of its own kit, less that with nothing in its place, "
    caption += f"{at_seats(seats)} with {study.policy} in every seat."
    id_ = f"{question.id}-parts"
    chart = Chart(id_, figure, caption, f"Bars of what parts of the kit are worth, by part. {said}")
    return said, chart, blank_table(frame, id_, study.unit_word)


def _named(frame: pd.DataFrame) -> list[tuple[str, str]]:
    """Slot and what it is worth, in words, by line."""
    return [(str(slot), str(worth)) for slot, worth in zip(frame["slot"], frame["worth"], strict=True)]


def _said_of_part(study: Study, part: pd.DataFrame) -> str:
    """What a part of the kit is worth: most, least, and to how many for sure."""
    _, worth = _named(part)[0]
    top, bottom = highest(part, "change"), lowest(part, "change")
    begin = f"{capital(worth)} is worth"
    most = f"{points(top['change'])} points to {top['name']} {point_interval(top['low'], top['high'])}"
    if len(part) == 1:
        return f"{begin} {most}{_doubt(part)}."
    least = f"{points(bottom['change'])} to {bottom['name']} {point_interval(bottom['low'], bottom['high'])}"
    sure = part[part["sure"]]
    good, bad = int((sure["change"] > 0).sum()), int((sure["change"] < 0).sum())
    said = (
        f"{begin} most, {most}, and least, {least}; it surely helps {_few(good)} of {some(len(part), study.unit_word)}"
    )
    return said + (f", and surely harms {number_word(bad)}." if bad else ".")


def _few(number: int) -> str:
    return number_word(number) if number else "none"


def _doubt(part: pd.DataFrame) -> str:
    return "" if part["sure"].all() else ", which may be chance"


def _kits_note(study: Study, found: list[KitSteps], effects: KitEffects) -> str:
    """How kits and parts were measured, and what was not."""
    pairs = pd.concat([frame["n"] for frame in (effects.kits, effects.blanks) if len(frame)])
    note = f"The {study.unit_word} plays the same games with the same dice (common random numbers) with its own kit and with the "
    note += f"other, and the differences are analysed as pairs ({size(pairs.min())} each, seed {study.fresh_seed}); gain says "
    note += "how many times as many games two separate samples would need. Its list stays as it is, though it was built for its "
    note += "own kit. A part left blank is replaced by one that does nothing. Truncated games are left out. Differences are "
    note += f"sure, and coloured, if p (Holm) < {SURE}, adjusted over all kits and over all parts; intervals are of each alone. "
    note += f"It holds for these opponents and for {study.policy}, which plays both."
    refused = [f"{words} ({steps.name})" for steps in found for words in steps.refused]
    note += f" The rules of the card file refuse {listed(refused)}." if refused else ""
    left = len(study.units) - len(found)
    return note + (f" {some(left, study.unit_word).capitalize()} not tried." if left else "")


ENOUGH = 400  # seats of finished games from which on the chart is about as many seats as there are
WORTH_LEAST = 20  # seats with a part from which on it is worth a sentence


def worth(study: Study, question: Question) -> Section | None:
    """Dots of the difference in win share by part, and per unit of its price, at most seats.

    Roles: has (measure per seat with one number per part, above 0: had it). Settings: price (table of the card file, whose
    lines are in the order of the parts, and its number that is the price; may be absent).
    """
    field = question.roles.get("has")
    if field is None:
        return None
    parts = study.measure(field).parts
    if not any(parts):
        return None
    paid = _prices(study.cards.document, question.settings.get("price", ()), len(parts))
    found = [_gains(study, seats, field, paid) for seats in study.seats]
    whole = pd.concat(found, ignore_index=True)
    known = whole[whole["change"].notna()]
    if known.empty:
        return None
    compared = (known["n_have"] + known["n_lack"]).groupby(known["seats"]).max()
    most = max(compared.index.tolist(), key=lambda seats: (min(int(compared[seats]), ENOUGH), seats))
    coin = question.settings.get("price", ("", ""))[1]
    shown = whole[(whole["seats"] == most) & (whole["n_have"] > 0)]
    shown = shown.sort_values("change", ascending=False, na_position="last", kind="stable")
    answer = _worth_said(shown, most, coin)
    label = study.measure(field).label
    caption = (
        f"Win share of the seats with each less that of the seats without ({label.lower()}), {at_seats(most)}, with "
    )
    caption += f"{study.policy} in every seat{', and the same per ' + coin if coin else ''}."
    chart = gains(shown.assign(n=shown["n_have"]), price=coin or "price", unit=coin)
    alt = f"Dots of the difference in win share, one per part. {answer}"
    tables = (_table(whole, label, coin),)
    return Section(
        question.id,
        question.text,
        answer,
        (Chart(question.id, chart, caption, alt),),
        tables,
        _worth_note(coin, bool(found)),
    )


def _worth_note(coin: str, compared: bool) -> str:
    note = "A difference of those who have and those who have not is a matter of selection, not of cause: whoever is ahead, "
    note += "lives longer or has more to spend also buys more, and a part that only the strong can use looks strong. "
    note += f"Read the order, and what lies apart from others of the same {'price in ' + coin if coin else 'kind'}, rather than "
    note += "the size. " if compared else ""
    note += "Finished games; Newcombe's interval of a difference with the correlation of both sides put in, since the seats of "
    return (
        note + "one game share one win. p (Holm): score test over games, adjusted for all parts at one number of seats."
    )


def _prices(document: Mapping[str, Any], where: Sequence[str], parts: int) -> list[float]:
    """Price of each part, nan where there is none. Raises ValueError for what the card file lacks."""
    if not where:
        return [float("nan")] * parts
    if len(where) != 2:
        raise ValueError(f"price={tuple(where)} must be a table of the card file and a number of its lines")
    name, number = where
    if name not in document:
        raise ValueError(f"price={tuple(where)}: the card file has no table {name!r}")
    lines = document[name]
    rows = list(lines.values()) if isinstance(lines, Mapping) else list(lines)
    if not any(isinstance(row.get(number), (int, float)) for row in rows):
        raise ValueError(f"price={tuple(where)}: none of the lines of {name} has a number {number!r}")
    found = [float(row[number]) if row.get(number) is not None else float("nan") for row in rows[:parts]]
    return found + [float("nan")] * (parts - len(found))


def _gains(study: Study, seats: int, field: str, paid: Sequence[float]) -> pd.DataFrame:
    """Differences of all parts with a name at so many seats, and per unit of price."""
    frame = finished(study.seats_frame, seats)
    named = [at for at, name in enumerate(study.measure(field).parts) if name]
    names = distinct([study.measure(field).parts[at] for at in named])
    has = frame[[f"{field}_{at}" for at in named]].to_numpy() > 0
    found = win_gains(frame, has).assign(seats=seats, name=names)
    price = np.array([paid[at] for at in named])
    per = np.where(price > 0, price, np.nan)
    units = {f"{column}_per": found[column] / per for column in ("change", "low", "high")}
    return found.assign(price=price, sure=found["p_holm"] < SURE, **units)


def _table(whole: pd.DataFrame, label: str, coin: str) -> Any:
    columns = {"seats": "seats", "name": "part", "price": coin or "price", "have": "with it", "lack": "without it"}
    columns |= {"change": "change", "low": "low", "high": "high", "change_per": f"per {coin or 'price'}"}
    columns |= {"p_holm": "p (Holm)", "n_have": "n (with)", "n_lack": "n (without)"}
    if whole["price"].isna().all():
        columns = {name: heading for name, heading in columns.items() if name not in ("price", "change_per")}
    formats: dict[str, Format] = {"with it": "percent", "without it": "percent", "low": "points", "high": "points"}
    formats |= {f"per {coin or 'price'}": "points", "n (with)": "count", "n (without)": "count"}
    ordered = whole.sort_values(["seats", "change"], ascending=[True, False], na_position="last", kind="stable")
    return table(ordered, "worth", f"Win share with and without ({label.lower()})", columns, formats)


def _worth_said(shown: pd.DataFrame, seats: int, coin: str) -> str:
    """The largest and the smallest difference, the most per price, and how many are sure."""
    known = shown[shown["change"].notna()]
    enough = known[known["n_have"] >= WORTH_LEAST]
    known = enough if len(enough) else known
    top, bottom = highest(known, "change"), lowest(known, "change")
    said = f"{capital(at_seats(seats))} whoever has {top['name']} wins {percent(top['have'])} and whoever has not "
    said += f"{percent(top['lack'])}, the largest difference: {_apart(top)}"
    said += f"; the least is that of {bottom['name']}: {_apart(bottom)}." if len(known) > 1 else "."
    if coin and known["change_per"].notna().any():
        best = known.sort_values("change_per", ascending=False, na_position="last").head(3)
        names = [
            f"{row['name']} {points(row['change_per'])}" for _, row in best.iterrows() if pd.notna(row["change_per"])
        ]
        said += f" Most points per {coin}: {listed(names)}."
    signs = {side: int((known["sure"] & (known["change"] * side > 0)).sum()) for side in (1, -1)}
    better, worse = (number_word(number) if number else "none" for number in signs.values())
    said += f" Of {some(len(known), 'part')}, {better} go with surely more wins and {worse} with surely fewer (Holm)"
    return said + "; this shows who has them, not yet what they do."


def _apart(row: pd.Series) -> str:
    """Write a difference with its interval and n."""
    bounds = f"95 % interval {points(row['low'])} to {points(row['high'])}"
    return f"{points(row['change'])} points ({bounds}, {size(row['n_have'])})"
