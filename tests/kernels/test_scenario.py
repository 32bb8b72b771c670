"""Scenario files: errors and their messages, optional parts, and positions that are restored exactly."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.engine.cardfiles.paths import plain
from sim.engine.cards import changed
from sim.engine.contract import is_over, legal_actions
from sim.engine.loop import PLAN, new_buffers, play_block
from sim.engine.policies import PolicySpec, new_workspace, players
from sim.engine.scenario import ScenarioError, cards_for, load, play, run
from sim.registry import GAMES
from tests.every_game.play import WHOLE, shortened

ARENA = GAMES["arena"]
CARDS = ARENA.load(None)

DUEL = """
game = "arena"
dice = [6, 1, 1, 1, 1, 1, 1]
do = ["Hammer Time on Dragon Hatcher"]
[position]
heroes = [{ hero = "rhino_guy", at = [0, 0] }, { hero = "dragon_hatcher", at = [0, -1] }]
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "scenario.toml"
    file.write_text(text, encoding="utf-8")
    return file


def refused(folder: Path, text: str) -> str:
    file = written(folder, text)
    with pytest.raises(ScenarioError) as caught:
        run(file, GAMES)
    message = str(caught.value)
    assert message.startswith(str(file)), "the message names the file"
    assert "\n" not in message, "one line"
    return message.removeprefix(f"{file}: ")


# ---- refused files ---------------------------------------------------------------------------------------------------


def test_the_duel_itself_is_valid(tmp_path):
    result = run(written(tmp_path, DUEL), GAMES)
    assert result.differences == []
    assert result.position["heroes"][1]["at"] == [0, -3]
    assert result.log[0] == "seat 1: Hammer Time on Dragon Hatcher"
    assert any(line.startswith("  Dragon Hatcher: blocks 0; from (0,-1) to (0,-3)") for line in result.log)
    assert result.current_player == 1
    assert not result.over


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('game = "arena"', "", "game: is missing"),
        ('game = "arena"', 'game = "arenna"', 'game = "arenna": is not known; did you mean "arena"?'),
        ('game = "arena"', 'game = "arena"\ndize = 1', 'dize = 1: is not a key of this table; did you mean "dice"?'),
        ("dice = [6,", "dice = [7,", "dice[0] = 7: must be a face, a whole number from 1 to 6"),
        ("dice = [6,", "dice = [true,", "dice[0] = true: must be a face"),
        ("dice = [6,", "dice = [6, 6,", "dice: 7 of the 8 given were rolled; remove the last 1, [1]"),
        ("dice = [6, 1,", "dice = [6,", "rolls 1 more than the 6 given; add 1 faces"),
        ("dice = [6, 1, 1, 1, 1, 1, 1]", "", "rolls 7 more than the 0 given"),
        ('["Hammer', '["Hamer', 'do[0] = "Hamer Time on Dragon Hatcher": is not open; options: Hammer Time on Dragon'),
        ('["Hammer', '[3, "Hammer', "do[0] = 3: must be a decision in words, or a table"),
        ('do = ["', 'do = [{ seat = 0 }, "', "do[0].action: is missing"),
        ('do = ["', 'do = [{ seat = 9, action = "" }, "', "do[0].seat = 9: must be a whole number from 0 to 3"),
        ('"Hammer Time on Dragon Hatcher"', '{ seat = 1, action = "pass" }', "seat = 0 decides here, not seat = 1"),
        ("[0, -1]", "[0, -5]", 'position.heroes[1].at = [0, -5]: is water on the board "standard"'),
        ("[0, -1]", "[0, 0]", "position.heroes[1].at = [0, 0]: is taken by Rhino Guy; must be a free hex"),
        ("[0, -1]", "[0]", 'position.heroes[1].at = [0]: must be a hex [q, r] or "out"'),
        ("dragon_hatcher", "drago_hatcher", 'position.heroes[1].hero = "drago_hatcher": did you mean "dragon_hatcher"?'),
        ("dragon_hatcher", "rhino_guy", 'position.heroes[1].hero = "rhino_guy": is already in the game'),
        ("[0, -1]", "[0, -1], marker = 8", "heroes[1].marker = 8: must be a whole number from 0 to 7"),
        ("[0, -1]", "[0, -1], rage = 1", "heroes[1].rage = 1: must be a whole number from 0 to 0"),
        ("[0, -1]", "[0, -1], mark = 1", 'heroes[1].mark = 1: is not a key of this table; did you mean "marker"?'),
        ("[0, -1]", "[0, -1], seat = 0", "position.heroes[1].seat = 0: is already taken"),
        ("[0, -1]", '"out"', '1 on the board; phase "ability" needs two heroes or more'),
        ("[position]", "[position]\nactive = 2", "position.active = 2: must be a whole number from 0 to 1"),
        ("[position]", '[position]\nphase = "mov"', 'position.phase = "mov": did you mean "move"?'),
        ("[position]", '[position]\nphase = "rage"', "position.pending.ability: is missing"),
        ("[position]", "[position]\nturn = 401", "position.turn = 401: must be a whole number from 0 to 400"),
        ("[position]", "[position]\npool = 11", "position.pool = 11: follows from the rest and is 12"),
        ("[position]", "[position]\nseats = 3", "position.seats = 3: follows from the rest and is 2"),
        (
            "[position]",
            "[position]\ndragonlings = [{ owner = 0, at = [1, 1] }]",
            "position.dragonlings[0].owner = 0: has 1 dragonlings; its card allows 0",
        ),
        ("[position]", '[change]\n"rules.bord" = "pit"\n[position]', 'its cards cannot be used: "rules.bord": there is'),
        ("[position]", '[change]\n"rules.board" = "pond"\n[position]', "is no board of this file"),
        ("[position]", 'cards = "../elsewhere"\n[position]', "lies outside the folder of the scenario file"),
        ("[position]", 'cards = "nothing"\n[position]', "does not exist"),
        ("[position]\n", "[expect]\nturns = 1\n[position]\n", 'expect.turns: there is no such field; did you mean "turn"?'),
        ("[position]", "[positon]", "position: is missing"),
    ],
)
def test_an_error_is_reported_with_what_would_be_right(tmp_path, old: str, new: str, message: str):
    assert old in DUEL
    assert message in refused(tmp_path, DUEL.replace(old, new, 1))


def test_more_decisions_than_the_game_has_are_refused(tmp_path):
    text = DUEL.replace("[0, 0]", "[0, -3]").replace("[0, -1]", "[0, -4]").replace('Hatcher"]', 'Hatcher", "stay"]')
    assert 'do[1] = "stay": is not open; the game is over' in refused(tmp_path, text)


def test_a_position_at_the_turn_cap_is_over(tmp_path):
    text = DUEL.replace("[position]", "[position]\nturn = 399\n")
    result = run(written(tmp_path, text), GAMES)
    assert result.over
    assert result.current_player is None
    assert result.position["turn"] == 400


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("game = ", "is not valid TOML"),
        ("do = [" + '"a",\n' * 1001 + "]", "at most 1000"),
        ("dice = [" + "1, " * 256 + "]", "at most 255"),
        ("a = " + "[" * 1000 + "]" * 1000, "nesting"),
        ('x = "' + "a" * 1_000_001 + '"', "is larger than 1,000,000 bytes"),
        ("game = 'arena'\nposition = 3", "position = 3: must be a table"),
        ("game = 'arena'\nposition = {}", "heroes: has 0 entries"),
    ],
)
def test_files_of_any_shape_are_refused_in_one_line(tmp_path, text: str, message: str):
    if not text.startswith(("game", "x")):
        text = f'game = "arena"\n{text}\n[position]\n'
    assert message in refused(tmp_path, text)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ScenarioError, match="does not exist; give a scenario file"):
        load(tmp_path / "nothing.toml")
    with pytest.raises(ScenarioError, match="is not a file"):
        load(tmp_path)


def test_a_failed_expectation_is_reported_with_both_values(tmp_path):
    text = DUEL + '[expect]\nturn = 2\nheroes = [{ hero = "dragon_hatcher", at = [0, -2] }]\n'
    assert run(written(tmp_path, text), GAMES).differences == [
        "expect.turn: expected 2, is 1",
        'expect.heroes[hero = "dragon_hatcher"].at: expected [0, -2], is [0, -3]',
    ]


# ---- optional parts --------------------------------------------------------------------------------------------------


def test_words_are_compared_without_case_and_spaces(tmp_path):
    text = DUEL.replace("Hammer Time on Dragon Hatcher", "hammer  time ON dragon hatcher")
    assert run(written(tmp_path, text), GAMES).position["turn"] == 1


def test_a_decision_without_a_choice_can_be_left_out_or_named(tmp_path):
    text = DUEL.replace("[0, -1]", "[0, -2]").replace("dice = [6, 1, ", "dice = [6, ").replace("1, 1, 1]", "1, 1]")
    left_out = text.replace("Hammer Time on Dragon Hatcher", "Charge on Dragon Hatcher")
    named = left_out.replace('Hatcher"]', 'Hatcher", "step to (0,-1)"]')
    results = [run(written(tmp_path, case), GAMES) for case in (left_out, named)]
    assert results[0].position == results[1].position
    assert results[0].log == results[1].log
    assert results[0].position["heroes"][0]["at"] == [0, -1]


def test_cards_can_be_changed_and_given_from_outside(tmp_path):
    text = DUEL.replace("[position]", '[change]\n"rules.knockback_plus_damage" = true\n[position]')
    scenario = load(written(tmp_path, text))
    cards = cards_for(scenario, ARENA)
    assert cards.switches["knockback_plus_damage"] is True
    assert play(scenario, ARENA, cards).position["heroes"][1]["at"] == [0, -4]
    assert play(scenario, ARENA, CARDS).position["heroes"][1]["at"] == [0, -3]


def test_cards_beside_the_file_are_found(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "cards.toml").write_bytes(ARENA.reference.read_bytes().replace(b'"Rhino Guy"', b'"Big Horn"'))
    scenario = load(written(tmp_path, DUEL.replace("[position]", 'cards = "mine"\n[position]')))
    assert "Big Horn" in cards_for(scenario, ARENA).names


def test_an_expectation_is_not_needed_to_play(tmp_path):
    scenario = load(written(tmp_path, DUEL + "[expect]\nturn = 7\n"))
    assert play(replace(scenario, expect=None), ARENA, CARDS).differences == []


# ---- positions and words ---------------------------------------------------------------------------------------------

POSITION_FIELDS = ("pos", "occ", "hero", "marker", "protection", "slow", "rage", "place", "turn", "round")
POSITION_FIELDS += ("seats", "first", "active", "phase")
STEP_FIELDS = ("ability", "target", "hits", "net_hit", "paid", "reach_k", "u", "v", "even", "made_u", "made_v")
STEP_FIELDS += ("chooser", "step_a", "step_b")
GAMES_LOGGED = shortened(12, 4)


@pytest.fixture(scope="module")
def log() -> tuple[np.ndarray, np.ndarray]:
    """Decisions and the positions before them of a few games of random play, with 2, 3 and 4 seats."""
    plan = np.zeros(GAMES_LOGGED, PLAN)
    plan["game"] = plan["dice"] = np.arange(GAMES_LOGGED)
    plan["stream"] = np.arange(4)
    plan["seats"] = 2 + np.arange(GAMES_LOGGED) % 3
    plan["entrant"] = (np.arange(GAMES_LOGGED)[:, None] + [0, 2, 3, 5]) % len(CARDS.ids)
    buffers = new_buffers(plan, ARENA.state, ARENA.outcome, log=500 * GAMES_LOGGED)
    workspace = new_workspace(ARENA.state, ARENA.options_max, 4)
    table = players([PolicySpec.parse("random")])
    lines = play_block(workspace, CARDS.record, table, buffers, ARENA.turn_limit(CARDS), None, None, None)
    assert lines > 80 * GAMES_LOGGED
    return buffers.moves[:lines], buffers.positions[:lines]


@pytest.fixture(scope="module")
def played(log) -> np.ndarray:
    """Every position of these games."""
    return log[1]


@pytest.fixture(scope="module")
def steps(log) -> list[tuple[np.void, np.void]]:
    """Consecutive positions of the same game."""
    moves, positions = log
    return [(positions[i], positions[i + 1]) for i in range(len(moves) - 1) if moves["row"][i] == moves["row"][i + 1]]


def placed(position: dict) -> np.void:
    state = np.zeros(1, ARENA.state)[0]
    ARENA.words.place(position, CARDS, state)
    return state


def open_actions(state: np.void) -> list[int]:
    out = np.zeros(ARENA.options_max, np.int32)
    return [] if is_over(state) else out[: legal_actions(state, CARDS.record[0], out)].tolist()


@pytest.mark.slow
def test_every_position_is_restored_exactly(played):
    for state in played[:: 1 if WHOLE else 4]:
        position = ARENA.words.position(state, CARDS)
        again = placed(position)
        assert ARENA.words.position(again, CARDS) == position
        fields = POSITION_FIELDS + (STEP_FIELDS if position["phase"] == "step" else ())
        for field in fields:
            assert np.array_equal(again[field], state[field]), (field, position)
        on_board = state["pos"] >= 0
        assert np.array_equal(again["owner"][on_board], state["owner"][on_board])
        assert open_actions(again) == open_actions(state)


def test_no_two_decisions_have_the_same_words(played):
    for state in played[::5]:
        actions = open_actions(state)
        words = [plain(ARENA.words.action(state, CARDS, action)) for action in actions]
        assert len(set(words)) == len(actions), words


@pytest.mark.slow
def test_all_changes_are_described(steps):
    for before, after in steps:
        lines = ARENA.words.events(before, after, CARDS)
        of_owner = dict(line.split(": ", 1) for line in lines)
        assert len(of_owner) == len(lines)
        for seat in range(after["seats"]):
            name = CARDS.names[after["hero"][seat]]
            if before["marker"][seat] != after["marker"][seat]:
                assert f"energy {before['marker'][seat]} -> {after['marker'][seat]}" in of_owner[name]
            if after["fall_turn"][seat] > before["fall_turn"][seat]:
                assert "falls into the water" in of_owner[name]
            elif before["pos"][seat] != after["pos"][seat]:
                assert "on (" in of_owner[name] or "from (" in of_owner[name]
        for piece in range(4, 16):
            assert (before["pos"][piece] != after["pos"][piece]) <= (f"dragonling {piece}" in of_owner)


def test_a_drawing_shows_every_piece(played):
    for state in played[::7]:
        board, legend = ARENA.words.picture(state, CARDS).split("\n\n")
        marks = board.replace("*", " ").split()
        for seat in range(state["seats"]):
            name = CARDS.names[state["hero"][seat]]
            mark = f"{name[0]}{seat + 1}"
            assert f"{mark}  {name}" in legend
            assert marks.count(mark) == (state["pos"][seat] >= 0)
            brood = (state["owner"][4:] == seat) & (state["pos"][4:] >= 0)
            assert marks.count(mark.lower()) == brood.sum()
        assert marks.count("·") == CARDS.record[0]["hexes"] - (state["pos"] >= 0).sum()


def test_a_choice_of_path_can_be_resumed(tmp_path):
    """A position in the middle of a push, written and read again, continues like the push itself."""
    text = """
        game = "arena"
        dice = [6]
        do = ["Boxing Arrow on Dragon Hatcher", "push south-west"]
        [position]
        heroes = [{ hero = "bow_master", at = [2, -1] }, { hero = "dragon_hatcher", at = [0, 0], marker = 3 }]
    """
    half = run(written(tmp_path, text), GAMES)
    assert half.position["phase"] == "step"
    whole = run(written(tmp_path, text.replace('west"]', 'west", "push north-west"]')), GAMES)
    scenario = load(written(tmp_path, 'game = "arena"\ndo = ["push north-west"]\nposition = {}'))
    assert play(replace(scenario, position=half.position), ARENA, CARDS).position == whole.position


CLASHES = {
    "hero.bow_master.name": "Ann",
    "hero.rhino_guy.name": "ANN",
    "hero.valasca.name": "dragonling 4",
    "hero.dragon_hatcher.name": "Ann (seat 1)",
    "hero.dragon_hatcher.ability[0].name": "Hatch",
    "hero.dragon_hatcher.ability[1].name": "HATCH",
    "hero.rhino_guy.ability[2].name": "Pass",
    "hero.rhino_guy.ability[0].name": "Charge on Ann",
}


def test_equal_names_are_distinguished():
    document = dict(CARDS.document)
    for field, name in CLASHES.items():
        document = changed(document, field, name)
    cards = ARENA.from_document(document)
    heroes = ["rhino_guy", "dragon_hatcher", "bow_master", "valasca"]
    for active in range(4):
        state = np.zeros(1, ARENA.state)[0]
        at = [[0, 0], [0, 1], [1, 0], [-1, 0]]
        position = {"heroes": [{"hero": hero, "at": at[seat]} for seat, hero in enumerate(heroes)], "active": active}
        ARENA.words.place(position | {"dragonlings": [{"owner": 1, "at": [2, 0]}]}, cards, state)
        out = np.zeros(ARENA.options_max, np.int32)
        count = legal_actions(state, cards.record[0], out)
        words = [plain(ARENA.words.action(state, cards, int(action))) for action in out[:count]]
        assert len(set(words)) == count, words


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-20, 500) | st.floats() | st.sampled_from(["out", "step", "bow_master", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["at", "hero", "ability"]), inner),
    max_leaves=6,
)
KEYS = ("seats", "turn", "round", "first", "active", "phase", "heroes", "dragonlings", "pool", "pending", "other")


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(KEYS), JUNK, st.sampled_from(["", "at", "marker", "seat", "hero", "piece", "owner", "place"]), JUNK)
@pytest.mark.slow
def test_a_spoiled_position_is_refused_or_restored(key: str, value: object, inner: str, other: object):
    position = {
        "heroes": [{"hero": "dragon_hatcher", "at": [0, 0]}, {"hero": "bow_master", "at": [0, 2]}],
        "dragonlings": [{"piece": 5, "owner": 0, "at": [1, 1]}],
    }
    if inner:
        table = position["dragonlings" if inner in ("piece", "owner") else "heroes"][0]
        table[inner] = other
    else:
        position[key] = value
    try:
        state = placed(position)
    except ValueError as error:
        assert str(error), "a message"  # noqa: PT017 - the other branch asserts too
        return
    once = ARENA.words.position(state, CARDS)
    assert ARENA.words.position(placed(once), CARDS) == once
