"""The rules of a card file of Card Rogue (register sections 2.2 and 8): constants, switches, table, gold cards."""

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from sim.engine.cards import CardModel, Identifier, Problem, Source
from sim.games.cardrogue.effects import Face
from sim.games.cardrogue.record import DENOMINATIONS_MAX, DIE_FACES, GOALS_MAX, ROWS_MAX, STRIDE
from sim.games.cardrogue.traits import twice

OFFERS_MAX = 3  # the last of them is held against the two that a state remembers
GAP_MAX = 8  # four starting tiles with 8 cells between them are as much as fits on the widest table

AnyFaces = Annotated[list[Face], Field(max_length=DIE_FACES, description="faces of the die, empty for never")]
Points = Annotated[int, Field(ge=0, le=5)]
Small = Annotated[int, Field(ge=0, le=20)]
Price = Annotated[int, Field(ge=0, le=50)]


class Rules(CardModel):
    """`[rules]`: the constants of register section 2.2 and the variant switches of section 8."""

    CONSTANTS: ClassVar[frozenset[str]] = frozenset(
        {"base_max_health", "flee_faces", "trip_faces", "steal_faces", "fountain_heal", "fountain_drain_faces"}
        | {"buy_multiplier", "mole_fee", "vp_chest", "vp_exit", "source"}
    )  # not in question, so that they are no switches

    base_max_health: Annotated[int, Field(ge=1, le=30)] = 10
    flee_faces: AnyFaces = Field(default_factory=lambda: [4, 5, 6])
    trip_faces: AnyFaces = Field(default_factory=lambda: [4, 5, 6])
    steal_faces: AnyFaces = Field(default_factory=lambda: [6])
    fountain_heal: Small = 2
    fountain_drain_faces: AnyFaces = Field(default_factory=lambda: [6])
    buy_multiplier: Annotated[int, Field(ge=1, le=9)] = 2
    mole_fee: Price = 10
    vp_chest: Points = 1
    vp_exit: Points = 1
    offers_per_turn: Annotated[int, Field(ge=0, le=OFFERS_MAX)] = 2
    equip_changes: Small = 6
    max_rounds: Annotated[int, Field(ge=1, le=10_000)] = 400
    idle_rounds: Annotated[int, Field(ge=1, le=1_000)] = 30
    repeat_moves: Annotated[int, Field(ge=0, le=8)] = 1
    goals: Annotated[list[Identifier], Field(max_length=GOALS_MAX)] = Field(default_factory=lambda: ["chest"])
    lives: Annotated[int, Field(ge=1, le=9)] = 1
    characters: Literal["random", "draft", "list"] = "random"
    flip_rule: Literal["path", "orthogonal"] = "path"
    replacement_trap: Literal["triggers", "lies"] = "triggers"
    resume_after_flip: Literal["move", "flip"] = "move"
    imp_dodge: Literal["always", "not_lethal"] = "always"
    paralysis_in_combat: Literal["enemy_acts", "turn_lost"] = "enemy_acts"
    bard_six: Literal["flee_free", "flee_roll", "off"] = "flee_free"
    shield_scope: Literal["all", "attacked"] = "all"
    enemy_restore: Literal["last_leaves", "any_flight"] = "last_leaves"
    equip_in_combat: bool = False
    sold_items: Literal["discarded", "back_to_shop"] = "discarded"
    teleport_targets: Literal["plain_and_traps", "plain", "any_revealed"] = "plain_and_traps"
    source: Source = None

    def problems(self) -> Iterator[Problem]:
        """Faces and goals that stand twice."""
        for field in ("flee_faces", "trip_faces", "steal_faces", "fountain_drain_faces", "goals"):
            yield from twice((field,), getattr(self, field))


class Table(CardModel):
    """`[table]`: cells, and face-down cards between starting tiles."""

    columns: Annotated[int, Field(ge=8, le=STRIDE)] = 30
    rows: Annotated[int, Field(ge=4, le=ROWS_MAX)] = 18
    gap: Annotated[int, Field(ge=4, le=GAP_MAX)] = 4
    source: Source = None


class Gold(CardModel):
    """`[gold]`: what gold cards there are."""

    denominations: Annotated[
        list[Annotated[int, Field(ge=1, le=100)]], Field(min_length=1, max_length=DENOMINATIONS_MAX)
    ] = Field(default_factory=lambda: [10, 5, 2, 1])
    source: Source = None

    def problems(self) -> Iterator[Problem]:
        """Denominations that do not fall, or cannot make up every amount."""
        if any(one <= other for one, other in zip(self.denominations, self.denominations[1:], strict=False)):
            yield Problem(("denominations",), "do not fall", "each must be smaller than the one before it")
        elif self.denominations[-1] != 1:
            yield Problem(("denominations",), "cannot make up every amount", "must end with 1")
