"""Which card carries or drags a deck: win rates when drawn and when not, beside what the card does."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pandas as pd

from analysis.card_effects import Replacements, replacement_effects, with_effects
from analysis.card_tables import deck_table, pooled_table, turn_table
from analysis.card_tally import CardTally
from analysis.card_usage import CONDITIONAL, deck_cards, pooled_cards, turns_played
from analysis.charts import twofold
from analysis.inspecting import sources_under
from analysis.report.answers.prose import at_seats, listed, point_interval, size, some
from analysis.report.answers.tables import highest, lowest
from analysis.report.answers.tried import decks_tried
from analysis.report.model import Chart, Section, Table
from analysis.study import Study
from analysis.wording import percent, points
from sim.engine.measures import Question

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
