"""Cards and games of the Python interface, and how its functions play."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, overload

import pandas as pd

from analysis.answer.cards import games_table
from analysis.answer.model import Notice
from analysis.cardsheets.reading import game_of, is_spreadsheet, loaded_set
from analysis.data import names
from analysis.data.arguments import SEATS, SEED
from analysis.data.decks import DeckChoice
from analysis.data.names import forbidden_of, line_up_of, open_game, policies_of
from analysis.data.player import Watch
from analysis.data.players import chosen_players
from analysis.output.compiled import prepare
from analysis.output.progress import bar
from analysis.playtests.log import Playtests
from analysis.playtests.reading import read_playtests
from analysis.results import Cards, Games, Held, reading
from analysis.variants.variant import Change, against
from analysis.winrates.play import coupled
from sim.check import faults
from sim.engine.contract import Game
from sim.experiments.experiment import Experiment
from sim.registry import GAMES, game_named
from sim.run import blocks, loop_of
from sim.store import Run

Source = Cards | Games | Playtests | str | Path


def load(
    game: str | Path,
    *,
    decks: str | Path | None = None,
    only_decks: bool = False,
    random_decks: int | str | None = None,
    seed: int = SEED,
) -> Cards:
    """Load the reference cards of a game, or a card file.

    Parameters
    ----------
    game : str or Path
        Name of a game, or a folder with your own ``cards.toml`` (see ``fairfight new``).
    decks : str or Path, optional
        TOML file of ``[[deck]]`` tables to play besides the card set's own, for games of decks.
    only_decks : bool
        Play the decks of `decks` without the card set's own.
    random_decks : int or str, optional
        Play this number of random legal decks instead; ``"24:sealed"`` names the game's deck generator.
    seed : int
        Seed of the random decks.

    Raises
    ------
    ValueError
        For an unknown game, and for anything wrong with a file: what, where, and what would be right.

    Examples
    --------
    >>> import fairfight as ff
    >>> ff.load("arena").names[:2]
    ('Bow Master', 'Rhino Guy')

    """
    choice = DeckChoice(None if decks is None else Path(decks), only_decks, random_decks, seed)
    if not isinstance(game, str | Path):
        raise ValueError(f"{game!r} must be the name of a game, a folder with cards.toml, or cards from ff.load")
    path = Path(game)
    if str(game) not in GAMES and (path.suffix == ".toml" or (path / "cards.toml").is_file() or is_spreadsheet(path)):
        found = game_named(game_of(path))
        cards = loaded_set(found, path)
    else:
        if str(game) not in GAMES and path.is_dir() and not (path / "manifest.json").exists():
            raise ValueError(f"{game}: holds no cards.toml; `fairfight new GAME DIR` creates a card folder")
        found, cards = open_game(str(game), None)
    return Cards(found, choice.played(found, cards))


def load_cards(game: str, folder: Path | None, choice: DeckChoice) -> Cards:
    """Load the reference cards of a game, or those of a folder, with the chosen decks. Raises ValueError."""
    found, cards = open_game(game, folder)
    return Cards(found, choice.played(found, cards))


def open_run(folder: str | Path) -> Games:
    """Open a run folder, written by ``fairfight run`` or by `play`.

    Functions take the result in place of cards and read its games instead of playing new ones, where these answer the question.
    Of a run that keeps only sums (``keep=summary``), `winrates` reads them.

    Raises
    ------
    ValueError
        If the folder is no run, or holds no games yet.

    """
    run = Run.open(folder)
    if not run.held:
        raise ValueError(f"{folder}: holds no games yet; `fairfight run {folder}` plays them")
    return Games(replace(run.experiment, cards=names.cards_of(run), games_wanted=run.held), run)


def play(
    cards: Source,
    games: int = 1_000,
    *,
    seats: int | None = None,
    policy: str | None = None,
    quick: bool = False,
    seed: int | None = None,
    line_up: Sequence[str] | None = None,
    forbid: Sequence[str] = (),
    paired: bool = False,
    out: str | Path | None = None,
    jobs: int | None = None,
    progress: bool = True,
) -> Games:
    """Play games and return all of them, one row each.

    Parameters
    ----------
    cards : Cards, str or Path
        Cards, the name of a game, or a folder with a card file.
    games : int
        Games in all, rounded up so that all entrants sit equally often on every seat.
    seats : int, default 2
        Number of seats.
    policy : str, optional
        Player of all seats, by default the strong one of the game; such as ``"random"``, ``"greedy:4"`` or ``"turn:4:4"``, or one
        for each seat, with commas between.
    quick : bool
        Quick players, ``greedy:4``, in place of the strong ones.
    seed : int, default 1
        The same seed gives the same games.
    line_up : sequence of str, optional
        Entrants by seat, instead of a balanced design.
    forbid : sequence of str
        Abilities, cards or rules that no player may use, ``"entrant:thing"`` for one entrant.
    paired : bool
        Play every line-up from all seats with the same dice.
    out : str or Path, optional
        Folder to write the games to, a run that every command accepts; an existing run of the same games continues.
    jobs : int, optional
        Number of workers, by default one per core. Results do not depend on it.
    progress : bool
        Show a progress bar while games are played.

    Raises
    ------
    ValueError
        For any argument that is not valid.

    Examples
    --------
    >>> import fairfight as ff
    >>> games = ff.play("arena", 56, policy="random")
    >>> len(games.frame), len(games.seats)
    (56, 112)

    """
    made = coupled(experiment_of(cards, games, seats, policy, seed, line_up, forbid, quick), paired, "seat")
    with playing(made.game, loop_needed(made), progress) as watch, reading(cards):
        if out is not None:
            run = Run.begin(Path(out), made)
            run.fill(jobs, None, watch)
            return open_run(out)
        played, done = [], 0
        for block in blocks(made, jobs):
            played.append(block)
            done += len(block.rows)
            watch("games", done, made.games)
    return Games(replace(made, games_wanted=made.games), Held(made, tuple(played)))


@overload
def games() -> pd.DataFrame: ...


@overload
def games(path: str | Path, columns: Mapping[str, str] | Sequence[str] = ()) -> Playtests: ...


def games(path: str | Path | None = None, columns: Mapping[str, str] | Sequence[str] = ()) -> pd.DataFrame | Playtests:
    """List the games: the built-in ones, and those of other installed distributions; or read games that people played.

    The list has columns game (for `load`), title, seats, entrants, numbers (in its card file).

    Parameters
    ----------
    path : str or Path, optional
        File of games that people played (.csv, .tsv, .xlsx, .parquet, .jsonl): a row for each player of a game, or for each game.
        Questions such as `winrates` take the result in place of a game.
    columns : mapping or sequence of str
        Headings of the file where they are not usual ones, such as ``{"entrant": "Hero", "won": "Result"}``.

    Raises
    ------
    ValueError
        For anything in the file that cannot be understood: what, in which line and column, and what would be right.

    Examples
    --------
    >>> import fairfight as ff
    >>> "arena" in ff.games()["game"].tolist()
    True

    """
    if path is not None:
        return read_playtests(path, columns)
    return games_table(GAMES.usable(lambda text: warnings.warn(text, Notice, stacklevel=3))).frame


def check(cards: Source) -> list[str]:
    """Play a game, first as plain Python, and return what it does that games must not do; empty if nothing.

    `load` checks card files: it raises ValueError for a mistake in one.
    """
    return faults(cards_of(cards).game)


def questions(cards: Source) -> pd.DataFrame:
    """List the questions that a report on a game answers: columns question (for `answer`), text, chapter.

    Examples
    --------
    >>> import fairfight as ff
    >>> ff.questions("arena")["question"][0]
    'win-rates'

    """
    rows = [{"question": one.id, "text": one.text, "chapter": one.chapter} for one in cards_of(cards).game.questions]
    return pd.DataFrame(rows, columns=["question", "text", "chapter"])


# ---- for the functions of the interface -----------------------------------------------------------------------------


def cards_of(source: Source) -> Cards:
    """The cards of what a function was given. Raises ValueError."""
    if isinstance(source, Cards):
        return source
    if isinstance(source, Games):
        return source.cards
    if isinstance(source, Playtests):
        raise ValueError(f"{source.path}: games that people played have no cards; name a game that fairfight simulates")
    return load(source)


def whole(name: str, value: Any) -> int:
    """An argument that must be a whole number; 1e6 is one. Raises ValueError."""
    try:
        if value == int(value):
            return int(value)
    except (TypeError, ValueError, OverflowError):
        pass
    raise ValueError(f"{name}={value!r} must be a whole number")


def experiment_of(
    source: Source,
    games: int,
    seats: int | None = None,
    policy: str | None = None,
    seed: int | None = None,
    line_up: Sequence[str] | None = None,
    forbid: Sequence[str] = (),
    quick: bool = False,
) -> Experiment:
    """The games to play. Raises ValueError, also for settings that contradict games already played."""
    games = whole("games", games)
    seats, seed = (None if value is None else whole(name, value) for name, value in {"seats": seats, "seed": seed}.items())
    if not isinstance(policy, str | None):
        raise ValueError(f'policy={policy!r} must be a text, such as "greedy", or "greedy,random" for one per seat')
    if isinstance(source, Games):
        if quick:
            raise ValueError(f"quick=True: these games were played with {source.experiment.policy_words}; leave it out")
        made = source.experiment
        settings = {"seats": (seats, made.seats), "policy": (policy, made.policy_words), "seed": (seed, made.seed)}
        for name, (given, known) in settings.items():
            same = given == known if name != "policy" or given is None else policies_of(str(given)) == made.policies
            if given is not None and not same:
                raise ValueError(f"{name}={given}: these games were played with {known}; leave it out")
        if line_up is not None and line_up_of(",".join(line_up), made.game, made.cards, made.seats) != made.line_up:
            raise ValueError("line_up: these games are already played; leave it out")
        if forbid and forbidden_of(forbid) != made.forbidden:
            raise ValueError("forbid: these games are already played; leave it out")
        return replace(made, games_wanted=games)
    cards = cards_of(source)
    number = SEATS if seats is None else seats
    seated = None if line_up is None else line_up_of(",".join(line_up), cards.game, cards.card_set, number)
    players, forbidden = chosen_players(cards.game, policy, quick), forbidden_of(forbid)
    what = (cards.game.name, cards.card_set, number, players, games, SEED if seed is None else seed)
    return Experiment(*what, line_up=seated, forbidden=forbidden)


def change_of(cards: Cards, changed: Cards, seats: int) -> Change:
    """The change from one card set to another: its edits if it was made by `Cards.set`, else all that differs."""
    if changed.game.name != cards.game.name:
        raise ValueError(f"against: cards of {changed.game.title} cannot be compared with those of {cards.game.title}")
    if changed.origin is not None and changed.origin.digest == cards.card_set.digest:
        idle = changed.card_set.record.tobytes() == cards.card_set.record.tobytes()
        return Change(changed.edits, changed.card_set, idle)
    return against(cards.game, cards.card_set, changed.card_set, seats)


def loop_needed(experiment: Experiment) -> tuple[str, ...]:
    """The part of the compiled loop that the policies need."""
    return (loop_of(experiment.policies),)


@contextmanager
def playing(game: Game, parts: Iterable[str], progress: bool) -> Iterator[Watch]:
    """Context for playing: compiles `parts` of the game unless cached, and gives a function that shows progress."""
    for part in parts:
        prepare(game, part, progress)
    with bar(progress) as watch:
        yield watch
