"""The golden examples of the rules, played by the plain model."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb

import pytest

from tests.games.arena.builders import reference
from tests.games.arena.model.board import Hex
from tests.games.arena.model.model import Model, Scripted, ability_code

ARROWED, BOXING_ARROW = 0, 1
HAMMER_TIME, CHARGE = 0, 1
FIRE_BREATH, AXE_BLOW, HOOK, WHIRLWIND, TRADE_PLACES, FORCE_PUSH, SECOND_WIND = 0, 0, 0, 0, 0, 1, 1


def stand(document: dict | None = None, **heroes: Hex) -> Model:
    """Heroes by card id, in seat order, on their hexes; the first is about to use an ability."""
    where = dict(enumerate(heroes.values()))
    return Model.at(document or reference(), {"heroes": list(heroes), "positions": where, "active": 0})


def at(model: Model) -> list[Hex | None]:
    """Where the heroes are, by seat; None in the water."""
    return [model.positions.get(seat) for seat in model.seats]


def ends(push: Callable[[Callable[[list[int]], int]], Hex]) -> list[Hex]:
    """Where a push ends on every path that its chooser can take, one end for each path."""
    found, open_paths = [], [[]]
    while open_paths:
        path = open_paths.pop()
        answers = iter(path)
        asked: list[list[int]] = []

        def choose(options: list[int], answers=answers, asked=asked) -> int:
            code = next(answers, None)
            if code is None:
                asked.append(options)
                return options[0]
            return code

        end = push(choose)
        if asked:
            open_paths += [[*path, code] for code in asked[0]]
        else:
            found.append(end)
    return found


def test_golden_g1_fig_1_the_struck_piece_lands_where_the_target_would_have():
    model = stand(dragon_hatcher=(0, 4), bow_master=(0, 3), valasca=(0, 1))
    model.attack(0, FIRE_BREATH, 1, hits=3, blocks=[2])
    assert at(model) == [(0, 4), (0, 2), (0, 0)]
    assert model.marker == [0, 1, 0]


def test_golden_g2_fig_2_a_share_of_nothing_is_raised_to_one():
    model = stand(dragon_hatcher=(0, 4), bow_master=(0, 3), valasca=(0, 0))
    model.attack(0, FIRE_BREATH, 1, hits=1, blocks=[0])
    assert at(model) == [(0, 4), (0, 1), (0, -1)]


def test_golden_g3_fig_3_three_dragonlings_pass_the_push_on_without_moving():
    model = stand(dragon_hatcher=(0, 4), valasca=(0, 0))
    brood = {4: (0, 3), 5: (0, 2), 6: (0, 1)}
    model.positions |= brood
    model.owner |= dict.fromkeys(brood, 0)
    model.attack(0, FIRE_BREATH, 4, hits=1)
    assert model.positions == {0: (0, 4), 1: (0, -1), **brood}


@pytest.mark.parametrize(
    ("switches", "marker", "end", "marker_after"),
    [({}, 0, (0, -3), 1), ({"knockback_plus_damage": True}, 0, (0, -4), 1), ({}, 2, (0, -3), 3)],
)
def test_golden_g4_hammer_time_pushes_by_the_zone_before_the_damage(switches, marker, end, marker_after):
    model = stand(reference(**switches), rhino_guy=(0, 0), dragon_hatcher=(0, -1))
    model.marker[1] = marker
    model.attack(0, HAMMER_TIME, 1, hits=3, blocks=[2])
    assert at(model)[1] == end
    assert model.marker[1] == marker_after
    assert model.zone(1) == (1 if marker else 0)


@pytest.mark.parametrize(("ability", "k"), [(HAMMER_TIME, 5), (CHARGE, 3)])
def test_golden_g5_a_yellow_bow_master_takes_the_yellow_number(ability, k):
    model = stand(rhino_guy=(0, 3), bow_master=(0, 2))
    model.marker[1] = 3
    model.attack(0, ability, 1, hits=1)
    assert at(model)[1] == (0, 2 - k)


@pytest.mark.parametrize(("k", "paths", "expected"), [(3, 4, {(-3, 1), (-3, 2)}), (1, 2, {(-1, 0), (-1, 1)}), (2, 2, {(-2, 1)})])
def test_golden_g6_due_west_zigzags_along_the_line(k, paths, expected):
    def push(choose):
        model = stand(dragon_hatcher=(0, 0), bow_master=(2, -1))
        model.push((2, -1), 0, k, choose)
        return model.positions[0]

    found = ends(push)
    assert set(found) == expected
    assert len(found) == paths


@pytest.mark.parametrize(("k", "paths", "expected"), [(3, 2, {(0, -3), (-1, -2)}), (1, 1, {(0, -1)}), (2, 1, {(0, -2)})])
def test_golden_g7_a_leaning_push_goes_one_more_step_straight_than_aside(k, paths, expected):
    def push(choose):
        model = stand(rhino_guy=(0, 0), bow_master=(1, 2))
        model.push((1, 2), 0, k, choose)
        return model.positions[0]

    found = ends(push)
    assert set(found) == expected
    assert len(found) == paths


def test_golden_g7_six_steps_end_as_six_five_and_one_or_four_and_two():
    document = reference()
    wide = {"id": "wide", "radius": 7, "holes": [], "starts": document["board"][0]["starts"]}
    document = document | {"board": [wide]}

    def push(choose):
        heroes = {"heroes": ["rhino_guy", "bow_master"], "board": "wide", "active": 1}
        model = Model.at(document, heroes | {"positions": {0: (0, 2), 1: (1, 4)}})
        model.push((1, 4), 0, 6, choose)
        return model.positions[0]

    assert set(ends(push)) == {(0, -4), (-1, -3), (-2, -2)}


def test_golden_g8a_charge_steps_next_to_valasca_and_gives_her_fury():
    model = stand(rhino_guy=(0, 2), valasca=(0, 0))
    model.apply(ability_code(CHARGE, 1))
    assert model.phase == "PRE_MOVE"
    model.apply(model.hex_id(0, 1), Scripted(hits=2, blocks=[1]))
    assert at(model) == [(0, 1), (0, -1)]
    assert (model.marker[1], model.rage[1]) == (1, 1)


def test_golden_g8b_hook_pulls_two_by_the_yellow_number_and_slows():
    model = stand(hook_thrower=(0, 3), bow_master=(0, -1))
    model.marker[1] = 3
    model.attack(0, HOOK, 1, hits=2, blocks=[1])
    assert at(model)[1] == (0, 1)
    assert (model.marker[1], model.slow[1]) == (4, 2)


def test_golden_g8c_trade_places_pushes_from_the_new_hex():
    model = stand(mirror_mage=(3, 0), bow_master=(1, 0))
    model.attack(0, TRADE_PLACES, 1, hits=1, blocks=[0])
    assert at(model) == [(1, 0), (4, 0)]


def test_golden_g8d_whirlwind_adds_rage_to_each_target():
    model = stand(whirl_fighter=(0, 0), bow_master=(1, 0), rhino_guy=(-1, 0))
    model.rage[0] = 1
    model.marker[2] = 2
    # the order is SE before NW, so the Bow Master blocks 1 and the Rhino Guy 2
    model.attack(0, WHIRLWIND, rage=1, hits=2, blocks=[1, 2])
    assert at(model) == [(0, 0), (3, 0), (-1, 0)]
    assert model.rage[0] == 0


def test_golden_g8e_force_push_needs_no_dice():
    model = stand(mirror_mage=(0, 0), bow_master=(0, -2))
    model.apply(ability_code(FORCE_PUSH, 1), dice=None)
    assert at(model)[1] == (0, -3)
    assert model.marker[1] == 0


def test_golden_g8f_second_wind_then_a_counter_shove():
    model = stand(temple_guard=(0, 0), valasca=(0, -1))
    model.marker[0] = 3
    model.apply(ability_code(SECOND_WIND))
    assert (model.marker[0], model.protection[0]) == (2, 1)
    model.apply(model.hex_id(0, -1))
    rolled = []

    class Dice(Scripted):
        def blocks(self, owner, n):
            rolled.append((owner, n))
            return super().blocks(owner, n)

    model.apply(ability_code(AXE_BLOW, 0), Dice(hits=1, blocks=[1]))
    assert rolled == [(0, 4)]
    assert at(model) == [(0, 0), (0, -2)]


def net_hits(attack: int, defence: int) -> dict[int, Fraction]:
    """Distribution of net hits by listing every pair of numbers of successes, default faces."""
    chance: dict[int, Fraction] = {}
    for hits, blocks in product(range(attack + 1), range(defence + 1)):
        net = max(0, hits - blocks)
        chance[net] = chance.get(net, 0) + Fraction(comb(attack, hits) * comb(defence, blocks), 2 ** (attack + defence))
    return chance


@pytest.mark.parametrize(
    ("hero", "ability", "rows"),
    [
        (
            "bow_master",
            ARROWED,
            [
                ([6, 10, 10, 5, 1], 32, Fraction(13, 16), Fraction(49, 32)),
                ([22, 20, 15, 6, 1], 64, Fraction(21, 32), Fraction(9, 8)),
                ([64, 35, 21, 7, 1], 128, Fraction(1, 2), Fraction(51, 64)),
                ([163, 56, 28, 8, 1], 256, Fraction(93, 256), Fraction(35, 64)),
            ],
        ),
        (
            "rhino_guy",
            HAMMER_TIME,
            [
                ([7, 15, 20, 15, 6, 1], 64, Fraction(57, 64), Fraction(129, 64)),
                ([29, 35, 35, 21, 7, 1], 128, Fraction(99, 128), Fraction(201, 128)),
                ([93, 70, 56, 28, 8, 1], 256, Fraction(163, 256), Fraction(303, 256)),
                ([256, 126, 84, 36, 9, 1], 512, Fraction(1, 2), Fraction(443, 512)),
            ],
        ),
        (
            "rhino_guy",
            CHARGE,
            [
                ([5, 6, 4, 1], 16, Fraction(11, 16), Fraction(17, 16)),
                ([16, 10, 5, 1], 32, Fraction(1, 2), Fraction(23, 32)),
                ([42, 15, 6, 1], 64, Fraction(11, 32), Fraction(15, 32)),
                ([99, 21, 7, 1], 128, Fraction(29, 128), Fraction(19, 64)),
            ],
        ),
    ],
)
def test_golden_g9_net_hits_are_exactly_those_of_the_table(hero, ability, rows):
    for defence, (numerators, denominator, at_least_one, mean) in enumerate(rows, start=1):
        asked = {}

        class Dice:
            def hits(self, _seat, n, asked=asked):
                asked["attack"] = n
                return 1

            def blocks(self, _owner, n, asked=asked):
                asked["defence"] = n
                return 0

        document = reference()
        cards = [card | {"defence": defence} if card["id"] == "valasca" else card for card in document["hero"]]
        model = stand(document | {"hero": cards}, **{hero: (0, 3), "valasca": (0, 2)})
        model.apply(ability_code(ability, 1), Dice())
        if model.phase == "PRE_MOVE":
            model.apply(model.options()[0], Dice())
        chance = net_hits(asked["attack"], asked["defence"])
        assert [chance[net] for net in sorted(chance)] == [Fraction(x, denominator) for x in numerators]
        assert 1 - chance[0] == at_least_one
        assert sum(net * p for net, p in chance.items()) == mean


def test_golden_g9_boxing_arrow_throws_half_the_time_whatever_the_defence():
    for hits, end in [(0, (0, 0)), (1, (0, -1))]:
        model = stand(bow_master=(0, 3), temple_guard=(0, 0))
        model.attack(0, BOXING_ARROW, 1, hits=hits, blocks=[9])
        assert at(model)[1] == end
        assert model.marker[1] == 0
    assert net_hits(1, 0)[1] == Fraction(1, 2)
