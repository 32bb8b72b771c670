"""What is counted in a game of the Riftborn Tactics model, for OUTCOME.

How often an ability acted, by the seat of its creature: BLOCK when it lowers an answer, PIERCE when it lets some of it
pass, RAGE and SIPHON when they bring something, RESISTANCE when it halves, MAGIC when it overrides RESISTANCE (that of
Weapons too), RANGE and FLIGHT per target of a creature's attack that they bring into reach, VANGUARD per answer or
opportunity above 0, RELENTLESS per blow that goes on, DASH per swap after the first, HASTE per Action in the turn of
entering, DOUBLE ATTACK per second strike, STEALTH per creature that enters face down, DEPLETED per card removed, UNDEATH
per return, TRICK per list carried out; DRAW, SCRY and SPY whenever they are done, by effects too; Actions whenever they
are used. Those that only forbid or always act are not counted.
"""

from collections import Counter
from collections.abc import Sequence
from math import nan
from typing import TYPE_CHECKING, Any

from sim.games.riftborn.cards import LEVELS, Ability
from sim.games.riftborn.state import CURVE, DISTINCT, NOT_DECIDED, Gain, Harm, Wound
from tests.games.riftborn.model.cards import Card

if TYPE_CHECKING:
    from tests.games.riftborn.model.state import Table

SEATS = (0, 1)


class Facts:
    """Counters of a game. decks: by seat."""

    def __init__(self, decks: Sequence[tuple[Card, ...]]):
        self.slots = [list(dict.fromkeys(card.id for card in deck)) for deck in decks]
        self.own_turns = [0, 0]
        self.levels: list[dict[int, int]] = [{1: 1}, {1: 1}]  # own turn by level
        self.gained: list[Counter[str]] = [Counter(), Counter()]
        self.curves: list[list[dict[str, int]]] = [[], []]  # one row per own turn
        self.wounds: list[Counter[Wound]] = [Counter(), Counter()]
        self.absorbed = [0, 0]
        self.damage: list[Counter[Harm]] = [Counter(), Counter()]  # dealt, by kind of blow
        self.deaths: list[Counter[Harm]] = [Counter(), Counter()]
        self.kills = [0, 0]
        self.first_kill: int | None = None
        self.first_kill_turn = [0, 0]
        self.refills, self.laid, self.fired, self.returned_cards = [0, 0], [0, 0], [0, 0], [0, 0]
        self.times: list[Counter[str]] = [Counter(), Counter()]
        self.cards: list[Counter[tuple[str, str]]] = [Counter(), Counter()]  # by card and what is counted
        self.done_this_turn = 0
        self.longest_turn = [0, 0]
        self.ended_by: Wound | None = None

    def now(self, seat: int) -> int:
        """Own turn, 1 before the first."""
        return max(1, self.own_turns[seat])

    def open_turn(self, seat: int) -> None:
        """A start step begins."""
        self.own_turns[seat] += 1
        self.done_this_turn = 0

    def close_turn(self, table: "Table") -> None:
        """The active player's turn is over, or the game with it."""
        seat = table.active
        self.longest_turn[seat] = max(self.longest_turn[seat], self.done_this_turn)
        self.curves[seat].append(
            {
                "xp_after": table.players[seat].xp,
                "played_after": self.gained[seat]["play"] + self.gained[seat]["summon"],
                "killed_after": self.gained[seat]["kill"],
                "level_after": table.level(seat),
                "unused_after": table.budget(seat),
            }
        )

    def gain(self, seat: int, xp: int, source: str, level: int) -> None:
        """RIFT-21. Experience, and the level it leads to."""
        self.gained[seat][source] += xp
        for reached in range(1, level + 1):
            self.levels[seat].setdefault(reached, self.now(seat))

    def acted(self, seat: int, ability: str) -> None:
        """An ability did something."""
        self.times[seat][ability] += 1

    def drew(self, seat: int, card: Card) -> None:
        """A card came into the hand."""
        self.cards[seat][card.id, "drawn"] += 1
        self._first(seat, card, "drawn_turn")

    def gave_back(self, seat: int, card: Card) -> None:
        """A card was returned before the game: it counts as never drawn."""
        self.cards[seat][card.id, "drawn"] -= 1
        if not self.cards[seat][card.id, "drawn"]:
            self.cards[seat][card.id, "drawn_turn"] = 0

    def played(self, seat: int, card: Card) -> None:
        """A card was played, by an effect too."""
        self.cards[seat][card.id, "plays"] += 1
        self._first(seat, card, "played_turn")

    def _first(self, seat: int, card: Card, what: str) -> None:
        if not self.cards[seat][card.id, what]:
            self.cards[seat][card.id, what] = self.now(seat)

    def dealt(self, seat: int, card: Card, n: int, harm: Harm) -> None:
        """Damage of a blow, to creatures and players."""
        self.damage[seat][harm] += n
        self.cards[seat][card.id, "card_damage"] += n

    def killed(self, seat: int) -> None:
        """A seat earned experience by a kill."""
        self.kills[seat] += 1
        if self.first_kill is None:
            self.first_kill = seat
        self.first_kill_turn[seat] = self.first_kill_turn[seat] or self.now(seat)


def outcome(table: "Table") -> dict[str, Any]:
    """The facts under the names of the OUTCOME fields; lists by seat where those have seats."""
    facts, players = table.facts, table.players
    return {
        "player_turns": table.turn + table.over,
        "ended_by": NOT_DECIDED if facts.ended_by is None else int(facts.ended_by),
        "drawn_game": int(table.over and table.winner is None),
        "went_first": [int(table.first == seat) for seat in SEATS],
        "end_life": [player.life for player in players],
        "end_xp": [player.xp for player in players],
        "end_level": [table.level(seat) for seat in SEATS],
        "level_turn": [[held.get(level, 0) for level in range(1, LEVELS + 1)] for held in facts.levels],
        "gained": [[gained[gain.name.lower()] for gain in Gain] for gained in facts.gained],
        "first_kill": [int(facts.first_kill == seat) for seat in SEATS],
        "kill_share": [facts.gained[seat]["kill"] / players[seat].xp if players[seat].xp else nan for seat in SEATS],
        "wounds": [[wounds[wound] for wound in Wound] for wounds in facts.wounds],
        "answer_damage": [damage[Harm.ANSWER] for damage in facts.damage],
        "opportunity_damage": [damage[Harm.OPPORTUNITY] for damage in facts.damage],
        "deaths": [[deaths[harm] for harm in Harm] for deaths in facts.deaths],
        "times": [[times[one.name.replace("_", " ")] for one in Ability] for times in facts.times],
        **{name: getattr(facts, name) for name in _BY_SEAT},
        **{name: [_curve(facts.curves[seat], name) for seat in SEATS] for name in _CURVES},
        **{name: [_by_slot(facts, seat, name) for seat in SEATS] for name in _CARDS},
        "stayed": [[sum(card.id == name for card in players[seat].hand) for name in _slots(facts, seat)] for seat in SEATS],
    }


_BY_SEAT = ("own_turns", "first_kill_turn", "kills", "absorbed", "refills", "laid", "fired", "returned_cards", "longest_turn")
_CURVES = ("xp_after", "played_after", "killed_after", "level_after", "unused_after")
_CARDS = ("drawn_turn", "played_turn", "drawn", "plays", "card_kills", "card_damage")


def _curve(rows: list[dict[str, int]], name: str) -> list[float]:
    values = [float(row[name]) for row in rows[:CURVE]]
    return values + [nan] * (CURVE - len(values))


def _slots(facts: Facts, seat: int) -> list[str]:
    names = facts.slots[seat]
    return names + [""] * (DISTINCT - len(names))


def _by_slot(facts: Facts, seat: int, name: str) -> list[int]:
    return [facts.cards[seat][card, name] for card in _slots(facts, seat)]
