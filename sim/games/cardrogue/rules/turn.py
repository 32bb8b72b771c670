"""The turn: its steps, flips and moves, arrival, death and the way back, rounds, victory points, the end of the game.

ROGUE-20 to 33, 41, 54, 58, 61, 62, 78, 86, 90, 94, 100 to 107, 110 to 115.
"""

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.hidden import draw_exploration
from sim.games.cardrogue.record import KEY, SLOTS, TILE_ENTRY, Category, ParalysisInCombat, Tile
from sim.games.cardrogue.rules import basics, combat, tiles
from sim.games.cardrogue.state import (
    GOLD_CODE,
    LEFT_MAX,
    LYING,
    MONSTER,
    NO_CARD,
    NOBODY,
    NOTHING,
    NOWHERE,
    POINTS,
    Down,
    Ending,
    Node,
    Points,
    PutOff,
    Source,
    Step,
)

# victory points


@kernel
def points_of_source(state: Record, cards: Record, seat: int, source: int) -> int:
    """ROGUE-100. Points of a seat from one source: scored for good, or boss cards in hand."""
    if source not in (Points.BASILISK, Points.GOLEM):
        return state["scored"][seat, source]
    total = 0
    for number in range(cards["enemies"]):
        card = cards["enemy_type"][number]
        if cards["vp"][card] > 0 and (cards["cancel_group"][card] > 0) == (source == Points.BASILISK):
            total += cards["vp"][card] * state["hand"][seat, card]
    return total


@kernel
def points_of(state: Record, cards: Record, seat: int) -> int:
    """ROGUE-100. Current victory points of a seat."""
    total = 0
    for source in range(POINTS):
        total += points_of_source(state, cards, seat, source)
    return total


@kernel
def has_all_goals(state: Record, cards: Record) -> bool:
    """ROGUE-106. Whether a lone player has reached all goals that were chosen."""
    return bool(state["goals_done"] & cards["goals"] == cards["goals"])


@kernel
def finish(state: Record, cards: Record, ending: int, seat: int) -> None:
    """ROGUE-104 to 107, 114. End the game; `seat` is the first one out in the end rush."""
    if ending == Ending.EXIT:
        state["scored"][seat, Points.EXIT] += cards["vp_exit"]
    state["ending"] = ending
    state["node"] = Node.OVER
    for other in range(state["seats"]):
        for source in range(POINTS):
            state["points"][other, source] = points_of_source(state, cards, other, source)
        for slot in range(SLOTS):
            card = state["worn"][other, slot]
            state["worn_item"][other, slot] = 1 + cards["item_number"][card] if card != NO_CARD else 0


# flips, moves and arrival

NO_TYPE = -1


@kernel
def flip(state: Record, cards: Record, seat: int, direction: int, rng: Record) -> None:
    """ROGUE-24, 25. Turn over the face-down card in a direction, with its consequences."""
    cell = tiles.neighbour(cards, state["cell"][seat], direction)
    state["flips"][seat] += 1
    state["flipped"], state["progress"] = 1, 1
    basics.something_happened(state)
    if state["down"][cell] == Down.MAPPED:
        card = turn_up(state, cards, cell)
    else:
        entry = draw_exploration(state, cards, cell, rng)
        state["down"][cell] = Down.NO
        card = entry
        if entry >= TILE_ENTRY:
            tiles.lay_tile(state, cards, cell, entry, direction, Source.EXPLORATION)
            card = NO_TYPE
    if card != NO_TYPE:
        show(state, cards, seat, cell, direction, card, rng)
    if card == NO_TYPE and state["tile"][cell] >= Tile.TRAP:
        tiles.trigger(state, cards, seat, cell, rng)
    combat.recheck(state, cards)


@kernel
def turn_up(state: Record, cards: Record, cell: int) -> int:
    """ROGUE-107. Turn up a face-down cell of a fixed layout; returns the card that lies there, or NO_TYPE."""
    origin = state["on"][cell]
    state["down"][cell] = Down.NO
    state["on"][cell] = NOTHING
    state["tile"][cell] = cards["map_tile"][origin]
    state["source"][cell] = Source.MAP
    state["mask"][cell] = cards["map_mask"][origin] if state["tile"][cell] != Tile.NONE else tiles.ALL_OPEN
    tiles.map_changed(state, cards, cell)
    tiles.note_tile(state, cell)
    return cards["map_on"][origin] - 1


@kernel
def show(state: Record, cards: Record, seat: int, cell: int, direction: int, card: int, rng: Record) -> None:
    """ROGUE-25. A card other than a tile was turned over by `seat`, looking in `direction`."""
    category = cards["category"][card]
    if category == Category.ENEMY:
        state["mask"][cell] = state["mask"][cell] if state["tile"][cell] != Tile.NONE else tiles.ALL_OPEN
        combat.reveal(state, cards, cell, card)
        combat.join(state, cards, seat, direction, combat.step_after_flip(state, cards))
    elif category == Category.POTION:
        state["on"][cell] = LYING + card
        tiles.map_changed(state, cards, cell)
    else:
        if card == KEY and state["key_seen"] == 0:
            state["key_seen"] = state["round"]
        basics.gain(state, cards, seat, card)
        tiles.replace(state, cards, seat, cell, direction, rng)


@kernel
def walk(state: Record, cards: Record, seat: int, direction: int, rng: Record) -> None:
    """ROGUE-26. Step onto the adjacent cell in a direction and meet what is there."""
    state["steps_walked"][seat] += 1
    state["walked"] = 1
    stand_on(state, seat, tiles.neighbour(cards, state["cell"][seat], direction), direction)
    arrive(state, cards, seat, rng)


@kernel
def stand_on(state: Record, seat: int, cell: int, direction: int) -> None:
    """Put a player on a cell, entered in the given direction."""
    state["cell"][seat] = cell
    state["heading"][seat] = direction


@kernel
def arrive(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-27. Arrival effects of a move in the player's own turn, in their order; a cut puts off the rest."""
    if leaves_dungeon(state, cards, seat):
        return
    state["put_off"][seat] = PutOff.NOTHING
    meet(state, cards, seat, rng)
    if basics.interrupted(state):
        return
    combat.join_around(state, cards, seat, tiles.monster_sides(state, state["cell"][seat]))


@kernel
def meet(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-27, 33. Meet what is on the player's cell: cards of the dead, trap, potion, chest."""
    cell = state["cell"][seat]
    if state["tile"][cell] == Tile.SHOP and state["first_shop"][seat] == 0:
        state["first_shop"][seat] = state["round"]
    pick_up_left(state, cards, seat, cell)
    if state["tile"][cell] >= Tile.TRAP:
        tiles.trigger(state, cards, seat, cell, rng)
    if basics.interrupted(state):
        state["put_off"][seat] = PutOff.AFTER_TRAP
    else:
        meet_rest(state, cards, seat, rng)


@kernel
def meet_rest(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-27. Meet the potion, then the chest on the player's cell; a trap turned up below the potion acts at once."""
    cell = state["cell"][seat]
    if NOTHING < state["on"][cell] < MONSTER:
        take_lying(state, cards, seat, cell, rng)
    if basics.interrupted(state):
        state["put_off"][seat] = PutOff.AFTER_TRAP
    else:
        tiles.open_chest(state, cards, seat)


@kernel
def meet_later(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-33. Arrival effects that were put off happen at the start of the turn; a trap does not act twice."""
    waiting = state["put_off"][seat]
    state["put_off"][seat] = PutOff.NOTHING
    if waiting == PutOff.NO_TRAP:
        pick_up_left(state, cards, seat, state["cell"][seat])
    if waiting == PutOff.ALL:
        meet(state, cards, seat, rng)
    elif waiting != PutOff.NOTHING:
        meet_rest(state, cards, seat, rng)


@kernel
def pick_up_left(state: Record, cards: Record, seat: int, cell: int) -> None:
    """ROGUE-78. Cards left by the dead go to the hand of the player who moves onto the cell."""
    kept = 0
    for place in range(state["left_cards"]):
        if state["left_cell"][place] != cell:
            state["left_cell"][kept] = state["left_cell"][place]
            state["left_type"][kept] = state["left_type"][place]
            kept += 1
            continue
        basics.something_happened(state)
        card = state["left_type"][place]
        if card >= GOLD_CODE:
            state["gold"][seat] += cards["denomination"][card - GOLD_CODE]
        else:
            basics.gain(state, cards, seat, card)
    state["left_cards"] = kept


@kernel
def take_lying(state: Record, cards: Record, seat: int, cell: int, rng: Record) -> None:
    """ROGUE-86. Take the potion (on a fixed layout any card) on the player's cell; a tile takes its place."""
    basics.something_happened(state)
    state["progress"] = 1
    card = state["on"][cell] - LYING
    if card == KEY and state["key_seen"] == 0:
        state["key_seen"] = state["round"]
    basics.gain(state, cards, seat, card)
    tiles.replace(state, cards, seat, cell, state["heading"][seat], rng)
    combat.recheck(state, cards)


@kernel
def leaves_dungeon(state: Record, cards: Record, seat: int) -> bool:
    """ROGUE-104, 106, 107. End the game if the cell moved onto is the way out."""
    tile = state["tile"][state["cell"][seat]]
    if state["seats"] > 1:
        if state["rush"] and tile == Tile.START:
            finish(state, cards, Ending.EXIT, seat)
            return True
        return False
    way_out = Tile.LADDER if cards["has_ladder"] else Tile.START
    if tile == way_out and has_all_goals(state, cards):
        finish(state, cards, Ending.SOLO_WON, seat)
        return True
    return False


@kernel
def carry_to(state: Record, cards: Record, seat: int, cell: int) -> None:
    """ROGUE-33, 90. Put a player on a cell; what is there is met later."""
    combat.leave_all(state, cards, seat, False)
    state["cell"][seat] = cell
    state["put_off"][seat] = PutOff.ALL
    state["stuck"][seat] = tiles.UNKNOWN


# death and the way back

NORTHWARD = 0
NOTHING_KEPT = -1


@kernel
def begin_death(state: Record, cards: Record) -> None:
    """ROGUE-61. A player has died: it leaves combat, takes everything off, and chooses a card to keep."""
    seat = state["fallen"]
    combat.leave_all(state, cards, seat, False)
    if state["seats"] == 1:
        state["deaths_left"] -= 1
        if state["deaths_left"] < 0:
            finish(state, cards, Ending.SOLO_LOST, seat)
            return
    forget(state, cards, seat)
    state["asked"] = seat
    state["arg"][0] = NOTHING_KEPT
    if state["held"][seat] or state["gold"][seat] > 0:
        state["node"] = Node.KEEP
    else:
        come_back(state, cards, seat)


@kernel
def forget(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-61. Put equipment into the hand and reset bonuses and statuses."""
    for slot in range(SLOTS):
        if state["worn"][seat, slot] != NO_CARD:
            basics.take_off(state, cards, seat, slot)
    state["bonus"][seat], state["potion_mod"][seat] = 0, 0
    state["poison"][seat], state["antidote"][seat] = 0, 0
    state["skip"][seat], state["cooldown"][seat] = 0, 0
    state["put_off"][seat] = PutOff.NOTHING


@kernel
def keep(state: Record, cards: Record, seat: int, code: int) -> None:
    """ROGUE-61. Keep one card, or gold card (64 + index of a denomination); then one of the others is left on the cell."""
    state["arg"][0] = code
    take_card_or_gold(state, cards, seat, code)
    if state["held"][seat] or state["gold"][seat] > 0:
        state["node"] = Node.LEAVE
    else:
        bequeath(state, cards, seat)


@kernel
def take_card_or_gold(state: Record, cards: Record, seat: int, code: int) -> None:
    """Take one card or gold card away from a player."""
    if code >= GOLD_CODE:
        state["gold"][seat] -= cards["denomination"][code - GOLD_CODE]
    else:
        basics.take_from_hand(state, seat, code)


@kernel
def lay_down(state: Record, seat: int, code: int) -> None:
    """ROGUE-61. Leave a card of a dead player on its cell.

    Cards beyond `LEFT_MAX` are gone; that takes hundreds of gold cards that no player fetches.
    """
    place = state["left_cards"]
    if place >= LEFT_MAX:
        if code < GOLD_CODE:
            state["gone"][code] += 1
        return
    state["left_cell"][place] = state["cell"][seat]
    state["left_type"][place] = code
    state["left_cards"] += 1


@kernel
def bequeath(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-61. Leave unsellable cards on the cell, discard everything else, and return the kept card."""
    for card in range(cards["types"]):
        for _ in range(state["hand"][seat, card]):
            if cards["sellable"][card]:
                basics.discard(state, seat, card)
            else:
                basics.take_from_hand(state, seat, card)
                lay_down(state, seat, card)
    state["gold"][seat] = 0
    kept = state["arg"][0]
    if kept >= GOLD_CODE:
        state["gold"][seat] = cards["denomination"][kept - GOLD_CODE]
    elif kept != NOTHING_KEPT:
        basics.add_to_hand(state, seat, kept)
    come_back(state, cards, seat)


@kernel
def come_back(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-62, 104. The dead choose a starting tile; in the end rush they are out, and the last death ends the game."""
    state["cell"][seat] = NOWHERE
    if not state["rush"]:
        state["node"] = Node.RESPAWN
        return
    state["out"][seat] = 1
    state["health"][seat] = 0
    close_death(state, seat)
    if living(state) == 0:
        finish(state, cards, Ending.ALL_DEAD, seat)


@kernel
def respawn(state: Record, cards: Record, seat: int, cell: int) -> None:
    """ROGUE-62. Stand on a starting tile with full health; this is no move."""
    state["cell"][seat] = cell
    state["heading"][seat] = NORTHWARD
    state["health"][seat] = basics.max_health(state, cards, seat)
    state["stuck"][seat] = tiles.UNKNOWN
    close_death(state, seat)


@kernel
def close_death(state: Record, seat: int) -> None:
    """Finish a death: the dead player's turn ends, the turn of another player goes on."""
    state["fallen"] = NOBODY
    state["node"] = Node.MAIN
    if seat == state["active"]:
        state["cut"] = 1


@kernel
def living(state: Record) -> int:
    """Number of players still in the game."""
    count = 0
    for seat in range(state["seats"]):
        count += state["out"][seat] == 0
    return count


@kernel
def depart(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-115. Leave for good: everything stays on the cell, the player is out."""
    combat.leave_all(state, cards, seat, False)
    forget(state, cards, seat)
    for place in range(cards["denominations"]):
        for _ in range(basics.purse_card(cards, state["gold"][seat], place)):
            lay_down(state, seat, GOLD_CODE + place)
    state["gold"][seat] = 0
    for card in range(cards["types"]):
        for _ in range(state["hand"][seat, card]):
            basics.take_from_hand(state, seat, card)
            lay_down(state, seat, card)
    state["cell"][seat] = NOWHERE
    state["out"][seat] = 1


@kernel
def step_aside(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-115. Leave for a while: the token is taken off, and comes back to the same cell when it is free."""
    combat.leave_all(state, cards, seat, False)
    state["away"][seat] = 1 + state["cell"][seat]
    state["cell"][seat] = NOWHERE


# the course of turns and rounds


@kernel
def follow_combat(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-40, 60. A new combat begins with its combat turn; after the last enemy the turn goes on."""
    fighting = Step.FIGHT <= state["step"] <= Step.SURVIVED
    if state["combat"][seat] != 0 and not fighting:
        state["step"], state["fought"] = Step.FIGHT, 1
        state["enemies_acted"], state["blocked"] = 0, 0
    elif state["combat"][seat] == 0 and fighting:
        enter_step(state, cards, seat, state["resume"][seat])


@kernel
def enter_step(state: Record, cards: Record, seat: int, step: int) -> None:
    """ROGUE-20. Begin a step of the turn."""
    state["step"] = step
    if step == Step.MOVE:
        state["moves_left"] = basics.movement(state, cards, seat)


@kernel
def next_step(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-20. Pass in one of the first three steps."""
    if state["step"] == Step.FLIP:
        enter_step(state, cards, seat, Step.MOVE)
    elif state["step"] == Step.MOVE:
        passed = state["repeats"] > 0 and state["moves_left"] > 0
        state["step"] = Step.DONE if passed else Step.INTERACT
    else:
        state["step"] = Step.DONE


@kernel
def pass_step(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-20, 41. Pass: go on to the next step."""
    step = state["step"]
    if step <= Step.INTERACT:
        next_step(state, cards, seat)
    elif step == Step.STRUCK:
        combat.enemies_part(state, cards, seat, rng)
        if state["combat"][seat] != 0:
            state["step"] = Step.SURVIVED
    else:
        end_turn(state, cards, seat, rng)


@kernel
def finish_turn(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-29, 30. Step 4; after a turn of mere walking one more move can follow."""
    cell = state["cell"][seat]
    tiles.place_around(state, cards, cell)
    more = state["only_walked"] and state["walked"] and state["repeats"] < cards["repeat_moves"]
    passed = state["repeats"] > 0 and state["moves_left"] > 0
    if more and not passed and tiles.free_sides(state, cell):
        state["repeats"] += 1
        state["step"], state["moves_left"] = Step.MOVE, 1
    else:
        end_turn(state, cards, seat, rng)


@kernel
def cut_turn(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-32, A-13. End a turn that was cut short; in combat the enemies' part still happens."""
    acts = cards["paralysis_in_combat"] == ParalysisInCombat.ENEMY_ACTS
    if state["combat"][seat] != 0 and not state["enemies_acted"] and acts:
        combat.enemies_part(state, cards, seat, rng)
        if state["fallen"] != NOBODY:
            return
    end_turn(state, cards, seat, rng)


@kernel
def end_turn(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-54, 94, 112, A-34. End the turn. Enemies to be slain in a single turn recover; an Explorer can take a second one."""
    if state["bruised"]:
        state["bruised"] = 0
        for slot in range(state["enemies"]):
            kind = state["enemy_type"][slot]
            if cards["single_turn"][kind] and state["enemy_cell"][slot] != NOWHERE:
                state["enemy_health"][slot] = cards["health"][kind]
    note_stuck(state, cards, seat)
    state["turn"] += 1
    state["own_turns"][seat] += 1
    state["quiet"][seat] = 0 if state["progress"] else state["quiet"][seat] + 1
    again = cards["second_turn"][state["character"][seat]] and not state["second"] and not state["out"][seat]
    if again and state["flipped"] and not state["fought"] and not state["cut"]:
        state["node"] = Node.SECOND_TURN
        state["asked"] = seat
        return
    next_turn(state, cards, rng)


@kernel
def note_stuck(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-112, A-32. Begin the end rush when all players have been stuck one after another and cards are left.

    Players are counted, not turns: a second turn (ROGUE-94) adds nothing to a first one that ended stuck too.
    """
    if state["seats"] == 1 or state["rush"] or state["unseen_cards"] == 0:
        return
    stuck = state["stuck"][seat] != 0 and state["cell"][seat] != NOWHERE
    stuck = stuck and not state["mole_called"] and tiles.is_stuck(state, cards, seat)
    if not stuck:
        state["stuck_turns"] = 0
    elif not state["second"] or state["stuck_turns"] == 0:
        state["stuck_turns"] += 1
    if state["stuck_turns"] >= living(state):
        combat.begin_rush(state)
        state["rush_by_stuck"] = 1


@kernel
def next_turn(state: Record, cards: Record, rng: Record) -> None:
    """ROGUE-20. The next player still in the game takes its turn; a round ends where the order begins again."""
    seat, seats, first = int(state["active"]), int(state["seats"]), int(state["first"])
    following, begins = seat, False
    for _ in range(seats):
        following = following + 1 if following + 1 < seats else 0
        begins = begins or following == first
        if state["out"][following]:
            continue
        if begins and not end_round(state, cards):
            return
        begin_turn(state, cards, following, rng)
        return


@kernel
def end_round(state: Record, cards: Record) -> bool:
    """ROGUE-114. End a round and begin the next one if the game goes on; returns whether it does."""
    state["idle"] = 0 if state["lively"] else state["idle"] + 1
    state["lively"] = 0
    truncated = state["round"] >= cards["max_rounds"]
    if state["idle"] >= cards["idle_rounds"]:
        forfeit = Ending.SOLO_LOST if state["seats"] == 1 else Ending.FORFEIT
        finish(state, cards, Ending.TRUNCATED if state["rush"] or truncated else forfeit, NOBODY)
        return False
    if truncated:
        finish(state, cards, Ending.TRUNCATED, NOBODY)
        return False
    state["round"] += 1
    return True


@kernel
def begin_turn(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-21, 23. Start of a turn: poison, cooldown, fountain, arrival effects put off, combat, skip."""
    clear_turn(state, seat)
    if come_back_from_away(state, seat):
        state["cut"] = 1
        return
    basics.suffer_poison(state, cards, seat)
    if state["cooldown"][seat] > 0:
        state["cooldown"][seat] -= 1
    if not basics.is_alive(state, seat):
        return
    if state["tile"][state["cell"][seat]] == Tile.FOUNTAIN:
        tiles.drink_fountain(state, cards, seat, rng)
        combat.recheck(state, cards)
        if basics.is_alive(state, seat) and not state["cut"]:
            tiles.open_chest(state, cards, seat)
    if basics.is_alive(state, seat) and not state["cut"] and state["put_off"][seat] != PutOff.NOTHING:
        meet_later(state, cards, seat, rng)
    if not basics.is_alive(state, seat) or state["cut"]:
        return
    combat.join_around(state, cards, seat, tiles.monster_sides(state, state["cell"][seat]))
    if state["skip"][seat] > 0:
        state["skip"][seat] -= 1
        state["cut"] = 1  # in combat the enemies' part still happens


@kernel
def clear_turn(state: Record, seat: int) -> None:
    """Reset the fields of a turn."""
    state["node"], state["active"], state["asked"], state["step"] = Node.MAIN, seat, seat, Step.FLIP
    state["moves_left"], state["repeats"], state["offers"], state["equips"] = 0, 0, 0, 0
    state["offered"][:] = 0
    state["deals"], state["progress"] = 0, 0
    state["only_walked"], state["walked"], state["flipped"] = 1, 0, 0
    state["fought"], state["cut"], state["fled"], state["blocked"] = 0, 0, 0, 0
    state["enemies_acted"], state["tripped"], state["stole"], state["mole_called"] = 0, 0, 0, 0
    state["second"] = 0


@kernel
def come_back_from_away(state: Record, seat: int) -> bool:
    """ROGUE-115. A player who left for a while comes back when its cell is free. Returns whether it is still away."""
    if state["away"][seat] == 0:
        return False
    cell = state["away"][seat] - 1
    if not tiles.is_free(state, cell):
        return True
    state["cell"][seat], state["away"][seat] = cell, 0
    return False
