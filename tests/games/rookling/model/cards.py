"""Cards of the plain model: a card file read from its document, thresholds, colours and amounts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

GREY = "grey"
ANY = "any"
NUMBERS = 9  # numbers that an energy card can show
ENERGY_KINDS = 6 * NUMBERS  # codes below are energy cards


class Card(NamedTuple):
    """A card of the Field Deck. `slot`: owner * 3 + owner's roster slot of a field effect, None for energy."""

    number: int
    colour: str
    slot: int | None = None


@dataclass(frozen=True)
class Rules:
    """Table `[rules]`: numbers and switches."""

    start_life: int = 6
    heal_cap: int = 6
    hand: int = 4
    hand_max: int = 6
    turn_cap: int = 200
    squad_mode: str = "choose"
    mirror: bool = False
    first_attacker: str = "coin"
    opening_row: str = "defender_first"
    draw_mode: str = "up_to"
    dump: bool = True
    one_line_per_rookling: bool = False
    charge_colour: str = "same_colour"
    siege_chain_blocks: bool = False
    hold_block: str = "if_more"
    hit_on_landing: bool = False
    poison_clear_draw: str = "strict"
    e1_order: str = "heal_first"


class Effect(NamedTuple):
    """One thing that a line does."""

    do: str
    scope: str
    n: int
    token: str


class Numbers(NamedTuple):
    """The numbers of a line on one side of its card. `value`: n of the last effect."""

    number: int
    amount: int
    match_bonus: int
    value: int


@dataclass(frozen=True)
class Line:
    """One ability: the same on both sides but for its numbers."""

    name: str
    kind: str
    colour: str
    match_colour: str
    effects: tuple[Effect, ...]
    front: Numbers
    siege: Numbers

    def side(self, in_siege: bool) -> Numbers:
        """ROOK-57. The numbers that are face up."""
        return self.siege if in_siege else self.front

    def size(self, effect: Effect, in_siege: bool) -> int:
        """The n of an effect: only that of the last one differs between the sides."""
        return self.side(in_siege).value if effect is self.effects[-1] else effect.n


@dataclass(frozen=True)
class Rookling:
    """One of the set. `place`: in the file. `field_effect`: the id that its shuffle_field names, or empty."""

    place: int
    id: str
    name: str
    life: int
    lines: tuple[Line, ...]
    field_effect: str

    def of_kind(self, kind: str) -> list[int]:
        """Indexes of its lines of a kind in printed order."""
        return [index for index, line in enumerate(self.lines) if line.kind == kind]


@dataclass(frozen=True)
class Token:
    """What a token does."""

    place: int
    id: str
    harmful: bool
    fixed: bool
    trigger: str
    until: str
    supply: int
    ops: tuple[tuple[str, int], ...]

    def has(self, op: str) -> bool:
        """Whether it does this at all."""
        return any(name == op for name, _ in self.ops)

    def size(self, op: str) -> int:
        """How much of it, 0 for none."""
        return sum(n for name, n in self.ops if name == op)


@dataclass(frozen=True)
class FieldEffect:
    """A field effect card of the file."""

    place: int
    id: str
    number: int
    colour: str
    copies: int
    token: str


@dataclass(frozen=True)
class Cards:
    """A whole set."""

    rules: Rules
    colours: tuple[str, ...]
    energy: tuple[Card, ...]  # the Field Deck at the start
    rooklings: tuple[Rookling, ...]
    tokens: dict[str, Token]  # in the order of the file
    field_effects: dict[str, FieldEffect]  # in the order of the file

    def rookling(self, name: str) -> Rookling:
        """The Rookling with this id."""
        return next(one for one in self.rooklings if one.id == name)

    def code(self, card: Card) -> int:
        """Kind of a card as a number: colour * 9 + number - 1, or 54 + slot of a field effect."""
        if card.slot is not None:
            return ENERGY_KINDS + card.slot
        return self.colours.index(card.colour) * NUMBERS + card.number - 1


def read_cards(document: dict[str, Any]) -> Cards:
    """A set from its document, as `tomllib` reads it."""
    rules = Rules(**{name: value for name, value in document.get("rules", {}).items() if name != "source"})
    colours = tuple(document["energy"]["colours"])
    return Cards(
        rules=rules,
        colours=colours,
        energy=tuple(_energy(colours, document["energy"]["counts"])),
        rooklings=tuple(_rookling(place, entry, rules) for place, entry in enumerate(document["rookling"])),
        tokens={entry["id"]: _token(place, entry) for place, entry in enumerate(document.get("token", []))},
        field_effects={
            entry["id"]: FieldEffect(place, *(entry[key] for key in ("id", "number", "colour", "copies", "token")))
            for place, entry in enumerate(document.get("field_effect", []))
        },
    )


def _energy(colours: Iterable[str], counts: dict[str, list[int]]) -> Iterable[Card]:
    for colour in colours:
        for number, copies in enumerate(counts[colour], start=1):
            yield from [Card(number, colour)] * copies


def _token(place: int, entry: dict[str, Any]) -> Token:
    ops = tuple((op["op"], op.get("n", 1)) for op in entry["ops"])
    flags = (entry.get("harmful", False), entry.get("fixed", False))
    return Token(place, entry["id"], *flags, entry["trigger"], entry["until"], entry.get("supply", 0), ops)


def _rookling(place: int, entry: dict[str, Any], rules: Rules) -> Rookling:
    effects = [effect for line in entry["line"] for effect in line.get("effects", [])]
    shuffled = [effect["field_effect"] for effect in effects if effect["do"] == "shuffle_field"]
    lines = tuple(_line(line) for line in entry["line"])
    life = entry.get("life", rules.start_life)
    return Rookling(place, entry["id"], entry["name"], life, lines, shuffled[0] if shuffled else "")


def _line(entry: dict[str, Any]) -> Line:
    effects = tuple(
        Effect(one["do"], one.get("scope", "self"), one.get("n", 1), one.get("token", "")) for one in entry.get("effects", [])
    )
    last = effects[-1].n if effects else 0
    front = Numbers(entry["number"], entry.get("amount", 0), entry.get("match_bonus", 0), last)
    siege = front._replace(**entry.get("siege", {}))
    return Line(entry["name"], entry["kind"], entry["colour"], entry.get("match_colour", ""), effects, front, siege)


def counting(line: Line, cards: Sequence[Card], rules: Rules) -> list[int]:
    """ROOK-23, 24. Indexes of the cards that count for a line.

    A-05: with `any_match` one card of the colour makes all cards count, grey ones too.
    """
    every = list(range(len(cards)))
    of_colour = [index for index in every if cards[index].colour == line.colour]
    if line.colour == ANY:
        return every
    if rules.charge_colour == "any_match":
        return every if of_colour else []
    return of_colour


def is_met(line: Line, cards: Sequence[Card], in_siege: bool, rules: Rules) -> bool:
    """ROOK-22, 25. Whether the cards that count show the line's number together; no card, nothing met."""
    counted = counting(line, cards, rules)
    return bool(counted) and sum(cards[index].number for index in counted) >= line.side(in_siege).number


def own_amount(line: Line, cards: Sequence[Card], in_siege: bool) -> int:
    """ROOK-26. What a line in use gives by itself: its amount, once more its bonus if a card has the match colour."""
    side = line.side(in_siege)
    matched = line.match_colour and any(card.colour == line.match_colour for card in cards)
    return side.amount + (side.match_bonus if matched else 0)


def offer(own: int, flat: int, plus: int) -> int:
    """ROOK-39. Plus bonuses need a base to stand on; no amount is below 0."""
    base = own + flat
    return 0 if base == 0 else max(0, base + plus)
