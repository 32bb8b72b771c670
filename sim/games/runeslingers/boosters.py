"""Decks out of boosters: sealed and drafted (RUNE-141 to 143)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from sim.engine.cards import CardError, validate
from sim.engine.decks import DeckList, Made
from sim.games.runeslingers import loadouts
from sim.games.runeslingers.cards import compile_cards
from sim.games.runeslingers.checks import RuneslingersFile, copy_limit

Document = Mapping[str, Any]

BOOSTER = {"common": 6, "uncommon": 2, "rare": 1}  # different cards of each rarity
SEALED = 6  # boosters of a sealed pool
ROUNDS, OPENED = 2, 2  # a draft opens so many boosters of each drafter, so many times
TAKEN = 2  # cards that a drafter takes before passing on
DRAFTERS, DRAFTERS_LEAST = 6, 4
LEFT, RIGHT = 1, -1
SECOND = 2  # copies that count in full
FURTHER = 0.4  # by so much of itself is a third or later copy worth less
TRIES = 1_000  # pools opened for one deck before the cards are said not to suffice


@dataclass(frozen=True)
class Shelf:
    """What boosters are filled from, and what is made of them.

    ids, rating: by card. by_rarity: numbers of the cards. limits: by card, copies that a deck may hold. size: cards of a deck.
    """

    ids: tuple[str, ...]
    rating: tuple[float, ...]
    by_rarity: Mapping[str, tuple[int, ...]]
    limits: tuple[int, ...]
    size: int

    def booster(self, chance: Random) -> list[int]:
        """RUNE-143. One booster: different cards of each rarity, all equally likely."""
        return [card for rarity, count in BOOSTER.items() for card in chance.sample(self.by_rarity[rarity], count)]

    def worth(self, card: int, held: int) -> float:
        """What one more copy of a card is worth to a player who holds so many."""
        rating = self.rating[card]
        return rating if held < SECOND else rating - FURTHER * abs(rating)

    def best(self, cards: Iterable[int], held: Mapping[int, int]) -> int:
        """The card that a drafter takes: the highest rating, ties by the lower number."""
        return max(cards, key=lambda card: (self.worth(card, held.get(card, 0)), -card))

    def deck(self, pool: Sequence[int]) -> DeckList | None:
        """The best legal deck of a pool, in the order of the file; None where the pool does not give one."""
        copies = Counter(pool)
        legal = [(card, k) for card, n in copies.items() for k in range(min(n, self.limits[card]))]
        if len(legal) < self.size:
            return None
        legal.sort(key=lambda one: (-self.worth(*one), one))
        kept = Counter(card for card, _ in legal[: self.size])
        return DeckList({self.ids[card]: kept[card] for card in sorted(kept)})


def shelf_of(document: Document, mode: str) -> Shelf:
    """The shelf of a document. mode: sealed or draft. Raises CardError if it is not valid or lacks cards for a booster."""
    file = validate(RuneslingersFile, document, "document")
    by_rarity = {
        rarity: tuple(number for number, card in enumerate(file.card) if card.rarity == rarity) for rarity in BOOSTER
    }
    for rarity, count in BOOSTER.items():
        if len(by_rarity[rarity]) < count:
            raise CardError(f"card: {len(by_rarity[rarity])} are {rarity}; a booster needs {count} different ones")
    ratings = compile_cards(file)[0]["rating"][: len(file.card)]
    return Shelf(
        ids=tuple(card.id for card in file.card),
        rating=tuple(float(rating) for rating in ratings),
        by_rarity=by_rarity,
        limits=tuple(copy_limit(card, file.rules, mode) for card in file.card),
        size=file.rules.deck_size,
    )


def sealed(document: Document, count: int, chance: Random) -> Made:
    """RUNE-142. So many decks, each the best legal one of a pool of boosters: sealed_001, sealed_002, ...

    Loadouts are by lot. Pools that give no legal deck are opened anew; the facts count them. Raises CardError if the document is
    not valid or its cards do not suffice.
    """
    shelf = shelf_of(document, "sealed")
    found: dict[str, DeckList] = {}
    anew = 0
    for number in range(1, count + 1):
        for _ in range(TRIES):
            deck = shelf.deck([card for _ in range(SEALED) for card in shelf.booster(chance)])
            if deck is not None:
                break
            anew += 1
        else:
            raise _wanting(shelf, "sealed")
        words = {**loadouts.by_lot(document, chance), "mode": "sealed"}
        found[_numbered("sealed", number, count)] = DeckList(deck.cards, words)
    return Made(found, _facts(anew))


def draft(document: Document, count: int, chance: Random, drafters: int = DRAFTERS) -> Made:
    """RUNE-141. So many decks of drafts at tables of `drafters`: draft_001, draft_002, ...

    All decks of a table are different players'; of the last table as many are used as are needed. Loadouts are by lot. A table
    with a pool that gives no legal deck (`draft_copies = "constructed"`) opens its boosters anew; the facts count these pools.
    Raises ValueError for too few drafters, CardError if the document is not valid or its cards do not suffice.
    """
    if drafters < DRAFTERS_LEAST:
        raise ValueError(f"drafters={drafters} must be at least {DRAFTERS_LEAST}")
    shelf = shelf_of(document, "draft")
    found: dict[str, DeckList] = {}
    anew = 0
    while len(found) < count:
        for _ in range(TRIES):
            decks = [shelf.deck(pool) for pool in drafted(shelf, drafters, chance)]
            failed = sum(deck is None for deck in decks)
            if not failed:
                break
            anew += failed
        else:
            raise _wanting(shelf, "drafted")
        for deck in decks:
            words = {**loadouts.by_lot(document, chance), "mode": "draft"}
            if deck is not None and len(found) < count:
                found[_numbered("draft", len(found) + 1, count)] = DeckList(deck.cards, words)
    return Made(found, _facts(anew))


def drafted(shelf: Shelf, drafters: int, chance: Random) -> list[list[int]]:
    """The cards that each drafter of one table ends with: 36 of four boosters each."""
    pools: list[list[int]] = [[] for _ in range(drafters)]
    for turn in range(ROUNDS):
        packs = [[card for _ in range(OPENED) for card in shelf.booster(chance)] for _ in range(drafters)]
        pass_on(shelf, packs, pools, RIGHT if turn % 2 else LEFT)
    return pools


def pass_on(shelf: Shelf, packs: list[list[int]], pools: list[list[int]], side: int) -> None:
    """Everyone takes cards of the pack at hand into the own pool and passes the rest on, until none are left.

    packs, pools: by drafter; both are changed. side: LEFT or RIGHT. Each decides by what was taken before.
    """
    drafters = len(packs)
    while any(packs):
        for pack, pool in zip(packs, pools, strict=True):
            held = Counter(pool)
            for _ in range(min(TAKEN, len(pack))):
                card = shelf.best(pack, held)
                pack.remove(card)
                pool.append(card)
                held[card] += 1
        packs[:] = [packs[(drafter - side) % drafters] for drafter in range(drafters)]


def _numbered(word: str, number: int, count: int) -> str:
    """Ids that sort as they come."""
    return f"{word}_{number:0{max(len(str(count)), 3)}}"


def _facts(anew: int) -> tuple[str, ...]:
    """How often pools were opened anew, in words."""
    if not anew:
        return ()
    return (f"{anew} pool{'s' if anew > 1 else ''} without a legal deck opened anew",)


def _wanting(shelf: Shelf, how: str) -> CardError:
    """The error where no pool gives a legal deck."""
    return CardError(
        f"card: no {how} pool of {TRIES:,} gives a legal deck of {shelf.size} cards; more cards are needed"
    )
