"""Rules of playing cards, answers and triggers, on the compiled code (RUNE-51 to 78)."""

from typing import Any

from tests.games.runeslingers.playing import played, table

ME, ENEMY = "target the own Runeslinger", "target the enemy Runeslinger"
ROMIN: dict[str, Any] = {"deck": "romin_starter"}


def own(told: tuple[dict[str, Any], list[str]]) -> dict[str, Any]:
    """Seat 0 of a position."""
    player: dict[str, Any] = told[0]["players"][0]
    return player


def other(told: tuple[dict[str, Any], list[str]]) -> dict[str, Any]:
    """Seat 1 of a position."""
    player: dict[str, Any] = told[0]["players"][1]
    return player


def test_rune_51_choices_come_before_targets_and_light_before_all():
    dart = table(ROMIN | {"hand": ["rainbow_dart", "fireball"]})
    told = played(dart, "play Rainbow Dart")
    assert told[1] == [f"announce {word}" for word in ("burn", "debilitate", "curse", "fragment", "weaken", "insanity")]
    assert all(entry["used"] for entry in own(told)["concentrations"])
    assert played(dart, "play Rainbow Dart", "announce curse")[1] == [line for line in told[1] if "curse" not in line]
    assert played(dart, "play Rainbow Dart", "announce curse", "announce burn")[1] == [ME, ENEMY]


def test_rune_52_surplus_light_stays_in_the_pool():
    told = own(played(table({"light": 3, "hand": ["small_bolt", "fireball"]}), "play Small Bolt", ENEMY))
    assert told["light"] == 2
    assert not any(entry["used"] for entry in told["concentrations"])


def test_rune_53_a_runespell_needs_an_exposed_concentration():
    """With light enough but nothing to lie on it cannot be played."""
    bare = {"light": 9, "concentrations": 0, "hand": ["fireball", "insight"]}
    assert played(table(bare))[1] == ["end the turn", "set Fireball", "set Insight", "use the inherent ability"]


def test_rune_55_57_keywords_act_as_printed():
    """Token 1 and Charge: a token at once, another by a charge."""
    told = played(table({"hand": ["gathering_chant", "fireball"]}), "play Gathering Chant", "lay it on Shatter")
    assert own(told)["things"][0]["tokens"] == 1
    assert "charge Gathering Chant" in told[1]


def test_rune_60_a_defence_card_cannot_be_answered():
    told = played(
        table({"hand": ["ward_stone", "fireball"]}, {"hand": ["counter_rune"], "concentrations": 2}),
        "play Ward Stone",
        "lay it on Shatter",
    )
    assert told[0]["phase"] == "main"
    assert own(told)["things"][0]["card"] == "ward_stone"


def test_rune_61_a_runespell_stays_until_the_discard_phase():
    told = played(table(ROMIN | {"hand": ["small_bolt", "fireball"]}), "play Small Bolt", ENEMY)
    assert own(told)["things"][0]["card"] == "small_bolt"
    gone = played(table(ROMIN | {"hand": ["small_bolt", "fireball"]}), "play Small Bolt", ENEMY, "end the turn")
    assert (own(gone)["things"], own(gone)["discard"]) == ([], ["small_bolt"])


def test_rune_63_73_a_rung_that_has_left_does_nothing():
    rune = {"hand": ["counter_rune"], "concentrations": 2}
    insight = table(ROMIN | {"hand": ["insight", "fireball"]}, rune)
    told = played(insight, "play Insight", "answer with Counter Rune")
    assert own(told)["hand"] == ["fireball"]
    assert own(told)["discard"] == ["insight"]
    assert sum(entry["used"] for entry in own(told)["concentrations"]) == 2


def test_rune_70_71_72_answers_are_rungs():
    """Fireball, countered, and the counter countered: the topmost resolves first, and Fireball hits."""
    runes = {"hand": ["counter_rune"], "concentrations": 2}
    first = ROMIN | {"hand": ["fireball", "counter_rune", "binding"], "concentrations": 5}
    ladder = table(first, runes)
    told = played(ladder, "play Fireball", ENEMY, "answer with Counter Rune")
    assert told[1] == ["do not answer", "answer with Counter Rune"]
    told = played(ladder, "play Fireball", ENEMY, "answer with Counter Rune", "do not answer")
    assert (other(told)["health"], own(told)["discard"]) == (20, ["fireball"])
    both = ("play Fireball", ENEMY, "answer with Counter Rune", "answer with Counter Rune", "target enemy Counter Rune")
    assert other(played(ladder, *both))["health"] == 12


def test_rune_74_light_for_an_answer_comes_from_what_was_left_ready():
    used = {"hand": ["quick_ward"], "concentrations": [{"used": True}]}
    bolt = ROMIN | {"hand": ["small_bolt", "fireball"]}
    assert played(table(bolt, used), "play Small Bolt", ENEMY)[1] == ["do not block", "block with Quick Ward"]
    ready = used | {"concentrations": [{"used": False}]}
    assert played(table(bolt, ready), "play Small Bolt", ENEMY)[1] == ["do not answer", "answer with Quick Ward"]


def test_rune_75_shout_in_the_own_play_phase():
    told = played(table({"hand": ["quick_ward", "fireball"]}), "play Quick Ward")
    assert own(told)["barrier"] == 6


def test_rune_76_a_trigger_acts_before_the_answer_and_cannot_be_answered():
    """Talaka's Heart sears while Quick Ward is still in hand."""
    ward = {"hand": ["quick_ward"], "concentrations": 1, "draw_pile": ["fireball", "binding"]}
    told = played(table({"hand": ["small_bolt", "fireball"]}, ward), "play Small Bolt", ENEMY)
    assert told[0]["phase"] == "answer"
    assert other(told)["discard"] == ["fireball", "binding"]


def test_rune_78_leaving_triggers_see_the_controller_of_before():
    """A Divine Barrier of seat 0 on the field of seat 1 costs seat 1, and goes to the pile of seat 0."""
    boon = {"ailments": [{"type": "debilitate", "count": 2}], "boons": [{"card": "divine_barrier", "owner": 0}]}
    told = played(table(ROMIN | {"hand": ["shatter", "fireball"]}, boon), "play Shatter")
    assert (other(told)["health"], other(told)["stats"]["max_health"]) == (9, 18)
    assert own(told)["discard"] == ["divine_barrier"]
