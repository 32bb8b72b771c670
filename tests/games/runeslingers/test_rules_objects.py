"""Rules of words, objects, set-up and power, on the compiled code (RUNE-01 to 28)."""

from typing import Any

import numpy as np

from sim.designs import Shifts
from sim.games.runeslingers import GAME
from sim.games.runeslingers.state import AREAS, SEATS, SLOTS
from tests.games.runeslingers.playing import card_set, new_game, open_now, placed, played, table

ME, ENEMY = "target the own Runeslinger", "target the enemy Runeslinger"


def sides(told: tuple[dict[str, Any], list[str]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Both players of a position."""
    own, other = told[0]["players"]
    return own, other


def dealt() -> tuple[dict[str, Any], dict[str, Any], list[str]]:
    """Both players after the deal, and what is open."""
    bench, cards = new_game(card_set(), 3), card_set()
    options = open_now(bench, cards)
    own, other = GAME.words.position(bench.states[0], cards)["players"]
    return own, other, [GAME.words.action(bench.states[0], cards, action) for action in options]


def test_rune_01_two_players():
    assert GAME.seats == (2,)
    assert SEATS == 2


def test_rune_03_six_slots_and_four_areas():
    rules = card_set().record[0]
    assert (rules["concentration_areas"], rules["ailment_areas"]) == (SLOTS, AREAS) == (6, 4)


def test_rune_04_a_concentration_has_no_effect():
    """A Ward Stone that lies face-down adds no block, and another one may be played."""
    own = {"concentrations": ["ward_stone", "insight"], "hand": ["ward_stone", "fireball"]}
    assert placed(table(own))["stat"][0, 0] == 4
    after, _ = played(table(own), "play Ward Stone", "lay it on Insight")
    assert after["players"][0]["stats"]["block"] == 6


def test_rune_06_what_is_concealed_does_nothing_and_is_no_target():
    """A trinket under a trap gives no block; a covered concentration makes no light."""
    trap = {"things": [{"slot": 1, "card": "stone_trap", "under": "ward_stone", "under_owner": 0}]}
    state = placed(table(trap))
    assert state["stat"][0, 0] == 4
    own = {"concentrations": 2, "things": [{"slot": 1, "card": "insight"}], "hand": ["insight", "fireball"]}
    assert "play Insight" not in played(table(own))[1]


def test_rune_07_the_position_stays_while_concealed():
    """A used concentration is used when the card on it has gone."""
    used = {"card": "insight", "used": True}
    own = {"concentrations": ["insight", "insight", used], "things": [{"slot": 3, "card": "light_lens"}]}
    after, _ = played(table(own | {"hand": ["shatter", "fireball"]}), "play Shatter")
    told = after["players"][0]
    assert told["things"] == [thing for thing in told["things"] if thing["card"] == "shatter"]
    assert told["concentrations"][2]["used"]


def test_rune_08_what_is_voided_does_not_come_back():
    """The discard pile becomes the deck, the void pile stays."""
    short = {"draw_pile": ["fireball"], "discard": ["binding", "binding"], "rest": "void"}
    after, _ = played(table({"deck": "erosion", "hand": ["deep_sear", "fireball"]}, short), "play Deep Sear")
    told = after["players"][1]
    assert len(told["void"]) == len(placed(table({}, short))["void"][1].nonzero()[0]) == 26
    assert sorted(told["draw_pile"] + told["discard"]) == ["binding", "binding", "fireball"]


def test_rune_09_a_card_that_contradicts_a_rule_is_right():
    """Aiming Lens: attacks are for Runeslingers only, but for this."""
    other = {"things": [{"card": "ward_stone"}]}
    fists = {"hand": ["flaming_fists"], "concentrations": 4}
    assert "target enemy Ward Stone" not in played(table(fists, other), "play Flaming Fists")[1]
    lens = fists | {"things": [{"slot": 4, "card": "aiming_lens"}]}
    assert "target enemy Ward Stone" in played(table(lens, other), "play Flaming Fists")[1]


def test_rune_12_an_effect_may_be_used_for_nothing():
    """Cleanse where there is nothing to be removed."""
    after, _ = played(table({"hand": ["cleanse", "fireball"]}), "play Cleanse", ME)
    assert [thing["card"] for thing in after["players"][0]["things"]] == ["cleanse"]


def test_rune_13_a_sear_is_done_in_full():
    """Two cards of the old deck, three of the new one."""
    short = {"draw_pile": ["fireball"] * 2, "discard": ["binding"] * 2 + ["insight"] * 3, "rest": "void"}
    after, _ = played(table({"deck": "erosion", "hand": ["deep_sear", "fireball"]}, short), "play Deep Sear")
    told = after["players"][1]
    assert (told["power"], len(told["discard"]), len(told["draw_pile"])) == (4, 3, 4)


def test_rune_14_15_16_the_start():
    """Five powers, full health, five cards of which one becomes a concentration; 25 stay in the deck."""
    own, other, options = dealt()
    for told in (own, other):
        assert (told["power"], told["determination"], told["health"], told["light"], told["barrier"]) == (
            5,
            0,
            20,
            0,
            0,
        )
        assert len(told["hand"]) == 5
        assert len(told["draw_pile"]) == 25
        assert (told["concentrations"], told["ailments"]) == ([], [])
    assert options
    assert all(option.startswith("set ") for option in options)


def test_rune_17_the_roll_comes_after_both_have_set():
    """Chooser and first player are not known before."""
    bench, cards = new_game(card_set(), 3), card_set()
    options = open_now(bench, cards)
    options = open_now(bench, cards, options[0])
    assert (bench.states[0]["chooser"], bench.states[0]["first"], bench.states[0]["seat"]) == (-1, -1, 1)
    open_now(bench, cards, options[0])
    assert bench.states[0]["chooser"] == bench.states[0]["seat"] >= 0


def test_rune_20_a_power_lost_is_a_determination_gained():
    own, other = sides(played(table({"hand": ["small_bolt", "fireball"]}, {"health": 1}), "play Small Bolt", ENEMY))
    assert (other["power"], other["determination"]) == (4, 1)
    assert own["power"] == 5


def test_rune_21_powers_are_lost_to_health_deck_and_ailments_any_number_in_a_turn():
    """One by Burn II, two by sixteen ailments, in one Ailment Phase."""
    burns = {"health": 2, "ailments": [{"type": "burn", "count": 16}]}
    after, _ = played(table(burns, stage="ailment"), "go on")
    assert after["players"][0]["power"] == 2


def test_rune_25_cards_elsewhere_do_not_help_an_empty_deck():
    """A full hand and cards in the void, but no discard pile."""
    short = {"draw_pile": ["fireball"], "hand": ["insight"] * 2, "rest": "void"}
    after, options = played(table({"deck": "erosion", "hand": ["deep_void"]}, short), "play Deep Void")
    assert (after["phase"], after["winner"], after["cause"], options) == ("over", 0, "no_cards", [])


def test_rune_26_no_maximum_health_left():
    """Two debilitates on the last two points."""
    other = {"ailments": [{"type": "debilitate", "count": 18}]}
    strike = table({"hand": ["debilitate_strike"]}, other | {"health": 2, "barrier": 2})
    after, _ = played(strike, "play Debilitate Strike", ENEMY)
    assert (after["phase"], after["winner"], after["cause"]) == ("over", 0, "max_health")


def test_rune_28_determination_pays_for_the_equipped_ability():
    after, options = played(table({"power": 3}), "use the equipped ability")
    own = after["players"][0]
    assert (own["determination"], own["boosts"]["damage_spirit"], own["boosts"]["pierce_spirit"]) == (0, 4, 1)
    assert "use the equipped ability" not in options


def test_rune_144_every_pair_meets_from_both_seats():
    """Full round robin of the reference decks."""
    decks = len(card_set().ids)
    design = Shifts(seats=2, entrants=decks, mirror=False, seed=1)
    met = {(int(one), int(two)) for one, two in design.entrants_of(np.arange(design.lineups))}
    assert met == {(one, two) for one in range(decks) for two in range(decks) if one != two}
