"""From what a user types to a game or a run, and to entrants: ids or names, and teams as their parts in any order."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sim.engine.fieldpaths import did_you_mean
from sim.registry import GAMES, game_named

if TYPE_CHECKING:
    from sim.engine.cards import CardSet
    from sim.engine.contract import Game
    from sim.engine.policies import PolicySpec
    from sim.engine.teams import Teams
    from sim.store import Run

BETWEEN_PARTS, BETWEEN_SEATS = "+", ","
ALL = "all"  # games, for `fairfight report`


def names_run(word: str) -> bool:
    """Whether a word that may mean a game or a run means a run: a game goes before a folder that is called like it."""
    if word in GAMES or word == ALL or not os.path.isdir(word):  # noqa: PTH112 - never fails, whatever the word
        return False
    from sim.store import is_run

    return is_run(word)


def run_word(folder: Path) -> str:
    """A run folder as a word that means it, not the game that is called like it."""
    return str(folder) if names_run(str(folder)) else f"./{folder}"


def check_game(name: str) -> None:
    """Raise ValueError for a word that means neither a game nor a run. Imports no game."""
    if name in GAMES or names_run(name):
        return
    if Path(name).is_dir():
        raise ValueError(f"{name}: is a folder, but no run; name a game or a run (your own cards go with --cards DIR)")
    raise ValueError(f"{name!r} is neither a game nor a run folder; {games_meant(name)}")


def open_game(name: str, cards: Path | None) -> tuple[Game, CardSet]:
    """Find a game and load its cards; of a run folder, which may stand in place of a game, those it was begun with.

    Raises ValueError.
    """
    check_game(name)
    if names_run(name):
        if cards is not None:
            raise ValueError(f"--cards {cards}: {name} is a run, which brings its cards; leave it out")
        from sim.store import Run

        run = Run.open(name)
        return run.experiment.game, cards_of(run)
    from sim.weights import loaded

    game = game_named(name)
    return game, loaded(game, cards)


def games_meant(word: str) -> str:
    """Which game a misspelt name may mean, and the names of all."""
    known = sorted(GAMES)
    hint, every = did_you_mean(word, known), f"games are {', '.join(known)}"
    return f"{hint} The {every}" if hint.startswith("did") else every


def policy_of(text: str) -> PolicySpec:
    """Read a policy, see `PolicySpec.parse`. Raises ValueError, with the nearest name for a misspelt one."""
    from sim.engine.policies import Policy, PolicySpec

    word = text.strip().partition(":")[0].partition("/")[0]
    known = [policy.name.lower() for policy in Policy]
    hint = did_you_mean(word.lower(), known)
    if word not in known and word.upper() not in Policy.__members__ and hint.startswith("did"):
        raise ValueError(
            f"policy={text!r} is not known; {hint} Known are {', '.join(known)} and, with k samples or n playouts, greedy:k, "
            "flat:n, search:n"
        )
    return PolicySpec.parse(text)


def cards_of(run: Run) -> CardSet:
    """The cards of a run; their path is the run folder."""
    return replace(run.experiment.cards, path=run.folder)


def words_for(game: Game, cards: CardSet) -> tuple[str, list[str]]:
    """How a command names a game and its cards: what stands in place of GAME, and options. Decks have options of their own.

    A run is named for its cards only where they are not the reference set.
    """
    from sim.store import is_run

    if is_run(cards.path) and not is_reference(game, cards):
        return run_word(cards.path), []
    own = cards.path != game.reference and cards.path.suffix == ".toml"
    return game.name, ["--cards", str(cards.path)] if own else []


def is_reference(game: Game, cards: CardSet) -> bool:
    """Whether a card set is the reference set, wherever it was read."""
    return cards.digest == game.load(None).digest


def title_of(game: Game, cards: CardSet) -> str:
    """What a page about a card set is called: the game for its reference set, else the set, the game in brackets."""
    reference = game.load(None)
    if cards.digest == reference.digest:
        return game.title
    return f"{cards.title}{', changed' if cards.title == reference.title else ''} ({game.title})"


def line_up_of(text: str | None, game: Game, cards: CardSet, seats: int) -> tuple[int, ...] | None:
    """Read entrants by seat, with commas between them; see `entrant_of`. None stays None, the balanced design.

    Raises ValueError unless there is one for each seat.
    """
    if text is None:
        return None
    named = [word.strip() for word in text.split(BETWEEN_SEATS)]
    if len(named) != seats:
        word = game.entrant_word if len(named) == 1 else game.entrants_word
        raise ValueError(
            f"line-up {text!r}: has {len(named)} {word} for {seats} seats; name one for each, commas between"
        )
    return tuple(entrant_of(word, game, cards) for word in named)


def entrant_of(text: str, game: Game, cards: CardSet) -> int:
    """Number of an entrant from its id or name, of a team from its parts in any order, with + between them.

    Case, blanks and punctuation do not matter. Raises ValueError naming the word that is not known and what comes close.
    """
    teams = game.teams_for(cards)
    if teams is None:
        return _number_of(text, cards.ids, cards.names, game.entrant_word)
    parts = [_number_of(word, teams.ids, teams.names, teams.word) for word in text.split(BETWEEN_PARTS)]
    twice = [part for part in parts if parts.count(part) > 1]
    if twice:
        raise ValueError(
            f"{text!r}: names {teams.names[twice[0]]} twice; the {teams.words} of a {game.entrant_word} differ"
        )
    if len(parts) != teams.size:
        raise ValueError(f"{text!r}: has {len(parts)} of the {teams.size} {teams.words} of a {game.entrant_word}")
    return _team_of(parts, teams, text, game.entrant_word)


def _team_of(parts: list[int], teams: Teams, text: str, word: str) -> int:
    """Number of the team with these parts. Raises ValueError if there is none."""
    import numpy as np

    found = np.flatnonzero((teams.members == np.sort(parts)).all(axis=1))
    if not len(found):
        raise ValueError(f"{text!r}: is no {word} of this card set")
    return int(found[0])


def _number_of(text: str, ids: Sequence[str], names: Sequence[str], word: str) -> int:
    """Number of an id, else of a name that only one has. Raises ValueError with the nearest id."""
    from sim.engine.cards import slug

    wanted = slug(text)
    for known in ([slug(one) for one in ids], [slug(one) for one in names]):
        if known.count(wanted) == 1:
            return known.index(wanted)
    raise ValueError(f"{text.strip()!r}: is no {word}; {did_you_mean(wanted, list(ids))}")


def forbidden_lines(forbidden: Sequence[str]) -> list[str]:
    """What may not be used, and what that means; nothing where all may be."""
    if not forbidden:
        return []
    return [
        f"Forbidden: {', '.join(forbidden)}; players plan without it. Where nothing else is open it may be used after all."
    ]
