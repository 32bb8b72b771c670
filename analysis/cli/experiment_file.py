"""Experiment files of `fairfight run`, and its final report and that of `fairfight check` for a run.

An experiment file describes in TOML what to play, so that a run can be repeated and shared. README.md describes the format.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import Any

from analysis.data.decks import DeckChoice
from analysis.data.names import BETWEEN_SEATS, line_up_of, policy_of, run_word
from analysis.document.model import THIN, count, seats_word
from analysis.output import terminal
from analysis.winrates.play import coupled
from sim.engine.cardfiles.paths import Table, shown
from sim.engine.cards import read_document
from sim.engine.dice import SEATS_MAX
from sim.experiments.experiment import GAMES_MAX, Experiment
from sim.registry import GAMES, game_named
from sim.seeds import SEED_MAX
from sim.store import Filled, Run, StoreError
from sim.store.manifest import BLOCK_MAX, COUPLINGS, KEEPS
from sim.weights import loaded

SUFFIX = ".toml"
FORBIDDEN_MAX = 1000  # things; more than any game has
OPTION = re.compile(r"--(decks|only-decks|random-decks|paired)\b")  # in messages: here they are keys


@dataclass(frozen=True)
class Wanted:
    """A requested run. keep, block_games: None takes them from the run folder, or the defaults."""

    experiment: Experiment
    keep: str | None = None
    block_games: int | None = None

    def with_games(self, games: int | None) -> Wanted:
        """Copy with another number of games, if given. Raises ValueError."""
        return self if games is None else replace(self, experiment=replace(self.experiment, games_wanted=games))


def read_experiment(path: Path) -> Wanted:
    """Read an experiment file. Raises ValueError with the file, the field, its value and what would be right."""
    if not path.is_file():
        raise ValueError(f"{path}: no such file; name an experiment file, a game or a run")
    document, _ = read_document(path, path)
    try:
        table = Table(document)
        wanted = Wanted(
            _experiment(table, path),
            table.one_of("keep", KEEPS, KEEPS[0]),
            table.whole("block_games", 1, BLOCK_MAX) if table.has("block_games") else None,
        )
        table.known.append("block_games")
        table.close()
    except ValueError as error:
        message = OPTION.sub(lambda match: match[1].replace("-", "_"), str(error))
        raise ValueError(f"{path}: {message}") from None
    return wanted


def is_experiment_file(text: str) -> bool:
    """Whether a command line argument is an experiment file, not a game or a run."""
    return text.endswith(SUFFIX)


def _experiment(table: Table, path: Path) -> Experiment:
    """The experiment to play. Raises ValueError."""
    game = game_named(table.one_of("game", GAMES))
    seed = table.whole("seed", 0, SEED_MAX, 1)
    choice = DeckChoice(_place(table, "decks", path), table.flag("only_decks", False), _lot(table, "random_decks"), seed)
    cards = choice.played(game, loaded(game, _place(table, "cards", path)))
    seats = table.whole("seats", 1, SEATS_MAX, 2)
    policies = tuple(policy_of(word) for word in table.text("policy", "greedy").split(","))
    games = table.whole("games", 1, GAMES_MAX)
    line_up = line_up_of(_line_up(table), game, cards, seats)
    forbidden = _forbidden(table)
    made = Experiment(game.name, cards, seats, policies, games, seed, line_up=line_up, forbidden=forbidden)
    return coupled(made, table.flag("paired", False), table.one_of("coupling", COUPLINGS, COUPLINGS[0]))


def _place(table: Table, key: str, path: Path) -> Path | None:
    """A file or folder in the folder of the experiment file; None if not given. Raises ValueError."""
    words: Any = table.take(key, None)
    if words is None:
        return None
    if not isinstance(words, str) or not words.isprintable():
        raise table.wrong(key, "must be text, a file or folder beside this file")
    try:
        folder = path.resolve().parent
        place = (folder / words).resolve()
    except (OSError, ValueError) as error:
        raise table.wrong(key, f"cannot be read ({error})") from None
    if not place.is_relative_to(folder):
        raise table.wrong(key, "lies outside the folder of the experiment file; name a place inside it")
    return place


def _line_up(table: Table) -> str | None:
    """Comma-separated entrants by seat. Raises ValueError."""
    named = table.items("line_up", SEATS_MAX)
    for seat, entrant in enumerate(named):
        if not isinstance(entrant, str):
            raise ValueError(f"line_up[{seat}] = {shown(entrant)}: must be text, an entrant")
        if BETWEEN_SEATS in entrant:
            raise ValueError(f"line_up[{seat}] = {shown(entrant)}: must be one entrant; list each entrant separately")
    return ",".join(named) if table.has("line_up") else None


def _forbidden(table: Table) -> tuple[str, ...]:
    """Forbidden things, named as in `--forbid`. Raises ValueError."""
    named = table.items("forbid", FORBIDDEN_MAX)
    for index, thing in enumerate(named):
        if not isinstance(thing, str):
            raise ValueError(f"forbid[{index}] = {shown(thing)}: must be text, [ENTRANT:]THING")
    return tuple(named)


def _lot(table: Table, key: str) -> str | None:
    """Random decks, as for the option. Raises ValueError."""
    value: Any = table.take(key, None)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | str)):
        raise table.wrong(key, 'must be a number of decks, as in 24 or "24:sealed"')
    return None if value is None else str(value)


DAMAGE_SHOWN = 3  # damaged files that are named
KILOBYTE, MEGABYTE = 1_000, 1_000_000


def print_filled(run: Run, filled: Filled, elapsed_s: float, as_json: bool) -> None:
    """Print a run and the result of playing its missing games. elapsed_s: time that this took."""
    made, manifest = run.experiment, run.manifest
    if as_json:
        facts = made.facts() | {"keep": manifest.keep, "block_games": manifest.block_games}
        played = {"kept": filled.kept, "played": filled.played, "damaged": list(filled.damaged)}
        terminal.print_json({"facts": facts, "folder": run.folder, **played, "bytes": run.size, "elapsed_s": elapsed_s})
        return
    lines = [
        f"{run.folder}: {count(made.games)} games of {made.game.title}, {seats_word(made.seats)}, policy {made.policy_words}, "
        f"seed {made.seed}; {_size(run.size)} in blocks of {count(manifest.block_games)} games."
    ]
    if filled.damaged:
        many = len(filled.damaged) > 1
        files = f"{count(len(filled.damaged))} damaged files were" if many else "A damaged file was"
        lines.append(f"{files} found and {'their' if many else 'its'} games played again:")
        lines += [f"  {file}" for file in filled.damaged[:DAMAGE_SHOWN]]
        lines += ["  ..."] if len(filled.damaged) > DAMAGE_SHOWN else []
    played_now = (
        f"{count(filled.played)} games played in {elapsed_s:.1f} s ({count(filled.played / max(elapsed_s, 1e-9))} games/s)"
    )
    if not filled.played:
        lines.append("All of them had been played before.")
    else:
        lines.append(f"{played_now}; {count(filled.kept)} had been played before." if filled.kept else f"{played_now}.")
    for line in [*lines, f"Who wins how often: fairfight winrates {quote(run_word(run.folder))}"]:
        terminal.say(line)


def _size(size: int) -> str:
    """Bytes in words."""
    unit, name = (MEGABYTE, "MB") if size >= MEGABYTE else (KILOBYTE, "kB")
    return f"{size / unit:.1f}{THIN}{name}"


def check_run(run: Run, as_json: bool) -> None:
    """Compare all files of a run with their digests and print the result. Raises StoreError, with the damaged files if any."""
    games, damaged = run.check()
    folder, wanted, again = run.folder, run.experiment.games, f"fairfight run {quote(run_word(run.folder))}"
    if as_json:
        terminal.print_json({"facts": run.experiment.facts(), "folder": folder, "sound": games, "damaged": list(damaged)})
    elif damaged:
        more = f"; {count(len(damaged) - DAMAGE_SHOWN)} more" if len(damaged) > DAMAGE_SHOWN else ""
        raise StoreError(f"{folder}: {'; '.join(damaged[:DAMAGE_SHOWN])}{more}; `{again}` plays their games again")
    else:
        rest = "" if games == wanted else f"; `{again}` plays the others"
        title = run.experiment.game.title
        terminal.say(f"{folder}: a valid run of {title}: {count(games)} of {count(wanted)} games exist and are intact{rest}.")
