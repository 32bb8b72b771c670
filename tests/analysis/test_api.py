"""The Python interface gives the numbers of the commands, shows itself in notebooks, and refuses bad input in one line."""

import copy
import doctest
import inspect
import json
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import fairfight as ff
from analysis import games as interface
from analysis import results
from analysis.answer import notebook
from analysis.answer.model import Answer
from analysis.answer.tables import Table
from analysis.catalogue import QUESTIONS, find
from analysis.cli.main import command_of
from analysis.data import player
from analysis.output import progress, terminal
from analysis.report import single
from sim.engine.jit import COMPILED
from sim.registry import GAMES, register
from tests.analysis.cli.test_cli import refusal, shown
from tests.analysis.cli.test_on_runs import COINS
from tests.conftest import ROOT, sampled
from tests.every_game.deck_race import GAME as RACE
from tests.every_game.dice_duel import GAME as DICE

pytestmark = pytest.mark.skipif(not COMPILED, reason="some ten thousand games")

QUIET = {"progress": False, "jobs": 1}
RANDOM = {"policy": "random", **QUIET}
KNIGHT = "fighter.knight.health"
CASES = {  # command with its arguments -> the call that must give the same numbers
    "winrates dice_duel --games 560 --policy random": lambda: ff.winrates("dice_duel", 560, **RANDOM),
    "winrates dice_duel --games 112 --policy random --paired": lambda: ff.winrates("dice_duel", 112, paired=True, **RANDOM),
    "winrates dice_duel --games 60 --policy random --seed 3 --line-up knight,ogre": lambda: ff.winrates(
        "dice_duel", 60, seed=3, line_up=["knight", "ogre"], **RANDOM
    ),
    "winrates dice_duel --precision 4 --policy random": lambda: ff.winrates("dice_duel", precision=4, **RANDOM),
    "winrates coin_duel --games 60 --seats 3 --policy greedy:1": lambda: ff.winrates(
        "coin_duel", 60, seats=3, policy="greedy:1", **QUIET
    ),
    "matchups dice_duel --games 560 --policy random": lambda: ff.matchups("dice_duel", 560, **RANDOM),
    "seats dice_duel --games 560 --policy random --no-sweep": lambda: ff.seats("dice_duel", 560, sweep=False, **RANDOM),
    "amounts arena damage_dealt --games 56 --policy random": lambda: ff.amounts("arena", "damage_dealt", games=56, **RANDOM),
    "categories arena fall_cause --games 56 --policy random": lambda: ff.categories("arena", "fall_cause", games=56, **RANDOM),
    "times coin_duel length --games 40 --policy random": lambda: ff.times("coin_duel", "length", games=40, **RANDOM),
    "pace coin_duel --games 20 --policy greedy:1": lambda: ff.pace("coin_duel", 20, policy="greedy:1", **QUIET),
    "skill dice_duel --levels random,greedy:1 --level-games 40 --pair-games 80": lambda: ff.skill(
        "dice_duel", levels=["random", "greedy:1"], level_games=40, pair_games=80, **QUIET
    ),
    f"whatif dice_duel --set {KNIGHT}=43 --games 560 --policy random": lambda: ff.whatif(
        "dice_duel", ff.load("dice_duel").set(KNIGHT, 43), 560, **RANDOM
    ),
    f"sensitivity dice_duel --fields {KNIGHT} --games 1120 --policy random": lambda: ff.sensitivity(
        "dice_duel", KNIGHT, 1120, **RANDOM
    ),
    f"tune dice_duel --fields {KNIGHT} --games 26000 --max-changes 1 --policy random": lambda: ff.tune(
        "dice_duel", 26_000, fields=KNIGHT, max_changes=1, **RANDOM
    ),
    "ablate coin_duel rule.raise --games 40 --policy greedy:1": lambda: ff.ablate(
        "coin_duel", "rule.raise", 40, policy="greedy:1", **QUIET
    ),
    "ablate coin_duel --games 4000 --policy greedy:1": lambda: ff.ablate("coin_duel", games=4000, policy="greedy:1", **QUIET),
    "cardstats deck_race --games 300 --pairs 0 --policy random": lambda: ff.cardstats("deck_race", 300, pairs=0, **RANDOM),
    "duel coin_duel pike maul --duels 1000": lambda: ff.duel("coin_duel", "pike", "maul", duels=1000),
    "replay coin_duel --game 7 --policy greedy:1": lambda: ff.replay("coin_duel", 7, policy="greedy:1", progress=False),
}


@pytest.fixture(scope="module", autouse=True)
def games() -> Iterator[None]:
    """Register the tiny games of the tests."""
    for game in (COINS, RACE, DICE):
        register(game)
    yield
    for game in (COINS, RACE, DICE):
        del GAMES[game.name]


def timeless(data):
    """Data of a result without the command that continues it, which only a command knows."""
    return {name: value for name, value in data.items() if name not in ("elapsed_s", "command")}


@pytest.mark.parametrize("command", sampled(CASES, 6))
@pytest.mark.slow
def test_a_function_gives_the_numbers_of_its_command(command: str):
    result = CASES[command]()
    printed = json.loads(shown(*command.split(), "--json", *([] if "duels" in command or "replay" in command else ["--jobs", 1])))
    data = json.loads(json.dumps(result.data, allow_nan=False))
    for part in ("precision", "facts"):
        if part in data:
            data[part], printed[part] = timeless(data[part]), timeless(printed[part])
    assert data == printed


@pytest.mark.parametrize("command", sampled(CASES, 6))
@pytest.mark.slow
def test_a_result_has_a_sentence_a_table_and_a_chart(command: str):
    result = CASES[command]()
    assert re.search(r"\w.*[.:]", result.summary)
    assert len(result.frame.columns) > 1
    assert len(result.frame)
    assert all(isinstance(frame, pd.DataFrame) for frame in result.frames.values())
    assert result.summary in repr(result)
    page = result._repr_html_()
    assert "<table>" in page
    if command.startswith("replay"):  # only an analysed game has winning chances to draw
        with pytest.raises(ValueError, match=r"chart=0: this answer has no charts"):
            result.plot()
    else:
        assert isinstance(result.plot(), Figure)
        assert '<img src="data:image/webp;base64,' in page


NAME = re.compile(r"[a-z][a-z0-9_]*")


def unlike_names(result: Answer) -> list[str]:
    """Table ids and columns of an answer that are not in snake_case."""
    words = [*result.frames, *(str(column) for frame in result.frames.values() for column in frame.columns)]
    return [word for word in words if not NAME.fullmatch(word)]


@pytest.mark.parametrize("command", sampled(CASES, 6))
@pytest.mark.slow
def test_frames_have_names_in_snake_case_ids_of_entrants_and_seats_from_0(command: str):
    result = CASES[command]()
    assert unlike_names(result) == []
    assert not any(frame.columns.duplicated().any() for frame in result.frames.values())
    cards = ff.load(command.split()[1])
    ids = dict(zip(cards.names, cards.card_set.ids, strict=True))
    named = 0
    for frame in result.frames.values():
        for names, column in (("name", "entrant"), ("opponent_name", "opponent")):
            rows = frame[frame[names].isin(ids)] if names in frame else frame.head(0)
            assert list(rows.get(column, [])) == [ids[name] for name in rows[names]] if len(rows) else True
            named += len(rows)
        for column in {"seat", "position"} & {*frame.columns}:
            assert set(frame[column]) <= {*range(int(result.data["facts"]["seats"]))}
    assert named or command.split(maxsplit=1)[0] in {"times", "pace", "duel", "cardstats"}


def test_the_answer_to_a_question_is_its_main_frame():
    """Not a table of every game or matchup."""
    seats = ff.seats("dice_duel", 112, sweep=False, **RANDOM)
    assert seats.frame["position"].tolist() == [0, 1]
    assert {"entrant", "opponent"} <= {*seats.frames["matchups"]}
    lengths = ff.pace("coin_duel", 20, policy="greedy:1", **QUIET).frame
    assert lengths["quantile"].tolist() == [0.05, 0.25, 0.5, 0.75, 0.95]
    rates = ff.winrates("dice_duel", 112, **RANDOM)
    assert rates.frame.query("entrant == 'knight'")["name"].tolist() == ["Knight"]


def test_seats_of_games_have_ids_of_entrants():
    seats = ff.play("dice_duel", 28, **RANDOM).seats
    cards = ff.load("dice_duel").card_set
    assert dict(zip(seats["entrant"], seats["name"], strict=True)) == dict(zip(cards.ids, cards.names, strict=True))


def test_parts_of_teams_have_their_ids():
    parts = ff.winrates("rookling", 120, **RANDOM).frames["parts"]
    rookling = ff.load("rookling").card_set
    teams = ff.load("rookling").game.teams_for(rookling)
    assert dict(zip(parts["entrant"], parts["name"], strict=True)) == dict(zip(teams.ids, teams.names, strict=True))


def test_rolls_of_an_expression_and_of_a_game_are_those_of_the_command():
    printed = json.loads(shown("dice", "5d6>=4 - 3d6>=4", "--rolls", 1000, "--json"))
    result = ff.dice("5d6>=4 - 3d6>=4", rolls=1000)
    assert result.data == printed
    assert result.frame["exact"].sum() == pytest.approx(1)
    of_game = ("arena", "--entrant", "rhino_guy", "--ability", "hammer_time", "--against", 2, "--rolls", 1000)
    assert ff.dice("arena", "rhino_guy", "hammer_time", 2, rolls=1000).data == json.loads(shown("dice", *of_game, "--json"))


def test_an_analysed_replay_shows_what_each_decision_gives_away():
    result = ff.replay("coin_duel", 7, analyst="flat:8", policy="greedy:1", progress=False)
    assert {"given_away", "mark"} <= set(result.frame.columns)
    assert isinstance(result.plot(), Figure)
    assert "wins after 5 turns" in result.summary


def test_a_replay_counts_the_decisions_of_its_game_and_no_forced_moves():
    for game in ("coin_duel", "dice_duel"):  # in the latter, every move is forced
        count = ff.play(game, 1, **RANDOM).frame["decisions"][0]
        assert f" and {count} decisions." in ff.replay(game, policy="random", progress=False).summary


def test_the_most_surprising_game_is_the_one_of_the_command():
    said = shown("replay", "coin_duel", "--interesting", "--show", "surprising", "--games", 60, "--policy", "greedy:1", "--json")
    result = ff.replay("coin_duel", interesting=True, show="surprising", games=60, policy="greedy:1", progress=False)
    assert result.data == json.loads(said)


# ---- cards -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("changes", [[1], {3: 4}, None, "hero"])
def test_changes_that_name_no_fields_are_refused(changes):
    with pytest.raises(ValueError, match=r"changes=.* must name fields and their new values"):
        ff.load("dice_duel").update(changes)


def test_set_returns_a_changed_copy_and_remembers_the_edits():
    cards = ff.load("dice_duel")
    changed = cards.set(KNIGHT, np.int64(50)).update({KNIGHT: 51, "fighter.ogre.health": 40})
    before = cards.get(KNIGHT)
    assert changed.get(KNIGHT) == 51
    assert cards.get(KNIGHT) == before != 51
    assert str(changed.edits[0]) == f"{KNIGHT}: {before} to 51"
    assert len(changed.edits) == 2
    assert f"{KNIGHT}: {before} to 51" in changed.summary


@pytest.mark.slow
def test_an_edit_in_two_steps_is_compared_like_one():
    cards = ff.load("dice_duel")
    at_once = ff.whatif(cards, cards.update({KNIGHT: 50, "fighter.ogre.health": 40}), 560, **RANDOM)
    in_steps = ff.whatif(cards, cards.set(KNIGHT, 48).set("fighter.ogre.health", 40).set(KNIGHT, 50), 560, **RANDOM)
    assert at_once.data == in_steps.data


def test_saved_cards_are_loaded_again_with_their_comments(tmp_path):
    changed = ff.load("arena").set("hero.rhino_guy.move", 3)
    file = changed.save(tmp_path / "mine")
    again = ff.load(tmp_path / "mine")
    assert again.get("hero.rhino_guy.move") == 3
    assert "#" in file.read_text(encoding="utf-8")
    assert len(again.frame) == len(changed.frame)
    with pytest.raises(ValueError, match="exists already"):
        changed.save(tmp_path / "mine")


def test_cards_of_a_new_document_are_saved_without_the_text_of_the_old(tmp_path):
    cards = ff.load("dice_duel")
    document = {**cards.document, "fighter": [dict(one, health=30) for one in cards.document["fighter"]]}
    changed = cards.with_document(document)
    changed.save(tmp_path / "mine")
    assert ff.load(tmp_path / "mine").get(KNIGHT) == 30


def test_a_card_set_shows_its_numbers():
    cards = ff.load("arena")
    assert list(cards.frame.columns) == ["field", "value", "source"]
    assert "8 heroes" in repr(cards)
    assert "<td>board.large.radius</td>" in cards._repr_html_()
    assert len(cards.ids) == len(cards.names) == 8


# ---- games -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("copied", [lambda value: pickle.loads(pickle.dumps(value)), copy.deepcopy, copy.copy])
def test_cards_and_results_can_be_pickled_and_copied(copied):
    """As worker processes and caches do."""
    cards = ff.load("dice_duel").set(KNIGHT, 43)
    other = copied(cards)
    assert other.game is cards.game
    assert (other.document, other.edits) == (cards.document, cards.edits)
    assert not other.card_set.record.flags.writeable
    result = ff.winrates(other, 56, **RANDOM)
    again = copied(result)
    assert again.summary == result.summary
    pd.testing.assert_frame_equal(again.frame, result.frame)
    assert isinstance(again.plot(), Figure)


def test_games_that_were_played_are_read_not_played_again(monkeypatch):
    games = ff.play("dice_duel", 560, **RANDOM)
    fresh = ff.winrates("dice_duel", 560, **RANDOM)
    monkeypatch.setattr("sim.run.play_range", None)
    assert ff.winrates(games, **QUIET).data == fresh.data
    assert ff.winrates(games, 112, **QUIET).data["facts"]["games"] == 112
    assert len(games.frame) == 560
    assert len(games.seats) == 2 * 560


def test_rows_by_game_and_by_seat_agree():
    games = ff.play("coin_duel", 60, policy="greedy:1", **QUIET)
    by_seat = games.seats.pivot_table(index="game", columns="seat", values="share")
    assert np.allclose(by_seat, games.frame.set_index("game")[["share_0", "share_1"]])
    named = set(games.legend["column"])
    assert named
    assert named <= set(games.frame.columns) | set(games.seats.columns)


def test_a_run_folder_is_written_opened_and_read(tmp_path, monkeypatch):
    games = ff.play("dice_duel", 112, out=tmp_path / "run", **RANDOM)
    monkeypatch.setattr("sim.run.play_range", None)
    again = ff.open_run(tmp_path / "run")
    pd.testing.assert_frame_equal(games.frame, again.frame)
    printed = json.loads(shown("winrates", tmp_path / "run", "--json"))
    assert ff.winrates(again, **QUIET).data == printed
    assert "112 games" in again.summary
    with pytest.raises(ValueError, match=r"policy=greedy: these games were played with random; leave it out"):
        ff.winrates(again, policy="greedy")
    with pytest.raises(ValueError, match=r"seats=3: these games were played with 2"):
        ff.winrates(again, seats=3)


def test_every_question_of_a_game_is_listed_and_answered_by_name():
    listed = ff.questions("dice_duel")
    assert list(listed.columns) == ["question", "text", "chapter"]
    name = listed["question"][0]
    result = ff.answer("dice_duel", name, 112, **RANDOM)
    assert set(result.frame["name"]) == set(ff.load("dice_duel").names)
    assert result.summary
    assert isinstance(result.plot(), Figure)


# ---- bad input -------------------------------------------------------------------------------------------------------

REFUSED = {  # call -> the command whose message it must give, or the message itself
    "a game": (lambda: ff.winrates("aren"), ("winrates", "aren")),
    "a policy": (lambda: ff.winrates("arena", policy="gredy"), ("winrates", "arena", "--policy", "gredy")),
    "seats": (lambda: ff.winrates("arena", seats=9), ("winrates", "arena", "--seats", 9)),
    "games": (lambda: ff.play("arena", 0), "games=0 "),
    "games in words": (lambda: ff.play("arena", "many"), "games='many' must be a whole number"),
    "half a seed": (lambda: ff.winrates("arena", seed=1.5), "seed=1.5 must be a whole number"),
    "seats in words": (lambda: ff.winrates("arena", seats="two"), "seats='two' must be a whole number"),
    "policies in a list": (lambda: ff.winrates("arena", policy=["greedy"]), "policy=['greedy'] must be a text"),
    "no cards": (lambda: ff.winrates(None), "None must be the name of a game"),
    "a folder without cards": (lambda: ff.load("."), ".: holds no cards.toml"),
    "a pair as a band": (lambda: ff.tune("arena", band=(45, 55)), "band=(45, 55) must be a text"),
    "the name of another game": (lambda: ff.whatif("arena", "dice_duel"), "against: cards of"),
    "a precision": (lambda: ff.winrates("arena", precision=0), ("winrates", "arena", "--precision", 0)),
    "a field": (lambda: ff.load("arena").set("hero.rhino_guy.mov", 3), ("whatif", "arena", "--set", "hero.rhino_guy.mov=3")),
    "a value": (lambda: ff.load("arena").set("hero.rhino_guy.move", 99), ("whatif", "arena", "--set", "hero.rhino_guy.move=99")),
    "dice": (lambda: ff.dice("5d"), ("dice", "5d")),
    "a thing": (lambda: ff.ablate("arena", "hero.nobody"), ("ablate", "arena", "hero.nobody")),
    "levels": (lambda: ff.skill("arena", levels="random"), ("skill", "arena", "--levels", "random")),
    "a band": (lambda: ff.tune("arena", band="60"), ("tune", "arena", "--band", "60")),
    "a fighter": (lambda: ff.duel("cardrogue", "nobody", "troll"), ("duel", "cardrogue", "nobody", "troll")),
    "a game without duels": (lambda: ff.duel("arena", "a", "b"), ("duel", "arena", "a", "b")),
    "a game without cards": (lambda: ff.cardstats("arena"), ("cardstats", "arena")),
    "a question": (lambda: ff.answer("arena", "lenght"), "question='lenght': Arena has no such question"),
    "cards of another game": (lambda: ff.whatif("arena", ff.load("dice_duel")), "against: cards of"),
    "an index": (lambda: ff.replay("arena", -1), ("replay", "arena", "--game", -1)),
}


@pytest.mark.parametrize("what", REFUSED)
@pytest.mark.slow
def test_bad_input_raises_a_value_error_with_the_message_of_the_command(what: str):
    call, like = REFUSED[what]
    with pytest.raises(ValueError, match=r"\S") as caught:
        call()
    message = " ".join(str(caught.value).split())
    if isinstance(like, str):
        assert message.startswith(like)
        return
    with terminal.naming(command_of(like[0]).options):
        assert f"error: {terminal.typed(message)}" == refusal(*like)


# ---- the interface ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", [ff, interface, single, results], ids=lambda module: module.__name__)
@pytest.mark.slow
def test_the_examples_of_the_docstrings_run(module):
    found = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert found.attempted
    assert not found.failed


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_examples_of_a_question_run(name):
    function, runner = find(name).function, doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in doctest.DocTestFinder().find(function, name, globs={}):
        assert not runner.run(test).failed


@pytest.mark.parametrize("page", ["python.md", "playtests.md"])
def test_the_examples_of_the_documentation_run(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    found = doctest.testfile(str(ROOT / "docs" / page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert found.attempted
    assert not found.failed


def test_every_public_name_is_documented_and_typed():
    for name in dir(ff):
        thing = getattr(ff, name)
        assert inspect.getdoc(thing), name
        if inspect.isfunction(thing):
            assert inspect.signature(thing).return_annotation is not inspect.Signature.empty, name


def test_the_import_loads_nothing_else():
    heavy = "pandas", "numpy", "numba", "matplotlib", "scipy", "pydantic", "typer"
    code = f"import sys, fairfight; print([name for name in {heavy} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning")  # of Panel and Bokeh
@pytest.mark.slow
def test_the_workbench_opens_in_a_notebook():
    pytest.importorskip("panel", reason="the extra workbench is not installed")
    page = ff.workbench("coin_duel", seats=2, policy="random", seed=7, progress=False)
    try:
        assert page.bench.base.seed == 7
        assert "Coin duel" in str(page._parts["masthead"].object)
    finally:
        page.close()
    with pytest.raises(ValueError, match="seats=9"):
        ff.workbench("coin_duel", seats=9)


def test_a_long_table_is_shortened_on_screen_only():
    rows = tuple((number,) for number in range(notebook.ROWS_SHOWN + 5))
    result = Answer("Long.", (Table("t", ("n",), rows),))
    assert len(result.frame) == notebook.ROWS_SHOWN + 5
    assert "5 more rows are in .frame" in result._repr_html_()


def test_a_progress_bar_in_a_notebook_shows_the_share_done_and_vanishes(monkeypatch):
    outputs = []

    class Handle:
        def update(self, shown):
            outputs.append(shown.text)

    def display(shown, display_id):
        outputs.append(shown.text)
        return Handle()

    monkeypatch.setattr("IPython.display.display", display)
    times = iter([0.0, 0.5, 2.0, 3.0])
    monkeypatch.setattr("analysis.output.progress.time.monotonic", lambda: next(times))
    with progress.NotebookBar() as watch:
        watch("games", 1, 100)  # within the first second: nothing is shown
        watch("games", 50, 100)
        watch("games", 75, 100)
    assert len(outputs) == 3
    assert '<progress value="50" max="100"></progress> games: 50 of 100' in outputs[0]
    assert "75 of 100" in outputs[1]
    assert outputs[-1] == ""


def test_ctrl_c_keeps_the_games_so_far_and_the_next_call_plays_again(monkeypatch):
    def stopped(*arguments, **named):
        for number, block in enumerate(blocks(*arguments, **named)):
            yield block
            if number == 1:
                raise KeyboardInterrupt

    blocks = player.blocks
    monkeypatch.setattr(player, "blocks", stopped)
    partial = ff.winrates("dice_duel", 56_000, **RANDOM)
    assert partial.data["facts"]["interrupted"]
    assert 0 < partial.data["facts"]["games"] < 56_000
    monkeypatch.setattr(player, "blocks", blocks)
    assert not ff.winrates("dice_duel", 56, **RANDOM).data["facts"]["interrupted"]
