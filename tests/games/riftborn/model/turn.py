"""Turns, mulligan and played cards in the Riftborn Tactics model, and its interface. RIFT-06 to 17, 22 to 28, 131.

`snapshot` gives the state of a game as plain values, to be compared with another game's.
"""

from collections.abc import Callable
from typing import Any

from sim.games.riftborn.state import NOBODY, Phase
from tests.games.riftborn.model.attack import creature_codes, use_creature, use_weapon, weapon_codes
from tests.games.riftborn.model.cards import TRICKS, Cards
from tests.games.riftborn.model.effects import Acting, bring, check_and_earn, run_list, spring, when_played, work_off
from tests.games.riftborn.model.placement import abilities, attack, maximum, turn_up, x_of
from tests.games.riftborn.model.players import draw, lay_off, shuffle
from tests.games.riftborn.model.state import (
    ACTIVE,
    PER_ROW,
    SEATS,
    WAITING,
    Armour,
    Asking,
    Chance,
    Creature,
    GameOver,
    Question,
    Table,
    Weapon,
    laid_out,
)


def set_up(table: Table) -> Asking[None]:
    """RIFT-06 to 08. Decks, hands, mulligans, coin."""
    for seat in SEATS:
        shuffle(table, seat, list(table.players[seat].deck))
        draw(table, seat, table.rules.start_hand)
    for seat in SEATS:
        for _ in range(table.rules.mulligans):
            yield from mulligan(table, seat)
    table.first = table.active = table.chance.coin()


def mulligan(table: Table, seat: int) -> Asking[None]:
    """RIFT-07. All cards are asked for before any is returned."""
    player = table.players[seat]
    answers = [0] * len(player.hand)
    for at in range(len(player.hand)):
        answers[at] = yield Question(Phase.MULLIGAN, seat, [0, 1])
    returned = [at for at, answer in enumerate(answers) if answer]
    if returned:
        cards = [player.hand[at] for at in returned]
        player.hand = [card for at, card in enumerate(player.hand) if at not in returned]
        for card in cards:
            table.facts.gave_back(seat, card)
        shuffle(table, seat, player.library + cards)
        draw(table, seat, len(cards))
        table.facts.returned_cards[seat] += len(cards)


def playable(table: Table, seat: int) -> list[int]:
    """RIFT-22, 28. Places of the playable cards in hand: the first copy of each."""
    hand = table.players[seat].hand
    return [
        at
        for at, card in enumerate(hand)
        if card not in hand[:at] and card.level <= table.budget(seat) and (card.type != "creature" or table.gaps(seat))
    ]


def play_card(table: Table, seat: int, at: int) -> Asking[None]:
    """RIFT-28."""
    player = table.players[seat]
    card = player.hand.pop(at)
    player.used_levels += card.level
    if card.type == "creature":
        yield from bring(table, seat, card)
    else:
        table.gain(seat, card.xp, "play")
        table.facts.played(seat, card)
        if card.type == "weapon":
            player.weapons.append(Weapon(card, card.health))
            yield from when_played(table, seat, card)
        elif card.type == "armour":
            player.armours.append(Armour(card, card.health))
            yield from when_played(table, seat, card)
        else:
            player.waiting.append(card)
            yield from when_played(table, seat, card)
            yield from run_list(table, card.effects, Acting(seat))
            player.waiting.remove(card)
            lay_off(table, seat, card)
        check_and_earn(table)
        if card.type == "spell":
            spring(table, 1 - seat, "echo")
    yield from work_off(table)


END, CARD, CREATURE, WEAPON = 0, 1, 61, 76  # MAIN codes: the first of each kind


class Model:
    """A game that runs to the next decision with a choice, and waits there.

    routine: the part of the game to be played, by default all of it. A decision with a single code is taken at once.
    After `turn_cap` turns it is over without a winner and `table.over` stays False, as it does when a routine ends.
    """

    def __init__(self, table: Table, routine: Callable[[Table], Asking[None]] | None = None):
        self.table = table
        self.pending: Question | None = None
        self._routine = (routine or whole_game)(table)
        self._send(None)

    @property
    def codes(self) -> list[int]:
        """Open decisions, ascending; none when the game is over."""
        return self.pending.codes if self.pending is not None else []

    def apply(self, code: int) -> None:
        """Decide, and run to the next decision."""
        if code not in self.codes:
            raise ValueError(f"{code} is none of {self.codes}, {self.pending}")
        self._send(code)

    def _send(self, code: int | None) -> None:
        try:
            question = next(self._routine) if code is None else self._routine.send(code)
            while len(question.codes) == 1:
                question = self._routine.send(question.codes[0])
        except GameOver:
            self.table.facts.close_turn(self.table)
            self.pending = None
        except StopIteration:
            self.pending = None
        else:
            if not question.codes or question.codes != sorted(set(question.codes)):
                raise ValueError(f"{question} is no question")
            self.pending = question


def new_game(cards: Cards, decks: tuple[str, str], chance: Chance) -> Model:
    """A game from the start, at its first decision."""
    return Model(laid_out(cards, decks, chance))


def whole_game(table: Table) -> Asking[None]:
    """RIFT-06 to 12, 16, 131."""
    yield from set_up(table)
    while table.turn < table.rules.turn_cap:
        yield from start_step(table)
        yield from main_step(table)
        yield from end_step(table)
        table.turn += 1
        table.active = 1 - table.active


def start_step(table: Table) -> Asking[None]:
    """RIFT-11."""
    seat = table.active
    player = table.players[seat]
    player.own_turns += 1
    table.facts.open_turn(seat)
    for creature in player.creatures:
        creature.shield = 0
    table.gain(seat, table.rules.turn_xp, "turn")
    opening = table.turn == 0
    draw(table, seat, table.rules.first_player_first_draw if opening else table.rules.turn_draw)
    player.used_levels, player.start_level = 0, table.level(seat)
    for weapon in player.weapons:
        weapon.used = False
    for creature in player.creatures:
        creature.swaps, creature.acted, creature.entered = 0, False, False
        creature.charm = ACTIVE if creature.charm & WAITING else 0
        creature.pacify = ACTIVE if creature.pacify & WAITING else 0
    check_and_earn(table)
    yield from work_off(table)


def main_codes(table: Table) -> list[int]:
    """MAIN codes: end, cards, creatures, Weapons."""
    seat = table.active
    player = table.players[seat]
    codes = [END] + [CARD + at for at in playable(table, seat)]
    for creature in player.creatures:
        if creature_codes(table, creature):
            row, index = table.place(creature)
            codes.append(CREATURE + row * PER_ROW + index)
    codes += [WEAPON + at for at, weapon in enumerate(player.weapons) if weapon_codes(table, seat, weapon)]
    return codes


def main_step(table: Table) -> Asking[None]:
    """RIFT-12."""
    seat = table.active
    while code := (yield Question(Phase.MAIN, seat, main_codes(table))):
        table.facts.done_this_turn += 1
        if code >= WEAPON:
            yield from use_weapon(table, seat, table.players[seat].weapons[code - WEAPON])
            yield from work_off(table)
        elif code >= CREATURE:
            yield from use_creature(table, table.at(seat, code - CREATURE))
        else:
            yield from play_card(table, seat, code - CARD)


def end_step(table: Table) -> Asking[None]:
    """RIFT-16."""
    for creature in table.players[table.active].creatures:
        if creature.clear("damage", x_of(table, creature, "REGEN")):
            turn_up(creature)
            table.facts.acted(table.active, "REGEN")
        creature.charm &= WAITING
        creature.pacify &= WAITING
    check_and_earn(table)
    yield from work_off(table)
    table.facts.close_turn(table)


COUNTERS = ("damage", "rage", "health", "shield", "weakness", "decay", "ready", "swaps", "charm", "pacify")
FLAGS = ("face_down", "acted", "entered")
OF_A_PLAYER = ("life", "xp", "start_level", "used_levels", "own_turns", "known_own", "known_other")  # `level` follows from `xp`


def snapshot(model: Model) -> dict[str, Any]:
    """Cards are their places in the file; nothing in it changes with the model.

    `players`: by seat. Libraries top card first, hands in order, discard and removed piles sorted. `grid`: rows of
    creatures, front row first. `waiting`: cards that are neither in hand nor laid off (a Spell that acts, a creature
    that looks for its place). `charm`, `pacify`: bits 1 waiting, 2 active. `abilities`: those in force by name (with a
    blank, as printed). `kind`, `seat`, `codes`: the pending decision; NOBODY and [] if there is none.
    """
    table, asked = model.table, model.pending
    return {
        "players": [_player(table, seat) for seat in SEATS],
        **{name: getattr(table, name) for name in ("active", "turn", "over")},
        **{name: NOBODY if getattr(table, name) is None else getattr(table, name) for name in ("first", "winner")},
        "kind": Phase.OVER.name if asked is None else asked.kind.name,
        "aim": None if asked is None else asked.aim.name,
        "seat": NOBODY if asked is None else asked.seat,
        "codes": list(model.codes),
        "queue": [waiting.owner for waiting in table.queue],
    }


def _player(table: Table, seat: int) -> dict[str, Any]:
    player = table.players[seat]
    return {
        **{name: getattr(player, name) for name in OF_A_PLAYER},
        "level": table.level(seat),
        **{pile: [card.place for card in getattr(player, pile)] for pile in ("library", "hand")},
        **{pile: sorted(card.place for card in getattr(player, pile)) for pile in ("discard", "removed", "waiting")},
        "weapons": [(weapon.card.place, weapon.uses, int(weapon.used)) for weapon in player.weapons],
        "armours": [(armour.card.place, armour.points) for armour in player.armours],
        "tricks": sorted(TRICKS.index(name) for name in player.tricks),
        "grid": [[_creature(table, creature) for creature in row] for row in player.rows],
    }


def _creature(table: Table, creature: Creature) -> dict[str, Any]:
    return {
        "card": creature.card.place,
        "origin": NOBODY if creature.origin is None else creature.origin.place,
        **{name: int(getattr(creature, name)) for name in (*COUNTERS, *FLAGS)},
        "abilities": abilities(table, creature),
        "attack": attack(table, creature),
        "maximum": maximum(table, creature),
        "morale": creature.morale,
    }
