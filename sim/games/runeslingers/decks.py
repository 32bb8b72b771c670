"""Decks as entrants: random, sealed and drafted decks, loadouts, and twins of a deck without a card, keyword or equip."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import did_you_mean
from sim.engine.cards import CardError, CardSet, validate
from sim.engine.decks import (
    DEFAULT_GENERATOR,
    ID_MAX,
    NAME_MAX,
    Blank,
    DeckGenerator,
    Decking,
    DeckList,
    Decks,
    Loadout,
    Made,
    card_of,
    counted,
    deck_of,
    deck_tables,
    ended,
    replaced,
)
from sim.engine.words import some
from sim.games.runeslingers.cards import DECK_MAX, name_of, titled
from sim.games.runeslingers.cards.checks import ENDING, RuneslingersFile, copy_limit
from sim.games.runeslingers.cards.schema import N_MAX, PICKED, RUNESPELLS
from sim.games.runeslingers.record import CARD_FORMAT

PARTS = ("runeslinger", "stance", "ability")
WORDS = (*PARTS, "mode")  # what a deck of a deck file can name
NOTHING = "nothing"  # prefix of the ids of blank equips
BLANKS = {
    "stance": {},
    "ability": {"determination": 4, "effects": [{"op": "heal", "n": 0}]},  # costs the most possible and does nothing
}
BOOSTER = {"common": 6, "uncommon": 2, "rare": 1}  # different cards of each rarity
SEALED = 6  # boosters of a sealed pool
ROUNDS, OPENED = 2, 2  # rounds of a draft, and boosters that each drafter opens in a round
TAKEN = 2  # cards that a drafter takes before passing on
DRAFTERS, DRAFTERS_LEAST = 6, 4
LEFT, RIGHT = 1, -1
SECOND = 2  # copies that count in full
FURTHER = 0.4  # share of its rating by which a third or later copy counts less
TRIES = 1_000  # pools opened for one deck before it is an error
KEYWORDS = ("pierce", "shout", "choice", "fate", "token", "charge", "use", "distract")
PLAIN_WORDS = "a runespell that deals the usual damage for its light, or a defence card without text"
Document = Mapping[str, Any]


def legal_loadouts(document: Document) -> list[dict[str, str]]:
    """All legal loadouts: every Runeslinger with every stance and ability of its class, in the order of the file."""
    return [
        {"runeslinger": hero["id"], "stance": stance["id"], "ability": ability["id"]}
        for hero in document["runeslinger"]
        for stance in document["stance"]
        for ability in document["ability"]
        if stance["class"] == ability["class"] == hero["class"]
    ]


def random_loadout(document: Document, chance: Random) -> dict[str, str]:
    """One of all legal loadouts, all equally likely."""
    return dict(chance.choice(legal_loadouts(document)))


def completed(document: Document, words: Mapping[str, str]) -> dict[str, str]:
    """A deck's loadout with missing parts filled in from the first legal loadout that has the given parts.

    Parts that fit no legal loadout are left as they are; the validator reports what is wrong with them.
    """
    given = {word: words[word] for word in PARTS if word in words}
    fitting = (one for one in legal_loadouts(document) if given.items() <= one.items())
    return {**next(fitting, {}), **words}


def loadouts(document: Document, deck: str) -> dict[Loadout, dict[str, Any]]:
    """The document with a deck bringing each legal loadout, in the order of the file, its own included."""
    own = deck_of(document, deck)
    names = {part: {one["id"]: name_of(one) for one in document[part]} for part in PARTS}
    return {
        Loadout(
            tuple((part.capitalize(), names[part][brought[part]]) for part in PARTS),
            own=all(own[part] == brought[part] for part in PARTS),
        ): bringing(document, deck, brought)
        for brought in legal_loadouts(document)
    }


def bringing(document: Document, deck: str, brought: Mapping[str, str]) -> dict[str, Any]:
    """The document with a deck that brings other parts."""
    tables = [{**table, **brought} if table["id"] == deck else table for table in document["deck"]]
    return {**document, "deck": tables}


def without(part: str) -> Callable[[Document, str], dict[str, Any]]:
    """How a deck goes without its stance or ability: with one of the same class that does nothing."""

    def put(document: Document, deck: str) -> dict[str, Any]:
        (present,) = (one for one in document[part] if one["id"] == deck_of(document, deck)[part])
        taken = {one["id"] for one in document[part]} | {one.get("name") for one in document[part]}
        words = (f"{NOTHING}_{number}" for number in range(1, len(taken) + 2))
        word = next(word for word in words if word not in taken and titled(word) not in taken)
        empty = {"id": word, "class": present["class"], "source": "assumed", **BLANKS[part]}
        return bringing({**document, part: [*document[part], empty]}, deck, {part: word})

    return put


SPARED = {"Stance": Blank(without("stance"), "the stance"), "Ability": Blank(without("ability"), "determination")}


@dataclass(frozen=True)
class Shelf:
    """What boosters are filled from and decks are built of.

    ids, rating: by card. by_rarity: numbers of the cards. limits: by card, copies that a deck can hold. size: cards of a deck.
    mode: sealed or draft.
    """

    ids: tuple[str, ...]
    rating: tuple[float, ...]
    by_rarity: Mapping[str, tuple[int, ...]]
    limits: tuple[int, ...]
    size: int
    mode: str

    def booster(self, chance: Random) -> list[int]:
        """RUNE-143. One booster: different cards of each rarity, all equally likely."""
        return [card for rarity, count in BOOSTER.items() for card in chance.sample(self.by_rarity[rarity], count)]

    def worth(self, card: int, held: int) -> float:
        """Worth of one more copy of a card to a player who holds a number of copies."""
        rating = self.rating[card]
        return rating if held < SECOND else rating - FURTHER * abs(rating)

    def best(self, cards: Iterable[int], held: Mapping[int, int]) -> int:
        """The card that a drafter takes: the highest rating, on ties the lower number."""
        return max(cards, key=lambda card: (self.worth(card, held.get(card, 0)), -card))

    def deck(self, pool: Sequence[int]) -> DeckList | None:
        """The best legal deck of a pool, in the order of the file; None if there is none."""
        copies = Counter(pool)
        legal = [(card, k) for card, n in copies.items() for k in range(min(n, self.limits[card]))]
        if len(legal) < self.size:
            return None
        legal.sort(key=lambda one: (-self.worth(*one), one))
        kept = Counter(card for card, _ in legal[: self.size])
        return DeckList({self.ids[card]: kept[card] for card in sorted(kept)})


def shelf_of(document: Document, mode: str) -> Shelf:
    """The shelf of a document. mode: sealed or draft. Raises CardError if it is invalid or lacks cards for a booster."""
    file = validate(RuneslingersFile, document, "document")
    by_rarity = {rarity: tuple(number for number, card in enumerate(file.card) if card.rarity == rarity) for rarity in BOOSTER}
    for rarity, count in BOOSTER.items():
        if len(by_rarity[rarity]) < count:
            raise CardError(f"card: {len(by_rarity[rarity])} are {rarity}; a booster needs {count} different ones")
    ratings = CARD_FORMAT.compiled(file)[0]["rating"][: len(file.card)]
    return Shelf(
        ids=tuple(card.id for card in file.card),
        rating=tuple(float(rating) for rating in ratings),
        by_rarity=by_rarity,
        limits=tuple(copy_limit(card, file.rules, mode) for card in file.card),
        size=file.rules.deck_size,
        mode=mode,
    )


def sealed(document: Document, count: int, chance: Random) -> Made:
    """RUNE-142. Sealed decks, each the best legal one of a pool of boosters: sealed_001, sealed_002, ...

    Loadouts are random. A pool without a legal deck is opened again; the facts count these pools. Raises CardError if the
    document is invalid or has too few cards.
    """
    shelf = shelf_of(document, "sealed")
    return opened(document, count, chance, shelf, lambda: [[card for _ in range(SEALED) for card in shelf.booster(chance)]])


def draft(document: Document, count: int, chance: Random, drafters: int = DRAFTERS) -> Made:
    """RUNE-141. Drafted decks from tables of `drafters` players: draft_001, draft_002, ...

    Each player of a table makes one deck; of the last table only the decks still needed are used. Loadouts are random. If a
    pool of a table gives no legal deck (`draft_copies = "constructed"`), the table opens new boosters; the facts count these
    pools. Raises ValueError for too few drafters, CardError if the document is invalid or has too few cards.
    """
    if drafters < DRAFTERS_LEAST:
        raise ValueError(f"drafters={drafters} must be at least {DRAFTERS_LEAST}")
    shelf = shelf_of(document, "draft")
    return opened(document, count, chance, shelf, lambda: drafted(shelf, drafters, chance))


def opened(document: Document, count: int, chance: Random, shelf: Shelf, pools: Callable[[], list[list[int]]]) -> Made:
    """Decks of pools, which are opened again until all that are opened together give a legal deck."""
    lists: dict[str, DeckList] = {}
    reopened = 0
    while len(lists) < count:
        for _ in range(TRIES):
            decks = [shelf.deck(pool) for pool in pools()]
            failed = sum(deck is None for deck in decks)
            if not failed:
                break
            reopened += failed
        else:
            wanting = f"no {shelf.mode} pool of {TRIES:,} gives a legal deck of {shelf.size} cards"
            raise CardError(f"card: {wanting}; more cards are needed")
        for deck in decks:
            words = {**random_loadout(document, chance), "mode": shelf.mode}
            if deck is not None and len(lists) < count:
                lists[_numbered(shelf.mode, len(lists) + 1, count)] = DeckList(deck.cards, words)
    return Made(lists, (f"{some(reopened, 'pool')} without a legal deck opened again",) if reopened else ())


def drafted(shelf: Shelf, drafters: int, chance: Random) -> list[list[int]]:
    """The cards that each drafter of one table ends with: 36, from four boosters each."""
    pools: list[list[int]] = [[] for _ in range(drafters)]
    for turn in range(ROUNDS):
        packs = [[card for _ in range(OPENED) for card in shelf.booster(chance)] for _ in range(drafters)]
        pass_on(shelf, packs, pools, RIGHT if turn % 2 else LEFT)
    return pools


def pass_on(shelf: Shelf, packs: list[list[int]], pools: list[list[int]], side: int) -> None:
    """Each drafter takes cards from the pack at hand and passes the rest on, until none are left.

    packs, pools: by drafter; both are changed. side: LEFT or RIGHT. Each pick depends on the drafter's earlier picks only.
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
    """An id with leading zeros, so that ids sort in order."""
    return f"{word}_{number:0{max(len(str(count)), 3)}}"


def plain(document: Document, deck: str, card: str) -> dict[str, Any]:
    """The document with a card of a deck replaced, at its index in the list, by a plain one of the same cost.

    A runespell becomes plain damage: an attack runespell stays one (to a Runeslinger), all others become spirit (to any target).
    Its damage for each light is what the spirit runespells of the file deal on average, rounded, and at least 1. A defence card
    keeps type and defence and has no text. Raises CardError if there is no such deck or it does not hold the card.
    """
    present = card_of(document, deck, card)
    kind, cost = present["type"], present["cost"]
    twin: dict[str, Any] = {"cost": cost, "rarity": present["rarity"], "source": "assumed"}
    if kind in RUNESPELLS:
        kind = kind if kind == "attack" else "spirit"
        to = "runeslinger" if kind == "attack" else "any"
        n = min(max(int(damage_per_light(document) * cost + 0.5), 1), N_MAX)
        twin |= {"id": f"plain_{kind}_{cost}", "effects": [{"op": "damage", "n": n, "to": to}]}
    else:
        twin |= {"id": f"plain_{kind}_{cost}_{present['defence']}", "defence": present["defence"]}
    twin |= {"type": kind}
    if present.get("x"):
        twin |= {"id": f"{twin['id']}_x", "x": True}
    return _replaced(document, deck, {card: twin})


def damage_per_light(document: Document) -> float:
    """Mean damage of the spirit runespells of a document for each light; a cost of 0 counts as 1.

    Without spirit runespells, all runespells with damage count. Raises CardError if there are none.
    """
    for kinds in (("spirit",), RUNESPELLS):
        costs = [(_damage(card), max(card["cost"], 1)) for card in document["card"] if card["type"] in kinds]
        dealing = [(damage, cost) for damage, cost in costs if damage]
        if dealing:
            return sum(damage for damage, _ in dealing) / sum(cost for _, cost in dealing)
    raise CardError("card: there is no runespell with damage; a plain card is made after those")


def _damage(card: Document) -> int:
    """Damage that a card deals when played, ignoring damage for each ailment."""
    effects = [*card.get("effects", ()), *max(card.get("bullets", ()), key=_dealt, default=())]
    return _dealt(effects)


def _dealt(effects: Iterable[Document]) -> int:
    return sum(effect["n"] for effect in effects if effect["op"] == "damage" and "per" not in effect)


def bare(document: Document, deck: str, keyword: str) -> dict[str, Any]:
    """The document with every card of a deck that bears the keyword replaced, at its index, by a twin without it.

    keyword: as in `Decks.marks`. The twin has the same numbers; without choice or fate it has its first bullet only, without use
    it lacks the effects that need it. Raises CardError if there is no such deck or keyword, or if no card of the deck bears it.
    """
    if keyword not in KEYWORDS:
        raise CardError(f'"{keyword}": is no keyword; {did_you_mean(keyword, [*KEYWORDS])}')
    cards = {card["id"]: card for card in document["card"]}
    bearers = [word for word in deck_of(document, deck)["cards"] if keyword in cards[word].get("keywords", ())]
    if not bearers:
        raise CardError(f"deck.{deck}: holds no card with {keyword}")
    return _replaced(document, deck, {word: _without(cards[word], keyword) for word in bearers})


def _without(card: Document, keyword: str) -> dict[str, Any]:
    """A twin of a card that lacks a keyword and what belongs to it; its name and id show that."""
    twin = copy.deepcopy(dict(card))
    twin["keywords"] = [word for word in card["keywords"] if word != keyword]
    if keyword == "token":
        del twin["tokens"]
    elif keyword == "use":
        twin["activated"] = [one for one in twin["activated"] if not one.get("use")]
    elif keyword in PICKED:
        twin["effects"] = twin.pop("bullets")[0]
        if isinstance(twin.get("source"), dict) and "bullets" in twin["source"]:
            twin["source"]["effects"] = twin["source"].pop("bullets")
    ending = f" without {keyword}{ENDING if card.get('x') else ''}"
    twin["name"] = ended(name_of(card).removesuffix(ENDING if card.get("x") else ""), ending, NAME_MAX)
    twin["id"] = ended(card["id"], f"_without_{keyword}", ID_MAX)
    return twin


def _replaced(document: Document, deck: str, twins: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """The document with twins instead of cards of a deck; twins of X cards keep the ending of their names."""
    return replaced(document, deck, twins, name_of, lambda twin: ENDING if twin.get("x") else "")


def decks_of(cards: CardSet) -> Decks:
    """The decks of a card set. slots: as many as the outcome's fields by slot have."""
    held, decks = cards.document["card"], cards.document["deck"]
    ids = tuple(card["id"] for card in held)
    counts, slots = counted([deck["cards"] for deck in decks], ids, DECK_MAX)
    return Decks(
        ids=ids,
        names=tuple(name_of(card) for card in held),
        counts=counts,
        slots=slots,
        level=np.array([card["cost"] for card in held], np.int16),
        kinds=tuple(card["type"] for card in held),
        marks=tuple(tuple(card.get("keywords", ())) for card in held),
        words=tuple({word: deck[word] for word in WORDS if word in deck} for deck in decks),
    )


def added(document: Document, decks: Mapping[str, DeckList]) -> dict[str, Any]:
    """The document with these decks added after its own, see `only`."""
    return {**document, "deck": [*document["deck"], *_tables(document, decks)]}


def only(document: Document, decks: Mapping[str, DeckList]) -> dict[str, Any]:
    """The document with these decks instead of its own. Illegal decks are refused when it becomes a card set.

    A Runeslinger, stance or ability that a deck leaves out comes from the first legal loadout that has the given parts.
    """
    return {**document, "deck": _tables(document, decks)}


def _tables(document: Document, decks: Mapping[str, DeckList]) -> list[dict[str, Any]]:
    """Decks as tables of a card file, with complete loadouts."""
    whole = {word: DeckList(deck.cards, completed(document, deck.words)) for word, deck in decks.items()}
    return deck_tables(whole)


def random_decks(document: Document, count: int, chance: Random) -> Made:
    """RUNE-143. Random legal decks of all cards of a document: random_001, random_002, ...

    All copies that a deck can hold are shuffled, and the first of them are the deck, in the order of the file. The loadout is one
    of all legal ones, all equally likely. Raises CardError if the document is invalid.
    """
    file = validate(RuneslingersFile, document, "document")
    permitted = [card.id for card in file.card for _ in range(copy_limit(card, file.rules))]
    decks = {}
    for number in range(1, count + 1):
        dealt = Counter(chance.sample(permitted, file.rules.deck_size))
        cards = {card.id: dealt[card.id] for card in file.card if dealt[card.id]}
        decks[_numbered("random", number, count)] = DeckList(cards, random_loadout(document, chance))
    return Made(decks)


DECKING = Decking(
    of=decks_of,
    added=added,
    only=only,
    generators={
        DEFAULT_GENERATOR: DeckGenerator(random_decks),
        "sealed": DeckGenerator(sealed, "sealed decks", f"each the best legal deck out of {SEALED} boosters of 9 cards"),
        "draft": DeckGenerator(draft, "drafted decks", f"at tables of {DRAFTERS}, each from 4 boosters of 9 cards"),
    },
    plain=plain,
    bare=bare,
    plain_words=PLAIN_WORDS,
    words=WORDS,
    loadouts=loadouts,
    blanks=SPARED,
)
