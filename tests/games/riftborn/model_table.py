"""Turns of the Riftborn Tactics model, and the model as something that is asked and told. RIFT-10 to 17, 131."""

from collections.abc import Callable

from sim.games.riftborn.state import Phase
from tests.games.riftborn.model_cards import Cards
from tests.games.riftborn.model_creature import creature_codes, use_creature
from tests.games.riftborn.model_deaths import check_and_earn
from tests.games.riftborn.model_effects import work_off
from tests.games.riftborn.model_exchange import use_weapon, weapon_codes
from tests.games.riftborn.model_piles import draw
from tests.games.riftborn.model_play import play_card, playable, set_up
from tests.games.riftborn.model_state import (
    ACTIVE,
    PER_ROW,
    WAITING,
    Asking,
    Chance,
    GameOver,
    Question,
    Table,
    laid_out,
)
from tests.games.riftborn.model_stats import turn_up, x_of

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
        """What may be decided now, ascending; nothing when all is over."""
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
    """RIFT-06 to 10, 131."""
    yield from set_up(table)
    yield from turns(table)


def turns(table: Table) -> Asking[None]:
    """RIFT-10. Turns from the start step on."""
    while table.turn < table.rules.turn_cap:
        yield from start_step(table)
        yield from rest_of_turn(table)


def from_main(table: Table) -> Asking[None]:
    """RIFT-12. Turns from the main step of the active player on."""
    yield from rest_of_turn(table)
    yield from turns(table)


def rest_of_turn(table: Table) -> Asking[None]:
    """RIFT-12, 16."""
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
