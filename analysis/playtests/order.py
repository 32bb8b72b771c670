"""The turn order of games, from seats and from who moved first."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.playtests.headings import FIRST, SEAT
from analysis.playtests.players import Players
from analysis.playtests.values import (
    ABSENT,
    LOSS,
    TIE,
    UNREADABLE,
    WIN,
    Flags,
    Floats,
    is_missing,
    missing,
    per_value,
    places,
    plain,
    results,
)
from analysis.playtests.winners import results_by_name

MOVES = {"play": WIN, "draw": LOSS, "first": WIN, "second": LOSS, "1st": WIN, "2nd": LOSS}  # who moved first, besides yes and no
UNKNOWN = -1


def positions_of(players: Players) -> NDArray[np.int64]:
    """Return 0 for the player who moved first, 1 for the second, ...; -1 where it is unknown.

    Seats are the turn order, unless the log says that another player than that in the lowest seat moved first: then only the
    first player is known, and of two the second. Raises ValueError for seats that cannot be read.
    """
    position = np.full(len(players.game), UNKNOWN, np.int64)
    seat = players.values(SEAT, places, "a seat such as 1 or 2nd")
    if seat is None and players.layout.in_order:
        seat = players.slot.astype(float)
    if seat is not None:
        position = _ranks(players, seat)
    first = _first(players)
    if first is None:
        return position
    number = players.per_game(first)
    players.note_games(number > 1, "several players moved first, so the order is unknown")
    agrees = players.per_game(first & (position == 0)) > 0
    differs = ((number == 1) & ~agrees)[players.game]
    if (differs & (position != UNKNOWN)).any():
        players.notes.append("seats are not the turn order where another player than that in the lowest seat moved first")
    of_two = (np.bincount(players.game) == 2)[players.game]
    return np.where(differs, np.where(first, 0, np.where(of_two, 1, UNKNOWN)), position)


def _ranks(players: Players, seat: Floats) -> NDArray[np.int64]:
    """Return ranks of seats within games; unknown in games in which a seat is empty or taken twice."""
    by_game = pd.DataFrame({"game": players.game, "seat": seat}).groupby("game")["seat"]
    size, number, distinct = by_game.size().to_numpy(), by_game.count().to_numpy(), by_game.nunique().to_numpy()
    players.note_games((distinct < number) & (distinct > 1), "two players have the same seat, so the order is unknown")
    rank = by_game.rank(method="first").fillna(0).to_numpy() - 1
    return np.where((distinct == size)[players.game], rank, UNKNOWN).astype(np.int64)


def _first(players: Players) -> Flags | None:
    """Return whether each player moved first; None if no column shows it."""
    texts = players.texts(FIRST)
    if texts is None or missing(texts).all():
        return None
    moves = per_value(texts, _move, np.int8)
    is_of_game = players.by_game and not players.has_own(FIRST)
    if (moves == UNREADABLE).any() or (is_of_game and players.layout.kind != "opponent"):
        result, reason = results_by_name(players, texts)
        players.note_games(reason > 0, "who moved first is none of the players")
        first: Flags = result == WIN
    elif is_of_game:  # of the player who wrote the log, against an opponent
        first = np.where(players.slot == 0, moves == WIN, moves == LOSS)
    else:
        first = moves == WIN
    return first


def _move(text: str) -> int:
    """Return WIN for a player who moved first, LOSS for another."""
    if is_missing(text):
        return ABSENT
    result = MOVES.get(plain(text), int(results(np.array([text], object))[0]))
    return UNREADABLE if result == TIE else result
