"""Look up games, runs and entrants by what a user types: ids or names, and teams by their parts in any order."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from analysis.answer.numbers import seats_word
from analysis.cardsheets.reading import is_spreadsheet, loaded_set
from sim.engine.cardfiles.paths import did_you_mean
from sim.engine.cards import CardSet, slug
from sim.engine.contract import Game
from sim.engine.policies import Policy, PolicySpec
from sim.registry import GAMES, game_named
from sim.store import Run, is_run

BETWEEN_PARTS, BETWEEN_SEATS = "+", ","
LOGS = (".csv", ".tsv", ".txt", ".xlsx", ".xlsm", ".parquet", ".jsonl", ".ndjson", ".json")  # of games that people played
ALL = "all"  # in place of a game, for `fairfight report`


def names_run(word: str) -> bool:
    """Whether a word is a run folder. The name of a game takes precedence over a folder of the same name."""
    if word in GAMES or word == ALL or not os.path.isdir(word):  # noqa: PTH112 - never raises, unlike Path.is_dir
        return False
    return is_run(word)


def run_word(folder: Path) -> str:
    """Write a run folder so that it is not taken for a game of the same name."""
    return str(folder) if names_run(str(folder)) else f"./{folder}"


def check_game(name: str) -> None:
    """Raise ValueError for a word that is neither a game nor a run. Imports no game."""
    if name in GAMES or names_run(name):
        return
    if os.path.isdir(name):  # noqa: PTH112 - as above
        raise ValueError(f"{name}: is a folder, but no run; name a game or a run (your own cards go with --cards DIR)")
    if Path(name).suffix.lower() in LOGS:
        raise ValueError(f"{name}: there is no such file; name a file of games that people played, a game or a run folder")
    hint, every = did_you_mean(name, sorted(GAMES)), f"games are {', '.join(sorted(GAMES))}"
    hint = f"{hint} The {every}" if hint.startswith("did") else every
    raise ValueError(f"{name!r} is neither a game nor a run folder; {hint}")


def open_game(name: str, cards: Path | None) -> tuple[Game, CardSet]:
    """Find a game and load its cards. A run folder can stand in place of a game and brings the cards it was begun with.

    Raises ValueError.
    """
    check_game(name)
    if names_run(name):
        if cards is not None:
            raise ValueError(f"--cards {cards}: {name} is a run, which brings its cards; leave it out")
        run = Run.open(name)
        return run.experiment.game, cards_of(run)
    game = game_named(name)
    return game, loaded_set(game, cards)


def policy_of(text: str) -> PolicySpec:
    """Read a policy, see `PolicySpec.parse`. Raises ValueError, with the nearest name for a misspelt one."""
    word = text.strip().partition(":")[0].partition("/")[0]
    known = [policy.name.lower() for policy in Policy]
    hint = did_you_mean(word.lower(), known)
    if word not in known and word.upper() not in Policy.__members__ and hint.startswith("did"):
        raise ValueError(
            f"policy={text!r} is not known; {hint} Known are {', '.join(known)} and, with k samples, b plans or n "
            "playouts, greedy:k, turn:b:k, flat:n, search:n"
        )
    return PolicySpec.parse(text)


def policies_of(text: str) -> tuple[PolicySpec, ...]:
    """Read a list of policies. Raises ValueError."""
    return tuple(policy_of(part) for part in text.split(","))


def forbidden_of(names: Sequence[str] | None) -> tuple[str, ...]:
    """Forbidden things without duplicates and sorted, so that equal experiments compare equal."""
    return tuple(sorted({name.strip() for name in names or ()}))


def cards_of(run: Run) -> CardSet:
    """The cards of a run; their path is the run folder."""
    return replace(run.experiment.cards, path=run.folder)


def words_for(game: Game, cards: CardSet) -> tuple[str, list[str]]:
    """Command line words for a game and its cards: the GAME argument and the options. Decks have separate options.

    A run is named for its cards only if they are not the reference set.
    """
    if is_run(cards.path) and not is_reference(game, cards):
        return run_word(cards.path), []
    is_file = cards.path != game.reference and (cards.path.suffix == ".toml" or is_spreadsheet(cards.path))
    return game.name, ["--cards", str(cards.path)] if is_file else []


def is_reference(game: Game, cards: CardSet) -> bool:
    """Whether a card set equals the reference set, whatever its path."""
    return cards.digest == game.load(None).digest


def title_of(game: Game, cards: CardSet) -> str:
    """Title of a page: the game for its reference set, else the card set with the game in brackets."""
    reference = game.load(None)
    if cards.digest == reference.digest:
        return game.title
    return f"{cards.title}{', changed' if cards.title == reference.title else ''} ({game.title})"


def line_up_of(text: str | None, game: Game, cards: CardSet, seats: int) -> tuple[int, ...] | None:
    """Read comma-separated entrants by seat; see `entrant_of`. None stays None, the balanced design.

    Raises ValueError unless there is one for each seat.
    """
    if text is None:
        return None
    named = [word.strip() for word in text.split(BETWEEN_SEATS)]
    if len(named) != seats:
        word = game.entrant_word if len(named) == 1 else game.entrants_word
        raise ValueError(
            f"line-up {text!r}: has {len(named)} {word} for {seats_word(seats)}; name one for each, separated by commas"
        )
    line_up = tuple(entrant_of(word, game, cards) for word in named)
    if not game.mirror and not game.teams_of and (twice := [entrant for entrant in line_up if line_up.count(entrant) > 1]):
        raise ValueError(
            f"line-up {text!r}: names {cards.names[twice[0]]} twice; in {game.title} each seat has another {game.entrant_word}"
        )
    return line_up


def entrant_of(text: str, game: Game, cards: CardSet) -> int:
    """Index of an entrant from its id or name; of a team from its parts in any order, joined by +.

    Case, blanks and punctuation do not matter. Raises ValueError with the unknown word and the nearest known ones.
    """
    teams = game.teams_for(cards)
    if teams is None:
        return index_of(text, cards.ids, cards.names, game.entrant_word)
    parts = [index_of(word, teams.ids, teams.names, teams.word) for word in text.split(BETWEEN_PARTS)]
    twice = [part for part in parts if parts.count(part) > 1]
    if twice:
        raise ValueError(f"{text!r}: names {teams.names[twice[0]]} twice; the {teams.words} of a {game.entrant_word} differ")
    if len(parts) != teams.size:
        raise ValueError(f"{text!r}: has {len(parts)} of the {teams.size} {teams.words} of a {game.entrant_word}")
    matches = [number for number, members in enumerate(teams.members.tolist()) if members == sorted(parts)]
    if not matches:
        raise ValueError(f"{text!r}: is no {game.entrant_word} of this card set")
    return matches[0]


def index_of(text: str, ids: Sequence[str], names: Sequence[str], word: str) -> int:
    """Index of an id, else of a unique name. Raises ValueError with the nearest id."""
    wanted = slug(text)
    for known in ([slug(entry) for entry in ids], [slug(entry) for entry in names]):
        if known.count(wanted) == 1:
            return known.index(wanted)
    raise ValueError(f"{text.strip()!r}: is no {word}; {did_you_mean(wanted, list(ids))}")


def forbidden_lines(forbidden: Sequence[str]) -> list[str]:
    """Sentence on what is forbidden and how players deal with it; empty if nothing is."""
    if not forbidden:
        return []
    return [f"Forbidden: {', '.join(forbidden)}; players plan without it. They use it only if there is no other legal choice."]
