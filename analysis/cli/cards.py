"""`fairfight cards`: what a card set contains, and its numbers with their sources."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from analysis.answer.cards import cards_shown
from analysis.answer.model import Answer
from analysis.cli.asking import source_of
from analysis.cli.options import AsJson, Cards, DecksFile, Everything, Force, GameName, NoColor, OnlyDecks, RandomDecks, Seed
from analysis.games import cards_of
from analysis.output import terminal
from analysis.output.answers import print_answer
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.weights import has_own

Card = Annotated[str | None, typer.Argument(metavar="[CARD]", help="One card, by its id or name, with all its numbers.")]
Fields = Annotated[
    str | None, typer.Option("--fields", metavar="PATTERN[,PATTERN]", help="These numbers with their sources, e.g. hero.*.move.")
]
Xlsx = Annotated[
    Path | None,
    typer.Option(
        "--xlsx",
        metavar="FILE",
        help="Write the whole set as a spreadsheet to edit; `fairfight new GAME DIR --from FILE` makes a card folder of it.",
    ),
]
Csv = Annotated[
    Path | None, typer.Option("--csv", metavar="DIR", help="Write the whole set to a folder, a CSV file for each sheet.")
]


def cards(
    game: GameName,
    card: Card = None,
    fields: Fields = None,
    xlsx: Xlsx = None,
    csv: Csv = None,
    cards: Cards = None,
    decks: DecksFile = None,
    only_decks: OnlyDecks = False,
    random_decks: RandomDecks = None,
    seed: Seed = 1,
    as_json: AsJson = False,
    force: Force = False,
    everything: Everything = False,
    no_color: NoColor = False,
) -> None:
    """Show a card set: entrants, cards, rules; or all numbers of one card with their sources.

    Example: fairfight cards arena

    Example: fairfight cards arena rhino_guy

    Example: fairfight cards arena --fields "hero.*.move"

    Example: fairfight cards arena --xlsx cards.xlsx
    """
    source = cards_of(source_of(game, cards, decks, only_decks, random_decks, seed))
    if xlsx is not None or csv is not None:
        if card is not None or fields is not None:
            raise ValueError(f"{'--xlsx' if xlsx else '--csv'}: writes the whole card set; leave the card and --fields out")
        write_sheets(source.game, source.card_set, xlsx, csv, force, as_json)
        return
    shown = cards_shown(source.game, source.card_set, card, fields)
    if as_json:
        terminal.print_json(shown.as_json())
        return
    with terminal.printing(everything=everything, no_color=no_color):
        print_answer(Answer(shown.summary, tuple(shown.tables()), story=tuple(shown.lines), warnings=tuple(shown.hints)))


def write_sheets(game: Game, cards: CardSet, xlsx: Path | None, csv: Path | None, force: bool, as_json: bool) -> None:
    """Write the card set as a spreadsheet, a folder of CSV files, or both, and print what was written."""
    from analysis.output.spreadsheets import free_folder, write_csv, write_xlsx  # openpyxl takes a quarter of a second to import

    files = {path: write for path, write in ((xlsx, write_xlsx), (csv, write_csv)) if path is not None}
    for path, write in files.items():
        write(path, game, cards, force)
    if has_own(cards):
        terminal.note("the weights of this card set are not part of the spreadsheet; copy weights.toml beside the new cards.toml")
    if as_json:
        terminal.print_json({"files": [*files]})
        return
    for path in files:
        terminal.say(f"{path} written. Edit it, then:")
        terminal.say(f"  fairfight winrates {game.name} --cards {shlex.quote(str(path))}")
        terminal.say(f"  fairfight new {game.name} {free_folder(game)} --from {shlex.quote(str(path))}")
