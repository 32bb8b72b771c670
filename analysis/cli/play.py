"""`fairfight play`: a game in the terminal."""

from __future__ import annotations

import json
import secrets
import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from analysis import interrupts
from analysis.answer.files import write_text
from analysis.cli.asking import source_of
from analysis.cli.options import Cards, DecksFile, Force, LineUp, OnlyDecks, PolicyNames, Quick, RandomDecks, games_beginning
from analysis.data.arguments import SEATS
from analysis.data.decks import options_of
from analysis.data.names import names_run, words_for
from analysis.data.players import strong_player
from analysis.games import cards_of, experiment_of
from analysis.output import terminal
from analysis.output.compiled import prepare
from analysis.output.files import check_absent
from analysis.replay.narrate import replay_lines
from analysis.replay.play import Left, TerminalGame, record_of, take_all
from analysis.replay.select import POLICY
from sim.engine.policies import PolicySpec
from sim.live import LiveGame

SEEDS = 1_000_000  # from which a new game is drawn
RECORD = {  # types of what a kept game must have
    "game": str,
    "cards": str,
    "cards_digest": str,
    "seats": int,
    "policy": str,
    "seed": int,
    "index": int,
    "people": list,
    "decisions": list,
}

Name = Annotated[
    str, typer.Argument(metavar="GAME", help="Name of a game, see `fairfight games`.", autocompletion=games_beginning)
]
Seat = Annotated[list[int] | None, typer.Option("--seat", help="Seat of a person, from 1; once for each.  [default: 1]")]
Seats = Annotated[int | None, typer.Option("--seats", help="Number of seats, by default 2 if the game allows it.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Seed of line-up, cards and dice; by default another one each time.")]
Index = Annotated[int, typer.Option("--game", help="Index of the game of the seed, 0 for the first.")]
Out = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="Keep the game: .json for --resume and programs, .txt to read.")
]
Resume = Annotated[Path | None, typer.Option("--resume", metavar="FILE", help="Continue a game that --out kept as .json.")]


def play(
    game: Name,
    seat: Seat = None,
    out: Out = None,
    resume: Resume = None,
    index: Index = 0,
    seats: Seats = None,
    policy: PolicyNames = None,
    quick: Quick = False,
    line_up: LineUp = None,
    seed: Seed = None,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    force: Force = False,
) -> None:
    """Play a game yourself, against the strong player or with several people; --policy names the players of the other seats.

    Cards that a person cannot see are hidden. At the end, the decisions that gave away most are named.

    Example: fairfight play arena

    Example: fairfight play runeslingers --quick --out evening.json
    """
    if names_run(game):
        raise ValueError(f"{game}: is a run folder; name a game (your own cards go with --cards DIR)")
    check_out(out, resume, force)
    kept = {} if resume is None else read_record(resume, game)
    seed = kept.get("seed", secrets.randbelow(SEEDS) if seed is None else seed)
    source = source_of(game, cards, decks, only_decks, random_decks, seed)
    chosen = cards_of(source)
    possible = chosen.game.seats_for(chosen.card_set)
    usual = SEATS if SEATS in possible else min(possible)
    seated = None if line_up is None else [line_up]
    experiment = experiment_of(
        chosen,
        kept.get("index", index) + 1,
        seats=kept.get("seats", usual if seats is None else seats),
        policy=kept.get("policy", policy),
        quick=quick and not kept,
        seed=seed,
        line_up=kept.get("line_up", seated),
    )
    people = kept["people"] if kept else people_of(seat, experiment.seats)
    live = LiveGame(experiment, kept.get("index", index))
    if kept:
        check_digest(resume, kept, experiment.cards.digest)
        take_all(live, [one["decision"] for one in kept["decisions"]])
    prepare(experiment.game, "analysis")
    terminal_game = TerminalGame(live, frozenset(people), strong_player(experiment.game), PolicySpec.parse(POLICY))
    interrupts.state.keep = lambda: keep(live, people, out) or "the game is not kept; --out FILE keeps it"
    try:
        terminal_game.play()
    except Left:
        terminal.say("")
    finally:
        sentence = keep(live, people, out)
    if sentence:
        terminal.tell(sentence)


def people_of(seats: list[int] | None, most: int) -> list[int]:
    """Seats of people, from 0. Raises ValueError."""
    for seat in seats or ():
        if not 1 <= seat <= most:
            raise ValueError(f"--seat {seat}: must be from 1 to {most}")
    return sorted({seat - 1 for seat in seats or (1,)})


def read_record(file: Path, game: str) -> dict[str, Any]:
    """A game that `keep` wrote. Raises ValueError for any other file, and for another game."""
    try:
        record = json.loads(file.read_text("utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise ValueError(f"--resume {file}: is no JSON file; `fairfight play {game} --out FILE.json` writes one") from None
    if not isinstance(record, dict) or not fits(record):
        raise ValueError(f"--resume {file}: holds no game that `fairfight play {game} --out FILE.json` has written")
    if record["game"] != game:
        raise ValueError(f"--resume {file}: is a game of {record['game']}, not of {game}")
    return record


def fits(record: dict[str, Any]) -> bool:
    """Whether a record has what a game needs."""
    if not all(type(record.get(name)) is kind for name, kind in RECORD.items()):
        return False
    seats = range(record["seats"])
    has_people = bool(record["people"]) and all(type(seat) is int and seat in seats for seat in record["people"])
    line_up = record.get("line_up", [])
    has_line_up = isinstance(line_up, list) and all(isinstance(entrant, str) for entrant in line_up)
    has_decisions = all(isinstance(one, dict) and isinstance(one.get("decision"), str) for one in record["decisions"])
    return record["index"] >= 0 and has_people and has_line_up and has_decisions


def check_digest(file: Path | None, record: dict[str, Any], digest: str) -> None:
    """Raise ValueError if a game was played with other cards."""
    if record["cards_digest"] != digest:
        raise ValueError(f"--resume {file}: was played with other cards, {record['cards']}; name them with --cards")


def check_out(out: Path | None, resume: Path | None, force: bool) -> None:
    """Raise ReportError or ValueError unless a game can be kept in the file. The game that is resumed can be."""
    if out is None:
        return
    if out.suffix not in {".json", ".txt"}:
        raise ValueError(f"--out {out}: a game is written as .json or .txt; name a file of this type")
    terminal.check_file(out)
    if resume is None or out.resolve() != resume.resolve():
        check_absent(out, force)


def keep(live: LiveGame, people: list[int], out: Path | None) -> str:
    """Write the game so far; returns a sentence that says so, empty without a file."""
    if out is None:
        return ""
    if out.suffix == ".txt":
        write_text(out, "\n".join(replay_lines(live.experiment, live.index, live.replay())) + "\n")
        return f"The game is in {out}."
    write_text(out, json.dumps(record_of(live, people), indent=1, ensure_ascii=False) + "\n")
    if live.over:
        return f"The game is in {out}."
    cards = live.experiment.cards
    name, options = words_for(live.game, cards)
    return f"{shlex.join(['fairfight', 'play', name, *options, *options_of(cards), '--resume', str(out)])} continues it."
