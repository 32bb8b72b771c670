"""Random card files: every op, target, keyword, moment, stat and rule variant, in odd combinations."""

from random import Random
from typing import Any

from sim.games.runeslingers.cards import When
from sim.games.runeslingers.cards.schema import FLAGS, SUMS, Rules
from tests.games.playing import choices_of
from tests.games.runeslingers.model.documents import reference_document
from tests.games.runeslingers.model.table import BOOST_WORDS, TYPES

SWITCHES = {  # those that games notice
    name: choices_of(field)
    for name, field in Rules.model_fields.items()
    if name not in {"source", "draft_copies", *Rules.CONSTANTS}
}
RULES = {
    "start_power": (3, 5, 9),
    "start_hand": (3, 5, 8),
    "max_hand": (4, 8, 12),
    "concentration_areas": (3, 6),
    "ailment_areas": (2, 4),
    "ailment_limit": (4, 8),
    "draw": (1, 2, 4),
    "first_draw": (0, 1),
    "pass_draw": (1, 3),
    "sets_per_turn": (1, 3),
    "blocks_per_turn": (1, 2),
}
ON_PLAYERS = ("lose", "heal", "apply", "remove", "convert", "draw", "sear", "void", "discard", "discard_random")
TARGETS = ("runeslinger", "enemy", "self", "each")
HURT = ("any", "runeslinger", "enemy", "own", "defence", "self", "each")
CARDS = ("defence", "runespell", "concentration", "card")
MOMENTS = [when.name.lower() for when in When if When.NONE < when <= When.LEAVES]
CONDITIONS = ("always", "always", "owned", "not_owned")
TYPES_OF_CARDS = ("spirit", "attack", "utility", "chant", "trinket", "boon", "boon")
COPIES = 2
CARDS_N = 20
DECK_SIZE = 30
TURN_CAP = 60


class Writer:
    """Random texts. rng: their source."""

    def __init__(self, rng: Random):
        self.rng = rng
        self.chosen = False  # a list announces types at most once

    def amount(self, most: int) -> int:
        """Mostly small."""
        return self.rng.choice((0, 1, 1, 2, 2, 3, self.rng.randint(1, most)))

    def on_player(self, targets: tuple[str, ...]) -> dict[str, Any]:
        """An effect on Runeslingers."""
        op = self.rng.choice((*ON_PLAYERS, "apply", "apply"))
        row: dict[str, Any] = {"op": op, "n": self.amount(8), "to": self.rng.choice(targets)}
        if op in ("apply", "convert"):
            row["ailment" if op == "apply" else "into"] = self.rng.choice(TYPES)
            if not self.chosen and self.rng.random() < 0.4:
                self.chosen = True
                row["ailment" if op == "apply" else "into"] = "choose"
                if op == "apply":
                    row["n"], row["distinct"] = self.rng.randint(1, 4), self.rng.random() < 0.5
        return row

    def damage(self, targets: tuple[str, ...]) -> dict[str, Any]:
        """Damage with optional extras."""
        row: dict[str, Any] = {"op": "damage", "n": self.amount(14), "to": self.rng.choice(targets)}
        if self.rng.random() < 0.2:
            row["direct"] = True
        if row["to"] != "defence":
            if self.rng.random() < 0.2:
                row["per"] = "target_ailments"
            if self.rng.random() < 0.4:
                row["hit"] = [self.on_player(("same",)) for _ in range(self.rng.randint(1, 2))]
        return row

    def effect(self, targets: tuple[str, ...], *, trap: bool = False) -> dict[str, Any]:
        """Any effect. targets: of damage, none of utility runespells."""
        kinds = ["player", "player", "player", "destroy", "barrier", "plain", *["damage"] * 3 * bool(targets)]
        kind = self.rng.choice([*kinds, *["trap"] * 2 * trap])
        if kind == "player":
            return self.on_player(TARGETS)
        if kind == "damage":
            return self.damage(targets)
        if kind in ("destroy", "trap"):
            return {"op": kind, "to": self.rng.choice(CARDS)}
        if kind == "barrier":
            return {"op": "barrier", "n": self.amount(8), "to": self.rng.choice(HURT)}
        op = self.rng.choice(("light", "extra_set", "boost"))
        if op != "boost":
            return {"op": op, "n": self.amount(3)}
        stat = self.rng.choice(BOOST_WORDS)
        return {"op": op, "stat": stat, **({} if stat.startswith("pierce") else {"n": self.amount(4)})}

    def effects(
        self, most: int, targets: tuple[str, ...] = HURT, *, trap: bool = False, shared: bool = False
    ) -> list[dict[str, Any]]:
        """A list of effects. shared: the announced choice is the only one of its card, not of the list."""
        self.chosen = self.chosen and shared
        return [self.effect(targets, trap=trap) for _ in range(self.rng.randint(1, most))]

    def static(self, *, sums: bool = False, owned: bool = False) -> dict[str, Any]:
        """A static. sums: only adding stats; owned: on cards."""
        stat = self.rng.choice(SUMS if sums else (*SUMS, "max_hand", "max_hand", *FLAGS))
        row: dict[str, Any] = {"stat": stat, "scope": self.rng.choice(("self", "enemy", "each"))}
        if stat == "max_hand":
            row["n"] = self.rng.randint(0, 12)
        elif stat not in FLAGS:
            row["n"] = self.rng.choice((-2, -1, -1, 1, 2))
        if owned:
            row["if"] = self.rng.choice(CONDITIONS)
        return row

    def statics(self, most: int, **where: bool) -> list[dict[str, Any]]:
        """A list of statics."""
        return [self.static(**where) for _ in range(self.rng.randint(0, most))]

    def triggers(self, most: int, moments: list[str], *, owned: bool) -> list[dict[str, Any]]:
        """Triggers, no moment more than twice."""
        rows: list[dict[str, Any]] = []
        for _ in range(self.rng.randint(0, most)):
            when = self.rng.choice(moments)
            if sum(row["when"] == when for row in rows) < 2:
                of_the_card = self.chosen
                row = {"when": when, "effects": self.effects(2)}
                self.chosen = of_the_card
                rows.append({**row, "if": self.rng.choice(CONDITIONS)} if owned else row)
        return rows

    def activated(self) -> dict[str, Any]:
        """An activated effect whose use is limited."""
        costs: dict[str, Any] = {"light": self.rng.randint(0, 2), "tokens": self.rng.choice((0, 0, 1))}
        costs["per_turn"] = self.rng.randint(1, 2)
        if self.rng.random() < 0.3:
            costs["use"] = True
        return costs

    def card(self, number: int) -> dict[str, Any]:
        """A card of any type."""
        kind, self.chosen = self.rng.choice(TYPES_OF_CARDS), False
        row: dict[str, Any] = {"id": f"card_{number}", "name": f"Card {number}", "type": kind, "rarity": "common"}
        row["cost"] = self.rng.choice((0, 0, 1, 1, 2, 3))
        keywords = [word for word in ("shout", "distract") if self.rng.random() < 0.3]
        if kind == "boon" and "distract" in keywords:
            keywords.remove("distract")
        standing = kind in ("chant", "trinket", "boon")
        hurt = {"utility": (), "attack": ("runeslinger", "enemy")}.get(kind, HURT)
        trap = kind in ("chant", "trinket")
        if self.rng.random() < 0.2:
            keywords.append(self.rng.choice(("choice", "fate")))
            row["bullets"] = [self.effects(2, hurt, trap=trap, shared=True) for _ in range(self.rng.randint(2, 3))]
        elif not standing or self.rng.random() < 0.5:
            row["effects"] = self.effects(3, hurt, trap=trap, shared=True)
        if self.rng.random() < 0.15:
            row["extra_cost"] = {"discard": self.rng.randint(1, 3)}
        if standing:
            self.standing(row, keywords, trap=trap)
        if "damage" in str(row) and len(keywords) < 3 and self.rng.random() < 0.4 and _hurts(row):
            keywords.insert(0, "pierce")
        row["keywords"] = keywords
        return row

    def standing(self, row: dict[str, Any], keywords: list[str], *, trap: bool) -> None:
        """Fields that only defence cards have."""
        row["defence"] = self.rng.randint(1, 9)
        row["statics"] = self.statics(2, owned=True)
        row["triggers"] = self.triggers(2, MOMENTS, owned=True)
        if self.rng.random() < 0.5:
            row["activated"] = [{**self.activated(), "effects": self.effects(2, trap=trap, shared=True)}]
            if row["activated"][0].get("use"):
                if len(keywords) < 3:
                    keywords.append("use")
                else:
                    del row["activated"][0]["use"]
        if len(keywords) < 3 and self.rng.random() < 0.4:
            keywords.append("token")
            row["tokens"] = self.rng.randint(1, 3)
        if len(keywords) < 3 and self.rng.random() < 0.4:
            keywords.append("charge")
        lists = [row.get("effects", []), *row.get("bullets", []), *(act["effects"] for act in row.get("activated", []))]
        if any(effect["op"] == "trap" for effects in lists for effect in effects):
            others = [trigger for trigger in row["triggers"] if trigger["when"] != "leaves"]
            row["triggers"] = [*others, {"when": "leaves", "effects": [{"op": "release"}]}]
            if len(others) < 2 and self.rng.random() < 0.5:
                row["triggers"].append({"when": "leaves", "effects": self.effects(2)})

    def ailment(self, entry: dict[str, Any]) -> dict[str, Any]:
        """An ailment with its level II."""
        safe = ("lose", "heal", "draw", "sear", "void", "discard", "discard_random")

        def short(n: int) -> list[dict[str, Any]]:
            return [{"op": self.rng.choice(safe), "n": self.rng.randint(1, 2)} for _ in range(self.rng.randint(0, n))]

        return {
            "id": entry["id"],
            "threshold": self.rng.randint(1, 4),
            "on_apply": short(2),
            "per_instance": self.statics(1, sums=True),
            "while_any": self.statics(1),
            "level2": self.statics(2),
            "ailment_phase": short(2),
            "after_draw": short(1),
        }


def _at_set_up(static: dict[str, Any]) -> bool:
    """Whether a stance's hand size raises no question before any player is active: its own player's, of a card or more."""
    return static["stat"] != "max_hand" or (static["scope"] == "self" and static["n"] > 0)


def _hurts(row: dict[str, Any]) -> bool:
    lists = [row.get("effects", []), *row.get("bullets", [])]
    lists += [part["effects"] for name in ("triggers", "activated") for part in row.get(name, [])]
    return any(effect["op"] == "damage" for effects in lists for effect in effects)


def random_switches(rng: Random) -> dict[str, Any]:
    """Some rule variants other than the default."""
    return {name: rng.choice(values) for name, values in SWITCHES.items() if rng.random() < 0.5}


def random_document(rng: Random) -> dict[str, Any]:
    """A card file with two decks."""
    write = Writer(rng)
    constants = {name: rng.choice(values) for name, values in RULES.items() if rng.random() < 0.3}
    document = reference_document(**random_switches(rng), **constants, turn_cap=TURN_CAP)
    for name in ("runeslinger", "stance", "ability"):
        for entry in document[name]:
            entry["class"] = "Oddling"
    if rng.random() < 0.7:
        document["ailment"] = [write.ailment(entry) for entry in document["ailment"]]
    for hero in document["runeslinger"]:
        hero["health"] = rng.randint(8, 24)
        effects = write.effects(2)
        least = int(any(effect["op"] == "light" for effect in effects))  # an effect that gives light needs a limit
        hero["inherent"] = {"light": 1, "per_turn": rng.randint(least, 2), "effects": effects}
    for stance in document["stance"]:
        stance["statics"] = [row for row in write.statics(2) if _at_set_up(row)]
        stance["triggers"] = write.triggers(2, MOMENTS[:-2], owned=False)
    for ability in document["ability"]:
        ability["effects"] = write.effects(3)
    document["card"] = [write.card(number) for number in range(CARDS_N)]
    document["deck"] = [_deck(document, rng, f"deck_{number}") for number in range(2)]
    return document


def _deck(document: dict[str, Any], rng: Random, name: str) -> dict[str, Any]:
    copies = [card["id"] for card in document["card"] for _ in range(COPIES)]
    taken = rng.sample(copies, DECK_SIZE)
    loadout = {table: rng.choice(document[table])["id"] for table in ("runeslinger", "stance", "ability")}
    return {"id": name, "cards": {card: taken.count(card) for card in dict.fromkeys(taken)}, **loadout}
