"""The README describes the code: every table in it is computed again from the code."""

import re
from fractions import Fraction
from typing import get_args

import numpy as np
import pytest

from analysis.dice.exact import parse
from sim.games.arena.cards import Effect
from sim.games.arena.record import FEATURES
from sim.registry import game_named
from tests.games.readme import Readme, rows

_PAGE = Readme("arena")
README, section = _PAGE.text, _PAGE.section
CARDS = game_named("arena").load(None)
ATTACK_DICE, DEFENCE_DICE = range(1, 6), range(5)


def named(text: str) -> set[str]:
    """Words in code quotes."""
    return set(re.findall(r"`([^`]+)`", text))


def odds(attack: int, defence: int) -> tuple[Fraction, Fraction]:
    """Chance of a net hit and mean net hits, exact."""
    blocks = f"{defence}d6>=4" if defence else "0"
    net = parse(f"max(0, {attack}d6>=4 - {blocks})").distribution
    outcomes = list(zip(net.values.tolist(), net.fractions(), strict=True))
    chance = sum((share for hits, share in outcomes if hits > 0), Fraction(0))
    return chance, sum((hits * share for hits, share in outcomes), Fraction(0))


def ability(card: dict) -> str:
    """An ability in the words of the README."""
    facts = []
    if card["kind"] == "attack":
        facts = [f"range {card['range']}, {card['attack']} dice, {'/'.join(map(str, card['knockback']))}"]
    for effect in card.get("effects", []):
        numbers = ", ".join(f"{key} {value}" for key, value in effect.items() if key != "op")
        facts.append(f"{effect['op']} ({numbers})" if numbers else effect["op"])
    return f"**{card['name']}**: " + "; ".join(facts).replace("_", " ")


def hero(card: dict) -> str:
    """A hero's line in the table of the reference set."""
    tokens = [f"{card[key]} {word}" for key, word in (("rage_cap", "rage"), ("dragonling_cap", "dragonlings")) if key in card]
    cells = [card["name"], card["move"], card["defence"], "/".join(map(str, card["energy"])), ", ".join(tokens)]
    return "| " + " | ".join(map(str, [*cells, "<br>".join(map(ability, card["ability"]))])) + " |"


def test_every_switch_is_named_with_its_default():
    switches = {cells[3].partition(": ")[0]: cells[3].partition(": ")[2] for cells in rows(section("Rule variants"))}
    for name, value in CARDS.switches.items():
        (values,) = (found for words, found in switches.items() if name in named(words))
        default = str(value).lower()
        assert re.match(rf"`?{default}\b", values), f"{name}: {default} is played, the README begins with {values}"


def test_every_effect_is_listed_with_its_parameters():
    listed = {cells[0].strip("`"): (named(cells[1]), cells[2]) for cells in rows(section("Effects of cards"))[2:]}
    effects = get_args(get_args(Effect)[0])
    assert len(listed) == len(effects)
    for effect in effects:
        op = get_args(effect.model_fields["op"].annotation)[0]
        parameters = set(effect.model_fields) - {"op"}
        assert parameters <= listed[op][0], op
        assert listed[op][1] == ", ".join(effect.ON)


def test_the_shares_of_printed_and_assumed_numbers():
    printed = sum(number.source == "rulebook" for number in CARDS.provenance)
    assert f"Of its {len(CARDS.provenance)} numbers {printed} are printed in the rulebook" in section("Reference set")


def test_the_heroes_of_the_reference_set():
    lines = [line for line in section("Reference set").splitlines() if line.startswith("| ")][2:]
    assert lines == [hero(card) for card in CARDS.document["hero"]]


def test_the_boards_of_the_reference_set():
    text = section("Reference set")
    for board in CARDS.document["board"]:
        rings = board["radius"]
        land = 1 + 3 * rings * (rings + 1) - len(board["holes"])
        assert re.search(rf"`{board['id']}` \(radius {rings}[^)]*, {land} hexes\)", text)


@pytest.mark.parametrize("attack", ATTACK_DICE)
def test_arena_40_the_chance_table_is_exact_and_what_the_game_reckons_with(attack: int):
    line = next(cells for cells in rows(section("Chance")) if cells[0] == str(attack))
    for defence in DEFENCE_DICE:
        chance, mean = odds(attack, defence)
        assert line[1 + defence] == f"{chance} ({100 * float(chance):.1f} %), {float(mean):.2f}"
        assert CARDS.record["net_chance"][0, attack, defence] == pytest.approx(float(chance), abs=1e-6)
        assert CARDS.record["net_mean"][0, attack, defence] == pytest.approx(float(mean), abs=1e-6)


def test_every_feature_is_listed_with_its_weights():
    table = [cells for cells in rows(section("Policies")) if cells[0].strip("`") in FEATURES]
    listed = {cells[0].strip("`"): tuple(map(float, cells[2:])) for cells in table}
    fitted, baseline = CARDS.record[0]["weight"][1:], CARDS.record[0]["weight_baseline"][1]
    assert listed == dict(zip(FEATURES, map(tuple, np.vstack([fitted, baseline]).T.tolist()), strict=True))
