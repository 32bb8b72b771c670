"""Who won each game of a log, from the columns that it has."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.answer.numbers import count, word
from analysis.playtests.headings import GAME, LOWSCORE, PLACE, SCORE, WINNER, WINS, WON
from analysis.playtests.layouts import Layout, headings_of
from analysis.playtests.outcomes import (
    NO_SCORE,
    Decision,
    Results,
    by_best,
    by_name,
    by_place,
    by_result,
    denotes,
    first_result,
    is_match,
)
from analysis.playtests.players import HELP, Players, are_pairs
from analysis.playtests.tables import Table
from analysis.playtests.values import (
    ABSENT,
    LOSS,
    TIE,
    UNREADABLE,
    WIN,
    Floats,
    Texts,
    missing,
    numbers,
    per_value,
    places,
    results,
)

MATCHES = "a match of several games counts as one, won by the side with more of them"
RIGHT_PLACE, RIGHT_NUMBER = "a place such as 1, 2nd or T3", "a number"
Reasons = NDArray[np.int8]


def check_outcome(table: Table, layout: Layout) -> None:
    """Raise ValueError if no column shows who won."""
    roles = set(layout.roles).union(*layout.slot_roles)
    is_pair = bool(layout.slots) and GAME in roles and are_pairs(table.columns[layout.roles[GAME]])
    if layout.kind != "winner" and not is_pair and not roles & {WON, WINNER, PLACE, SCORE, LOWSCORE, WINS}:
        missed = "no column that shows who won: won, winner, result, place or score"
        raise table.error(f"has {missed}; headings are {headings_of(table)}; {HELP}")


def decision_of(players: Players) -> tuple[Decision, str]:
    """Return who won, from the first of the player's result, the winner's name, a result such as 1-0, the place and the score.

    Second: what decided, for the summary, if it was a score or a match; else "". Raises ValueError for cells that cannot be read.
    """
    if players.layout.kind == "winner":
        result = np.where(players.slot == 0, WIN, LOSS).astype(np.int8)
        return by_result(players.game, players.games, result, can_lose_alone=False), ""
    explicit, reason = _results(players)
    if explicit is not None:
        decision = by_result(players.game, players.games, explicit, can_lose_alone=not players.by_game)
        decision.reason[reason > 0] = reason[reason > 0]
        return decision, _rule_of_pairs(players)
    place = place_of(players)
    if place is not None:
        return by_place(players.game, players.games, place), ""
    for role, rule in ((SCORE, "the highest score wins"), (LOWSCORE, "the lowest score wins"), (WINS, MATCHES)):
        value = players.values(role, numbers, RIGHT_NUMBER) if _is_of_players(players, role) else None
        if value is not None:
            is_match_of_one = role == WINS and np.nanmax(value) <= 1
            decision = by_best(players.game, players.games, -value if role == LOWSCORE else value, NO_SCORE)
            return decision, "" if is_match_of_one else rule
    raise players.table.error(f"has no winners; the columns of results are empty; {HELP}")


def place_of(players: Players) -> Floats | None:
    """Return final places; None if there are none. Places that are all 0 are none, as some programs write them."""
    place = players.values(PLACE, places, RIGHT_PLACE) if _is_of_players(players, PLACE) else None
    return None if place is None or not np.nan_to_num(place).any() else place


def score_of(players: Players) -> Floats | None:
    """Return scores; None if there are none, or mostly other texts, such as 11-3, 11-8."""
    role = SCORE if _is_of_players(players, SCORE) else LOWSCORE
    texts = players.texts(role) if _is_of_players(players, role) else None
    if texts is None or numbers(texts)[1].mean() < 0.5:
        return None
    return players.values(role, numbers, RIGHT_NUMBER)


def note_contradictions(players: Players, decision: Decision, place: Floats | None, score: Floats | None) -> None:
    """Note usable games that no player with the best place or score won."""
    others: list[tuple[str, Decision]] = []
    if place is not None:
        others.append(("the first place", by_place(players.game, players.games, place)))
    if score is not None:
        is_low = not _is_of_players(players, SCORE)
        best = by_best(players.game, players.games, -score if is_low else score, NO_SCORE)
        others.append((f"the {'lowest' if is_low else 'highest'} score", best))
    for what, other in others:
        agrees = players.per_game((other.share > 0) & (decision.share > 0)) > 0
        games = ~agrees & (other.reason == 0) & (decision.reason == 0)
        number = int(games.sum())
        players.note_games(games, f"{what} did not win in {'a game' if number == 1 else f'{count(number)} games'}")


def _is_of_players(players: Players, role: str) -> bool:
    """Whether each player has a cell for a role."""
    return players.has_own(role) if players.by_game else role in players.layout.roles


# ---- Explicit results ------------------------------------------------------------------------------------------------


def _results(players: Players) -> tuple[Results | None, Reasons]:
    """Return the results of players that the log states, or None, and by game the reason why they are not understood.

    A further column decides the games that those before it leave open.
    """
    result: Results | None = None
    reason = np.zeros(players.games, np.int8)
    for source in (_own_results, _named_winners, _pair_results):
        further = source(players)
        if further is None:
            continue
        open_games = np.ones(players.games, bool) if result is None else players.per_game(result != ABSENT) == 0
        result = further[0] if result is None else np.where(open_games[players.game], further[0], result)
        reason = np.where(open_games, further[1], reason)
    return result, reason


def _own_results(players: Players) -> tuple[Results, Reasons] | None:
    """Results of each player: yes, no, win, loss, draw. An empty cell is a loss if another player of the game won."""
    role = WON if _is_of_players(players, WON) else WINNER
    texts = players.texts(role) if _is_of_players(players, role) else None
    if texts is None or missing(texts).all() or (role == WINNER and (results(texts) == UNREADABLE).any()):
        return None
    result = results(texts)
    if (result == UNREADABLE).any():
        at = int(np.argmax(result == UNREADABLE))
        instead = "choose it with --columns place=HEADING or score=HEADING if it is a place or a score"
        raise players.error(WON, at, f'"{word(texts[at])}" is no result; write yes, no or draw, or {instead}')
    won = players.per_game(result == WIN) > 0
    result[(result == ABSENT) & won[players.game]] = LOSS
    return result, np.zeros(players.games, np.int8)


def _named_winners(players: Players) -> tuple[Results, Reasons] | None:
    """Results from the name or the number of the winner."""
    texts = players.texts(WINNER)
    if texts is None or missing(texts).all() or (not players.by_game and (results(texts) != UNREADABLE).all()):
        return None
    return results_by_name(players, texts)


def results_by_name(players: Players, texts: Texts) -> tuple[Results, Reasons]:
    """Results of players from the name of one in each game: that player has WIN. texts: the first filled one of a game counts."""
    with_text = np.flatnonzero(~missing(texts))[::-1]
    first = np.full(players.games, "", object)
    first[players.game[with_text]] = texts[with_text]
    layout, name = players.layout, first[players.game]
    names = (players.player, players.entrant)
    return by_name(players.game, players.games, name, names, players.slot, layout.kind, layout.slots)


def _pair_results(players: Players) -> tuple[Results, Reasons] | None:
    """Results from a column of the game: 1-0, 2:1, draw, W, the name of a player, or the mark of a slot."""
    role = _pair_role(players)
    texts = players.texts(role) if role else None
    if texts is None:
        return None
    kind, slots = players.layout.kind, players.layout.slots
    first = per_value(texts, lambda text: first_result(text, kind), np.int8)
    if len(slots) > 2:
        first[first != ABSENT] = UNREADABLE
    second = np.choose(np.clip(first, LOSS, TIE), [WIN, LOSS, TIE]).astype(np.int8)
    by_words, reason = results_by_name(players, texts)
    is_word = first == UNREADABLE
    result = np.where(is_word, by_words, np.where((players.slot == 0) | (first == ABSENT), first, second)).astype(np.int8)
    unclear = is_word & (result == ABSENT) & (per_value(texts, lambda text: denotes(text, kind, slots), np.int64) < 0)
    if unclear.any():
        at = int(np.argmax(unclear))
        right = "write a result, such as 1-0 or draw, or the name of a player of the game"
        raise players.error(role, at, f'"{word(texts[at])}" is no result; {right}')
    reason[players.per_game(is_word) == 0] = 0
    return result, reason


def _pair_role(players: Players) -> str:
    """Return the role of the column with results of the game, "" if there is none."""
    roles = players.layout.roles
    if not players.by_game or WON in roles:
        return WON if players.by_game and not players.has_own(WON) else ""
    return next((role for role in (SCORE, GAME) if role in roles and are_pairs(players.table.columns[roles[role]])), "")


def _rule_of_pairs(players: Players) -> str:
    """Return what decided games with results such as 2-1 or 11-8; "" for 1-0."""
    role = _pair_role(players)
    is_plain = not role or not any(map(is_match, pd.unique(players.table.columns[players.layout.roles[role]])))
    return "" if is_plain else "the highest score wins" if role == SCORE else MATCHES
