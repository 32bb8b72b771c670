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

HALVINGS = 24  # after which a proportion is near enough
DECKS_SHOWN = 8  # of more, only the pool is shown unless one is named
Player = Callable[[Experiment], Iterator[Block]]


@dataclass(frozen=True, eq=False)
class CardStats:
    """Card statistics of one run: tables, plain values, and what was counted. effects: of cards that were replaced."""

    facts: dict[str, Any]
    shown: tuple[Table, ...]
    whole: dict[str, Table]
    lines: tuple[str, ...]
    tally: CardTally
    effects: pd.DataFrame

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
class Selection:
    """What is asked for. deck: its number, None for all; pairs: games of each card replaced, 0 for none."""

    deck: int | None = None
    pairs: int = 0
    by_turn: int | None = None


def observed(experiment: Experiment, asked: Selection, games: int) -> Experiment:
    """The games in which cards are watched, of which a deck that is asked for sits in `games`."""
    whole = asked.deck is not None
    wanted = -(-games * len(experiment.cards.ids) // experiment.seats) if whole else games
    return replace(experiment, games_wanted=max(1, wanted))


def observed_games(experiment: Experiment, asked: Selection) -> int:
    """Games of `observed` that are played: with a deck, those in which it sits."""
    if asked.deck is None:
        return experiment.games
    return experiment.games * experiment.seats // len(experiment.cards.ids)


def replaced_games(experiment: Experiment, asked: Selection) -> int:
    """Games that the replacing of cards takes at the most: for every deck those as it is, and again for each card."""
    decks = experiment.game.decks_for(experiment.cards)
    if decks is None or not _replaced(experiment, asked):
        return 0
    each = observed_games(_fresh(experiment, asked), Selection(0))
    return sum(each * (1 + int((decks.slots[deck] >= 0).sum())) for deck in _looked_at(experiment, asked))


def afforded(experiment: Experiment, asked: Selection, games: int, fixed: bool) -> tuple[Experiment, Selection]:
    """What is watched, and how often cards are replaced, with so many games in all.

    asked: with the usual number of games of `experiment` and of pairs, scaled in one proportion; fixed: the number of
    pairs stays, and the rest of the games is watched. Raises ValueError for too few games.
    """
    usual = experiment.games_wanted

    def scaled(scale: float) -> tuple[Experiment, Selection]:
        pairs = max(1, round(asked.pairs * scale)) if asked.pairs and not fixed else asked.pairs
        return observed(experiment, asked, max(1, round(usual * scale))), replace(asked, pairs=pairs)

    def in_all(scale: float) -> int:
        base, how = scaled(scale)
        return observed_games(base, how) + replaced_games(base, how)

    if games < (least := in_all(0)):
        parts = "with --deck ID of one deck, or --pairs 0" if asked.pairs else "with --deck ID of one deck"
        raise ValueError(f"games={games} must be at least {least} with these decks and pairs; fewer do {parts}")
    low, high = 0.0, 1.0
    while in_all(high) < games:
        low, high = high, 2 * high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if in_all(middle) <= games else (low, middle)
    return scaled(low)


def _replaced(experiment: Experiment, asked: Selection) -> bool:
    """Whether cards are replaced."""
    few = asked.deck is not None or len(experiment.cards.ids) <= DECKS_SHOWN
    decks = experiment.game.decks is not None and len(experiment.cards.ids) >= experiment.seats
    return bool(asked.pairs) and few and decks and experiment.teams is None


def _looked_at(experiment: Experiment, asked: Selection) -> list[int]:
    """Decks that are looked at card by card."""
    return list(range(len(experiment.cards.ids))) if asked.deck is None else [asked.deck]


def _fresh(experiment: Experiment, asked: Selection) -> Experiment:
    """The games in which cards are replaced."""
    wanted = -(-asked.pairs * len(experiment.cards.ids) // experiment.seats)
    return replace(experiment, games_wanted=wanted, seed=(experiment.seed + 1) % (SEED_MAX + 1))


def card_stats(experiment: Experiment, asked: Selection, play: Player | None = None) -> CardStats:
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
    effects, replaced = pd.DataFrame(), 0
    teams = experiment.teams is not None
    if not teams and (asked.deck is not None or len(experiment.cards.ids) <= DECKS_SHOWN):
        sitting = _looked_at(experiment, asked)
        effects, replaced = _effects(experiment, sitting, asked, play)
        tables.by_deck(sitting, effects)
    if asked.deck is None:
        tables.pool(meetings)
    facts = whole.facts() | {
        "games": played + replaced,
        "watched": played,
        "replaced": replaced,
        "truncated": tally.truncated,
        "by_turn": fields.by_turn,
        **deck_facts(experiment.game, experiment.cards),
    }
    if asked.deck is not None:
        facts |= {"deck": experiment.cards.ids[asked.deck]}
    stopped = truncated_words(tally.truncated, tally.seen, limit_words(experiment.game.limits_itself))
    lines = (_made(whole, played, replaced), stopped, *making_lines(experiment.cards), *tables.lines)
    return CardStats(facts, tuple(tables.shown), tables.whole, lines, tally, effects)


def _effects(experiment: Experiment, decks: list[int], asked: Selection, play: Player) -> tuple[pd.DataFrame, int]:
    """What the cards of some decks do, from games that had no part in the rest, and how many these were; empty without any."""
    if not _replaced(experiment, asked):
        return pd.DataFrame(), 0
    games = 0

    def counted(one: Experiment) -> Iterator[Block]:
        nonlocal games
        for block in play(one):
            games += len(block.rows)
            yield block

    found = [replacement_effects(_fresh(experiment, asked), deck, counted).frame for deck in decks]
    known = [frame for frame in found if len(frame)]
    return (pd.concat(known, ignore_index=True) if known else pd.DataFrame()), games


def _made(experiment: Experiment, games: int, replaced: int) -> str:
    """How the tables came about."""
    cards = experiment.cards
    beside = f" and {count(replaced)} with and without each card, {count(games + replaced)} in all" if replaced else ""
    return (
        f"{cards.title} (digest {cards.digest}): {count(games)} games{beside}, seed {experiment.seed}, policy "
        f"{experiment.policy_words}; those of an entrant with itself are left out."
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
