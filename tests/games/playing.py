"""Games for tests of a game's words: dealt and played at random, or placed by readable names and played on in words."""

import copy
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from random import Random
from typing import Any, Literal, NamedTuple, get_args, get_origin

import numpy as np
from pydantic.fields import FieldInfo

from sim.engine.cards import CardSet, changed
from sim.engine.contract import Game, is_over, offer
from sim.engine.dice import SEATS_MAX
from sim.engine.loop import PLAN, advance, set_table
from sim.engine.policies import Workspace, new_workspace
from sim.engine.scenario import NO_DECISION

MOVED = 0.5  # share of the entries of spoiled lists that are taken from their place, and of lists that lose one
AS_PRINTED = "as printed"  # the variant with which positions are read


class Laid(NamedTuple):
    """A position in which a seat decides. options: words of the open decisions, by code."""

    state: np.void
    cards: CardSet
    options: dict[int, str]


class Playing:
    """A game at a table of two. variants: by name, the rules that differ from those of the reference set; AS_PRINTED has none."""

    def __init__(self, game: Game, variants: Mapping[str, Mapping[str, Any]]) -> None:
        self.game = offer(game)
        self.variants = variants
        self._sets: dict[str, CardSet] = {}

    def card_set(self, variant: str = AS_PRINTED) -> CardSet:
        """The reference cards with the rules of a variant; the same object every time."""
        if variant not in self._sets:
            self._sets[variant] = self.with_rules(**self.variants[variant])
        return self._sets[variant]

    def with_rules(self, **rules: Any) -> CardSet:
        """The reference cards with other rules."""
        document: Any = self.game.load(None).document
        for rule, value in rules.items():
            document = changed(document, f"rules.{rule}", value)
        return self.game.from_document(dict(document))

    def seated(self, cards: CardSet, number: int, entrants: Sequence[int]) -> Workspace:
        """A table at which two entrants are dealt a game. number: of the game; it fixes the dice."""
        workspace, plan = self._bench(), np.zeros(1, PLAN)
        plan["seats"], plan["game"], plan["dice"], plan["stream"] = 2, number, number, np.arange(SEATS_MAX)
        plan["entrant"][0, :2] = entrants
        set_table(workspace, cards.record[0], plan[0])
        return workspace

    def new_game(self, cards: CardSet, number: int) -> Workspace:
        """A table at which a game of two different entrants is dealt. number: of the game; it fixes entrants and dice."""
        return self.seated(cards, number, Random(number).sample(range(len(cards.ids)), 2))

    def open_now(self, workspace: Workspace, cards: CardSet, action: int = NO_DECISION) -> list[int]:
        """Carry a decision out, if any; the decisions that are then open."""
        count = advance(workspace, cards.record, action)
        over = is_over(workspace.states[0]) or workspace.states[0]["turn"] >= self.game.turn_limit(cards)
        return [] if over else workspace.options[:count].tolist()

    def at_random(self, workspace: Workspace, cards: CardSet, rng: Random) -> Iterator[tuple[np.void, list[int], int]]:
        """States of a game played at random, each with the decisions open in it and the one taken; 0 at the end."""
        options = self.open_now(workspace, cards)
        while options:
            taken = rng.choice(options)
            yield workspace.states[0].copy(), options, taken
            options = self.open_now(workspace, cards, taken)
        yield workspace.states[0].copy(), [], 0

    def random_game(self, cards: CardSet, number: int) -> Iterator[tuple[np.void, list[int], int]]:
        """A new game played at random, see `at_random`; its number fixes the decisions too."""
        return self.at_random(self.new_game(cards, number), cards, Random(number))

    def placed(self, position: dict[str, Any], cards: CardSet | None = None) -> np.void:
        """A state placed by readable names."""
        state: np.void = np.zeros(1, self.game.state)[0]
        self.game.words.place(position, cards or self.card_set(), state)
        return state

    def options_of(self, state: np.void, cards: CardSet | None = None) -> list[str]:
        """Decisions open in a state, in words."""
        cards, workspace = cards or self.card_set(), self._bench()
        workspace.states[0] = state
        return self._words(workspace, cards, self.open_now(workspace, cards))

    def told(self, position: dict[str, Any], *decisions: str, cards: CardSet | None = None) -> list[str]:
        """What the last of these decisions, taken from a position, led to in words."""
        cards = cards or self.card_set()
        workspace, before, _ = self._decided(position, decisions, cards)
        return self.game.words.events(before, workspace.states[0], cards)

    def played(self, position: dict[str, Any], *decisions: str, cards: CardSet | None = None) -> tuple[dict[str, Any], list[str]]:
        """The position after these decisions, and what is open then. What cannot be decided goes on by itself."""
        cards = cards or self.card_set()
        workspace, _, options = self._decided(position, decisions, cards)
        return self.game.words.position(workspace.states[0], cards), self._words(workspace, cards, options)

    def laid(self, position: dict[str, Any], *decisions: str) -> Laid:
        """The position to decide in after these decisions. What cannot be decided goes on by itself."""
        cards = self.card_set()
        workspace, _, options = self._decided(position, decisions, cards)
        return Laid(workspace.states[0], cards, dict(zip(options, self._words(workspace, cards, options), strict=True)))

    def _bench(self) -> Workspace:
        return new_workspace(self.game.state, self.game.options_max, SEATS_MAX)

    def _words(self, workspace: Workspace, cards: CardSet, options: Sequence[int]) -> list[str]:
        return [self.game.words.action(workspace.states[0], cards, action) for action in options]

    def _decided(
        self, position: dict[str, Any], decisions: Sequence[str], cards: CardSet
    ) -> tuple[Workspace, np.void, list[int]]:
        """A table after decisions in words, the state before the last of them, and what is open then."""
        workspace = self._bench()
        workspace.states[0] = self.placed(position, cards)
        options = self.open_now(workspace, cards)
        before = workspace.states[0].copy()
        for decision in decisions:
            words = dict(zip(self._words(workspace, cards, options), options, strict=True))
            before = workspace.states[0].copy()
            options = self.open_now(workspace, cards, words[decision])
        return workspace, before, options


def switch_values(rules: type[Any]) -> set[tuple[str, Any]]:
    """Every switch of a game's `Rules` with each of its values."""
    found = set()
    for name, field in rules.model_fields.items():
        if name not in {"source", *rules.CONSTANTS}:
            found |= {(name, value) for value in choices_of(field)}
    return found


def choices_of(field: FieldInfo) -> tuple[Any, ...]:
    """The values of a switch, as card files have them."""
    kind = field.annotation
    if isinstance(kind, type) and issubclass(kind, IntEnum):
        return tuple(member.name.lower() for member in kind)
    assert kind is bool or get_origin(kind) is Literal, f"{kind} is no switch"
    return (False, True) if kind is bool else get_args(kind)


def met_values(rules: type[Any], variants: Mapping[str, Mapping[str, Any]]) -> set[tuple[str, Any]]:
    """The switches with the values that they have in any of the variants."""
    usual = rules().model_dump()
    return {(name, variant.get(name, usual[name])) for variant in variants.values() for name, _ in switch_values(rules)}


def spoiled(position: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    """A position with one thing changed at random: a number, flag or word, or an entry that is gone, doubled or elsewhere."""
    changed: dict[str, Any] = copy.deepcopy(dict(position))
    nodes = [*_nodes(changed)]
    parent, key = rng.choice(nodes)
    value = parent[key]
    if isinstance(value, bool):
        parent[key] = not value
    elif isinstance(value, int):
        parent[key] = rng.choice((0, 1, value - 1, value + 1, value + 2))
    elif isinstance(value, str):
        parent[key] = rng.choice([other[at] for other, at in nodes if isinstance(other[at], str)])
    elif isinstance(value, list) and value:
        at = rng.randrange(len(value))
        taken = value.pop(at) if rng.random() < MOVED else copy.deepcopy(value[at])
        value.insert(rng.randrange(len(value) + 1), taken)
        if rng.random() < MOVED:
            del value[rng.randrange(len(value))]
    elif isinstance(parent, dict):
        del parent[key]
    return changed


def _nodes(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a document as its container and its key there."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield value, key
        if isinstance(inner, dict | list):
            yield from _nodes(inner)
