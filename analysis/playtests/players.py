"""The players of games, one after another, from a log with a row per player or per game."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.answer.numbers import count, word
from analysis.playtests.headings import DATE, ENTRANT, GAME, PLAYER, ROUND, TABLE
from analysis.playtests.layouts import NAMED, Layout
from analysis.playtests.outcomes import Games, is_pair
from analysis.playtests.tables import Table, line_words, without_gaps
from analysis.playtests.values import Flags, Floats, Texts, is_missing, missing, name_key, per_value, plain, thousands

NOTES_MAX = 5  # on names
SIMILAR_LEAST, SIMILAR_MOST = 5, 40  # letters of names that may be misspelt
RARE_MAX, RARE_FACTOR = 2, 4  # games of a name that may be misspelt, or how many times as often the other one plays
BLOCKS = (DATE, ROUND, TABLE)  # which together show games, if no column has their number
HELP = "name the columns with --columns, such as --columns entrant=HEADING,won=HEADING"


@dataclass(eq=False)
class Players:
    """The players of a log while it is read; arrays have an element per player of a game.

    row: of the table. game: number of the game, 0, 1, ... in the order of the file. slot: number of the slot of the layout, -1 in
    a log with a row per player. player, entrant: names, "" where unknown. label: of the game. notes: what a reader should know.
    """

    table: Table
    layout: Layout
    row: NDArray[np.int64]
    game: Games
    slot: Games
    player: Texts
    entrant: Texts
    label: Texts
    notes: list[str] = field(default_factory=list)

    @property
    def games(self) -> int:
        """Number of games, including those that will be left out."""
        return int(self.game.max()) + 1

    @property
    def by_game(self) -> bool:
        """Whether the log has a row per game."""
        return bool(self.layout.slots)

    def per_game(self, flags: Flags) -> NDArray[np.int64]:
        """Return the number of players of each game for which `flags` holds."""
        return np.bincount(self.game[flags], minlength=self.games)

    def texts(self, role: str) -> Texts | None:
        """Return the cells of a role, of the player's own column or else of the game's; None if there is no column."""
        if self.has_own(role):
            own: Texts = _by_slot(self.table, self.layout, role)[self.row * len(self.layout.slots) + self.slot]
            return own
        if role not in self.layout.roles:
            return None
        cells: Texts = self.table.columns[self.layout.roles[role]][self.row]
        return cells

    def has_own(self, role: str) -> bool:
        """Whether a log with a row per game has a column of a role for each player."""
        return any(role in roles for roles in self.layout.slot_roles)

    def error(self, role: str, at: int, wrong: str) -> ValueError:
        """Return an error at the cell of a player. at: number of the player."""
        roles = self.layout.slot_roles[self.slot[at]] if self.has_own(role) else self.layout.roles
        return self.table.error(wrong, int(self.table.lines[self.row[at]]), roles[role])

    def values(self, role: str, read: Callable[[Texts], tuple[Floats, Flags]], right: str) -> Floats | None:
        """Return the numbers of a role; None without such a column, or if it is empty.

        right: what to write. Raises ValueError for cells that `read` cannot read.
        """
        texts = self.texts(role)
        if texts is None:
            return None
        value, readable = read(texts)
        if not readable.all():
            at = int(np.argmin(readable))
            raise self.error(role, at, f'"{word(texts[at])}" cannot be read; write {right}, or leave the cell empty')
        unsure = thousands(texts)
        if unsure:
            self.notes.append(f"the {'comma' if ',' in unsure else 'point'} in {unsure} separates thousands")
        return None if np.isnan(value).all() else value

    def lines(self, games: NDArray[np.int64]) -> str:
        """Return the words for the first lines of games."""
        _, first = np.unique(self.game, return_index=True)
        return line_words(np.sort(self.table.lines[self.row[first[games]]]), self.table.word)

    def note_games(self, games: Flags, what: str) -> None:
        """Note something on games, if there are any. games: flags by game."""
        if games.any():
            self.notes.append(f"{what} ({self.lines(np.flatnonzero(games))})")


def check_games(table: Table, layout: Layout) -> None:
    """Raise ValueError if no column of a log with a row per player shows which rows are one game."""
    blocks = layout.roles.keys() & BLOCKS
    if not layout.slots and GAME not in layout.roles and (TABLE not in blocks or len(blocks) < 2):
        right = "add a column game with the same number in all rows of a game, or columns date and table"
        raise table.error(f"has a row for each player, but no column shows which rows are one game; {right}; {HELP}")


def players_of(table: Table, layout: Layout) -> Players:
    """Return the players of a log. Raises ValueError for a row that does not show to which game it belongs."""
    players = _of_rows_per_game(table, layout) if layout.slots else _of_rows_per_player(table, layout)
    for name in ("player", "entrant"):
        setattr(players, name, _one_spelling(getattr(players, name), players.notes))
    return players


def are_pairs(column: Texts) -> bool:
    """Whether all texts of a column are results of two players, such as 1-0."""
    distinct = [text for text in pd.unique(column) if not is_missing(text) and text != "*"]
    return bool(distinct) and all(map(is_pair, distinct))


# ---- A row per player ------------------------------------------------------------------------------------------------


def _of_rows_per_player(table: Table, layout: Layout) -> Players:
    roles = layout.roles
    notes: list[str] = []
    game, label = _games_of(table, roles, notes)
    entrant = table.columns[roles.get(ENTRANT, roles.get(PLAYER, 0))]
    player = table.columns[roles[PLAYER]] if PLAYER in roles and ENTRANT in roles else np.full(len(entrant), "", object)
    return Players(table, layout, np.arange(len(game)), game, np.full(len(game), -1), player, entrant, label, notes)


def _games_of(table: Table, roles: Mapping[str, int], notes: list[str]) -> tuple[Games, Texts]:
    """Return the number and the label of the game of each row."""
    if GAME not in roles:
        return _blocks_of(table, roles, notes)
    label, has_gaps = without_gaps(table.columns[roles[GAME]])
    if is_missing(label[0]):
        raise table.error("is empty; write the number of the game in each row", int(table.lines[0]), roles[GAME])
    if has_gaps:
        notes.append(f'empty cells of "{table.headings[roles[GAME]]}" belong to the game above')
    keys = pd.Series(per_value(label, name_key, object))
    if DATE in roles:
        dates, _ = without_gaps(table.columns[roles[DATE]])
        pairs = pd.DataFrame({"game": keys, "date": dates}).drop_duplicates()
        if len(pairs) > pairs["game"].nunique():
            keys = keys + "\0" + dates
            notes.append("the numbers of games start again on each date")
    return pd.factorize(keys)[0].astype(np.int64), label


def _blocks_of(table: Table, roles: Mapping[str, int], notes: list[str]) -> tuple[Games, Texts]:
    """Return games as rows with the same table, date and round."""
    blocks = [role for role in BLOCKS if role in roles]
    keys = pd.Series([""] * len(table.lines), dtype=object)
    for role in blocks:
        empty = missing(table.columns[roles[role]])
        if empty.any():
            line = int(table.lines[np.argmax(empty)])
            raise table.error(f"is empty; write the {role} in each row, or add a column game", line, roles[role])
        keys = keys + "\0" + table.columns[roles[role]]
    notes.append(f"rows with the same {', '.join(table.headings[roles[role]] for role in blocks)} are one game")
    return pd.factorize(keys)[0].astype(np.int64), np.full(len(keys), "", object)


# ---- A row per game --------------------------------------------------------------------------------------------------


def _of_rows_per_game(table: Table, layout: Layout) -> Players:
    rows, slots = len(table.lines), len(layout.slots)
    player, entrant = _by_slot(table, layout, PLAYER), _by_slot(table, layout, ENTRANT)
    if layout.kind == NAMED:
        player = np.where(missing(entrant), "", np.tile(np.array(layout.slots, object), rows))
    if layout.noun == "player":
        player, entrant = np.full(rows * slots, "", object), player
    plays = ~missing(player) | ~missing(entrant)
    row = np.repeat(np.arange(rows), slots)[plays]
    if not len(row):
        raise table.error(f"has no players; {HELP}")
    with_players, game = np.unique(row, return_inverse=True)
    label = np.full(rows, "", object)
    if GAME in layout.roles and not are_pairs(table.columns[layout.roles[GAME]]):
        label = table.columns[layout.roles[GAME]]
    slot = np.tile(np.arange(slots), rows)[plays]
    players = Players(table, layout, row, game.astype(np.int64), slot, player[plays], entrant[plays], label[row])
    empty = np.setdiff1d(np.arange(rows), with_players)
    if len(empty):
        players.notes.append(f"{table.lines_of(empty)} without players {'is' if len(empty) == 1 else 'are'} ignored")
    return players


def _by_slot(table: Table, layout: Layout, role: str) -> Texts:
    """Return the cells of a role for each slot of each row, "" where a slot has none."""
    empty = np.full(len(table.lines), "", object)
    columns = [table.columns[roles[role]] if role in roles else empty for roles in layout.slot_roles]
    return np.column_stack(columns).ravel()


# ---- Names -----------------------------------------------------------------------------------------------------------


def _one_spelling(texts: Texts, notes: list[str]) -> Texts:
    """Return names in the first of the spellings that differ only in case and spaces, and "" for missing ones."""
    names = np.where(missing(texts), "", texts)
    spellings: dict[str, list[str]] = {}
    for name in pd.unique(names):
        spellings.setdefault(name_key(name), []).append(name)
    several = [forms for forms in spellings.values() if len(forms) > 1]
    notes += [f"{', '.join(map(word, others))} is read as {word(first)}" for first, *others in several[:NOTES_MAX]]
    if len(several) > NOTES_MAX:
        notes.append(f"{count(len(several) - NOTES_MAX)} more names have several spellings; the first of each is used")
    return per_value(names, lambda name: spellings[name_key(name)][0], object)


def similar_names(rows: pd.DataFrame, column: str, noun: str) -> list[str]:
    """Return notes on rare names that may be misspelt: one letter apart from another name, and never in the same game.

    rows: of `Playtests`; column: player or entrant; noun: for its names.
    """
    games_of = rows[rows[column] != ""].groupby(column)["game"].agg(set).to_dict()
    near: dict[str, list[str]] = {}
    for name in map(str, games_of):
        letters = plain(name).replace(" ", "")
        if SIMILAR_LEAST <= len(letters) <= SIMILAR_MOST:
            for variant in {letters, *(letters[:at] + letters[at + 1 :] for at in range(len(letters)))}:
                near.setdefault(variant, []).append(name)
    pairs = {pair for names in near.values() for pair in combinations(sorted(names), 2)}
    notes = []
    for pair in sorted(pairs):
        rare, usual = sorted(pair, key=lambda name: (len(games_of[name]), name))
        number, more = len(games_of[rare]), len(games_of[usual])
        is_rare = number < more and (number <= RARE_MAX or RARE_FACTOR * number <= more)
        if is_rare and not _are_numbered(rare, usual) and not games_of[rare] & games_of[usual]:
            notes.append(f"{noun} {word(rare)} ({number} game{'' if number == 1 else 's'}) may be {word(usual)} ({more})")
    return notes[:NOTES_MAX]


def _are_numbered(first: str, second: str) -> bool:
    """Whether two names differ in a number, or in a letter that stands alone, as Deck A and Deck B do."""
    words, others = (re.findall(r"\w+", plain(name)) for name in (first, second))
    differing = [pair for pair in zip(words, others, strict=False) if pair[0] != pair[1]]
    has_digit = any(letter.isdecimal() for letter in set(first) ^ set(second))
    return has_digit or (len(words) == len(others) and all(len(one) == len(other) == 1 for one, other in differing))
