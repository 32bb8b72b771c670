"""Golden results: the JSON output of every command, and a small report of every game. They guard refactoring.

`python -m tests.test_golden_results` compares all of them, reports included, and names the parts of a result that differ;
`--renew` writes them again, or only those of the named commands. Tests compare each command for one game at each commit;
for the others, and the reports, with `-m soak`. An intended change is listed in CHANGELOG.md under "Numbers changed".

`golden/results.json` holds a digest of each part of a result; `golden/results/` has one readable result of each command.
Numbers are compared to nine significant digits. Times and sizes of files are left out, and only the numbers of a sentence are
compared, so that its wording can be improved.
"""

import argparse
import hashlib
import json
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, nullcontext
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from analysis.cli.main import COMMANDS, app
from analysis.report.write import NUMBERS
from sim.engine.jit import COMPILED, interpreted
from sim.registry import GAMES
from tests.conftest import BUILT_IN, ROOT, in_soak

FOLDER = Path(__file__).parent / "golden"
DIGESTS, SAMPLES = FOLDER / "results.json", FOLDER / "results"
VARYING = ("seconds", "elapsed", "_s", "version", "speed", "per_second", "gain", "bytes")  # endings of keys
DIGITS = 9
SENTENCE = 4  # words that make a text a sentence
NUMBERS_IN = re.compile(r"\d+(?:[.,]\d+)*")
SAMPLE_MAX = 24_000  # characters of a sample; longer lists are cut

RANDOM = "--policy random --seed 7 --json"
NUMBER = {  # for each game, a field with a value to try
    "arena": "hero.rhino_guy.move=3",
    "cardrogue": "rules.mole_fee=8",
    "rookling": "rules.hand=5",
    "riftborn": "rules.start_hand=6",
    "runeslingers": "rules.start_hand=6",
}
EACH = {  # command -> options; played for each game
    "cards": "--json",
    "winrates": f"--games 600 {RANDOM}",
    "matchups": f"--games 3000 {RANDOM}",
    "seats": f"--games 600 {RANDOM}",
    "whatif": f"--set {{number}} --games 600 {RANDOM}",
    "sensitivity": f"--fields {{field}} --games 2400 {RANDOM}",
    "ablate": f"--games 1500 {RANDOM}",
    "cardstats": f"--games 300 {RANDOM}",
    "pace": f"--games 100 {RANDOM}",
    "skill": "--levels random,greedy:1 --games 200 --seed 7 --json",
    "replay": f"--game 3 {RANDOM}",
}
ONCE = (
    "games --json",
    "check sim/games/arena --json",
    "winrates arena --games 60 --seats 3 --policy greedy:1 --seed 7 --json",
    f"winrates riftborn --random-decks 6 --games 300 {RANDOM}",
    f"winrates runeslingers --random-decks 4 --games 200 {RANDOM}",
    f"winrates cardrogue --seats 1 --games 200 {RANDOM}",
    f"explain arena rhino_guy --games 1120 {RANDOM}",
    f"explain rookling rute --games 600 {RANDOM}",
    f"explain runeslingers romin_starter --games 600 {RANDOM}",
    f"explain cardrogue mage --games 600 {RANDOM}",
    f"compare arena rhino_guy mirror_mage --margin 2 --games 2000 {RANDOM}",
    "match 880 759 1863 --json",
    f"compare riftborn beast_rush undead_attrition --games 800 {RANDOM}",
    f"variants arena rules.hit_faces=2,4 hero.rhino_guy.move=1 --games 1200 {RANDOM}",
    f"tune arena --fields 'hero.*.move' --max-changes 2 --games 16000 {RANDOM}",
    f"seats arena --no-sweep --games 2000 {RANDOM}",
    f"teams rookling --games 400 {RANDOM}",
    f"teams rookling --by team --games 600 {RANDOM}",
    f"replay arena --interesting --games 60 {RANDOM}",
    f"replay arena --game 5 --analyse {RANDOM}",
    "matrix tests/analysis/matchups/cycle.csv --json",
    f"amounts arena damage_dealt --games 100 {RANDOM}",
    f"amounts rookling line_used --per line_met --games 100 {RANDOM}",
    f"categories arena fall_cause --games 100 {RANDOM}",
    f"times cardrogue shop_seen key_seen --games 100 {RANDOM}",
    f"times riftborn xp_after --games 100 {RANDOM}",
    "scenario tests/games/arena/scenarios/g1.toml --json",
    'dice "5d6>=4 - 3d6>=4" --json',
    "dice arena --entrant rhino_guy --ability hammer_time --against 2 --json",
    "duel cardrogue warrior troll --json",
    "train arena --seats 2 --round-games 100 --rounds 1 --policy greedy:1 --seed 7 --json",
    f"run arena --games 600 --out run {RANDOM}",
)
QUICK_GAMES = {
    "cardstats": "rookling",
    "pace": "rookling",
    "replay": "runeslingers",
}  # of cases at each commit, unless it is the Arena
SLOW = ("ablate", "duel", "train")  # some of their kernels are compiled on demand
REPORT = "--policy random --seed 7 --scale 0.4 --json"
NOT_THERE = {
    "new",
    "new-game",
    "warmup",
    "report",
    "workbench",
    "play",
    "playtests",
    "calibrate",
    "plan",
}  # these write files, or are covered elsewhere


def case_of(command: str, game: str) -> str:
    """A command of EACH for a game."""
    number = NUMBER[game]
    return f"{command} {game} {EACH[command]}".format(number=number, field=number.partition("=")[0])


def cases() -> Iterator[str]:
    """Every command with its options, as typed after `fairfight`."""
    for command in EACH:
        yield from (case_of(command, game) for game in BUILT_IN)
    yield from ONCE


def quick_cases() -> set[str]:
    """A case of each command, which each commit compares."""
    quick = {command: case_of(command, QUICK_GAMES.get(command, "arena")) for command in EACH}
    for case in ONCE:
        quick.setdefault(case.split()[0], case)
    return {case for command, case in quick.items() if command not in SLOW}


def reports() -> Iterator[str]:
    """The report of every game."""
    yield from (f"report {game} {REPORT}" for game in BUILT_IN)


def plain(found: Any) -> Any:
    """A result without times and sizes of files, its numbers rounded."""
    if isinstance(found, dict):
        return {key: plain(value) for key, value in sorted(found.items()) if not key.endswith(VARYING)}
    if isinstance(found, list):
        return [plain(value) for value in found]
    if isinstance(found, float):
        return float(f"{found:.{DIGITS}g}")
    return found


def without_wording(found: Any) -> Any:
    """A result with its sentences reduced to their numbers."""
    if isinstance(found, dict):
        return {key: without_wording(value) for key, value in found.items()}
    if isinstance(found, list):
        return [without_wording(value) for value in found]
    if isinstance(found, str) and len(found.split()) >= SENTENCE:
        return NUMBERS_IN.findall(found)
    return found


def is_narrated(words: list[str]) -> bool:
    """Whether a command calls a few kernels directly, which would each be compiled, and plays little."""
    return words[0] in {"replay", "scenario"} and not {"--analyse", "--interesting"} & {*words}


def result(command: str, folder: Path) -> Any:
    """The output of a command, or its message if the game does not support it."""
    if not (folder / "tests").exists():
        for part in ("tests", "sim"):
            (folder / part).symlink_to(ROOT / part)
    words = shlex.split(command)
    with chdir(folder), interpreted() if is_narrated(words) else nullcontext():
        told = CliRunner().invoke(app, [*words, *(["--out", "pages"] if words[0] == "report" else [])])
    assert told.exit_code in (0, 2), f"{command}\n{told.output[-2000:]}{told.exception!r}"
    if told.exit_code:
        return {"refused": " ".join(told.stderr.split())}
    if words[0] == "report":
        pages = sorted((folder / "pages" / words[1]).rglob(NUMBERS))
        return {str(page.parent.relative_to(folder)): plain(json.loads(page.read_text())) for page in pages}
    return plain(json.loads(told.stdout))


def digests(found: Any) -> dict[str, str]:
    """A digest of each part of a result, so that a difference can be found."""
    found = without_wording(found)
    parts = found if isinstance(found, dict) else {"all": found}
    return {part: hashlib.sha256(json.dumps(value).encode()).hexdigest()[:10] for part, value in parts.items()}


def stored() -> dict[str, dict[str, str]]:
    return json.loads(DIGESTS.read_text(encoding="utf-8"))


def different(command: str, found: Any) -> list[str]:
    """Parts of a result that differ from the stored ones."""
    now, before = digests(found), stored().get(command, {})
    return sorted(part for part in {*now, *before} if now.get(part) != before.get(part))


def sample(command: str, found: Any) -> str:
    """A result for readers: long lists are cut."""

    def cut(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: cut(one) for key, one in value.items()}
        if isinstance(value, list):
            return [*map(cut, value[:4]), *([f"... {len(value) - 4} more"] if len(value) > 4 else [])]
        return value

    text = json.dumps({"command": f"fairfight {command}", "result": cut(found)}, indent=1, ensure_ascii=False)
    return text if len(text) <= SAMPLE_MAX else f"{text[:SAMPLE_MAX]}\n...\n"


@pytest.fixture(autouse=True)
def _only_built_in_games() -> Iterator[None]:
    """Hide games that other tests have registered."""
    others = {name: GAMES[name] for name in GAMES if name not in BUILT_IN}
    for name in others:
        del GAMES[name]
    yield
    GAMES.update(others)


@pytest.mark.skipif(not COMPILED, reason="thousands of games")
@pytest.mark.parametrize("command", [case if case in quick_cases() else in_soak(case) for case in cases()])
@pytest.mark.slow
def test_a_command_gives_its_golden_result(command: str, tmp_path: Path):
    assert different(command, result(command, tmp_path)) == [], "see the docstring of this file"


@pytest.mark.soak
@pytest.mark.parametrize("command", list(reports()))
def test_a_report_gives_its_golden_result(command: str, tmp_path: Path):
    assert different(command, result(command, tmp_path)) == [], "see the docstring of this file"


def test_every_command_has_a_golden_result():
    told = {command.split()[0] for command in (*cases(), *reports())}
    assert told | NOT_THERE == {*COMMANDS}
    assert {*stored()} == {*cases(), *reports()}
    assert {path.stem for path in SAMPLES.iterdir()} == {f"fairfight-{command}" for command in told}


def main() -> None:
    """Compare all results, or write them again."""
    parser = argparse.ArgumentParser(description="Compare the golden results of all commands and reports.")
    parser.add_argument("--renew", action="store_true", help="write them again")
    parser.add_argument("commands", nargs="*", help="only these commands, such as winrates; by default all")
    asked = parser.parse_args()
    chosen = [one for one in (*cases(), *reports()) if not asked.commands or one.split()[0] in asked.commands]
    kept = {key: value for key, value in (stored() if DIGESTS.exists() else {}).items() if key not in chosen}
    kept = {key: value for key, value in kept.items() if key in {*cases(), *reports()}}
    failed, shown = 0, set[str]()
    SAMPLES.mkdir(exist_ok=True)
    for command in chosen:
        with tempfile.TemporaryDirectory() as folder:
            found = result(command, Path(folder))
        if asked.renew:
            kept[command] = digests(found)
            file = SAMPLES / f"fairfight-{command.split()[0]}.json"
            if command.split()[0] not in shown and "refused" not in found:
                shown.add(command.split()[0])
                file.write_text(sample(command, found), encoding="utf-8")
        elif parts := different(command, found):
            failed += 1
            sys.stdout.write(f"{command}\n  differs in: {', '.join(parts)}\n")
    if asked.renew:
        DIGESTS.write_text(json.dumps(dict(sorted(kept.items())), indent=0), encoding="utf-8")
    sys.stdout.write(f"{len(chosen)} results, {failed} differ\n")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
