"""Experiment files: what to play, as TOML, so that a run can be repeated and passed on. The format is told in README.md."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis.deck_choice import DeckChoice
from analysis.naming import BETWEEN_SEATS, line_up_of
from analysis.paired_summary import coupled
from sim.engine.cards import read_document
from sim.engine.dice import SEATS_MAX
from sim.engine.fieldpaths import shown
from sim.engine.policies import PolicySpec
from sim.engine.reading import Table
from sim.experiment import GAMES_MAX, Experiment
from sim.registry import GAMES, game_named
from sim.seeds import SEED_MAX
from sim.store.manifest import BLOCK_MAX, COUPLINGS, KEEPS
from sim.weights import loaded

SUFFIX = ".toml"
FORBIDDEN_MAX = 1000  # things; no game has as many
OPTION = re.compile(r"--(decks|only-decks|random-decks|paired)\b")  # in messages: here they are keys


@dataclass(frozen=True)
class Wanted:
    """A run as it is asked for. keep, block_games: None leaves them to the run folder, or as usual."""

    experiment: Experiment
    keep: str | None = None
    block_games: int | None = None

    @classmethod
    def of(cls, experiment: Experiment, paired: bool, coupling: str) -> Wanted:
        """A run of games in pairs, or with dice of the entrants. Raises ValueError, see `coupled`."""
        return cls(coupled(experiment, paired, coupling))

    def with_games(self, games: int | None) -> Wanted:
        """The same with another number of games, if one is named. Raises ValueError."""
        return self if games is None else replace(self, experiment=replace(self.experiment, games_wanted=games))

    def kept(self, keep: str | None, block_games: int | None) -> Wanted:
        """The same, kept so."""
        return replace(self, keep=keep, block_games=block_games)


def read_experiment(path: Path) -> Wanted:
    """Read an experiment file. Raises ValueError naming the file, the field, its value and what would be right."""
    if not path.is_file():
        raise ValueError(f"{path}: there is no such file; name an experiment file, a game or a run")
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
        told = OPTION.sub(lambda found: found[1].replace("-", "_"), str(error))
        raise ValueError(f"{path}: {told}") from None
    return wanted


def is_experiment_file(text: str) -> bool:
    """Whether a word of the command line means such a file, and not a game or a run."""
    return text.endswith(SUFFIX)


def _experiment(table: Table, path: Path) -> Experiment:
    """What is to be played. Raises ValueError."""
    game = game_named(table.one_of("game", GAMES))
    seed = table.whole("seed", 0, SEED_MAX, 1)
    choice = DeckChoice(
        _place(table, "decks", path), table.flag("only_decks", False), _lot(table, "random_decks"), seed
    )
    cards = choice.played(game, loaded(game, _place(table, "cards", path)))
    seats = table.whole("seats", 1, SEATS_MAX, 2)
    policies = tuple(PolicySpec.parse(word) for word in table.text("policy", "greedy").split(","))
    games = table.whole("games", 1, GAMES_MAX)
    line_up = line_up_of(_line_up(table), game, cards, seats)
    forbidden = _forbidden(table)
    made = Experiment(game.name, cards, seats, policies, games, seed, line_up=line_up, forbidden=forbidden)
    return coupled(made, table.flag("paired", False), table.one_of("coupling", COUPLINGS, COUPLINGS[0]))


def _place(table: Table, key: str, path: Path) -> Path | None:
    """A file or folder at or below the folder of the experiment file; None where it is not given. Raises ValueError."""
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
    """Entrants by seat, with commas between them. Raises ValueError."""
    named = table.items("line_up", SEATS_MAX)
    for at, one in enumerate(named):
        if not isinstance(one, str):
            raise ValueError(f"line_up[{at}] = {shown(one)}: must be text, an entrant")
        if BETWEEN_SEATS in one:
            raise ValueError(f"line_up[{at}] = {shown(one)}: must be one entrant; each has a text of its own")
    return ",".join(named) if table.has("line_up") else None


def _forbidden(table: Table) -> tuple[str, ...]:
    """What may not be used, as `--forbid` names it. Raises ValueError."""
    named = table.items("forbid", FORBIDDEN_MAX)
    for at, one in enumerate(named):
        if not isinstance(one, str):
            raise ValueError(f"forbid[{at}] = {shown(one)}: must be text, [ENTRANT:]THING")
    return tuple(named)


def _lot(table: Table, key: str) -> str | None:
    """Decks by lot as the command has them. Raises ValueError."""
    value: Any = table.take(key, None)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | str)):
        raise table.wrong(key, 'must be a number of decks, as in 24 or "24:sealed"')
    return None if value is None else str(value)
