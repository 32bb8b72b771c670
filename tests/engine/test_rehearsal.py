"""Mistakes in the code of a game that show when it is played as plain Python, each with its line."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from itertools import count
from pathlib import Path
from types import ModuleType

import pytest

from analysis.output.new import new_game
from sim.check import faults
from sim.engine.jit import interpreted
from sim.registry import GAMES, register
from sim.rehearsal import rehearse, unread

NUMBERS = count()  # of the modules: each needs a state dtype of its own


@pytest.fixture
def race(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Make the game of `fairfight new-game` with some of its text replaced."""
    package = new_game("race", tmp_path / "race") / "race"
    source, numbers = package / "__init__.py", package / "cards.toml"
    monkeypatch.setattr(GAMES, "_games", dict(GAMES._games))

    def made(*changes: tuple[str, str], cards: tuple[str, str] = ("", "")) -> ModuleType:
        text = source.read_text("utf-8").replace("race_over", f"race_{next(NUMBERS)}_over")
        for before, after in changes:
            assert before in text, before
            text = text.replace(before, after)
        source.write_text(text, "utf-8")
        numbers.write_text(numbers.read_text("utf-8").replace(*cards), "utf-8")
        spec = spec_from_file_location("race", source)
        assert spec
        assert spec.loader
        loaded = module_from_spec(spec)
        monkeypatch.setitem(sys.modules, "race", loaded)
        spec.loader.exec_module(loaded)
        return loaded

    return made


def line_of(module: ModuleType, text: str) -> str:
    """The end of the message on an error in the line with this text."""
    lines = Path(str(module.__file__)).read_text("utf-8").splitlines()
    return f"({module.__file__}, line {next(number for number, line in enumerate(lines, 1) if text in line)})"


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ('state["space"][seat] = max', 'state["spaces"][seat] = max', """there is no field 'spaces'; did you mean "space"?"""),
        ('state["sprints"][seat] +=', 'state["sprints"][seat + 99] +=', "index 99 is out of bounds for axis 0 with size 4"),
        ("roll(rng, seat, Draw.MOVE, faces)\n    if", "roll(rng, -1, Draw.MOVE, faces)\n    if", "-1 out of bounds"),
        ('    state["seats"] = len', '    state["seats"] = 300 + len', "302 does not fit into a field of type int8, -128 to 127"),
        ('cards["stumble"]', 'cards["stumbel"]', "there is no field 'stumbel'"),
    ],
)
def test_an_error_names_the_line_of_the_game(race, before: str, after: str, fault: str):
    module = race((before, after))
    (found,) = rehearse(register(module.GAME), module.GAME.load(None), 2)
    assert fault in found
    assert found.endswith(line_of(module, after.partition("\n")[0]))


RAISE_TURN = '    state["turn"] += 1\n'


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ([(RAISE_TURN, "")], "turn is 0 at the end of a game; apply_action must raise it"),
        ([(RAISE_TURN, ""), ('_over"] > 0', '_over"] > 9')], "turn is still 0 after 1000 decisions; apply_action must raise it"),
        ([("    return 2\n", "    return 0\n")], "legal_actions lists 0 actions in turn 0; there must be 1 to options_max=2"),
        ([('state["seats"] = len(lineup)', 'state["seats"] = 0')], "deal leaves seats = 0; it must write the number of seats"),
        (
            [("options_max=len(Action)", "options_max=1")],
            "legal_actions lists 2 actions in turn 0; there must be 1 to options_max=1",
        ),
        ([('return state["turn"] % state["seats"]', "pass")], "current_player returns nothing; it must return the seat that"),
        ([("    return 2\n", "    pass\n")], "legal_actions returns nothing; it must return how many actions it wrote ("),
        ([('    return state["race_', '    state["race_')], "is_over returns nothing; it must return whether the game has ended"),
        ([("    out[:] = 0.0\n", "")], "returns leaves out[0] unwritten; it must write all of `out` ("),
        ([("    out[0] = (", "    _ = (")], "features does not write out[0], 'lead' ("),
        ([("    out[2] = 1.0", "    out[2] = np.inf")], "features writes inf to out[2], 'even' ("),
        ([('return state["turn"] % state["seats"]', "return 2")], "current_player is 2 in turn 0; it must be a seat from 0 to 1"),
    ],
)
def test_a_fault_of_the_contract_is_found_without_the_compiler(race, changes: list[tuple[str, str]], fault: str):
    (found,) = faults(race(*changes).GAME)
    assert found.startswith("at 2 seats: ")
    assert fault in found


def test_a_kernel_that_returns_nothing_is_named_with_its_line(race):
    module = race(("    return 2\n", "    pass\n"))
    (found,) = rehearse(register(module.GAME), module.GAME.load(None), 2)
    assert found.endswith(line_of(module, "def legal_actions"))


AMOUNTS = '"why", "amounts", {"facts": ["sprints", "stumbles"]}'
PLAIN_WORDS = "PlainWords(POSITION, FACTS, Action"


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        (AMOUNTS, AMOUNTS.replace("amounts", "amonts"), "question = 'amonts' is not known; did you mean \"amounts\"?"),
        (AMOUNTS, AMOUNTS.replace("why", "wy"), "question 'sprints': chapter = 'wy' is not known; did you mean \"why\"?"),
        (AMOUNTS, AMOUNTS.replace('["s', '["'), "'prints' is not a fact with a label; did you mean \"sprints\"?"),
        (AMOUNTS, '"why", "amounts", {"facts": "sprints"}', "facts = 'sprints' must be a list, such as ['sprints']"),
        ('kit.Ask("sprints"', 'kit.Ask("length"', "question 'length': 2 questions have this id; each needs one of its own"),
        (
            '"amounts", {',
            '"amounts", continues="win-rate", arguments={',
            "continues = 'win-rate' is no question; did you mean \"win-rates\"?",
        ),
        (PLAIN_WORDS, f"{PLAIN_WORDS}, story=kit.Value('space', words=lambda here: {{}})", "story: Value('space'): TypeError: "),
        (PLAIN_WORDS, "PlainWords(POSITION, FACTS, lambda state: 1 / 0", "words: TypeError: "),
    ],
)
def test_a_slip_in_questions_and_words_is_named(race, before: str, after: str, fault: str):
    with interpreted():
        named = faults(race((before, after)).GAME)
    assert fault in " ".join(named)


def test_a_number_that_no_kernel_reads_is_named(race):
    bonus = ("    turn_cap: Annotated", "    bonus: Annotated[int, Field(ge=0, le=9)]\n    turn_cap: Annotated")
    game = race(bonus, cards=("turn_cap = ", "bonus = 3\nturn_cap = ")).GAME
    message = "rules.bonus has no effect: no kernel reads 'bonus'; mark it `Apart` if only people or other code need it"
    assert [*unread(register(game), game.load(None))] == [message]


def test_a_right_game_has_no_faults(race):
    game = register(race().GAME)
    cards = game.load(None)
    assert [*rehearse(game, cards, 4), *unread(game, cards)] == []
