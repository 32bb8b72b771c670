"""A log of games that people played, as it was understood."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.answer.notebook import ROWS_SHOWN
from analysis.answer.numbers import count, word
from analysis.answer.prose import listed
from analysis.playtests.headings import plural

COLUMNS = ("game", "line", "label", "seats", "position", "player", "entrant", "share")  # of every log
RESULTS = ("place", "score")  # of logs that have them
ORDER_WORDS = {"full": "turn order known", "first": "first player known", "": "turn order unknown"}


@dataclass(frozen=True, eq=False, repr=False)
class Playtests:
    """Games that people played, read from a file: see `reading.read_playtests`.

    path: the file. rows: one row per game and player, with games in the order of the file and players in turn order, or as in
    the file where it is unknown. Its columns: game (0, 1, ... without gaps), line (of the file, or row of the sheet), label
    (name or number of the game in the file, or ""), seats (players of the game), position (0 moved first, 1 second, ...; -1
    unknown), player ("" unknown), entrant (never ""; in a log of players only, the player), share (of the win: 1 divided by the
    number of winners, 0 for others; adds up to 1 in every game, except that a game of one player can be lost), and where the
    file has them place, score and other columns of numbers under their own headings; nan where a cell is empty.

    columns: role to heading, as understood. left_out: which games cannot be used and why, one phrase per reason.
    entrant_word: noun for entrants. notes: what else a reader should know, in phrases. rule: what decided the winner, if a score
    or a match did. games_left_out: their number.
    """

    path: Path
    rows: pd.DataFrame
    columns: Mapping[str, str]
    left_out: tuple[str, ...]
    entrant_word: str = "entrant"
    notes: tuple[str, ...] = ()
    rule: str = ""
    games_left_out: int = 0

    @cached_property
    def games(self) -> int:
        """Number of games."""
        return int(self.rows["game"].nunique())

    @cached_property
    def entrants(self) -> tuple[str, ...]:
        """Names of the entrants in alphabetical order, without regard to case."""
        return _names(self.rows["entrant"])

    @cached_property
    def players(self) -> tuple[str, ...]:
        """Names of the players in alphabetical order, without regard to case; none if the entrants are the players."""
        return _names(self.rows["player"])

    @cached_property
    def seat_counts(self) -> tuple[int, ...]:
        """The numbers of players that games had, in ascending order."""
        return tuple(sorted(map(int, self.rows["seats"].unique())))

    @property
    def has_players(self) -> bool:
        """Whether at least one player is known besides the entrants."""
        return bool(self.players)

    @cached_property
    def has_order(self) -> str:
        """What is known of the turn order: "full", "first" (only who moved first), or "" (nothing).

        "full" if it is complete in every game in which any of it is known.
        """
        has_position = self.rows["position"] >= 0
        games = has_position.groupby(self.rows["game"]).transform("any")
        if not games.any():
            return ""
        return "full" if has_position[games].all() else "first"

    @property
    def facts(self) -> tuple[str, ...]:
        """Headings of further columns of numbers, such as rounds or minutes."""
        return tuple(column for column in self.rows.columns if column not in COLUMNS + RESULTS)

    def at(self, seats: int) -> Playtests:
        """The games of a number of players. Raises ValueError if there are none."""
        if seats not in self.seat_counts:
            counts = listed([*map(str, self.seat_counts)]).replace(" and ", " or ")
            raise ValueError(f"seats={seats}: {self.path} has games of {counts} players")
        return replace(self, rows=self.rows[self.rows["seats"] == seats].reset_index(drop=True))

    @property
    def about(self) -> dict[str, Any]:
        """Facts of an answer about these games: the file, their number, what is understood, left out and noted."""
        notes = {"left_out": list(self.left_out), "notes": list(self.notes)}
        return {"log": str(self.path), "games": self.games, "understood": self.summary, **notes}

    @property
    def summary(self) -> str:
        """What was understood, in one line."""
        counts = f"{self.seat_counts[0]}" if len(self.seat_counts) == 1 else f"{self.seat_counts[0]} to {self.seat_counts[-1]}"
        parts = [f"{_number(self.games, 'game', 'games')} of {counts} player{'' if counts == '1' else 's'}"]
        parts.append(_number(len(self.entrants), self.entrant_word, plural(self.entrant_word)))
        if self.has_players:
            parts.append(_number(len(self.players), "player", "players"))
        if self.seat_counts[-1] > 1:
            parts.append(ORDER_WORDS[self.has_order])
        if self.rule:
            parts.append(self.rule)
        sentence = ", ".join(parts)
        if self.left_out:
            sentence += f"; {_number(self.games_left_out, 'game', 'games')} left out: {'; '.join(self.left_out)}"
        return f"{sentence}."

    def __repr__(self) -> str:
        """Return the file and the summary."""
        return f"Playtests({word(self.path.name)}: {self.summary})"

    def _repr_html_(self) -> str:
        """Return the summary, the notes and the first rows for Jupyter."""
        notes = "".join(f"<p>{html.escape(note)}</p>\n" for note in self.notes)
        rows = self.rows.head(ROWS_SHOWN).to_html(index=False, border=0)
        return f"<p><strong>{html.escape(self.summary)}</strong></p>\n{notes}{rows}"


def _names(column: pd.Series[str]) -> tuple[str, ...]:
    return tuple(sorted((name for name in column.unique() if name), key=lambda name: (name.casefold(), name)))


def _number(number: int, one: str, many: str) -> str:
    return f"{count(number)} {one if number == 1 else many}"
