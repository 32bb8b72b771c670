"""Building blocks of the rule tests: the reference card file, made-up heroes that read like cards, and a compiled table.

The dice of a table are laid out face by face, in the order in which they are rolled: the attack dice, then each target's
Defence dice. A test fails if a move rolls more or fewer dice than it laid out.
"""

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from sim.engine.loop import set_table
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from tests.games.arena.kernel_bridge import Kernels, card_set
from tests.games.arena.model.board import Hex
from tests.games.arena.model.model import PASS, Model, ability_code

CARDS = Path(__file__).parents[3] / "sim" / "games" / "arena" / "cards.toml"


@cache
def _read() -> dict:
    return tomllib.loads(CARDS.read_text(encoding="utf-8"))


def reference(**rules: int | str | bool) -> dict:
    """The reference document, with some rule switches changed."""
    document = _read()
    return document | {"rules": document["rules"] | rules}


def op(name: str, **parameters: int | str) -> dict:
    """One effect."""
    return {"op": name, **parameters}


def shot(*effects: dict, **numbers: int | list[int]) -> dict:
    """An attack: range 3, 3 dice, knockback 1/3/5, by default."""
    usual = {"name": "Shot", "kind": "attack", "range": 3, "attack": 3, "knockback": [1, 3, 5]}
    return usual | numbers | {"effects": list(effects)}


def skill(*effects: dict) -> dict:
    """A utility."""
    return {"name": "Skill", "kind": "utility", "effects": list(effects)}


def gift(*effects: dict) -> dict:
    """A passive."""
    return {"name": "Gift", "kind": "passive", "effects": list(effects)}


def duel(*heroes: tuple[Hex, list[dict]], rules: dict | None = None, **state: object) -> Model:
    """Heroes with given hexes and abilities, Move 2, Defence 1, zones of two; seat 0 is about to use an ability."""
    common = {"move": 2, "defence": 1, "energy": [2, 2, 2], "rage_cap": 3, "dragonling_cap": 3}
    cards = [{"id": f"hero_{seat}", "ability": abilities, **common} for seat, (_, abilities) in enumerate(heroes)]
    document = reference(**(rules or {})) | {"hero": cards}
    where = {seat: place for seat, (place, _) in enumerate(heroes)}
    where |= state.pop("dragonlings", {})
    position = {"heroes": [card["id"] for card in cards], "positions": where, "active": 0}
    return Model.at(document, position | state)


PLAIN = [shot()]
GUARD = [shot(), gift(op("retaliate", push=1))]


HIT = BLOCK = 6
MISS = OPEN = 1
STOP = 169
N, NE, SE, S, SW, NW = range(6)


class Table(Kernels):
    """A game in the kernels."""

    def __getattr__(self, name: str) -> Any:
        """A field of the snapshot: phase, current_player, marker, rage, slow, protection, pool, places, falls, turn, ..."""
        if name.startswith("_"):
            raise AttributeError(name)
        return self.snapshot()[name]

    def at(self, piece: int) -> Hex | None:
        """Where a piece stands; None in the water."""
        return self.positions.get(piece)

    def places_open(self) -> set[Hex]:
        """Hexes among the options."""
        return {self.board.land[code] for code in self.options() if code != STOP}

    def targets_open(self, ability: int) -> list[int]:
        """Pieces that an ability can be aimed at; 16 for a utility or an area attack."""
        codes = range(ability_code(ability, 0), ability_code(ability) + 1)
        return [code - codes[0] for code in self.options() if code in codes]

    def use(self, ability: int, target: int | None = None, dice: tuple[int, ...] = ()) -> "Table":
        """Choose an ability; target None: a utility or an area attack."""
        return self.answer(ability_code(ability, target), dice)

    def pass_on(self) -> "Table":
        """Pass."""
        return self.answer(PASS)

    def go(self, q: int, r: int, dice: tuple[int, ...] = ()) -> "Table":
        """Choose a hex."""
        return self.answer(self.board.number[q, r], dice)

    def stay(self) -> "Table":
        """Choose the hero's own hex."""
        return self.go(*self.positions[self.active])

    def answer(self, code: int, dice: tuple[int, ...] = ()) -> "Table":
        """Carry out one of the options."""
        assert code in self.options(), f"code={code} is not open in {self.phase}: {self.options()}"
        self.script(dice)
        drawn = int(self.dice["drawn"])
        self.apply(code)
        assert int(self.dice["script_at"]) == len(dice), "dice rolled"
        assert int(self.dice["drawn"]) == drawn, "dice were rolled that the test did not lay out"
        return self


def table(*heroes: tuple, rules: dict | None = None, board: str = "standard", **state: Any) -> Table:
    """Heroes as (hex, abilities) or (hex, abilities, numbers); seat 0 is about to use an ability unless `state` differs.

    Usual numbers: Move 2, Defence 1, zones of two, caps of three. state: marker, rage, slow, protection, place by seat,
    dragonlings {piece: hex}, owner {piece: seat}, active, phase, turn, holes (hexes of the board that are water).
    """
    document = made_up([(abilities, *numbers) for _, abilities, *numbers in heroes], board=board, **(rules or {}))
    wet = [list(place) for place in state.pop("holes", ())]
    document["board"] = [b | {"holes": b["holes"] + wet} if b["id"] == board else b for b in document["board"]]
    where = {seat: hero[0] for seat, hero in enumerate(heroes) if hero[0] is not None}
    where |= state.pop("dragonlings", {})
    position = {"heroes": [card["id"] for card in document["hero"]], "positions": where, "active": 0} | state
    return Table(card_set(document)).place(position)


def made_up(heroes: list[tuple], **rules: Any) -> dict:
    """A card file of made-up heroes, each (abilities, numbers) or (abilities,); filled up to three abilities."""
    usual = {"move": 2, "defence": 1, "energy": [2, 2, 2], "rage_cap": 3, "dragonling_cap": 3}
    cards = []
    for seat, (abilities, *numbers) in enumerate(heroes):
        throws = any(any(ability.get("knockback", ())) for ability in abilities)
        filled = [*abilities, *([] if throws else PLAIN)]
        filled += [gift() for _ in range(3 - len(filled))]
        card = {"id": f"hero_{seat}", "name": f"Hero {seat}", **usual, "ability": filled}
        cards.append(card | (numbers[0] if numbers else {}))
    return reference(**rules) | {"hero": cards}


def dealt(seats: int, **rules: Any) -> Table:
    """The reference heroes 0, 1, ... just dealt."""
    return next(deals(seats, 1, **rules))


def deals(seats: int, games: int, **rules: Any) -> Iterator[Table]:
    """The reference heroes 0, 1, ... in games that were just dealt, each with its own dice."""
    cards = card_set(reference(**rules))
    policy = (PolicySpec.parse("random"),)
    experiment = Experiment("arena", cards, seats, policy, games, seed=1, line_up=tuple(range(seats)))
    for plan in experiment.plan(0, games):
        fresh = Table(cards)
        set_table(fresh.workspace, cards.record[0], plan)
        yield fresh.listed()
