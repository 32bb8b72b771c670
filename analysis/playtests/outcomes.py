"""Who won: shares of the win from what a log has, and the reasons why a game cannot be used.

All arrays have an element per player of a game, in the order of the file. `game` numbers the games 0, 1, ...
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.playtests.headings import noun_in
from analysis.playtests.layouts import LETTERED, NAMED, PERSONS, SIDES
from analysis.playtests.values import (
    ABSENT,
    LONGEST,
    LOSS,
    RESULT_OF,
    TIE,
    UNREADABLE,
    WIN,
    Flags,
    Floats,
    Texts,
    is_missing,
    name_key,
    per_value,
    plain,
)

Games = NDArray[np.int64]
Results = NDArray[np.int8]

NO_ENTRANT, TWICE, ALONE, NO_WINNER, NO_SUCH_WINNER, TWO_WINNERS, MIXED, NO_FIRST, NO_SCORE = range(1, 10)
REASONS = {  # why games cannot be used: of one game and of several
    NO_ENTRANT: ("has a player without {noun}", "have a player without {noun}"),
    TWICE: ("has a player twice", "have a player twice"),
    ALONE: ("has only one player", "have only one player"),
    NO_WINNER: ("has no winner", "have no winner"),
    NO_SUCH_WINNER: ("names a winner who does not play", "name winners who do not play"),
    TWO_WINNERS: ("names a winner that fits several players", "name winners that fit several players"),
    MIXED: ("has a winner and a draw, or a draw of one player", "have a winner and a draw, or a draw of one player"),
    NO_FIRST: ("has no first place", "have no first place"),
    NO_SCORE: ("has a player without score", "have a player without score"),
}
DRAW, OTHER = -3, -4  # what a text for the winner denotes, besides a slot: no slot, but a draw, or nothing that is understood
HALVES = r"(\d+(?:[.,]5)?|\u00bd|1/2|\d+\u00bd)"
PAIR = re.compile(rf"{HALVES}\s*[-:\u2013\u2014\u2212]\s*{HALVES}(?:\s*[(\[].*)?")
WORDS_AND = re.compile(r"\s*(?:,|;|&|\+|/|\band\b|\bund\b|\bet\b|\by\b)\s*")
MARK = re.compile(r"(?:(.*?)[\s_#]+|([a-z]+))?(\d+|[a-z])")
SHARERS_MAX = 8  # names in a cell for the winner
ALIASES = {"white": ("w", "b"), "home": ("h", "a"), "blue": ("b", "r"), "opponent": ("me", "opp"), "winner": ("w", "l")}
WINS = ("win", "wins", "won", "victory", "side")  # words after a side
ENTIRE = frozenset({"white", "opponent"})  # sides for which a result without names is that of the first


@dataclass(frozen=True)
class Decision:
    """Shares of the win by player, and the reason by game why it cannot be used (see REASONS; 0 for none)."""

    share: Floats
    reason: NDArray[np.int8]


def by_result(game: Games, games: int, result: Results, can_lose_alone: bool) -> Decision:
    """Shares from results of players. can_lose_alone: whether a game of one player can be lost.

    Several winners share the win; without a winner, those with a draw do.
    """
    wins = np.bincount(game[result == WIN], minlength=games)
    ties = np.bincount(game[result == TIE], minlength=games)
    losses = np.bincount(game[result == LOSS], minlength=games)
    share = np.where(result == WIN, 1 / np.maximum(wins, 1)[game], 0.0)
    is_draw = (wins == 0) & (ties > 1)
    share = np.where((result == TIE) & is_draw[game], 1 / np.maximum(ties, 1)[game], share)
    reason = np.zeros(games, np.int8)
    reason[(wins == 0) & (ties == 0) & ~(can_lose_alone & (losses > 0) & (np.bincount(game, minlength=games) == 1))] = NO_WINNER
    reason[((wins > 0) & (ties > 0)) | ((wins == 0) & (ties == 1))] = MIXED
    return Decision(share, reason)


def by_best(game: Games, games: int, value: Floats, incomplete: int) -> Decision:
    """Shares for the players with the highest value. incomplete: reason for games in which a value is missing."""
    best = np.full(games, -np.inf)
    np.maximum.at(best, game, np.where(np.isnan(value), -np.inf, value))
    leads = value == best[game]
    winners = np.bincount(game[leads], minlength=games)
    absent = np.bincount(game[np.isnan(value)], minlength=games)
    reason = np.zeros(games, np.int8)
    if incomplete:
        reason[absent > 0] = incomplete
    reason[winners == 0] = NO_WINNER
    return Decision(np.where(leads, 1 / np.maximum(winners, 1)[game], 0.0), reason)


def by_place(game: Games, games: int, place: Floats) -> Decision:
    """Shares for the players with the lowest place, which must be 1 (or 0, in a log that counts from 0)."""
    decision = by_best(game, games, -place, 0)
    first = 0.0 if (place == 0).any() else 1.0
    lowest = np.full(games, np.inf)
    np.minimum.at(lowest, game, np.where(np.isnan(place), np.inf, place))
    decision.reason[np.isfinite(lowest) & (lowest > first)] = NO_FIRST
    return decision


def by_name(
    game: Games, games: int, winner: Texts, names: tuple[Texts, Texts], slot: Games, kind: str, slots: Sequence[str]
) -> tuple[Results, NDArray[np.int8]]:
    """Results of players from the name of the winner, and the reason by game why it is not understood.

    winner: the text of the game for each of its players: a name of a player or an entrant, several of them, a slot (2, player 2,
    B, white), or a word for a draw. names: players and entrants. slot: number of the player's slot; kind, slots: of the layout.
    Names of players go before those of entrants, and those before slots.
    """
    winners, players, entrants = (per_value(texts, name_key, object) for texts in (winner, *names))
    present = ~per_value(winner, is_missing, bool)
    marks = per_value(winner, lambda text: denotes(text, kind, slots), np.int64)
    draws = present & (marks == DRAW)
    result = np.full(len(game), ABSENT, np.int8)
    reason = np.zeros(games, np.int8)
    clear = np.zeros(games, bool)
    for fits in (present & (players == winners), present & (entrants == winners), present & (marks == slot)):
        number = np.bincount(game[fits], minlength=games)
        now = (number == 1) & ~clear
        result[now[game]] = LOSS
        result[fits & now[game]] = WIN
        reason[(number > 1) & ~clear] = TWO_WINNERS
        clear |= number > 0
    ties = np.bincount(game[draws], minlength=games).astype(bool) & ~clear
    result[ties[game]] = TIE
    clear |= ties
    _share_win(game, games, winner, (players, entrants), clear, result)
    has_text = np.bincount(game[present], minlength=games) > 0
    clear |= np.bincount(game[result != ABSENT], minlength=games) > 0
    reason[has_text & ~clear] = NO_SUCH_WINNER
    return result, reason


def _share_win(game: Games, games: int, winner: Texts, keys: tuple[Texts, Texts], clear: Flags, result: Results) -> None:
    """Write the results of games whose winner is a list of names, all of which play: Ada & Bo."""
    parts = per_value(winner, lambda text: len(names_in(text)), np.int64)
    open_ = (parts > 1) & (parts <= SHARERS_MAX) & ~clear[game]
    if not open_.any():
        return
    fits = np.zeros(len(game), bool)
    matches = np.zeros(games, np.int64)
    for number in range(int(parts[open_].max())):
        name = per_value(winner, lambda text, at=number: name_key((names_in(text) + [""] * SHARERS_MAX)[at]), object)  # type: ignore[misc]
        plays = open_ & (name != "") & ((keys[0] == name) | (keys[1] == name))
        matches += np.bincount(game[plays], minlength=games) == 1
        fits |= plays
    names = np.zeros(games, np.int64)
    np.maximum.at(names, game, np.where(open_, parts, 0))
    complete = (names > 1) & (matches == names)
    result[complete[game]] = LOSS
    result[fits & complete[game]] = WIN


def names_in(text: str) -> list[str]:
    """Return the names in a list such as `Ada & Bo`."""
    return [name for name in WORDS_AND.split(text) if name]


def denotes(text: str, kind: str, slots: Sequence[str]) -> int:
    """Return the slot that a text such as 2, player 2, B or white denotes; DRAW for a draw, OTHER for anything else."""
    words = plain(text).rstrip(".").removesuffix(".0")
    if kind == LETTERED and words in slots:
        return slots.index(words)
    if RESULT_OF.get(words) == TIE or (words == "x" and len(slots) == 2):
        return DRAW
    if kind in SIDES:
        return _side(words.split(), kind)
    name = words if kind == NAMED else _mark(words)
    keys = [plain(slot) for slot in slots]
    return keys.index(name) if name in keys else OTHER


def _mark(words: str) -> str:
    """Return the number or letter of a player in a text such as 2, player 2, P2 or deck B; "" if there is none."""
    match = MARK.fullmatch(words) if len(words) <= LONGEST else None
    if not match:
        return ""
    before = match[1] or match[2] or ""
    return match[3] if not before or before in PERSONS or noun_in(before)[0] else ""


def _side(parts: Sequence[str], kind: str) -> int:
    """Return the slot of a side: white, white wins, H, 1."""
    mark, *others = parts or [""]
    is_mark = all(other in WINS or other in PERSONS or noun_in(other)[0] for other in others)
    marks = [(*names, alias, number) for names, alias, number in zip(SIDES[kind], ALIASES[kind], "12", strict=True)]
    return next((slot for slot, names in enumerate(marks) if is_mark and mark in names), OTHER)


def first_result(text: str, kind: str) -> int:
    """Return the result of the first of two players from a text such as 1-0, 2:1, W or draw. UNREADABLE if it is none of these.

    Words such as yes or win are results only where the first of the two is who wrote the log, or White.
    """
    if is_missing(text) or text == "*":
        return ABSENT
    match = PAIR.fullmatch(plain_halves(text))
    if match:
        own, other = (_half(part) for part in match.groups())
        return WIN if own > other else LOSS if own < other else TIE
    words = plain(text).rstrip(".")
    if kind in ENTIRE:
        return RESULT_OF.get(words, UNREADABLE)
    return TIE if RESULT_OF.get(words) == TIE else UNREADABLE


def is_pair(text: str) -> bool:
    """Whether a text is a result of two players, such as 1-0."""
    return PAIR.fullmatch(plain_halves(text)) is not None


def is_match(text: str) -> bool:
    """Whether a text is a result of a match of several games, such as 2-1."""
    match = PAIR.fullmatch(plain_halves(text))
    return match is not None and sum(map(_half, match.groups())) > 1


def plain_halves(text: str) -> str:
    """Return a text with 0.5 in place of 1/2."""
    return text.replace("1/2", "\u00bd")


def _half(text: str) -> float:
    digits = text.removesuffix("\u00bd").replace(",", ".")
    return float(digits or 0) + (0.5 if text.endswith("\u00bd") else 0.0)
