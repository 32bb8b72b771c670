"""The answer to "which card carries or drags a deck": drawn, played and causal, from games played for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.card_effects import replacement_effects, with_effects
from analysis.card_pool import keyword_effects, pool_statistics
from analysis.card_tables import deck_table, keyword_table, pool_table, pooled_table, turn_table
from analysis.card_tally import CardTally, card_question, fields_of
from analysis.card_usage import CONDITIONAL, deck_cards, pooled_cards, turns_played
from analysis.deck_choice import deck_facts, making_lines
from analysis.meetings import Meetings, least_decks
from analysis.report.model import Table
from analysis.whatif import GamesOf
from analysis.wording import count, limit_words, truncated_words
from sim.experiment import Experiment
from sim.run import Block, blocks
from sim.seeds import SEED_MAX

DECKS_SHOWN = 8  # of more, only the pool is shown unless one is named
Player = Callable[[Experiment], Iterator[Block]]


@dataclass(frozen=True, eq=False)
class CardStats:
    """Card statistics of one run, as tables and as plain values."""

    facts: dict[str, Any]
    shown: tuple[Table, ...]
    whole: dict[str, Table]
    lines: tuple[str, ...]

    def main(self) -> Table:
        """Return the table of the CSV file: the one that is read first."""
        return next(iter(self.whole.values()))

    def tables(self) -> list[Table]:
        """Return what fits a terminal."""
        return list(self.shown)

    def as_json(self) -> dict[str, Any]:
        """Return everything under one roof."""
        return {"facts": self.facts} | self.whole


@dataclass(frozen=True)
class Asked:
    """What is asked for. deck: its number, None for all; pairs: games of each card replaced, 0 for none."""

    deck: int | None = None
    pairs: int = 0
    by_turn: int | None = None


def card_stats(experiment: Experiment, asked: Asked, play: Player | None = None) -> CardStats:
    """Play the games and work out the tables. Raises ValueError for a game whose outcomes do not count by card."""
    play = play or blocks
    fields = fields_of(card_question(experiment.game), asked.by_turn)
    whole = experiment if asked.deck is None else GamesOf.from_experiment(experiment, asked.deck)
    tally, meetings = CardTally(whole, fields), Meetings(len(experiment.cards.ids) if experiment.seats == 2 else 0)
    played = 0
    for block in play(whole):
        tally.add(block.rows, block.outcomes)
        played += len(block.rows)
        if meetings.decks:
            meetings.add(block.rows)
    tables = _Tables(whole, tally)
    teams = experiment.teams is not None
    if not teams and (asked.deck is not None or len(experiment.cards.ids) <= DECKS_SHOWN):
        sitting = range(len(experiment.cards.ids)) if asked.deck is None else [asked.deck]
        tables.by_deck(list(sitting), _effects(experiment, list(sitting), asked, play))
    if asked.deck is None:
        tables.pool(meetings)
    facts = whole.facts() | {
        "games": played,
        "truncated": tally.truncated,
        "by_turn": fields.by_turn,
        **deck_facts(experiment.game, experiment.cards),
    }
    if asked.deck is not None:
        facts |= {"deck": experiment.cards.ids[asked.deck]}
    stopped = truncated_words(tally.truncated, tally.seen, limit_words(experiment.game.limits_itself))
    lines = (_made(whole, played), stopped, *making_lines(experiment.cards), *tables.lines)
    return CardStats(facts, tuple(tables.shown), tables.whole, lines)


def _effects(experiment: Experiment, decks: list[int], asked: Asked, play: Player) -> pd.DataFrame:
    """What the cards of some decks do, from games that had no part in the rest; empty without any."""
    if not asked.pairs or experiment.game.decks is None or len(experiment.cards.ids) < experiment.seats:
        return pd.DataFrame()
    wanted = -(-asked.pairs * len(experiment.cards.ids) // experiment.seats)
    fresh = replace(experiment, games_wanted=wanted, seed=(experiment.seed + 1) % (SEED_MAX + 1))
    found = [replacement_effects(fresh, deck, play).frame for deck in decks]
    known = [frame for frame in found if len(frame)]
    return pd.concat(known, ignore_index=True) if known else pd.DataFrame()


def _made(experiment: Experiment, games: int) -> str:
    """How the tables came about."""
    cards = experiment.cards
    return (
        f"{cards.title} (digest {cards.digest}): {count(games)} games, seed {experiment.seed}, policy {experiment.policy_words}; "
        "those of an entrant with itself are left out."
    )


class _Tables:
    """The tables of a run, gathered."""

    def __init__(self, experiment: Experiment, tally: CardTally) -> None:
        self.experiment, self.tally = experiment, tally
        self.shown: list[Table] = []
        self.whole: dict[str, Table] = {}
        self.lines = [f"{CONDITIONAL} Differences are drawn less not drawn, in points; intervals at 95 %."]
        by = tally.fields.by_turn
        self.drawn = f" (drawn: by own turn {by})" if by else ""

    def by_deck(self, decks: list[int], effects: pd.DataFrame) -> None:
        """A table of every deck, with what its cards do beside it."""
        game, frame = self.experiment.game, deck_cards(self.tally)
        held = game.decks_for(self.experiment.cards)
        frame = frame[frame["entrant"].isin(decks)].reset_index(drop=True)
        if held is not None:
            frame.insert(4, "copies", held.counts[frame["entrant"], frame["card"]])
        if len(effects):
            frame = with_effects(frame, [effects])
            assert game.decks is not None
            self.lines.append(
                f"With it: what the card does. All its copies against {game.decks.plain_words} in its place, in the same games "
                "with the same dice (seed of its own): the win rate with it less that without, Tango's interval for pairs, p "
                "adjusted (Holm) over the cards of the deck."
            )
        name = self.experiment.cards.names
        for deck, part in frame.groupby("entrant", sort=False):
            caption = f"Cards of {name[int(str(deck))]}{self.drawn}"
            self.shown.append(deck_table(part, "cards", caption, whole=False))
        listed = frame.assign(card_name=frame["name"] + ": " + frame["card_name"])
        self.whole["cards"] = deck_table(listed, "cards", f"Cards by {game.entrant_word}{self.drawn}")
        if self.tally.fields.played_turn:
            turns = turns_played(self.tally)
            turns = turns[turns["entrant"].isin(decks)]
            self.whole["turns"] = turn_table(
                turns, "turns", "Win rate by the turn of the first play", game.entrant_word
            )

    def pool(self, meetings: Meetings) -> None:
        """Tables over all decks: conditional, and where they are many what a copy and a keyword are worth."""
        game, places = self.experiment.game, self.tally.cards
        if places.shared:
            frame = pooled_cards(self.tally).sort_values("change", ascending=False, kind="stable")
            caption = f"Cards over all {game.entrants_word}{self.drawn}"
            self.whole["pooled"] = pooled_table(frame, "pooled", caption, game.entrants_word)
            self.shown.append(pooled_table(frame, "pooled", caption, game.entrants_word, whole=False))
        decks = game.decks_for(self.experiment.cards)
        if decks is None or np.count_nonzero(meetings.by_deck()[0] if meetings.decks else 0) < least_decks(
            decks.counts
        ):
            return
        frame, caption = (
            pool_statistics(meetings, decks),
            "What a copy is worth instead of an average card, all else equal",
        )
        self.whole["pool"] = pool_table(frame, "pool", caption)
        self.shown.append(pool_table(frame, "pool", caption, whole=False))
        words = keyword_effects(meetings, decks)
        if len(words):
            caption = "What a keyword is worth on a copy, between cards of one level and type"
            self.whole["keywords"] = keyword_table(words, "keywords", caption)
            self.shown.append(self.whole["keywords"])
        self.lines.append(
            "A copy: points of the win rate at an even match, by a logistic regression on what both decks hold; its errors take "
            "decks for the observations. Decks with and without: every deck one observation, whatever else it holds."
        )
