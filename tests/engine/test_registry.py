"""Games of other distributions: found by their entry points, and refused with a message that names what is wrong."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sim.engine.contract import Game, offer
from sim.registry import GROUP, NAMES, GameError, Games

GOOD = "from tests.every_game.coin_duel import GAME"
RENAMED = (
    "from dataclasses import replace\nfrom tests.every_game.coin_duel import GAME as OTHER\nGAME = replace(OTHER, name={name!r})"
)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed distributions."""
    monkeypatch.syspath_prepend(tmp_path)
    before = {*sys.modules}
    yield tmp_path
    for name in {*sys.modules} - before:
        if name.startswith("plugin_"):
            del sys.modules[name]


def install(site: Path, distribution: str, module: str, source: str, *entries: str) -> None:
    """Install a distribution with one module. entries: lines of its group of entry points, by default one for coin_duel."""
    (site / f"{module}.py").write_text(source, "utf-8")
    info = site / f"{distribution.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n", "utf-8")
    lines = entries or (f"coin_duel = {module}:GAME",)
    (info / "entry_points.txt").write_text("\n".join([f"[{GROUP}]", *lines]), "utf-8")


def refusal(name: str) -> str:
    with pytest.raises(GameError) as caught:
        Games(NAMES)[name]
    return str(caught.value)


def test_an_installed_game_is_listed_and_imported_when_it_is_read(site: Path):
    install(site, "fair-duel", "plugin_duel", GOOD)
    games = Games(NAMES)
    assert [*games] == [*NAMES, "coin_duel"]
    assert len(games) == len(NAMES) + 1
    assert "coin_duel" in games
    assert "plugin_duel" not in sys.modules
    assert games["coin_duel"].title == "Coin duel"
    assert "plugin_duel" in sys.modules


def test_a_built_in_game_is_found_without_searching_distributions(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("importlib.metadata.entry_points", None)
    assert "arena" in Games(NAMES)
    assert Games(NAMES)["arena"].title == "Arena"


def test_a_broken_game_does_not_stop_the_others(site: Path):
    install(site, "fair-duel", "plugin_duel", GOOD)
    install(site, "half-done", "plugin_half", "\nimport no_such_module", "half = plugin_half:GAME")
    messages: list[str] = []
    assert [*Games(NAMES).usable(messages.append)] == [*NAMES, "coin_duel"]
    (message,) = messages
    assert message.startswith("game 'half' of half-done 1.0: plugin_half:GAME cannot be imported: ModuleNotFoundError: No module")
    assert message.endswith("plugin_half.py, line 2)")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("raise SystemExit('leaving')", "cannot be imported: SystemExit: leaving"),
        ("1 +", "cannot be imported: SyntaxError: invalid syntax (plugin_bad.py, line 1)"),
        ("OTHER = 1", "cannot be imported: AttributeError: module 'plugin_bad' has no attribute 'GAME'"),
        ("GAME = 7", "plugin_bad:GAME must be a Game, as made by Game.of; it is of type int"),
        (RENAMED.format(name="coins"), "plugin_bad:GAME is named 'coins'; the entry point must have the same name"),
        (f"{RENAMED.format(name='coin_duel')}\nGAME = replace(GAME, hidden=('sleeve',))", "hidden=['sleeve'] are not fields"),
        (
            "import sys\nfrom sim.engine.contract import Verbs\ndef deal(): ...\nVerbs.of(sys.modules[__name__])",
            "plugin_bad: has no current_player and no legal_actions and no apply_action and no is_over and no returns",
        ),
    ],
)
def test_what_is_wrong_with_a_game_is_named(site: Path, source: str, reason: str):
    install(site, "bad-game", "plugin_bad", source)
    message = refusal("coin_duel")
    assert message.startswith("game 'coin_duel' of bad-game 1.0: ")
    assert reason in message
    assert "\n" not in message


def test_a_game_in_two_distributions_is_refused(site: Path):
    install(site, "fair-duel", "plugin_duel", GOOD)
    install(site, "other-duel", "plugin_other", GOOD)
    assert refusal("coin_duel") == (
        "game 'coin_duel' of fair-duel 1.0 and other-duel 1.0: several distributions provide it; uninstall all but one"
    )


@pytest.mark.parametrize("name", ["all", "My-Game", "9lives", "a" * 41])
def test_names_that_commands_could_misunderstand_are_refused(site: Path, name: str):
    install(site, "odd-name", "plugin_odd", RENAMED.format(name=name), f"{name} = plugin_odd:GAME")
    assert "the name of a game has at most 40 lower-case letters" in refusal(name)


def test_a_game_cannot_replace_a_built_in_one(site: Path):
    install(site, "false-arena", "plugin_arena", GOOD, "arena = plugin_arena:GAME")
    games, messages = Games(NAMES), []
    assert games["arena"].title == "Arena"
    assert [*games] == [*NAMES]
    assert [*games.usable(messages.append)] == [*NAMES]
    assert messages == ["game 'arena' of false-arena 1.0: this name is that of a built-in game; give it another one"]


def test_a_verb_must_be_a_kernel(coin_duel: Game):
    def uncompiled(state: np.void) -> bool:
        return bool(state["over"])

    state = np.dtype([("turn", np.int16), ("seats", np.int8), ("over", np.int8)])
    half = replace(coin_duel, name="half", state=state, verbs=replace(coin_duel.verbs, is_over=uncompiled))
    with pytest.raises(
        ValueError, match=r"is_over must be a kernel; write @kit.kernel above it \(.*test_registry.py, line \d+\)"
    ):
        offer(half)
