"""Report sections on cards, keywords, loadouts and prices.

`cards`: which card carries or drags a deck. `keywords`: what keywords and cards are worth among random decks. `deck_generators`:
whether decks made in different ways value cards alike. `loadouts`: which loadout decks should bring. `worth`: whether things that
can be bought are worth their price.
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
from analysis.data.rows import distinct
from analysis.data.shares import Play
from analysis.data.study import Study, finished
from analysis.data.usage import CardTally
from analysis.decks.cards import (
    CONDITIONAL,
    LEAST_HELD,
    LoadoutEffects,
    LoadoutSteps,
    Meetings,
    Way,
    deck_cards,
    keyword_effects,
    least_decks,
    loadout_effects,
    loadout_steps,
    pool_statistics,
    pooled_cards,
    shared_cards,
    turns_played,
    way_agreement,
    way_differences,
    way_worths,
)
from analysis.decks.tables import (
    blank_table,
    deck_table,
    keyword_table,
    loadout_table,
    pool_table,
    pooled_table,
    slots_of,
    turn_table,
)
from analysis.document.cards import sources_under
from analysis.document.model import Chart, Format, Section, Table, count, highest, lowest, percent, percent_range, points, table
from analysis.document.prose import article, at_seats, capital, listed, number_word, point_interval, seated, size, some, stopped
from analysis.stats.paired import win_gains
from analysis.stats.rank_agreement import LEAST
from analysis.variants.compare import decks_tried
from analysis.variants.settings import games_of
from analysis.variants.variant import Replacements, replacement_effects, with_effects
from sim.engine.cards import CardError, CardSet
from sim.engine.decks import DeckGenerator, Decks
from sim.engine.measures import Question
from sim.weights import remade

SURE = 0.05  # p-value adjusted over the cards of a deck
USUAL = 6  # decks examined card by card
ENDS = 30  # rows shown from each end of a long table
SHOWN = 30  # cards in a pooled chart, half from each end


@dataclass(frozen=True)
class Looked:
    """A deck, its cards (see `with_effects`), and those that cannot be replaced."""

    entrant: int
    name: str
    frame: pd.DataFrame
    refused: dict[str, str]


def cards(study: Study, question: Question) -> Section | None:
    """Effect of each card of a deck beside its win rate when drawn less not drawn, with tables.

    Roles: see `card_tally.ROLES`, measures that count by card. Settings: by_turn (drawn by that turn of the player), decks (at
    most this number, those farthest from a fair share), games (pairs per replaced card, in multiples of the usual number),
    seats. If entrants are not decks, nothing can be replaced and cards are pooled over all entrants.
    """
    tally = study.card_tally
    if tally is None or not tally.games.any() or not (study.game.decks or tally.cards.shared):
        return None
    if study.game.decks is None:
        return _over_all(study, question, tally)
    frame = deck_cards(tally)
    decks = [_examined(study, question, frame, entrant) for entrant in decks_tried(study, question, USUAL)]
    charts = tuple(_chart(study, question, tally, deck) for deck in decks)
    answer = " ".join(_deck_answer(tally, deck) for deck in decks[:2]) + _overall(study, decks)
    tables = (*_tables(study, question, tally, decks), *_pooled(study, question, tally))
    return Section(question.id, question.text, answer, charts, tables, _note(study, decks))


def _examined(study: Study, question: Question, frame: pd.DataFrame, entrant: int) -> Looked:
    """A deck with the effects of its cards, from separate games."""
    mine = frame[frame["entrant"] == entrant].reset_index(drop=True)
    decks, name = study.game.decks_for(study.cards), study.names[entrant]
    assert decks is not None
    seats, pairs = study.seats_for(question), study.games_for(question, study.budget.step_games)
    base = replace(study.experiment(seats, -(-pairs * len(study.names) // seats)), seed=study.fresh_seed)
    of_deck = -(-base.games * seats // len(study.names))
    play = study.player(f"cards of {name}", of_deck * (1 + len(mine)))
    replaced: Replacements = replacement_effects(base, entrant, play)
    mine.insert(4, "copies", decks.counts[entrant, mine["card"]])
    mine["source"] = [sources_under(study.cards, f"card.{decks.ids[card]}") for card in mine["card"]]
    return Looked(entrant, name, with_effects(mine, [replaced.frame]), replaced.refused)


def _chart(study: Study, question: Question, tally: CardTally, deck: Looked) -> Chart:
    """Cards of a deck, best first."""
    frame = deck.frame.sort_values("effect", ascending=False, na_position="last", kind="stable")
    frame = frame.assign(sure=frame["effect_p"] < SURE)
    columns = {"card_name": "name", "effect": "estimate", "effect_low": "low", "effect_high": "high", "pairs": "n"}
    columns |= {"change": "other", "low": "other_low", "high": "other_high", "sure": "sure"}
    shown = frame[list(columns)].set_axis(list(columns.values()), axis=1)
    drawn = f"drawn{_by(tally)} less not drawn"
    figure = twofold(shown, words=("card less plain cards", f"{drawn} (conditional)"), what="pairs")
    caption = f"{deck.name}: change of the win rate by each card {at_seats(tally.experiment.seats)} compared with "
    caption += f"{_plain(study)}, and below it the win rate {drawn}, with {study.policy} in every seat."
    alt = f"Dot chart of the cards of {deck.name}. {_deck_answer(tally, deck)}"
    return Chart(f"{question.id}-{study.cards.ids[deck.entrant].replace('_', '-')}", figure, caption, alt)


def _deck_answer(tally: CardTally, deck: Looked) -> str:
    """Cards that carry and drag a deck, and the card whose win rate when drawn is misleading."""
    sure = deck.frame[deck.frame["effect_p"] < SURE]
    if sure.empty:
        return f"No card of {deck.name} does significantly more or less than a plain one."
    top, low = highest(sure, "effect"), lowest(sure, "effect")
    parts = [
        _card_effect(row, way) for row, way in ((top, "carries"), (low, "drags")) if (row["effect"] > 0) == (way == "carries")
    ]
    words = f"{deck.name}: {' and '.join(parts)}."
    known = deck.frame.dropna(subset=["change"])
    if len(known):
        drawn = highest(known, "change")
        if drawn["card"] != top["card"]:
            does = points(drawn["effect"]) if pd.notna(drawn["effect"]) else "unknown"
            words += f" When drawn{_by(tally)}, {drawn['card_name']} has the largest difference ({percent(drawn['drawn'])}), "
            words += f"but its effect is {does}."
    return words


def _card_effect(row: pd.Series, way: str) -> str:
    """A card and its effect."""
    bounds = point_interval(row["effect_low"], row["effect_high"])
    return f"{row['card_name']} {way} it most, {points(row['effect'])} points {bounds}"


def _overall(study: Study, decks: list[Looked]) -> str:
    """How many cards have a significant effect."""
    frame = pd.concat([deck.frame for deck in decks], ignore_index=True).dropna(subset=["effect"])
    if frame.empty:
        return ""
    sure = frame["effect_p"] < SURE
    up, down = int((sure & (frame["effect"] > 0)).sum()), int((sure & (frame["effect"] < 0)).sum())
    text = f" Of {some(len(frame), 'card')} of {some(len(decks), study.game.entrant_word)} {up} do significantly more than a "
    return f"{text}plain card and {down} less."


def _tables(study: Study, question: Question, tally: CardTally, decks: list[Looked]) -> list[Table]:
    """Every card of every deck, and its win rate by the turn of the first play."""
    frame = pd.concat([deck.frame for deck in decks], ignore_index=True)
    frame = frame.assign(card_name=frame["name"].astype(str) + ": " + frame["card_name"])
    caption = f"Every card, drawn{_by(tally)}, played and replaced"
    tables = [replace(deck_table(frame, f"{question.id}-cards", caption), ends=ENDS)]
    if tally.fields.played_turn:
        turns = turns_played(tally)
        turns = turns[turns["entrant"].isin([deck.entrant for deck in decks])]
        caption = "Win rate by the player's turn in which the card was first played"
        tables.append(replace(turn_table(turns, f"{question.id}-turns", caption, study.game.entrant_word), ends=ENDS))
    return tables


def _pooled(study: Study, question: Question, tally: CardTally) -> list[Table]:
    """Cards pooled over all entrants that have them."""
    frame = pooled_cards(tally).sort_values("change", ascending=False, kind="stable")
    caption = f"Cards over all {study.game.entrants_word} that have them, drawn{_by(tally)}"
    return [replace(pooled_table(frame, f"{question.id}-pooled", caption, study.game.entrants_word), ends=ENDS)]


def _over_all(study: Study, question: Question, tally: CardTally) -> Section | None:
    """Cards pooled over all entrants, for games in which nothing can be replaced."""
    frame = pooled_cards(tally).dropna(subset=["change"]).sort_values("change", ascending=False, kind="stable")
    if frame.empty:
        return None
    sure = frame.assign(sure=frame["p_holm"] < SURE)
    kept = sure if len(sure) <= SHOWN else pd.concat([sure.head(SHOWN // 2), sure.tail(SHOWN // 2)])
    shown = kept.rename(columns={"n": "seats"}).assign(name=kept["card_name"], estimate=kept["change"], n=kept["n_drawn"])
    top, low = frame.iloc[0], frame.iloc[-1]
    parts = [f"{row['card_name']} {points(row['change'])} points {point_interval(row['low'], row['high'])}" for row in (top, low)]
    answer = f"Drawn{_by(tally)} less not drawn, the win rate differs most with {listed(parts)}; "
    surely = int(sure["sure"].sum())
    answer += f"of {some(len(frame), 'card')} {surely} differ{'s' if surely == 1 else ''} significantly."
    caption = f"Win rate when drawn{_by(tally)} less when not, {at_seats(tally.experiment.seats)} "
    caption += f"with {study.policy} in every seat."
    figure = twofold(shown, words=("drawn less not drawn (conditional)", ""), what="drawn")
    chart = Chart(question.id, figure, caption, f"Dot chart of cards. {answer}")
    note = f"{CONDITIONAL} Differences are taken within {study.game.entrants_word}; intervals use groups of games."
    return Section(question.id, question.text, answer, (chart,), tuple(_pooled(study, question, tally)), note)


def _by(tally: CardTally) -> str:
    return f" by own turn {tally.fields.by_turn}" if tally.fields.by_turn else ""


def _plain(study: Study) -> str:
    assert study.game.decks is not None
    return study.game.decks.plain_words


def _note(study: Study, decks: list[Looked]) -> str:
    """What is conditional, what is causal, and which cards could not be replaced."""
    pairs = pd.concat([deck.frame["pairs"] for deck in decks])
    note = f"{CONDITIONAL} Wilson's intervals; differences by Newcombe's method. Effects are causal: all copies of a card in "
    note += f"the {study.game.entrant_word} are replaced by {_plain(study)}, both versions play the same games with the same "
    note += f"shuffles and dice (common random numbers, seed {study.fresh_seed}, {size(pairs.min())} pairs each), and the "
    note += "differences are analysed as pairs. They are named and coloured only if p (Holm over the cards of the "
    note += f"{study.game.entrant_word}) < {SURE}. They hold for these opponents and for {study.policy}, which plays both."
    note += " Source: where the numbers printed on the card come from."
    refused = [f"{card} ({deck.name}: {why})" for deck in decks for card, why in deck.refused.items()]
    return note + (f" The card rules refuse to replace {listed(refused)}." if refused else "")


KEYWORDS_USUAL = "200"  # random decks
OF_TWO = 2  # seats at which decks meet


def keywords(study: Study, question: Question) -> Section | None:
    """Forest plot of what a keyword adds to a copy of a card, between cards of the same level and type.

    Settings: decks (number of random decks), games (in multiples of the usual number). Left out if entrants are not decks, the
    game has no keywords, or the decks are too few to estimate the worth of its cards.
    """
    drawn = _drawn(study, question)
    if drawn is None:
        return None
    cards, decks = drawn
    wanted = study.games_for(question, study.budget.games)
    base = replace(study.experiment(OF_TWO, wanted), cards=cards, games_wanted=wanted, seed=study.fresh_seed)
    meetings = Meetings(len(cards.ids))
    play = study.player("random decks", base.games)
    for block in play(base):
        meetings.add(block.rows)
    if (meetings.by_deck()[0] > 0).sum() < least_decks(decks.counts):
        return None
    frame = keyword_effects(meetings, decks)
    known = frame.dropna(subset=["p"])
    if known.empty:
        return None
    answer = _keywords_answer(frame)
    shown = known.assign(name=known["keyword"], estimate=known["value"], sure=known["p_holm"] < SURE)
    figure = twofold(shown, words=("worth of the keyword", ""), label="points of the win rate, per copy")
    caption = f"What {article('keyword')} adds to a copy of a card, at equal level and type, {at_seats(OF_TWO)}, in points of "
    caption += f"the win rate at an even match: {count(base.games)} games between {count(len(cards.ids))} "
    caption += f"random {study.game.entrants_word}, with {study.policy} in every seat."
    chart = Chart(question.id, figure, caption, f"Dot chart of keywords. {answer}")
    words = "Worth of a copy of each card instead of an average one, and win rates of the decks with and without it"
    tables = (
        keyword_table(frame, f"{question.id}-keywords", "What each keyword is worth on a copy"),
        replace(pool_table(pool_statistics(meetings, decks), f"{question.id}-cards", words), ends=ENDS),
    )
    return Section(question.id, question.text, answer, (chart,), tables, _keywords_note(study, frame, len(cards.ids)))


def _drawn(study: Study, question: Question) -> tuple[CardSet, Decks] | None:
    """Card set with random decks, and the decks; None without decks or keywords."""
    decking = study.game.decks
    if decking is None or OF_TWO not in study.contests:
        return None
    number = int(question.settings.get("decks", (KEYWORDS_USUAL,))[0])
    try:
        document = decking.with_random_decks(study.cards.document, number, Random(study.fresh_seed))
        cards = remade(study.game, document, study.cards)
    except CardError:
        return None
    decks = decking.of(cards)
    return (cards, decks) if any(decks.marks) else None


def _keywords_answer(frame: pd.DataFrame) -> str:
    """Keywords that are worth most and least, if any are significant."""
    known = frame.dropna(subset=["p"])
    sure = known[known["p_holm"] < SURE]
    total = some(len(known), "keyword")
    if sure.empty:
        top = highest(known, "value")
        text = f"None of {total} is worth significantly more than the level of its cards; the largest is {_quoted(top)}, "
        return f"{text}{points(top['value'])} points a copy {point_interval(top['low'], top['high'])}."
    named = [("most", highest(sure, "value"))] + ([("least", lowest(sure, "value"))] if len(sure) > 1 else [])
    parts = [
        f"{_quoted(row)} is worth {way}, {points(row['value'])} points a copy {point_interval(row['low'], row['high'])}"
        for way, row in named
    ]
    differ = f"{number_word(len(sure))} differ{'s' if len(sure) == 1 else ''} significantly from zero"
    return f"Of the keywords, {listed(parts)}. Of {total}, {differ}."


def _quoted(row: pd.Series) -> str:
    """Keyword in quotation marks."""
    return f"\u201c{row['keyword']}\u201d"


def _keywords_note(study: Study, frame: pd.DataFrame, decks: int) -> str:
    """How keywords were measured, and the limits of the method."""
    few = list(frame[frame["cards"] == 1]["keyword"])
    untold = list(frame[frame["p"].isna()]["keyword"])
    note = f"The winner is regressed on the copies of every card in both {study.game.entrants_word}, from {count(decks)} legal "
    note += f"random {study.game.entrants_word} (seed {study.fresh_seed}, errors over {study.game.entrants_word}). Worth of a "
    note += "copy: regressed on the level, its square, the type and the keywords of the card, with cards as the "
    note += "observations: what a card does through its other numbers adds to the error of its keywords. A keyword is worth what "
    note += "its cards do beyond others of their level and type. Their numbers may allow for the keyword, and the "
    note += f"{study.game.entrants_word} were not built around it."
    note += f" Named and coloured only if p (Holm) < {SURE}."
    note += f" On a single card, and not separable from it: {listed(few)}." if few else ""
    return note + (f" The worth of {listed(untold)} cannot be estimated from these cards." if untold else "")


GENERATED_DECKS = "200"  # decks made in each way, by default
NAMED = 3  # cards named in a sentence


def deck_generators(study: Study, question: Question) -> Section | None:
    """Lines of what a copy of each card is worth in each way to make decks; tables of worth, agreement and differences.

    Settings: decks (number made in each way), games (of each way, in multiples of the usual number). Left out if entrants are
    not decks, are made in one way only, or are too few to estimate the worth of their cards.
    """
    decking = study.game.decks
    if decking is None or len(decking.generators) == 1 or OF_TWO not in study.contests:
        return None
    games = study.games_for(question, study.budget.games)
    play = study.player("decks by generator", games * len(decking.generators))
    tried = [_played(study, question, generator, play) for generator in decking.generators.values()]
    ways = [way for way in tried if way]
    if len(ways) == 1 or not ways or len(shared_cards(ways)) < LEAST:
        return None
    worths, moves, agreed = way_worths(ways), way_differences(ways), way_agreement(ways, study.seed)
    answer = f"{_agreement_answer(agreed)} {_changes_answer(moves)}"
    caption = f"What a copy of a card adds {at_seats(OF_TWO)} instead of an average one of the {count(len(shared_cards(ways)))} "
    caption += f"that all ways can estimate, in points of the win rate at an even match: {count(games)} games in each way "
    caption += f"between {_sizes(ways)}, with {study.policy} in every seat. Coloured: p (Holm) < {SURE} from way to way."
    chart = Chart(question.id, strands(_generators_drawn(ways, worths, moves)), caption, f"Lines from way to way. {answer}")
    tables = (_agreement_table(question, agreed), _worth_table(question, ways, worths), _move_table(question, moves))
    return Section(
        question.id, question.text, answer, (chart,), tables, _generators_note(study, ways, list(decking.generators.values()))
    )


def _played(study: Study, question: Question, generator: DeckGenerator, play: Play) -> Way | None:
    """Decks made in one way and their games; None if there are too few cards or decks."""
    decking = study.game.decks
    assert decking is not None
    number, games = (int(question.settings.get("decks", (GENERATED_DECKS,))[0]), study.games_for(question, study.budget.games))
    try:
        made = generator.make(study.cards.document, number, Random(study.fresh_seed))
        cards = remade(study.game, decking.only(study.cards.document, made.decks), study.cards)
    except CardError:
        return None
    base = replace(study.experiment(OF_TWO, games), cards=cards, games_wanted=games, seed=study.fresh_seed)
    meetings, decks = Meetings(len(cards.ids)), decking.of(cards)
    for block in play(base):
        meetings.add(block.rows)
    return Way.of(generator.title, decks, meetings) if (meetings.by_deck()[0] > 0).sum() >= least_decks(decks.counts) else None


def _generators_drawn(ways: list[Way], worths: pd.DataFrame, moves: pd.DataFrame) -> pd.DataFrame:
    """Data of the chart: each way next to the one before."""
    sure = {(row["first"], row["second"], row["card"]) for _, row in moves[moves["p_holm"] < SURE].iterrows()}
    before = {after.title: way.title for way, after in pairwise(ways)}
    beyond = [(before.get(way), way, card) in sure for way, card in zip(worths["way"], worths["card"], strict=True)]
    return worths.assign(column=worths["way"], name=worths["card_name"], sure=beyond)


def _agreement_answer(frame: pd.DataFrame) -> str:
    """Share of pairs of cards in the same order, for each pair of ways, the most alike first."""
    ordered = [row for _, row in frame.sort_values("tau", ascending=False, kind="stable").iterrows()]
    shares = [[(1 + float(row[word])) / 2 for word in ("tau", "low", "high")] for row in ordered]
    parts = [
        f"{percent(share, 0)} ({'' if place else '95 % interval '}{percent_range(low, high, 0)}) between {_pair(row)}"
        for place, (row, (share, low, high)) in enumerate(zip(ordered, shares, strict=True))
    ]
    text = f"Share of pairs of {number_word(ordered[0]['things'])} cards in the same order: {listed(parts)}"
    taus = listed([f"{row['tau']:.2f}" for row in ordered])
    return f"{text}; Kendall's tau is {taus} (0 by chance alone)."


def _pair(row: pd.Series) -> str:
    """Names of two ways."""
    return f"{row['first']} and {row['second']}"


def _changes_answer(frame: pd.DataFrame) -> str:
    """Cards whose worth differs significantly, largest difference first."""
    sure = frame[frame["p_holm"] < SURE].sort_values("change", key=abs, ascending=False, kind="stable")
    total = some(len(frame), "difference")
    if sure.empty:
        return f"No card is worth significantly more in one way than in another (out of {total} between ways)."
    parts = [
        f"{row['card_name']} by {points(row['change'])} points a copy in {row['second']} against {row['first']} "
        f"{point_interval(row['low'], row['high'])}"
        for _, row in sure.iloc[:NAMED].iterrows()
    ]
    return (
        f"Of {total} between ways, {number_word(len(sure))} {'is' if len(sure) == 1 else 'are'} significant: {listed(parts)}"
        + (", and others by less." if len(sure) > NAMED else ".")
    )


def _agreement_table(question: Question, frame: pd.DataFrame) -> Table:
    """Agreement of every two ways."""
    columns = {"first": "way", "second": "other way", "tau": "Kendall's tau", "low": "tau low", "high": "tau high"}
    columns |= {"alike": "pairs in the same order", "seen": "tau of the estimates", "things": "cards"}
    formats: dict[str, Format] = dict.fromkeys((*list(columns.values())[2:5], "tau of the estimates"), "number")
    shown = frame.assign(alike=(1 + frame["tau"]) / 2).round({"tau": 3, "low": 3, "high": 3, "seen": 3})
    return table(shown, f"{question.id}-agreement", "How far the orders of the cards agree", columns, formats | {
        "pairs in the same order": "percent", "cards": "count"})  # fmt: skip


def _worth_table(question: Question, ways: list[Way], worths: pd.DataFrame) -> Table:
    """Worth of a copy by card, a group of columns per way, in the order of the first way."""
    frame, columns = pd.DataFrame(), {"card_name": "card"}
    formats: dict[str, Format] = {}
    for number, way in enumerate(ways):
        part = worths[worths["way"] == way.title].set_index("card")
        frame = frame if number else part[["card_name"]]
        for word, heading in (("estimate", ""), ("low", " low"), ("high", " high"), ("decks", ": held by")):
            frame = frame.assign(**{f"{word}{number}": part[word]})
            columns[f"{word}{number}"] = f"{way.title}{heading}"
            formats[f"{way.title}{heading}"] = "count" if word == "decks" else "points"
        frame = frame.assign(**{f"n{number}": part["n"]})
        columns[f"n{number}"], formats[f"{way.title}: n"] = f"{way.title}: n", "count"
    frame = frame.sort_values("estimate0", ascending=False, kind="stable")
    return table(frame, f"{question.id}-worth", "What a copy is worth in each way", columns, formats)


def _move_table(question: Question, frame: pd.DataFrame) -> Table:
    """Differences between every two ways, largest first."""
    columns = {"card_name": "card", "first": "from", "second": "to", "change": "change", "low": "change low"}
    columns |= {"high": "change high", "p_holm": "p (Holm)"}
    shown = frame.sort_values("change", ascending=False, kind="stable")
    return table(shown, f"{question.id}-changes", "Differences of the worth of a copy between ways", columns, ends=ENDS)


def _sizes(ways: list[Way]) -> str:
    """Number of decks of each way that have played."""
    return listed([f"{count(way.worth.decks)} {way.title}" for way in ways])


def _generators_note(study: Study, ways: list[Way], all_: list[DeckGenerator]) -> str:
    """How the worth was measured, what it means, and its limits."""
    note = f"Decks of one way play each other (seed {study.fresh_seed}), and the winner is regressed on the copies of every card "
    note += "in both, with errors over decks. In random decks the other cards are chance, so the worth of a copy is its causal "
    note += "effect. In decks that are picked, the picks decide which cards go together, so worth is an association, adjusted "
    note += "for the other cards of both decks. " + " ".join(
        f"{generator.title[:1].upper()}{generator.title[1:]}: {generator.words}." for generator in all_
    )
    note += " Errors alone change the order of cards. Tau and its interval are therefore the posterior for the true worths, both "
    note += "normal over cards, with flat priors on their spreads and on tau; the table also has the tau of the estimates."
    shared, names = set(shared_cards(ways)), ways[0].decks.names
    for way in ways:
        few = [names[card] for card in np.flatnonzero(~way.told) if card not in shared]
        if few:
            note += f" In {way.title}, fewer than {LEAST_HELD} decks differ in {listed(few)}, left out in all ways."
    return note + f" Named and coloured only if p (Holm) < {SURE}."


DECKS_TRIED = 8  # decks tried, by default
COUNTS = ("games", "Games: played with and without the part.")


def loadouts(study: Study, question: Question) -> Section | None:
    """Dots of win rates with each loadout, by deck; bars of the worth of each part; tables of both.

    Settings: decks (at most this number, those farthest from a fair share), seats, games (in multiples of the usual number).
    """
    decking = study.game.decks
    if decking is None or not study.contests:
        return None
    tried = [loadout_steps(study.game, study.cards, deck) for deck in decks_tried(study, question, DECKS_TRIED)]
    playable = [steps for steps in tried if steps and steps.live]
    games, seats = study.games_for(question, study.budget.step_games), study.seats_for(question)
    played = [(steps, games_of(study, steps.entrant, seats, study.fresh_seed, games)) for steps in playable]
    play = study.player("loadouts", sum(base.games * (1 + len(steps.live)) for steps, base in played))
    effects = loadout_effects(played, decking, play)
    parts = [part for part in (_loadouts(study, question, effects), _blanks(study, question, effects)) if part]
    if not parts:
        return None
    answer = " ".join(said for said, _, _ in parts)
    charts = tuple(chart for _, chart, _ in parts)
    tables = tuple(made for _, _, made in parts)
    return Section(question.id, question.text, answer, charts, tables, _loadouts_note(study, playable, effects))


def _loadouts(study: Study, question: Question, effects: LoadoutEffects) -> tuple[str, Chart, Table] | None:
    """Answer, chart and table of loadouts."""
    if effects.loadouts.empty:
        return None
    frame = effects.loadouts.assign(sure=effects.loadouts["p_holm"] < SURE)
    slots = slots_of(effects.loadouts)
    seats = study.seats_for(question)
    text = _loadouts_answer(study, frame, seats)
    caption = f"Win rate of each {study.unit_word} with every possible loadout {at_seats(seats)}, and the difference from the "
    caption += f"win rate with its own; the others keep theirs, with {study.policy} in every seat."
    rest = [", ".join(str(row[slot]) for slot in slots[1:]) for _, row in frame.iterrows()]
    drawn = frame.assign(panel=frame["name"], name=rest).drop(columns=["low", "high"])
    drawn = drawn.rename(columns={"estimate_low": "low", "estimate_high": "high"})
    chart = Chart(question.id, choices(drawn), caption, f"Dots of win rates by loadout, one panel per deck. {text}")
    return text, chart, loadout_table(frame, question.id, study.unit_word)


def _loadouts_answer(study: Study, frame: pd.DataFrame, seats: int) -> str:
    """Decks that would do significantly better with another loadout, and those that already bring the best."""
    tried = frame["name"].nunique()
    better = frame[frame["sure"] & (frame["change"] > 0)]
    if better.empty:
        start = f"None of {some(tried, study.unit_word)}" if tried > 1 else f"The {study.unit_word} tried"
        not_ = "" if tried > 1 else " not"
        return f"{start} would{not_} win significantly more of its {seated(seats)} games with another loadout than with its own."
    best = better.sort_values("change", ascending=False, kind="stable").drop_duplicates("name")
    top = best.iloc[0]
    own = frame[frame["own"] & (frame["name"] == top["name"])].iloc[0]
    text = f"{top['name']} would gain most from another loadout: with {_loadout_quoted(top)} it would win "
    text += f"{percent(top['estimate'])} of its {seated(seats)} games instead of {percent(own['estimate'])} "
    text += f"with {_loadout_quoted(own)}, {points(top['change'])} points "
    text += f"{point_interval(top['low'], top['high'])}{stopped(top['truncated'] + own['truncated'])}."
    others = [f"{row['name']} with {_loadout_quoted(row)} ({points(row['change'])})" for _, row in best.iloc[1:].iterrows()]
    text += f" Also significantly better: {'; '.join(others)}." if others else ""
    kept = [name for name in frame["name"].unique() if name not in set(best["name"])]
    return text + (f" No other loadout is significantly better for {listed(kept)}." if kept else "")


def _loadout_quoted(row: pd.Series) -> str:
    """Loadout in quotation marks."""
    return f"\u201c{row['loadout']}\u201d"


def _blanks(study: Study, question: Question, effects: LoadoutEffects) -> tuple[str, Chart, Table] | None:
    """Answer, chart and table of parts left blank."""
    if effects.blanks.empty:
        return None
    frame = effects.blanks.sort_values(["slot", "change"], ascending=[True, False], kind="stable", ignore_index=True)
    order = list(dict.fromkeys(effects.blanks["slot"]))
    frame = pd.concat([frame[frame["slot"] == slot] for slot in order], ignore_index=True)
    frame = frame.assign(sure=frame["p_holm"] < SURE)
    text = " ".join(_part_answer(study, part) for _, part in frame.groupby("slot", sort=False))
    heads = [f"{slot}: {worth}" if slot.lower() not in worth.lower() else slot for slot, worth in _named(frame)]
    names = [f"{name}: {choice}" for name, choice in zip(frame["name"], frame["choice"], strict=True)]
    figure = gains(frame.assign(panel=heads, name=names), counts=COUNTS, bars=True)
    seats = study.seats_for(question)
    caption = f"Win rate of each {study.unit_word} with a part of its loadout less the win rate without it, "
    caption += f"{at_seats(seats)} with {study.policy} in every seat."
    id_ = f"{question.id}-parts"
    chart = Chart(id_, figure, caption, f"Bars of the worth of parts of the loadout, by part. {text}")
    return text, chart, blank_table(frame, id_, study.unit_word)


def _named(frame: pd.DataFrame) -> list[tuple[str, str]]:
    """Slot of each row, and the words for its worth."""
    return [(str(slot), str(worth)) for slot, worth in zip(frame["slot"], frame["worth"], strict=True)]


def _part_answer(study: Study, part: pd.DataFrame) -> str:
    """Worth of a part: most, least, and to how many decks significantly."""
    _, worth = _named(part)[0]
    top, bottom = highest(part, "change"), lowest(part, "change")
    begin = f"{capital(worth)} is worth"
    most = f"{points(top['change'])} points to {top['name']} {point_interval(top['low'], top['high'])}"
    if len(part) == 1:
        return f"{begin} {most}{_doubt(part)}."
    least = f"{points(bottom['change'])} to {bottom['name']} {point_interval(bottom['low'], bottom['high'])}"
    sure = part[part["sure"]]
    good, bad = int((sure["change"] > 0).sum()), int((sure["change"] < 0).sum())
    text = f"{begin} most, {most}, and least, {least}; it significantly helps {_few(good)} of {some(len(part), study.unit_word)}"
    return text + (f" and significantly harms {number_word(bad)}." if bad else ".")


def _few(number: int) -> str:
    return number_word(number) if number else "none"


def _doubt(part: pd.DataFrame) -> str:
    return "" if part["sure"].all() else ", which may be chance"


def _loadouts_note(study: Study, playable: list[LoadoutSteps], effects: LoadoutEffects) -> str:
    """How loadouts and parts were measured, and what was left out."""
    pairs = pd.concat([frame["n"] for frame in (effects.loadouts, effects.blanks) if len(frame)])
    note = f"The {study.unit_word} plays the same games with the same dice (common random numbers) with its own loadout and with "
    note += f"the other, and the differences are analysed as pairs ({size(pairs.min())} each, seed {study.fresh_seed}). Gain: "
    note += "how many times as many games two separate samples would need. The list stays as it is, although built for the "
    note += "deck's own loadout. A blank part does nothing. Truncated games are left out. Differences are significant, and "
    note += f"coloured, if p (Holm) < {SURE}, adjusted over all loadouts and over all parts; intervals are not adjusted. "
    note += f"They hold for these opponents and for {study.policy}, which plays both."
    refused = [f"{words} ({steps.name})" for steps in playable for words in steps.refused]
    note += f" The rules of the card file refuse {listed(refused)}." if refused else ""
    left = len(study.units) - len(playable)
    return note + (f" {some(left, study.unit_word).capitalize()} not tried." if left else "")


ENOUGH = 400  # with this number of finished games, the chart prefers more seats
WORTH_LEAST = 20  # seats with a part that the answer requires to name it


def worth(study: Study, question: Question) -> Section | None:
    """Dots of the difference in win share by part, and per unit of its price, at the largest number of seats with enough games.

    Roles: has (measure per seat with one number per part, above 0 if the seat had it). Settings: price (optional: a table of
    the card file with one row per part, in the same order, and the number of a row that is the price).
    """
    field = question.roles.get("has")
    if field is None:
        return None
    parts = study.measure(field).parts
    if not any(parts):
        return None
    paid = _prices(study.cards.document, question.settings.get("price", ()), len(parts))
    frames = [_gains(study, seats, field, paid) for seats in study.seats]
    whole = pd.concat(frames, ignore_index=True)
    known = whole[whole["change"].notna()]
    if known.empty:
        return None
    compared = (known["n_have"] + known["n_lack"]).groupby(known["seats"]).max()
    most = max(compared.index.tolist(), key=lambda seats: (min(int(compared[seats]), ENOUGH), seats))
    coin = question.settings.get("price", ("", ""))[1]
    shown = whole[(whole["seats"] == most) & (whole["n_have"] > 0)]
    shown = shown.sort_values("change", ascending=False, na_position="last", kind="stable")
    answer = _worth_answer(shown, most, coin)
    label = study.measure(field).label
    caption = f"Win share of the seats with a part less that of the seats without it ({label.lower()}), {at_seats(most)}, with "
    caption += f"{study.policy} in every seat{', and the same per ' + coin if coin else ''}."
    chart = gains(shown.assign(n=shown["n_have"]), price=coin or "price", unit=coin)
    alt = f"Dots of the difference in win share, one per part. {answer}"
    tables = (_table(whole, label, coin),)
    return Section(
        question.id, question.text, answer, (Chart(question.id, chart, caption, alt),), tables, _worth_note(coin, bool(frames))
    )


def _worth_note(coin: str, compared: bool) -> str:
    note = "These differences show selection, not cause: a player who is ahead, lives longer or has more to spend also buys "
    note += "more, and a part that only strong players can use looks strong. "
    note += f"Read the order, and what differs from others of the same {'price in ' + coin if coin else 'kind'}, rather than "
    note += "the size. " if compared else ""
    note += "Finished games; Newcombe's interval of a difference, with the correlation of both sides because the seats of "
    return note + "a game share one win. p (Holm): score test over games, adjusted for all parts at one number of seats."


def _prices(document: Mapping[str, Any], where: Sequence[str], parts: int) -> list[float]:
    """Price of each part, nan without one. Raises ValueError for a table or number that the card file lacks."""
    if not where:
        return [float("nan")] * parts
    if len(where) != 2:
        raise ValueError(f"price={tuple(where)} must be a table of the card file and a number of its rows")
    name, number = where
    if name not in document:
        raise ValueError(f"price={tuple(where)}: the card file has no table {name!r}")
    lines = document[name]
    rows = list(lines.values()) if isinstance(lines, Mapping) else list(lines)
    if not any(isinstance(row.get(number), (int, float)) for row in rows):
        raise ValueError(f"price={tuple(where)}: no row of {name} has a number {number!r}")
    prices = [float(row[number]) if row.get(number) is not None else float("nan") for row in rows[:parts]]
    return prices + [float("nan")] * (parts - len(prices))


def _gains(study: Study, seats: int, field: str, paid: Sequence[float]) -> pd.DataFrame:
    """Differences of all named parts at a number of seats, and per unit of price."""
    frame = finished(study.seats_frame, seats)
    named = [part for part, name in enumerate(study.measure(field).parts) if name]
    names = distinct([study.measure(field).parts[part] for part in named])
    has = frame[[f"{field}_{part}" for part in named]].to_numpy() > 0
    differences = win_gains(frame, has).assign(seats=seats, name=names)
    price = np.array([paid[part] for part in named])
    per = np.where(price > 0, price, np.nan)
    units = {f"{column}_per": differences[column] / per for column in ("change", "low", "high")}
    return differences.assign(price=price, sure=differences["p_holm"] < SURE, **units)


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


def _worth_answer(shown: pd.DataFrame, seats: int, coin: str) -> str:
    """Largest and smallest difference, largest per price, and how many are significant."""
    known = shown[shown["change"].notna()]
    enough = known[known["n_have"] >= WORTH_LEAST]
    known = enough if len(enough) else known
    top, bottom = highest(known, "change"), lowest(known, "change")
    text = f"{capital(at_seats(seats))} players with {top['name']} win {percent(top['have'])} and players without it "
    text += f"{percent(top['lack'])}, the largest difference: {_apart(top)}"
    text += f". The smallest is that of {bottom['name']}: {_apart(bottom)}." if len(known) > 1 else "."
    if coin and known["change_per"].notna().any():
        best = known.sort_values("change_per", ascending=False, na_position="last").head(3)
        names = [f"{row['name']} {points(row['change_per'])}" for _, row in best.iterrows() if pd.notna(row["change_per"])]
        text += f" Most points per {coin}: {listed(names)}."
    signs = {side: int((known["sure"] & (known["change"] * side > 0)).sum()) for side in (1, -1)}
    better, worse = (number_word(number) if number else "none" for number in signs.values())
    text += f" Of {some(len(known), 'part')}, {better} go with significantly more wins and {worse} with fewer (Holm)"
    return text + "; this shows who has them, not what they do."


def _apart(row: pd.Series) -> str:
    """Difference with its interval and n."""
    bounds = f"95 % interval {points(row['low'])} to {points(row['high'])}"
    return f"{points(row['change'])} points ({bounds}, {size(row['n_have'])})"
