"""The evaluation: features and attack tables (D-01, D-02)."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from sim.engine.contract import WANTED, current_player, evaluate_options, evaluate_seats, is_half_made, is_over
from sim.engine.dice import SEATS_MAX
from sim.engine.greedy import SAMPLE_STRIDE
from sim.engine.loop import advance
from sim.engine.scenario import NO_DECISION
from sim.engine.workspace import IMAGINED
from sim.games.cardrogue import GAME
from sim.games.cardrogue.cards import load
from sim.games.cardrogue.evaluation.features import HURT, NEAR, PASSES, SLIGHTLY, STEP, STEPS, UNIT, WORSE, take_stocks
from sim.games.cardrogue.evaluation.prospects import CROSSED, NO_POST, assign_posts, plan_fight
from sim.games.cardrogue.evaluation.prospects import FAR as NEVER
from sim.games.cardrogue.evaluation.values import (
    AGAIN,
    BOSS_POINT,
    DEATH,
    ENDING,
    GOLD,
    HEALTH,
    KEY_AND_CHEST,
    MOST_GAIN,
    POINT,
    SKIPPED,
    TURN,
    VICTORY,
    VIEW,
    WARE,
    WEAPON_POTION,
    WOUND,
    brace,
    outlook,
)
from sim.games.cardrogue.record import MOD_LOWEST, NO_SIGN, Weapon, throw_odds
from sim.games.cardrogue.state import NOBODY, SEATS, Death
from tests.every_game.play import chance_of, choice, enough, features_of, fields, fresh_dice, options, reached, visited
from tests.games.cardrogue.positions import EAST, FOUR, NORTH, Play, a, an_enemy, card_set, dealt, table

FAR = a("bard", (12, 24))
CELLS = {"5,12": FOUR, "6,12": FOUR, "5,13": FOUR, "4,12": "S", "12,24": FOUR, "11,24": FOUR}


def seen(play: Play, seat: int = 0) -> dict[str, float]:
    """The features of a position, by name."""
    return features_of(GAME, play.state, play.cards.record, seat)


def lay(own: dict, other: dict = FAR, **more: object) -> dict[str, float]:
    return seen(table(own, other, map=CELLS, **more))


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_at_the_start_nobody_is_ahead_by_anything_but_the_character(seats: int):
    play = dealt(seats)
    for seat in range(seats):
        found = seen(play, seat)
        assert all(map(math.isfinite, found.values()))
        assert found["constant"] == 1
        assert [found[name] for name in ("points", "bosses", "gear", "cards", "key", "gold", "rush", "clock", "idle")] == [0] * 9


def test_what_one_has_is_told_less_what_the_other_has():
    own, other = a("cleric", gold=10, scored={"chest": 1}, skip=1), a("bard", (12, 24), hand=["golem"], health=5)
    found = lay(own, other)
    assert found["points"] == POINT / UNIT
    assert found["bosses"] == -2 * BOSS_POINT / UNIT
    assert found["gold"] == pytest.approx(10 * GOLD / UNIT)
    assert found["health"] == pytest.approx(HEALTH / 2 / UNIT)
    assert found["ailments"] == pytest.approx(-SKIPPED / UNIT)


def test_the_best_of_several_others_is_the_rival():
    own, poor, rich = a("cleric"), a("rogue", (11, 24)), a("bard", (12, 24), scored={"debt": 1})
    assert seen(table(own, poor, rich, map=CELLS))["points"] == -POINT / UNIT
    assert seen(table(own, rich | {"scored": {}}, poor, map=CELLS))["points"] == 0


def test_a_blow_shows_at_once():
    """Three health less of the goblin, and the fight looks better, before it has struck back."""
    play = table(a("warrior"), FAR, map=CELLS, enemies=[an_enemy("goblin", NORTH)])
    before = seen(play)["fight"]
    after = seen(play.do("attack north", dice=[6]))["fight"]
    assert after > before
    assert seen(play, 1)["rival_fight"] == after


@pytest.mark.xfail(strict=False, reason="points_left overflows uint8 without the compiler")
def test_the_end_rush_is_a_race():
    """The other player is farther than FAR from the way out. How far the player itself is, is part of its way."""
    found = lay(a("cleric", hand=["golem"]), rush=True)
    assert (found["rush"], found["rush_lead"], found["rush_death"]) == (1, 2, 0)
    assert found["rush_race"] == 1
    assert lay(FAR, a("cleric", hand=["golem"]), rush=True)["rush_race"] == pytest.approx(1 / 30)
    gone = lay(a("cleric"), a("bard", "out"), rush=True)
    assert gone["rush_death"] == -1
    assert lay(a("cleric", hand=["golem"]))["rush_lead"] == 0


def test_rounds_count_in_steps():
    """One turn more or less does not decide between equally good actions."""
    limit = int(card_set().record["max_rounds"][0])
    assert lay(a("cleric"), round=limit // STEPS - 1)["clock"] == 0
    assert lay(a("cleric"), round=limit // STEPS)["clock"] == 1 / STEPS
    assert lay(a("cleric"), round=20, idle=29)["idle"] == pytest.approx(0.8)


def test_what_is_half_decided_counts_as_what_it_promises():
    """A sword in hand, and the decision what to put on."""
    play = table(a("cleric", hand=["sword", "helm"]), FAR, map=CELLS)
    assert seen(play)["plan"] == 0
    assert seen(play.do("equip"))["plan"] > 0
    assert seen(play, 1)["plan"] == 0


def test_an_offer_is_nothing_to_those_who_have_no_part_in_it():
    players = a("rogue", hand=["key"]), a("cleric", EAST, hand=["blue"]), a("bard", (12, 24))
    play = table(*players, map=CELLS, step="interact").do("trade east", "offer key", "ask for blue potion")
    assert seen(play, 1)["plan"] > 0
    assert seen(play, 2)["plan"] == 0


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_options_and_seats_together_have_the_values_that_they_have_one_by_one(seats: int):
    """In random games; a value that was left out is negative, and options with a value are certain."""
    play, rng, action, shared = dealt(seats, 3), np.random.default_rng(seats), NO_DECISION, 0
    workspace, record = play.workspace, play.cards.record[0]
    for _ in range(enough(400, 40)):
        count = advance(workspace, play.cards.record, action)
        if count == 0:
            break
        state, values, chances = workspace.states[0], np.full(count, -1.0), np.full(SEATS_MAX, -1.0)
        seat, trial = int(current_player(state)), np.array([state])
        evaluate_options(trial[0], record, seat, workspace.options, count, values)
        before = fields(state)
        changed = {name for name, value in fields(trial[0]).items() if value != before[name]}
        assert changed <= {"stuck", *(name for name in changed if name.startswith("fight."))}  # remembered, and scratch
        for i in np.flatnonzero(values >= 0.0):
            after, dice, _ = reached(GAME, state, play.cards.record, workspace.options[i], fresh_dice(turn=state["turn"]))
            assert (values[i], dice["drawn"]) == (chance_of(after, play.cards.record, seat), 0)
            shared += 1
        chances[:seats] = WANTED
        evaluate_seats(state, record, chances)
        assert chances[:seats].tolist() == [chance_of(state, play.cards.record, other) for other in range(seats)]
        action = int(workspace.options[rng.integers(count)])
    assert shared > 0


def ends_of(state: np.void, cards: np.ndarray, action: int, number: int) -> list[tuple[np.void, int, int]]:
    """The ways to complete a decision: the last position, the last action, and the number of decisions."""
    trial, by_chance = tried(state, cards, action, number, 0)
    if by_chance or not is_half_made(trial) or is_over(trial) or current_player(trial) != current_player(state):
        return [(state, action, 1)]
    further = [way for action in options(GAME, trial, cards) for way in ends_of(trial, cards, action, number)]
    return [(position, last, length + 1) for position, last, length in further]


def tried(state: np.void, cards: np.ndarray, action: int, number: int, sample: int) -> tuple[np.void, bool]:
    """The position after an action in one sample of chance, and whether there was any."""
    dice = fresh_dice(number, turn=state["turn"])
    dice["role"], dice["used"] = IMAGINED, SAMPLE_STRIDE * sample
    found = reached(GAME, state, cards, action, dice)
    return found.state, bool(found.dice["drawn"])


@pytest.mark.soak
def test_greedy_rates_throws_scrolls_and_spells_by_the_best_that_comes_of_them():
    """In positions of random games, by a plain list of all ends; the best one is valued again with other dice."""
    cards, longest, chances = card_set(), set(), 0
    for number, (state, _) in enumerate(visited(GAME, 2, games=8, wanted=1000)):
        _, workspace = choice(GAME, state, cards.record, number, "greedy:2")

        def mean(way: tuple[np.void, int, int], *samples: int, state: np.void = state, number: int = number) -> float:
            after = [tried(way[0], cards.record, way[1], number, sample)[0] for sample in samples]
            return float(np.mean([chance_of(position, cards.record, int(current_player(state))) for position in after]))

        for i, action in enumerate(options(GAME, state, cards.record)):
            ways = ends_of(state, cards.record, action, number)
            longest |= {length for _, _, length in ways}
            if ways[0][2] == 1:
                assert workspace.values[i] == pytest.approx(mean(ways[0], 0, 1), abs=1e-12)
                continue
            values = [mean(way, 0, 1) for way in ways]
            best = [way for way, value in zip(ways, values, strict=True) if value == pytest.approx(max(values), abs=1e-12)]
            chances += any(tried(way[0], cards.record, way[1], number, 0)[1] for way in best)
            begun = mean((state, action, 1), 0)
            expected = [max(begun, mean(way, 2, 3)) for way in best]
            assert any(workspace.values[i] == pytest.approx(value, abs=1e-12) for value in expected)
    assert {1, 2, 3} <= longest
    assert chances


def test_rogue_29_a_path_to_an_empty_cell_is_worth_a_step_while_the_stack_lasts():
    """The tile to the north is open to three empty cells; all other cells of the map are closed in."""
    cells = {"5,12": "P1", "6,12": FOUR, "12,24": "P1", "13,24": "P4"}
    players = a("cleric", (5, 12)), a("bard", (12, 24))
    assert seen(table(*players, map=cells))["way"] > 0
    assert seen(table(*players, map=cells, stack=0, unseen={}))["way"] == 0


def test_rogue_57_a_walk_passes_enemies_that_do_not_chase():
    """The way out lies behind a cell that a troll guards, which lets players go, or a kobold, which does not."""
    cells = {"5,12": "P1", "6,12": "P7", "7,12": "S", "12,24": "P1", "13,24": "P4"}
    own, other = a("cleric", (5, 12), health=2, hand=["golem"]), a("bard", (12, 24))
    ways = {
        enemy: seen(table(own, other, map=cells, rush=True, enemies=[an_enemy(enemy, (6, 13), order=[])]))["way"]
        for enemy in ("troll", "kobold")
    }
    assert ways["troll"] > ways["kobold"]


@pytest.mark.parametrize("enemy", ["goblin", "kobold", "troll", "golem", "basilisk_green"])
@pytest.mark.parametrize("health", [2, 6, 10])
def test_a_combat_is_worth_the_same_from_afar_and_once_it_has_begun(enemy: str, health: int):
    """One rule for entering and for leaving: nobody walks up to an enemy only to flee."""
    cells = {"5,12": "P1", "6,12": "P6", "12,24": "P1", "13,24": "P4"}
    play = table(a("cleric", (6, 12), health=health), a("bard", (12, 24)), map=cells, enemies=[an_enemy(enemy, (6, 13))])
    view, record = np.zeros(1, VIEW)[0], play.cards.record[0]
    take_stocks(play.state, record, view)
    brace(play.state, record, view, 0)
    cell = int(play.state["cell"][0])
    joined = outlook(play.state, record, view, 0, cell, 2, True)
    assert outlook(play.state, record, view, 0, cell, 2, False) == pytest.approx(joined)
    assert view["attack"] <= joined + 1e-9


def test_the_golem_is_no_prize_for_a_player_alone_but_one_for_two():
    """Bare hands and 10 health: alone there is nothing to gain, with another player beside the golem there is."""
    cells = {"5,12": "P1", "6,12": "P6", "6,14": "P8", "12,24": "P1", "13,24": "P4"}
    own, golem = a("cleric", (6, 12)), an_enemy("golem", (6, 13), order=[0])
    gains = []
    for cell in ((12, 24), (6, 14)):
        order = [0, 1] if cell == (6, 14) else [0]
        play = table(own, a("bard", cell), map=cells, enemies=[golem | {"order": order, "health": 18}])
        gains.append(seen(play)["fight"])
    assert gains[0] == pytest.approx(0, abs=0.02)
    assert gains[1] > 0.2


FULL = WOUND * HEALTH  # what full health counts for in a combat


def beside(enemy: str, own: dict, other: tuple[int, int] = (12, 24), *, health: int | None = None, **more: object) -> Play:
    """A player west of an enemy that it fights; the other player is far away, or joins the combat from the east."""
    cells = {"5,12": "P1", "6,12": "P6", "6,14": "P8", "12,24": "P1", "13,24": "P4"}
    order = [0, 1] if other == (6, 14) else [0]
    foe = an_enemy(enemy, (6, 13), order=order) | ({} if health is None else {"health": health})
    return table(a("cleric", (6, 12), **own), a("bard", other), map=cells, enemies=[foe], **more)


def combat(play: Play) -> tuple[float, float]:
    """What the combat of seat 0 in the east is worth, and what it is worth if the player attacks now."""
    view, record = np.zeros(1, VIEW)[0], play.cards.record[0]
    take_stocks(play.state, record, view)
    brace(play.state, record, view, 0)
    return float(outlook(play.state, record, view, 0, int(play.state["cell"][0]), 2, True)), float(view["attack"])


def test_a_combat_that_any_attack_wins_is_worth_the_loot_and_the_free_way():
    assert combat(beside("cave_bat", {}, health=1))[0] == pytest.approx(WARE * 1 + VICTORY - TURN)


def test_one_attack_before_the_blow_that_slays():
    """Goblin with 3 health, player with 2 of 10: 3 to 6 slay it, otherwise its 2 slay the player, who comes back whole."""
    slays, dead = Fraction(4, 6), FULL - DEATH
    value = float(slays) * (WARE * 3 + VICTORY + FULL * 0.2) + float(1 - slays) * dead - TURN - FULL * 0.2
    play = beside("goblin", {"health": 2}, health=3)
    assert combat(play)[0] == pytest.approx(value)
    play.state["deaths"][0, Death.ENEMY + int(play.cards.record[0]["enemy_number"][play.state["enemy_type"][0]])] = 4
    assert combat(play)[0] == pytest.approx(value - float(1 - slays) * 4 * AGAIN)  # not for the fifth time


def test_rogue_53_a_paralysis_potion_is_a_turn_in_which_the_golem_does_not_strike():
    """Golem with 5 health, player with 1 of 10: slain by one attack of 5 or 6, two of 5 in all, three but for 4/216.

    The first attack is free. The golem strikes after the second one and slays.
    """
    first, second = 1 / 3, 1 - (6 / 36) / (2 / 3)
    prize, own = BOSS_POINT * 2 * ENDING + VICTORY, FULL / 10
    dead = FULL - DEATH - WEAPON_POTION  # the potion would be lost too
    later = second * (prize + own) + (1 - second) * dead - TURN
    value = first * (prize + own) + (1 - first) * later - TURN - own
    play = beside("golem", {"health": 1, "hand": ["red"]}, health=5, potions={"red": "paralysis"})
    assert combat(play)[1] == pytest.approx(value)
    bare = first * (prize + own) + (1 - first) * (FULL - DEATH) - TURN - own
    assert combat(beside("golem", {"health": 1}, health=5))[1] == pytest.approx(bare)


def test_rogue_89_weakness_and_poison_in_hand_count_against_a_boss():
    bare = combat(beside("golem", {}, health=8))[1]
    for potion in ("weakness", "poison"):
        assert combat(beside("golem", {"hand": ["red"]}, health=8, potions={"red": potion}))[1] > bare + 1
    assert combat(beside("goblin", {"hand": ["red"]}, potions={"red": "weakness"}))[1] < combat(beside("goblin", {}))[1]


def test_potions_are_thrown_at_bosses_and_in_lost_fights():
    hand, red = {"hand": ["red"]}, {"red": "paralysis"}
    plans = [
        seen(beside(enemy, own | hand, health=health, potions=red).do("throw"))["plan"] * UNIT
        for enemy, own, health in (("golem", {}, 5), ("goblin", {}, 3), ("kobold", {"health": 2}, 6))
    ]
    assert plans == pytest.approx([SLIGHTLY, WORSE, SLIGHTLY])


def test_rogue_71_a_trap_on_the_way_costs_what_stepping_on_it_does():
    """The chest two steps away. Spikes take 2 of 10 health, which counts HURT times: it is missing in the next fight too."""
    cells = {"5,12": "P1", "6,12": "P5", "7,12": "C", "12,24": "P1", "13,24": "P4"}
    own, other = a("cleric", (5, 12), hand=["key"]), a("bard", (12, 24))
    ways = [seen(table(own, other, map=cells | {"6,12": tile}))["way"] * UNIT for tile in ("P5", "T:spike")]
    assert ways[0] == pytest.approx(PASSES * (POINT - KEY_AND_CHEST) - 2 * STEP)
    assert HURT * HEALTH * 0.2 - STEP <= ways[0] - ways[1] <= HURT * HEALTH * 0.2 + NEAR * STEP


@pytest.mark.parametrize("trap", ["spike", "poison"])
def test_rogue_71_a_step_onto_a_trap_before_a_fight_pays_if_the_way_did(trap: str):
    """The golem lies behind a trap. Its health is counted as lost on the way, so nobody walks to and fro in front of it."""
    cells = {"5,12": "P1", "6,12": f"T:{trap}", "7,12": "P6", "12,24": "P1", "13,24": "P4"}
    golem, worth = an_enemy("golem", (7, 13), order=[]), []
    for at, lost in (((5, 12), {}), ((6, 12), {"health": 8} if trap == "spike" else {"poison": 2})):
        own = a("cleric", at, worn=WHOLE, hand=["attack_plus"], **lost)
        play = table(own, FAR, map=cells, enemies=[golem], stack=0, unseen={})
        play.state["quiet"][:] = 40
        worth.append(seen(play))
    assert worth[0]["way"] > 0.5
    assert sum(worth[1][name] - worth[0][name] for name in ("way", "health", "ailments")) > 0


def test_rogue_114_the_way_out_weighs_more_as_a_forfeit_comes_near():
    """Alone against the golem with a dagger: next to nothing, but more than the nothing that a forfeit brings."""
    cells = {"5,12": "P1", "6,12": "P6", "12,24": "P1", "13,24": "P4"}
    own, golem = a("cleric", (5, 12), worn={"primary": "dagger"}), an_enemy("golem", (6, 13), order=[])
    ways = []
    for idle in (0, 29):
        play = table(own, FAR, map=cells, enemies=[golem], idle=idle, stack=0, unseen={})
        play.state["quiet"][:] = 40
        ways.append(seen(play)["way"] * UNIT)
    assert 0 < ways[0] < 2 < ways[1] < MOST_GAIN


def test_the_plan_for_the_golem_is_the_best_of_all_plans():
    rng = np.random.default_rng(3)
    for _ in range(200):
        seats = int(rng.integers(2, SEATS + 1))
        view = np.zeros(1, VIEW)[0]
        view["near"] = np.where(rng.random((SEATS, 4)) < 0.6, rng.integers(0, 50, (SEATS, 4)), NEVER)
        view["post"] = NOBODY
        assign_posts(view, seats)
        steps = np.column_stack([view["near"], np.full(SEATS, NO_POST)])  # at side 4: at none
        costs = [
            sum(int(steps[seat, side]) ** 2 for seat, side in enumerate(plan))
            for plan in product(range(5), repeat=seats)
            if NEVER not in [steps[seat, side] for seat, side in enumerate(plan)]
            and all(plan.count(side) < 2 for side in range(4))
        ]
        found = sum(int(steps[seat, side]) ** 2 for seat, side in enumerate(view["post"][:seats]))  # NOBODY is -1, the last
        assert found == min(costs)


def test_the_player_in_front_goes_on_to_the_farther_cell_beside_the_golem():
    """The Bard behind the Cleric reaches the nearer cell in two steps once the Cleric makes way, so that counts as at once."""
    cells = {"4,12": "P1", "5,12": "P5", "6,12": "P7", "7,12": "P6", "7,13": "Pc", "12,24": "P1", "13,24": "P4"}
    golem = an_enemy("golem", (6, 13), order=[])
    play = table(a("cleric", (5, 12)), a("bard", (4, 12)), map=cells, enemies=[golem])
    view, record, north, west = np.zeros(1, VIEW)[0], play.cards.record[0], 0, 3
    take_stocks(play.state, record, view)
    plan_fight(play.state, record, view)
    assert view["near"][:2, [west, north]].tolist() == [[1, 3], [2 + CROSSED, 4 + CROSSED]]
    assert view["reach"][:2, [west, north]].tolist() == [[1, NEVER], [2, NEVER]]
    assert view["post"][:2].tolist() == [north, west]


WHOLE = {"head": "helm", "chest": "chestplate", "feet": "boots", "primary": "dagger"}
BESIDE = {"5,12": "P1", "6,12": "P6", "6,14": "P9", "7,14": "P4"}  # two ways to the golem at row 6, column 13


def beside_the_golem(cells: dict[str, str], other: tuple[int, int] = (7, 14), **own: object) -> Play:
    """The Cleric is a step away from a cell beside the golem, the other one wherever it is; no cards are left to turn over."""
    own = {"worn": WHOLE, **own}
    at = own.pop("at", (5, 12))
    golem = an_enemy("golem", (6, 13), order=[0] if at == (6, 12) else [])
    cells = {**cells, "12,24": "P1", "13,24": "P4"}
    potions = {"blue": "teleportation"}
    players = a("cleric", at, **own), a("bard", other)
    return table(*players, map=cells, enemies=[golem], potions=potions, stack=0, unseen={})


def test_players_gather_near_the_golem_if_two_can_stand_beside_it():
    """Whole armour and a dagger: too little alone, enough together. With a wall on the other side nobody can join."""
    ways = [seen(beside_the_golem(cells))["way"] for cells in (BESIDE, BESIDE | {"6,14": "P1"})]
    assert ways[0] > 0.3
    assert ways[1] < 0.1


def test_nobody_is_expected_who_cannot_reach_the_golem():
    """The other one is not far, but no path leads from its tile to the golem."""
    apart = {"6,14": "P8", "7,14": "P1"}
    assert seen(beside_the_golem(BESIDE | apart))["way"] < 0.1


def test_rogue_90_the_golem_is_thrown_to_where_two_can_stand_beside_it():
    """Teleportation is kept for a golem that one player alone can reach; if two can, it stays where it is."""
    plans = [
        seen(beside_the_golem(cells, at=(6, 12), hand=["blue"]).do("throw"))["plan"] * UNIT
        for cells in (BESIDE | {"6,14": "P1"}, BESIDE)
    ]
    assert plans == pytest.approx([SLIGHTLY, WORSE])


RECORD = load().record[0]


def faces(*numbers: int) -> int:
    return sum(1 << number for number in numbers)


def test_d_01_mean_damage_of_one_attack():
    means = RECORD["attack_mean"]
    bare, sword = means[0, -MOD_LOWEST], means[2, 1 - MOD_LOWEST]  # the modifier holds the sword's own
    axe, maul, dagger = (means[number, -MOD_LOWEST] for number in (3, 4, 1))
    assert [bare, sword, axe, maul] == pytest.approx([7 / 2, 9 / 2, 4, 5], abs=1e-12)
    assert dagger == pytest.approx(5, abs=1e-9)  # with at most 64 dice


def test_d_02_totals_of_the_dagger():
    odds = throw_odds(Weapon(reroll_faces=faces(1), reroll_dice=2))[NO_SIGN]
    wanted = ["1/6", "1/6", "37/216", "19/108", "703/3888", "25/1296"]
    assert odds[2:8] == pytest.approx([float(Fraction(one)) for one in wanted], abs=1e-14)
    assert odds.sum() == pytest.approx(1, abs=1e-12)


def test_rogue_43_dice_beyond_the_64th_are_not_thrown():
    odds = throw_odds(Weapon(reroll_faces=faces(1, 2, 3, 4, 5), reroll_dice=4))[NO_SIGN]
    assert odds.sum() == pytest.approx(1, abs=1e-12)
    assert odds[0] == pytest.approx((5 / 6) ** 64, rel=1e-9)  # all count nothing
    assert odds[6] == pytest.approx(1 / 6 + 63 * (5 / 6) ** 63 / 6, rel=1e-9)  # the first die, or one of the others


def test_chance_of_reaching_so_much_damage():
    reach = RECORD["reach_chance"]
    none = -MOD_LOWEST
    assert reach[0, none, 0, :3].tolist() == [1, 0, 0]
    assert reach[0, none, 1, [0, 1, 6, 7]] == pytest.approx([1, 1, 1 / 6, 0], abs=1e-12)
    assert reach[0, none, 2, 8] == pytest.approx(15 / 36, abs=1e-12)  # D-04
    assert reach[0, none - 4, 1, 1] == pytest.approx(2 / 6, abs=1e-12)
    assert reach[4, none, 1, [1, 10]] == pytest.approx([5 / 6, 1 / 6], abs=1e-12)  # 6 misses
    assert reach[4, none - 4, 1, [0, 1]] == pytest.approx([1, 3 / 6], abs=1e-12)  # 2 x 3 - 4
    assert reach[3, none - 1, 2, 6] == pytest.approx(1, abs=1e-12)  # at least 3, after the modifier too
    ways = [1]
    for _ in range(12):
        ways = [sum(ways[max(0, total - 6) : total]) for total in range(len(ways) + 6)]
    assert reach[0, none, 12, 31] == pytest.approx(sum(ways[31:]) / 6**12, abs=1e-12)
    assert not reach[5:].any()
