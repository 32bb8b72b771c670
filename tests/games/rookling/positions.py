"""A game of Rookling Heroes on a table laid out for a test: the position in words, decisions in words, draws card by card.

    game = table(a("rime rute hiss", hand="red 4, blue 3"), a("stone delvi banner", life=(0, 6, 6)))
    game.do("put red 4 on Hiss", "activate Pressure", draws=["blue 1", "green 2"])
    assert game.hand(0) == ["blue 3", "blue 1", "green 2"]

Positions are those of scenario files (`sim/games/rookling/position/`); threes go from left to right. A test fails if a decision
is not open, or if its draws differ from the script.
"""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from sim.engine.cardfiles.paths import plain
from sim.engine.cards import CardSet, changed
from sim.engine.contract import offer
from sim.games.rookling import GAME
from sim.games.rookling.position import EXCHANGE as KEYS_OF_THE_EXCHANGE
from sim.games.rookling.state import Phase, order_of
from tests.model import play

offer(GAME)
REFERENCE = GAME.load(None)
EXCHANGE = "exchange"
DECISIONS_MAX = 300  # in a row: more of them do not come to an end
OTHERS = ("shadow", "stone", "spring", "banner", "thorn", "valt")  # of them the opponent's squad where it does not matter
LISTS = ("hand", "pile", "squad")
THREE_LISTS = ("tokens", "coming", "slid", "fixed", "energy", "powered", "activated", "lines")
OF_THE_EXCHANGE = {key.key for key in KEYS_OF_THE_EXCHANGE}
RESOLVING = ("next", "side", "block")


class Play(play.Play):
    """One game, stepped by decisions in words."""

    game = GAME

    def do(self, *decisions: str | int, draws: Sequence[str] | None = None) -> "Play":
        """Take decisions in words or by their codes; those without a choice may be left out.

        draws: all cards that are drawn by them, in order; None: chance decides.
        """
        self._script(draws)
        for decision in decisions:
            self._take(decision)
        self._check_script(decisions, draws)
        return self

    def idle(self, phase: str = "", draws: Sequence[str] | None = None) -> "Play":
        """Take the lowest option (do nothing) until the exchange is over, or a decision of `phase` is at hand."""
        self._script(draws)
        turn = self.turn
        for _ in range(DECISIONS_MAX):
            if self.over or self.turn != turn or self.phase == phase:
                self._check_script(("idle",), draws)
                return self
            self._advance(next(iter(self._open.values())))
        raise AssertionError(f"{phase} did not come")

    def every_way(self) -> Iterator["Play"]:
        """One game for each way in which the resolution under way can be decided."""
        if self.over or self.phase not in RESOLVING:
            yield self
            return
        for action in self.codes:
            yield from self.fork().do(action).every_way()

    @property
    def codes(self) -> list[int]:
        """Legal actions by their codes."""
        return [*self._open.values()]

    @property
    def phase(self) -> str:
        """Decision at hand: `row`, `assign`, ..."""
        return Phase(self.state["phase"]).name.lower()

    def row(self, seat: int) -> list[str]:
        """Who stands where."""
        return self.player(seat)["row"]

    def life(self, seat: int) -> tuple[int, ...]:
        """Lives by position."""
        return tuple(int(self.state["life"][seat, slot]) for slot in order_of(self.state, seat))

    def hand(self, seat: int) -> list[str]:
        """Cards in a hand."""
        return self.player(seat)["hand"]

    def under(self, seat: int, which: str = "tokens") -> list[list[str]]:
        """Tokens by position. which: `tokens` cards that are active, `coming` ones, `slid` field effects, `fixed` ones."""
        return self.player(seat)[which]

    def amounts(self, field: str) -> tuple[int, ...]:
        """By position. field: `att`, `dfn` or `cover`."""
        return tuple(int(amount) for amount in self.state[field])

    def _script(self, draws: Sequence[str] | None) -> None:
        """Hand the cards to the dice; none at all as a script that has run out."""
        record, named = self.workspace.dice[0], draws or ()
        record["draws"][: len(named)] = [GAME.words.draw(words, self.cards) for words in named]
        record["draws_scripted"] = 0 if draws is None else max(1, len(named))
        record["draws_at"] = 1 if draws is not None and not named else 0
        record["draw_refused"] = 0

    def _check_script(self, decisions: tuple[str | int, ...], draws: Sequence[str] | None) -> None:
        record = self.workspace.dice[0]
        assert record["draw_refused"] == 0, f"{decisions}: draw {record['draw_refused']} is not left"
        if draws is not None:
            drawn = int(record["draws_at"]) - (not draws)
            assert drawn == len(draws), f"{decisions}: {drawn} draws, {len(draws)} expected"

    def _take(self, decision: str | int) -> None:
        for _ in range(DECISIONS_MAX):
            known = {plain(words): action for words, action in self._open.items()}
            if decision in self.codes or plain(str(decision)) in known:
                self._advance(decision if isinstance(decision, int) else known[plain(decision)])
                return
            assert len(self._open) == 1, f"{decision} is not open: {self.options}"
            self._advance(next(iter(self._open.values())))
        raise AssertionError(f"{decision} did not come")


def a(row: str, **facts: Any) -> dict[str, Any]:
    """One player of a position. row: ids from left to right; facts as in scenario files, with cards in one string.

    hand="red 4, blue 3", life=(0, 6, 6), tokens=("frozen, poisoned", "", ""), energy=("red 4", "", ""), and of the exchange
    capacity=(2, 1, 1), attack_flat=(1, 0, 0), lines=("Frost Bite", "", ""), ...
    """
    entry: dict[str, Any] = {"squad": row.split(), "row": row.split(), EXCHANGE: {}}
    for key, value in facts.items():
        (entry[EXCHANGE] if key in OF_THE_EXCHANGE else entry)[key] = _in_lists(key, value)
    return entry


def _in_lists(key: str, value: Any) -> Any:
    if key in LISTS:
        return _split(value)
    if key in THREE_LISTS:
        return [_split(words) for words in value]
    return list(value) if isinstance(value, tuple) else value


def _split(words: str) -> list[str]:
    return [word for word in words.replace("; ", ", ").split(", ") if word]


def table(own: dict[str, Any], other: dict[str, Any] | None = None, **position: Any) -> Play:
    """A position, by default the second exchange with seat 0 about to place energy for its attack.

    rules: {"dump": False} of the card file; changes: {"rookling.rime.line.frost_bite.amount": 3}, by path; anything else
    as in scenario files: phase, defending, attack=(3, 0, 0), defence, deck={"red 4": 2}, pending...
    """
    cards = card_set(position.pop("rules", {}), position.pop("changes", {}))
    return placed(cards, [own, other or others(own)], **position)


def others(own: dict[str, Any], **facts: Any) -> dict[str, Any]:
    """A squad that shares no Rookling with this one: Shadow, Stone, Spring if these are free."""
    return a(" ".join([rook for rook in OTHERS if rook not in own["squad"]][:3]), **facts)


def clash(life: Sequence[int], attack: Sequence[int], defence: Sequence[int] = (0, 0, 0), **position: Any) -> Play:
    """Attacks of seat 0 about to be resolved against the row of seat 1, with its lives and defences."""
    own = a("rime rute hiss") | position.pop("own", {})
    other = others(own, life=tuple(life)) | position.pop("other", {})
    return table(own, other, **{"phase": "next", "attack": tuple(attack), "defence": tuple(defence)} | position)


def placed(cards: CardSet, players: list[dict[str, Any]], **position: Any) -> Play:
    """A position with these cards in a new workspace."""
    lists = {key: list(value) if isinstance(value, tuple) else value for key, value in position.items()}
    return Play.placed(cards, {"phase": "assign", "turn": 1, "players": players} | lists)


def dealt(own: str, other: str, game: int = 0, cards: CardSet | None = None) -> Play:
    """A game just dealt with these squads in the order of the card file. game: which one, each has its own dice."""
    cards = cards or card_set()
    return Play.dealt(cards, [cards.ids.index("+".join(squad.split())) for squad in (own, other)], game)


def card_set(rules: dict[str, Any] | None = None, changes: dict[str, Any] | None = None) -> CardSet:
    """The reference cards, with some rules and fields at other values."""
    paths = {f"rules.{rule}": value for rule, value in (rules or {}).items()} | (changes or {})
    return _card_set(json.dumps(paths))


@cache
def _card_set(paths: str) -> CardSet:
    """The same from what JSON makes of new values by path: that can be a key of the cache."""
    document = REFERENCE.document
    for path, value in json.loads(paths).items():
        document = changed(document, path, value)
    return GAME.from_document(dict(document))
