"""Every file format: valid inputs, how it is read, and how an accepted input is used."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from analysis.answer.page import Entry
from analysis.data.decks import DeckChoice
from analysis.dice.language import read as read_dice
from analysis.report.write import _read_entry
from analysis.tuning.goal import read_target
from sim.engine import scenario
from sim.engine.cards import CardSet, game_of, numeric_fields
from sim.engine.contract import Game
from sim.engine.evaluation import FILE_NAME
from sim.engine.jit import interpreted
from sim.engine.loop import Status
from sim.experiments.experiment import Experiment
from sim.registry import GAMES
from sim.run import play_range
from sim.weights import Weights, parsed, read_weights, with_weights
from tests.safety.form import RANDOM, TINY, Format, written
from tests.safety.runs import blocks, manifests
from tests.safety.spreadsheets import csv_folders, workbooks
from tests.safety.structures import JSON, toml_of

TESTS = Path(__file__).parents[1]
GAMES_PLAYED = 4  # with every accepted card file
SCENARIOS_MOST = 25  # valid files of a game


# ---- cards -----------------------------------------------------------------------------------------------------------


def cards(name: str) -> Format:
    """Card files of a game: validated, compiled, played."""
    game = GAMES[name]

    def read(file: Path) -> CardSet:
        game_of(file)
        return game.load(file)

    return Format(f"cards:{name}", (game.reference.read_bytes(),), read, lambda found: play(game, found))


def play(game: Game, found: CardSet) -> None:
    """Play a few games with an accepted card set; all of them end. Its numbers are finite, and each has its source."""
    assert all(np.isfinite(found.record[field]).all() for field in found.record.dtype.names)
    assert [entry.path for entry in found.provenance] == numeric_fields(found.document)
    try:
        made = Experiment(game.name, found, game.seats_for(found)[0], RANDOM, GAMES_PLAYED)
    except ValueError:  # too few entrants for one table
        return
    block, _ = play_range(made, 0, min(GAMES_PLAYED, made.games))
    assert set(block.rows["status"].tolist()) <= {Status.FINISHED, Status.TRUNCATED}


def weights() -> Format:
    """Files of weights beside the cards: validated and put into the card set."""
    game = GAMES["coin_duel"]
    cards = game.load(None)

    def read(file: Path) -> CardSet:
        return with_weights(cards, parsed(game, read_weights(file), str(file), Weights.of(cards)))

    def use(found: CardSet) -> None:
        assert np.isfinite(found.record["weight"]).all()
        assert len(found.digest) == len(cards.digest)

    return Format("weights", (game.reference.with_name(FILE_NAME).read_bytes(),), read, use)


# ---- scenarios -------------------------------------------------------------------------------------------------------


def scenarios(name: str) -> Format:
    """Scenario files of a game: loaded and played."""
    files = sorted((TESTS / "games" / name / "scenarios").rglob("*.toml"))
    step = max(1, len(files) // SCENARIOS_MOST)
    inputs = tuple(file.read_bytes() for file in files[::step])
    reference = GAMES[name].load(None)

    def read(file: Path) -> scenario.Result:
        with interpreted():  # a few calls of many kernels, which would each be compiled
            loaded = scenario.load(file)
            if loaded.game != name or loaded.cards or loaded.change:
                return scenario.run(file, GAMES)
            return scenario.play(loaded, GAMES[name], reference)  # the cards are read once

    return Format(
        f"scenario:{name}",
        inputs,
        read,
        lambda result: json.dumps([result.position, result.log, result.differences]),
        where=lambda file: (f"{file}: ", "document: "),  # the lines of a card file with changes
    )


# ---- decks -----------------------------------------------------------------------------------------------------------


def deck_file(game: Game) -> bytes:
    """The decks of a reference set as a deck file."""
    assert game.decks is not None
    known = ("id", "cards", "source", *game.decks.words)
    tables = game.load(None).document["deck"]
    return toml_of({"deck": [{key: deck[key] for key in known if key in deck} for deck in tables]}).encode()


def decks(name: str) -> Format:
    """Deck files of a game: read, checked by its rules, played."""
    game = GAMES[name]
    reference = game.load(None)

    def read(file: Path) -> CardSet:
        return DeckChoice(file, only=True).played(game, reference)

    return Format(f"decks:{name}", (deck_file(game),), read, lambda found: play(game, found))


# ---- targets, dice ---------------------------------------------------------------------------------------------------

TARGETS = (
    b"tolerance = 0.02\nfirst_seat = 0.5\n\n[matchup.knight]\nogre = 0.55\nmonk = 0.4\n",
    b"[matchup.a]\nb = 0.6\n[matchup.b]\nc = 0.6\n[matchup.c]\na = 0.6\n",
)
EXPRESSIONS = (
    b"3d6",
    b"5d6>=4 - 3d6>=4",
    b"max(2d6kh1, 1d20) floor 0",
    b"2*1d6 + 4d6kl3 - min(1d4, (2d8==3)) floor -3",
    b"-1d6 + 100",
    b"200d6<=2",
)


def targets() -> Format:
    """Targets of tuning."""
    return Format("target", TARGETS, read_target)


def dice() -> Format:
    """Dice expressions. tests/analysis/dice/test_dice.py tests the cost of evaluating them."""

    def read(file: Path) -> Any:
        return read_dice(file.read_bytes().decode("utf-8", "surrogateescape"))

    return Format(
        "dice", EXPRESSIONS, read, lambda term: term.least + term.most, None, where=lambda _: ("dice expression, position ", "  ")
    )


# ---- earlier reports -------------------------------------------------------------------------------------------------

REPORT = {
    "game": "coin_duel",
    "title": "Coin duel",
    "subtitle": "Cards: three fighters",
    "headline": [{"text": "Pike wins most.", "tone": "strong"}],
    "facts": [{"label": "Seed", "text": "1"}],
    "links": [{"label": "What to change", "href": "change/index.html"}, {"label": "Here", "href": ""}],
    "sections": [],
}


def reports() -> Format:
    """The numbers beside a page, from which the index of all pages is rebuilt. A file that is no report is skipped."""

    def place(folder: Path, content: bytes) -> Path:
        return written(folder / "coin_duel", content, "report.json")

    def use(entry: Entry) -> None:
        assert all(isinstance(text, str) for text in (entry.title, entry.subtitle))
        "".join([one.text for one in (*entry.headline, *entry.facts)] + [link.href for link in entry.links])

    content = json.dumps(REPORT).encode()
    return Format("report", (content,), _read_entry, use, JSON, place, lambda folder: (folder / "coin_duel").mkdir())


# ---- all of them -----------------------------------------------------------------------------------------------------


def formats() -> dict[str, Callable[[], Format]]:
    """The constructor of each format by name, for all registered games."""
    made: dict[str, Callable[[], Format]] = {
        "target": targets,
        "weights": weights,
        "dice": dice,
        "report": reports,
        "manifest": manifests,
        "sheets:csv": lambda: csv_folders(lambda found: play(GAMES["coin_duel"], found)),
        "sheets:xlsx": lambda: workbooks(lambda found: play(GAMES["coin_duel"], found)),
        "blocks:rows": lambda: blocks("rows"),
        "blocks:summary": lambda: blocks("summary"),
    }
    for name, game in GAMES.items():
        made[f"cards:{name}"] = lambda name=name: cards(name)  # type: ignore[misc]
        if name not in TINY:  # their positions are very simple
            made[f"scenario:{name}"] = lambda name=name: scenarios(name)  # type: ignore[misc]
        if game.decks is not None:
            made[f"decks:{name}"] = lambda name=name: decks(name)  # type: ignore[misc]
    return made
