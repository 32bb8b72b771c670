"""What a command prints by default: the answer in its first lines, 25 lines of 80 columns, words that a designer knows."""

import re

import pytest
from rich.cells import cell_len

from analysis.answer.model import Answer
from analysis.output import answers, terminal
from analysis.output.answers import LINES
from sim.engine.jit import COMPILED
from sim.registry import GAMES, register
from tests.analysis.cli.test_cli import shown
from tests.analysis.cli.test_on_runs import COINS
from tests.conftest import ROOT
from tests.every_game.deck_race import GAME as RACE
from tests.every_game.dice_duel import GAME as DICE

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not COMPILED, reason="some thousand games")]

RANDOM = ("--policy", "random")
COMMANDS: dict[str, tuple[object, ...]] = {  # name -> what is typed; strong players where they are quick
    "winrates": ("winrates", "coin_duel", "--games", 120),
    "winrates of quick players": ("winrates", "coin_duel", "--games", 120, "--quick"),
    "winrates of teams": ("winrates", "rookling", *RANDOM, "--games", 440),
    "matchups": ("matchups", "dice_duel", *RANDOM, "--games", 448),
    "matrix": ("matrix", ROOT / "tests/analysis/matchups/cycle.csv"),
    "seats": ("seats", "dice_duel", *RANDOM, "--games", 2000),
    "seats without a sweep": ("seats", "coin_duel", "--games", 60, "--no-sweep"),
    "teams": ("teams", "rookling", *RANDOM, "--games", 600),
    "compare": ("compare", "coin_duel", "pike", "maul", "--games", 400),
    "match": ("match", 60, 40, 20),
    "whatif": ("whatif", "dice_duel", *RANDOM, "--set", "fighter.knight.health=-2", "--games", 280),
    "sensitivity": ("sensitivity", "dice_duel", *RANDOM, "--fields", "fighter.*.health", "--games", 20_000),
    "tune": ("tune", "dice_duel", *RANDOM, "--fields", "fighter.knight.health", "--max-changes", 1, "--games", 26_000),
    "variants": ("variants", "dice_duel", "fighter.knight.health=43,47", *RANDOM, "--games", 280),
    "ablate": ("ablate", "coin_duel", *RANDOM, "--games", 900),
    "ablate of one thing": ("ablate", "coin_duel", "rule.fold", *RANDOM, "--games", 120),
    "cardstats": ("cardstats", "deck_race", *RANDOM, "--games", 800),
    "pace": ("pace", "coin_duel", "--games", 60),
    "explain": ("explain", "dice_duel", "knight", *RANDOM, "--games", 560),
    "amounts": ("amounts", "arena", "damage_dealt", *RANDOM, "--games", 56),
    "categories": ("categories", "arena", "fall_cause", *RANDOM, "--games", 56),
    "times": ("times", "coin_duel", "length", *RANDOM, "--games", 60),
    "skill": ("skill", "coin_duel", "--levels", "random,greedy:1,greedy:4", "--games", 600),
    "replay": ("replay", "coin_duel", "--game", 3),
    "replay --interesting": ("replay", "coin_duel", "--interesting", "--games", 60),
    "replay --analyse": ("replay", "coin_duel", *RANDOM, "--analyst", "greedy:1"),
    "dice": ("dice", "5d6>=4 - 3d6>=4", "--rolls", 1000),
    "duel": ("duel", "coin_duel", "pike", "maul", "--duels", 1000),
    "cards": ("cards", "arena"),
    "card": ("cards", "arena", "rhino_guy"),
    "numbers": ("cards", "arena", "--fields", "hero.*"),
}
SUMMARY_LINES = 2
NOT_A_DESIGNERS = re.compile(
    r"z =|chi-square|alpha-rank|turn:\d|\bp \(|X\u00b2|log likelihood|root mean square|standard error|\bgain\b|\brounds\b|"
    r"\bp_|Bradley|\bHolm\b|degrees of freedom"
)


@pytest.fixture(autouse=True)
def registered():
    """The tiny games."""
    for game in (COINS, RACE, DICE):
        register(game)
    yield
    for game in (COINS, RACE, DICE):
        del GAMES[game.name]


@pytest.fixture
def printed(monkeypatch):
    """The answers that commands print."""
    caught: list[Answer] = []
    usual = answers.print_answer

    def catching(answer, again=""):
        caught.append(answer)
        usual(answer, again)

    monkeypatch.setattr("analysis.output.answers.print_answer", catching)
    monkeypatch.setattr("analysis.cli.cards.print_answer", catching)
    return caught


@pytest.mark.parametrize("name", COMMANDS)
def test_the_answer_comes_first_in_25_lines_of_80_columns(name, printed, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = shown(*COMMANDS[name]).splitlines()
    (answer,) = printed
    first = terminal.sentence_lines(answer.summary)
    assert lines[: len(first)] == first
    assert len(first) <= SUMMARY_LINES, answer.summary
    assert max(map(cell_len, lines)) <= 80
    assert NOT_A_DESIGNERS.findall("\n".join(lines)) == []
    assert len(lines) <= LINES, "\n".join(lines)
    assert lines[len(first)] == ""
