"""Read games that people played from a file.

A log has a row per player of a game (game, player, hero, won) or a row per game (player 1, hero 1, player 2, hero 2, winner); which of
the two follows from its headings. The winner follows from the first of these that the file has: who won, the winner's name or a
result such as 1-0, the final place, the score. Nothing is guessed: what can be read in two ways is an error that names the choice,
and games that cannot be used are left out by name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.answer.numbers import count, word
from analysis.playtests.headings import (
    DATE,
    ENTRANT,
    FIRST,
    GAME,
    LOWSCORE,
    NAMED,
    PLACE,
    PLAYER,
    ROUND,
    SCORE,
    SEAT,
    TABLE,
    WINNER,
    WINS,
    WON,
    Layout,
    choices,
    layout_of,
    tokens,
)
from analysis.playtests.log import COLUMNS, RESULTS, Playtests
from analysis.playtests.outcomes import (
    ALONE,
    NO_ENTRANT,
    NO_SCORE,
    NO_WINNER,
    REASONS,
    TWICE,
    Decision,
    Games,
    Results,
    by_best,
    by_name,
    by_place,
    by_result,
    denotes,
    first_result,
    is_match,
    is_pair,
)
from analysis.playtests.tables import SUFFIXES, Table, listed, mistake, read_tables, without_gaps
from analysis.playtests.values import (
    ABSENT,
    LOSS,
    TIE,
    UNREADABLE,
    WIN,
    Flags,
    Floats,
    Texts,
    is_missing,
    missing,
    name_key,
    numbers,
    per_value,
    places,
    plain,
    results,
    thousands,
)

NAMES_SHOWN = 5  # of similar names, or other spellings, in notes
SIMILAR_LEAST = 5  # letters of names that may be misspelt
MOVES = {"play": WIN, "draw": LOSS, "1st": WIN, "first": WIN, "2nd": LOSS, "second": LOSS}  # who moved first, besides yes and no
OUTCOMES = (WON, WINNER, PLACE, SCORE, LOWSCORE, WINS)
HELP = "name the columns with --columns, such as --columns entrant=HEADING,won=HEADING"


@dataclass(eq=False)
class _Rows:
    """Players of games, one by one, while they are read. row: of the table. slot: number of a player's headings, or -1."""

    row: NDArray[np.int64]
    game: Games
    slot: Games
    player: Texts
    entrant: Texts
    label: Texts
    facts: dict[str, Floats] = field(default_factory=dict)
    headings: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    rule: str = ""

    @property
    def games(self) -> int:
        """Number of games, including those that will be left out."""
        return int(self.game.max()) + 1


def is_playtests(name: str) -> bool:
    """Whether a word is the path of an existing file whose suffix is that of a log; says nothing about what is in it."""
    return Path(name).suffix.lower() in SUFFIXES and os.path.isfile(name)  # noqa: PTH113 - never raises, unlike Path.is_file


def read_playtests(path: str | Path, columns: Mapping[str, str] | Sequence[str] = ()) -> Playtests:
    """Read games that people played.

    Parameters
    ----------
    path : str or Path
        A .csv, .tsv, .txt, .xlsx, .xlsm, .parquet, .jsonl, .ndjson or .json file.
    columns : mapping or sequence of str, optional
        Headings by role, where they are not understood: ``{"entrant": "Hero"}`` or ``["entrant=Hero", "won=Result"]``. Roles:
        game, date, round, table, player, entrant, seat, first, won, winner, place, score, lowscore (the lowest wins), wins (games of a
        match) and ignore. Of numbered headings give the words: ``score=k`` for k1 and k2.

    Raises
    ------
    ValueError
        For a file that cannot be read, headings that are not understood, a cell that cannot be read (with line and heading), and
        if more than half of the games cannot be used.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "log.csv"
    ...     _ = file.write_text("game,hero,won\\n1,Ada,yes\\n1,Bo,no\\n")
    ...     print(read_playtests(file).summary)
    1 game of 2 players, 2 heroes, turn order unknown.

    """
    file = Path(path)
    choices(columns)
    table, layout, notes = _readable(read_tables(file), columns)
    rows = _of_games(table, layout) if layout.slots else _of_players(table, layout)
    rows.notes[:0] = [*notes, *table.notes]
    decision = _decision(table, layout, rows)
    _note_contradictions(table, layout, rows, decision)
    reason = _reasons(layout, rows, decision)
    position = _positions(table, layout, rows)
    _add_facts(table, layout, rows)
    _note_unused(table, layout, rows)
    return _playtests(file, table, layout, rows, decision.share, reason, position)


def _readable(tables: Sequence[Table], columns: Mapping[str, str] | Sequence[str]) -> tuple[Table, Layout, list[str]]:
    """Return the first table whose headings are understood, its layout, and a note on the others."""
    errors = []
    for table in tables:
        try:
            layout = layout_of(table, columns)
            _check_outcome(table, layout)
        except ValueError as error:
            errors.append(error)
            continue
        others = [word(other.sheet) for other in tables if other is not table]
        notes = [f"sheet {word(table.sheet)} is read, not {', '.join(others)}"] if others else []
        return table, layout, notes
    raise errors[0]


def _check_outcome(table: Table, layout: Layout) -> None:
    """Raise ValueError if no column shows who won."""
    roles = set(layout.roles).union(*layout.slot_roles)
    has_result = (
        GAME in roles and _are_pairs(table.columns[layout.roles[GAME]]) if layout.slots and GAME in layout.roles else False
    )
    if layout.kind != "winner" and not roles & set(OUTCOMES) and not has_result:
        headings = ", ".join(filter(None, table.headings[:12]))
        raise table.error(
            f"has no column that shows who won: won, winner, result, place or score; headings are {headings}; {HELP}"
        )


def _are_pairs(column: Texts) -> bool:
    """Whether all texts of a column are results of two players, such as 1-0."""
    distinct = [text for text in pd.unique(column) if not is_missing(text) and text != "*"]
    return bool(distinct) and all(map(is_pair, distinct))


# ---- A row per player ----------------------------------------------------------------------------------------------------


def _of_players(table: Table, layout: Layout) -> _Rows:
    """Return the players of a log with a row per player."""
    roles = layout.roles
    notes: list[str] = []
    game, label = _games_of(table, roles, notes)
    entrant = table.columns[roles.get(ENTRANT, roles.get(PLAYER, 0))]
    empty = np.full(len(entrant), "", object)
    player = table.columns[roles[PLAYER]] if PLAYER in roles and ENTRANT in roles else empty
    rows = _Rows(np.arange(len(game)), game, np.full(len(game), -1), player, entrant, label, notes=notes)
    rows.headings = {role: table.headings[column] for role, column in roles.items() if role != ROUND}
    if ENTRANT not in roles:
        rows.headings[ENTRANT] = rows.headings.pop(PLAYER)
    _canonical(rows)
    return rows


def _games_of(table: Table, roles: Mapping[str, int], notes: list[str]) -> tuple[Games, Texts]:
    """Return the number of the game and its label for each row. Raises ValueError if no column tells games apart."""
    if GAME not in roles:
        blocks = [role for role in (DATE, ROUND, TABLE) if role in roles]
        if TABLE not in blocks or len(blocks) < 2:
            right = "add a column game with the same number in all rows of a game, or columns date and table"
            raise table.error(f"has a row for each player, but no column shows which rows are one game; {right}; {HELP}")
        keys = pd.Series([""] * len(table.lines), dtype=object)
        for role in blocks:
            column, has_gaps = without_gaps(table.columns[roles[role]])
            if has_gaps and role == TABLE:
                line = int(table.lines[np.argmax(missing(table.columns[roles[role]]))])
                raise table.error("is empty; write the table of each player", line, roles[role])
            keys = keys + "\0" + column
        names = ", ".join(table.headings[roles[role]] for role in blocks)
        notes.append(f"rows with the same {names} are one game")
        return pd.factorize(keys)[0].astype(np.int64), np.full(len(keys), "", object)
    label, has_gaps = without_gaps(table.columns[roles[GAME]])
    if is_missing(label[0]):
        raise table.error("is empty; write the number of the game in each row", int(table.lines[0]), roles[GAME])
    if has_gaps:
        notes.append(f'empty cells of "{table.headings[roles[GAME]]}" belong to the game above')
    keys = pd.Series(per_value(label, name_key, object))
    if DATE in roles:
        date, _ = without_gaps(table.columns[roles[DATE]])
        if (pd.Series(date).groupby(keys).nunique() > 1).any():
            keys = keys + "\0" + date
            notes.append("games are numbered anew on each date")
    return pd.factorize(keys)[0].astype(np.int64), label


# ---- A row per game ------------------------------------------------------------------------------------------------------


def _of_games(table: Table, layout: Layout) -> _Rows:
    """Return the players of a log with a row per game."""
    games, slots = len(table.lines), len(layout.slots)
    player = _by_slot(table, layout, PLAYER)
    entrant = _by_slot(table, layout, ENTRANT)
    if layout.kind == NAMED:
        player = np.tile(np.array(layout.slots, object), games)
        player[missing(entrant)] = ""
    has_entrants = any(ENTRANT in roles for roles in layout.slot_roles)
    if not has_entrants:
        player, entrant = np.full(games * slots, "", object), player
    plays = ~missing(player) | ~missing(entrant)
    row = np.repeat(np.arange(games), slots)[plays]
    label = np.full(games, "", object)
    if GAME in layout.roles and not _are_pairs(table.columns[layout.roles[GAME]]):
        label = table.columns[layout.roles[GAME]]
    kept, game = np.unique(row, return_inverse=True)
    if not len(kept):
        raise table.error(f"has no players; {HELP}")
    slot = np.tile(np.arange(slots), games)[plays]
    rows = _Rows(row, game.astype(np.int64), slot, player[plays], entrant[plays], label[row])
    rows.headings = _slot_headings(table, layout, has_entrants)
    if len(kept) < games:
        empty = np.setdiff1d(np.arange(games), kept)
        rows.notes.append(f"{table.lines_of(empty)} without players {'is' if len(empty) == 1 else 'are'} ignored")
    _canonical(rows)
    return rows


def _slot_headings(table: Table, layout: Layout, has_entrants: bool) -> dict[str, str]:
    """Return the headings by role, those of a role joined by commas."""
    headings: dict[str, str] = {role: table.headings[column] for role, column in layout.roles.items()}
    for role in dict.fromkeys(role for roles in layout.slot_roles for role in roles):
        headings[role] = ", ".join(table.headings[roles[role]] for roles in layout.slot_roles if role in roles)
    if not has_entrants:
        headings[ENTRANT] = headings.pop(PLAYER)
    return headings


def _by_slot(table: Table, layout: Layout, role: str) -> Texts:
    """Return the texts of a role for each slot of each game, "" where a slot has none."""
    empty = np.full(len(table.lines), "", object)
    columns = [table.columns[roles[role]] if role in roles else empty for roles in layout.slot_roles]
    return np.column_stack(columns).ravel()


def _cells(table: Table, layout: Layout, rows: _Rows, role: str) -> Texts | None:
    """Return the texts of a role by player: of the player's own column, else of the game's; None if there is no column."""
    if layout.slots and any(role in roles for roles in layout.slot_roles):
        return _by_slot(table, layout, role)[rows.row * len(layout.slots) + rows.slot]
    return table.columns[layout.roles[role]][rows.row] if role in layout.roles else None


def _column_of(layout: Layout, rows: _Rows, role: str, at: int) -> int:
    """Return the number of the column with the role of a player."""
    if layout.slots and role in layout.slot_roles[rows.slot[at]]:
        return layout.slot_roles[rows.slot[at]][role]
    return layout.roles[role]


# ---- Who won -------------------------------------------------------------------------------------------------------------


def _decision(table: Table, layout: Layout, rows: _Rows) -> Decision:
    """Return the shares of the win, from the first kind of result that the log has."""
    if layout.kind == "winner":
        return by_result(rows.game, rows.games, np.where(rows.slot == 0, WIN, LOSS).astype(np.int8), spare_win=False)
    stated, wrong = _stated(table, layout, rows)
    if stated is not None:
        decision = by_result(rows.game, rows.games, stated, spare_win=not layout.slots)
        decision.reason[wrong > 0] = wrong[wrong > 0]
        return decision
    place = _values(table, layout, rows, PLACE, places, "a place; write 1, 2nd or T3")
    if place is not None:
        rows.facts[PLACE] = place
        return by_place(rows.game, rows.games, place)
    for role, rule in ((SCORE, "the highest score wins"), (LOWSCORE, "the lowest score wins"), (WINS, "")):
        value = _values(table, layout, rows, role, numbers, "a number; write it with digits")
        if value is not None:
            rows.rule = rule or ("the side with more wins wins the match" if np.nanmax(value) > 1 else "")
            return by_best(rows.game, rows.games, -value if role == LOWSCORE else value, NO_SCORE)
    raise table.error(f"has no winners; the columns of results are empty; {HELP}")


def _stated(table: Table, layout: Layout, rows: _Rows) -> tuple[Results | None, NDArray[np.int8]]:
    """Return the results of players that a log states, or None, and the reasons by game why they are not understood."""
    sources = [_own_results, _named_winners] if not layout.slots else [_own_results, _named_winners, _pair_results]
    result: Results | None = None
    wrong = np.zeros(rows.games, np.int8)
    for source in sources:
        more = source(table, layout, rows)
        if more is None:
            continue
        now, reason = more
        if result is None:
            result, wrong = now, reason
        else:
            undecided = np.bincount(rows.game[result != ABSENT], minlength=rows.games) == 0
            result = np.where(undecided[rows.game], now, result)
            wrong = np.where(undecided & (reason > 0), reason, wrong)
    return result, wrong


def _own_results(table: Table, layout: Layout, rows: _Rows) -> tuple[Results, NDArray[np.int8]] | None:
    """Results from a column for each player: yes, no, win, loss, draw. Empty cells are losses if another player of the game won."""
    own = any(WON in roles for roles in layout.slot_roles)
    role = WON if own or (not layout.slots and WON in layout.roles) else ""
    if not layout.slots and not role and WINNER in layout.roles and _are_results(table.columns[layout.roles[WINNER]]):
        role = WINNER
    if not role:
        return None
    texts = _cells(table, layout, rows, role)
    assert texts is not None
    result = results(texts)
    if (result == UNREADABLE).any():
        at = int(np.argmax(result == UNREADABLE))
        instead = "a place or a score, choose it with --columns place=HEADING or score=HEADING"
        right = f"is no result; write yes, no or draw; if it is {instead}"
        raise table.error(f'"{word(texts[at])}" {right}', int(table.lines[rows.row[at]]), _column_of(layout, rows, role, at))
    if (result == ABSENT).all():
        return None
    won = np.bincount(rows.game[result == WIN], minlength=rows.games) > 0
    result[(result == ABSENT) & won[rows.game]] = LOSS
    return result, np.zeros(rows.games, np.int8)


def _are_results(column: Texts) -> bool:
    """Whether all filled cells of a column are results of a player, such as yes and no."""
    return bool((results(column) != UNREADABLE).all())


def _named_winners(table: Table, layout: Layout, rows: _Rows) -> tuple[Results, NDArray[np.int8]] | None:
    """Results from the name or the number of the winner."""
    role = WINNER if WINNER in layout.roles else ""
    if not role or (not layout.slots and _are_results(table.columns[layout.roles[WINNER]])):
        return None
    texts = table.columns[layout.roles[role]][rows.row]
    if not layout.slots:
        texts = _text_of_game(rows, texts)
    return _from_names(layout, rows, texts)


def _from_names(layout: Layout, rows: _Rows, texts: Texts) -> tuple[Results, NDArray[np.int8]]:
    return by_name(rows.game, rows.games, texts, rows.player, rows.entrant, rows.slot, layout.kind, layout.slots)


def _text_of_game(rows: _Rows, texts: Texts) -> Texts:
    """Return for each player the first filled text of the game."""
    filled = ~missing(texts)
    first = np.full(rows.games, "", object)
    order = np.flatnonzero(filled)[::-1]
    first[rows.game[order]] = texts[order]
    return first[rows.game]


def _pair_results(table: Table, layout: Layout, rows: _Rows) -> tuple[Results, NDArray[np.int8]] | None:
    """Results from a column for the game: 1-0, 2:1, draw, W, the name of a player, or what marks a player."""
    roles = [role for role in (WON, SCORE, GAME) if role in layout.roles]
    role = next((role for role in roles if role == WON or _are_pairs(table.columns[layout.roles[role]])), "")
    if not role:
        return None
    column = layout.roles[role]
    texts = table.columns[column][rows.row]
    first = per_value(texts, lambda text: first_result(text, layout.kind), np.int8)
    if len(layout.slots) > 2:
        first[first != ABSENT] = UNREADABLE
    mirrored = np.choose(np.clip(first, 0, 2), [WIN, LOSS, TIE]).astype(np.int8)
    result = np.where((first < 0) | (rows.slot == 0), first, mirrored)
    by_words, wrong = _from_names(layout, rows, texts)
    unread = first == UNREADABLE
    result = np.where(unread, by_words, result)
    marks = per_value(texts, lambda text: denotes(text, layout.kind, layout.slots), np.int64)
    unclear = unread & (result == ABSENT) & (wrong[rows.game] > 0) & (marks < 0)
    if unclear.any():
        at = int(np.argmax(unclear))
        right = "is neither a result, such as 1-0 or draw, nor the name of a player of the game"
        raise table.error(f'"{word(texts[at])}" {right}', int(table.lines[rows.row[at]]), column)
    if any(is_match(text) for text in pd.unique(texts)):
        rows.rule = "the side with more wins wins the match"
    wrong[np.unique(rows.game[~unread])] = 0
    return result.astype(np.int8), wrong


def _values(  # noqa: PLR0917 - of one column
    table: Table, layout: Layout, rows: _Rows, role: str, read: Callable[[Texts], tuple[Floats, Flags]], what: str
) -> Floats | None:
    """Return the numbers of a role by player; None without such a column, or if it holds nothing. Raises ValueError for text."""
    texts = _cells(table, layout, rows, role)
    if texts is None or (layout.slots and not any(role in roles for roles in layout.slot_roles)):
        return None
    value, readable = read(texts)
    if not readable.all():
        at = int(np.argmin(readable))
        wrong = f'"{word(texts[at])}" is not {what}, or leave the cell empty'
        raise table.error(wrong, int(table.lines[rows.row[at]]), _column_of(layout, rows, role, at))
    if np.isnan(value).all() or (role == PLACE and not value[~np.isnan(value)].any()):
        return None
    unsure = thousands(texts)
    if unsure:
        rows.notes.append(f"{unsure} is read as {count(float(value[texts == unsure][0]))}")
    return value


def _note_contradictions(table: Table, layout: Layout, rows: _Rows, decision: Decision) -> None:
    """Keep places and scores that did not decide who won, and note games in which they disagree with it."""
    if PLACE not in rows.facts:
        place = _values(table, layout, rows, PLACE, places, "a place; write 1, 2nd or T3")
        if place is not None:
            rows.facts[PLACE] = place
            _note_other_winner(table, rows, decision, by_place(rows.game, rows.games, place), "the first place")
    for role in (SCORE, LOWSCORE):
        score = _score(table, layout, rows, role)
        if score is not None:
            rows.facts[SCORE] = score
            best = by_best(rows.game, rows.games, -score if role == LOWSCORE else score, NO_SCORE)
            _note_other_winner(table, rows, decision, best, f"the {'lowest' if role == LOWSCORE else 'highest'} score")
            return


def _score(table: Table, layout: Layout, rows: _Rows, role: str) -> Floats | None:
    """Return scores; None for a column of other texts beside another result, such as 11-3, 11-8."""
    texts = _cells(table, layout, rows, role)
    if texts is None:
        return None
    _, readable = numbers(texts)
    return _values(table, layout, rows, role, numbers, "a number; write it with digits") if readable.mean() >= 0.5 else None


def _note_other_winner(table: Table, rows: _Rows, decision: Decision, other: Decision, what: str) -> None:
    """Note the games that no player with the best place or score won."""
    agrees = np.bincount(rows.game[(other.share > 0) & (decision.share > 0)], minlength=rows.games) > 0
    games = np.flatnonzero(~agrees & (other.reason == 0) & (decision.reason == 0))
    if len(games):
        lines = listed(_lines(table, rows, games), table.word)
        rows.notes.append(f"{what} did not win in {'a game' if len(games) == 1 else f'{count(len(games))} games'} ({lines})")


def _lines(table: Table, rows: _Rows, games: NDArray[Any]) -> NDArray[np.int64]:
    """Return the first line of each game."""
    _, first = np.unique(rows.game, return_index=True)
    return table.lines[rows.row[first[games]]]


# ---- Turn order ------------------------------------------------------------------------------------------------------------


def _positions(table: Table, layout: Layout, rows: _Rows) -> NDArray[np.int64]:
    """Return 0 for who moved first, 1 for the second, ...; -1 where it is unknown."""
    position = np.full(len(rows.game), -1, np.int64)
    seat = _values(table, layout, rows, SEAT, places, "a seat; write 1, 2 or 3rd")
    if seat is None and (layout.in_order or layout.kind == "white"):
        seat = rows.slot.astype(float)
    if seat is not None:
        position = _ranks(table, rows, seat)
    first = _first(table, layout, rows)
    if first is None:
        return position
    number = np.bincount(rows.game[first], minlength=rows.games)
    if (number > 1).any():
        several = np.flatnonzero(number > 1)
        rows.notes.append(
            f"several players moved first, so the first is unknown ({listed(_lines(table, rows, several), table.word)})"
        )
    clear = (number == 1)[rows.game]
    agrees = np.bincount(rows.game[first & (position == 0)], minlength=rows.games) > 0
    of_two = (np.bincount(rows.game, minlength=rows.games) == 2)[rows.game]
    by_first = np.where(first, 0, np.where(of_two, 1, -1))
    changed = clear & ~agrees[rows.game]
    if (changed & (position >= 0)).any():
        rows.notes.append("seats are no turn order where another player than that of the lowest seat moved first")
    return np.where(changed, by_first, position)


def _ranks(table: Table, rows: _Rows, seat: Floats) -> NDArray[np.int64]:
    """Return the ranks of seats within games, -1 in games in which a seat is empty or taken twice."""
    frame = pd.DataFrame({"game": rows.game, "seat": seat})
    by_game = frame.groupby("game")["seat"]
    distinct, known = by_game.transform("nunique"), by_game.transform("count")
    players = by_game.transform("size")
    complete = (distinct == players).to_numpy()
    twice = ((distinct < known) & (distinct > 1)).to_numpy()
    if twice.any():
        games = np.unique(rows.game[twice])
        rows.notes.append(
            f"two players have the same seat, so the order is unknown ({listed(_lines(table, rows, games), table.word)})"
        )
    rank = by_game.rank(method="first").fillna(0).to_numpy() - 1
    return np.where(complete, rank, -1).astype(np.int64)


def _first(table: Table, layout: Layout, rows: _Rows) -> Flags | None:
    """Return whether each player moved first; None if there is no such column."""
    texts = _cells(table, layout, rows, FIRST)
    if texts is None or missing(texts).all():
        return None
    own = any(FIRST in roles for roles in layout.slot_roles) or not layout.slots
    flags = per_value(texts, _moves_first, np.int8)
    if (flags != UNREADABLE).all():
        if not own and layout.kind == "opponent":
            flags = np.where(rows.slot == 0, flags, np.choose(np.clip(flags, 0, 1), [WIN, LOSS]))
            return flags == WIN
        if own:
            return flags == WIN
    named = _text_of_game(rows, texts)
    result, wrong = _from_names(layout, rows, named)
    if (wrong > 0).any():
        games = np.flatnonzero(wrong)
        rows.notes.append(f"who moved first is none of the players ({listed(_lines(table, rows, games), table.word)})")
    return result == WIN


def _moves_first(text: str) -> int:
    if is_missing(text):
        return ABSENT
    words = plain(text)
    result = int(results(np.array([words], object))[0])
    return MOVES.get(words, result)


# ---- Names and further columns ---------------------------------------------------------------------------------------------


def _canonical(rows: _Rows) -> None:
    """Give names that differ only in case and spaces their first spelling, and "" to missing ones."""
    for name in ("player", "entrant"):
        texts: Texts = getattr(rows, name)
        texts = np.where(missing(texts), "", texts)
        distinct = pd.unique(texts)
        spellings: dict[str, list[str]] = {}
        for text in distinct:
            spellings.setdefault(name_key(text), []).append(text)
        several = [names for names in spellings.values() if len(names) > 1]
        for names in several[:NAMES_SHOWN]:
            rows.notes.append(f"{', '.join(map(word, names[1:]))} is read as {word(names[0])}")
        if len(several) > NAMES_SHOWN:
            rows.notes.append(f"{count(len(several) - NAMES_SHOWN)} more names have several spellings; the first of each is used")
        setattr(rows, name, per_value(texts, lambda text, names=spellings: names[name_key(text)][0], object))  # type: ignore[misc]


def _similar(rows: pd.DataFrame, column: str, noun: str) -> Iterator[str]:
    """Yield notes on names that may be misspelt: one letter apart, and never in the same game."""
    games_of = rows[rows[column] != ""].groupby(column)["game"].agg(set).to_dict()
    near: dict[str, list[str]] = {}
    for name in games_of:
        letters = plain(name).replace(" ", "")
        if len(letters) >= SIMILAR_LEAST and len(letters) <= 40:
            for variant in {letters, *(letters[:at] + letters[at + 1 :] for at in range(len(letters)))}:
                near.setdefault(variant, []).append(name)
    pairs = {pair for names in near.values() if len(names) < 20 for pair in combinations(sorted(names), 2)}
    notes = []
    for one, other in sorted(pairs):
        rare, usual = sorted((one, other), key=lambda name: (len(games_of[name]), name))
        number, more = len(games_of[rare]), len(games_of[usual])
        is_rare = number < more and (number <= 2 or 4 * number <= more)
        if is_rare and not _are_numbered(one, other) and not games_of[one] & games_of[other]:
            notes.append(f"{noun} {word(rare)} ({number} game{'' if number == 1 else 's'}) may be {word(usual)} ({more})")
    yield from notes[:NAMES_SHOWN]


def _are_numbered(one: str, other: str) -> bool:
    """Whether two names differ in a number or in a single letter that stands alone, as Deck A and Deck B do."""
    words, others = plain(one).split(), plain(other).split()
    digits = any(letter.isdecimal() for letter in set(one) ^ set(other))
    pairs = [pair for pair in zip(words, others, strict=False) if pair[0] != pair[1]]
    return digits or (len(words) == len(others) and all(len(first) == len(second) == 1 for first, second in pairs))


def _add_facts(table: Table, layout: Layout, rows: _Rows) -> None:
    """Add the columns without a role that hold nothing but numbers."""
    columns = [*layout.spare, *([layout.roles[ROUND]] if ROUND in layout.roles and GAME in layout.roles else [])]
    for column in sorted(columns):
        values, readable = numbers(table.columns[column])
        if readable.all() and not np.isnan(values).all() and tokens(table.headings[column])[-1:] != ("id",):
            rows.facts[_free(rows, table.headings[column])] = values[rows.row]
    for phrase, by_slot in layout.slot_spare.items():
        parts = [numbers(table.columns[column]) for column in by_slot if column is not None]
        if all(readable.all() for _, readable in parts):
            empty = np.full(len(table.lines), np.nan)
            stack = np.column_stack([empty if column is None else numbers(table.columns[column])[0] for column in by_slot])
            values = stack[rows.row, rows.slot]
            if not np.isnan(values).all():
                rows.facts[_free(rows, phrase)] = values
    if WINS in rows.headings:
        wins = _values(table, layout, rows, WINS, numbers, "a number; write it with digits")
        if wins is not None:
            rows.facts[_free(rows, "wins")] = wins


def _free(rows: _Rows, heading: str) -> str:
    """Return a heading that is no name of another column."""
    name = heading
    while name in rows.facts or name in COLUMNS or name in RESULTS:
        name = f"{name} (file)"
    return name


def _note_unused(table: Table, layout: Layout, rows: _Rows) -> None:
    """Note the columns that are neither understood nor numbers."""
    unused = [table.headings[column] for column in layout.spare if table.headings[column] not in rows.facts]
    for phrase, columns in layout.slot_spare.items():
        if phrase not in rows.facts:
            unused += [table.headings[column] for column in columns if column is not None]
    if unused:
        more = f" and {len(unused) - 8} more" if len(unused) > 8 else ""
        rows.notes.append(f"columns that are not used: {', '.join(map(word, unused[:8]))}{more}")


# ---- The log -----------------------------------------------------------------------------------------------------------------


def _reasons(layout: Layout, rows: _Rows, decision: Decision) -> NDArray[np.int8]:
    """Return by game why it cannot be used, 0 for games that can; see REASONS."""
    reason = decision.reason.copy()
    players = np.bincount(rows.game, minlength=rows.games)
    if (players > 1).any():
        reason[players == 1] = ALONE
    else:
        reason[(reason == 0) & (np.bincount(rows.game, decision.share, rows.games) > 1)] = NO_WINNER
    names = rows.entrant if layout.noun == "player" else rows.player
    if (names != "").any():
        frame = pd.DataFrame({"game": rows.game, "name": names})
        twice = frame[frame["name"] != ""].duplicated()
        reason[np.unique(frame.loc[twice[twice].index, "game"])] = TWICE
    reason[np.unique(rows.game[rows.entrant == ""])] = NO_ENTRANT
    return reason


def _playtests(  # noqa: PLR0917 - the parts of its only caller
    file: Path, table: Table, layout: Layout, rows: _Rows, share: Floats, reason: NDArray[np.int8], position: NDArray[np.int64]
) -> Playtests:
    """Return the log of the games that can be used. Raises ValueError if those are less than half."""
    unusable = np.flatnonzero(reason)
    left_out = tuple(_left_out(table, layout, rows, reason))
    if 2 * len(unusable) > rows.games:
        wrong = f"{count(len(unusable))} of {count(rows.games)} games cannot be used: {'; '.join(left_out)}"
        raise mistake(file, f"{wrong}; correct them, or {HELP}", table.sheet)
    usable = reason[rows.game] == 0
    frame = pd.DataFrame({"game": rows.game, "line": table.lines[rows.row], "label": rows.label, "position": position})
    frame = frame.assign(player=rows.player, entrant=rows.entrant, share=share, **{})
    frame["label"] = np.where(missing(rows.label), "", rows.label)
    for heading in (*RESULTS, *(heading for heading in rows.facts if heading not in RESULTS)):
        if heading in rows.facts:
            frame[heading] = rows.facts[heading]
    frame = frame[usable]
    frame = frame.assign(game=pd.factorize(frame["game"], sort=True)[0].astype(np.int64))
    ordered = (frame["position"] >= 0).groupby(frame["game"]).transform("all")
    turn = frame["position"].where(ordered, 0)
    frame = frame.assign(turn=turn).sort_values(["game", "turn"], kind="stable").drop(columns="turn").reset_index(drop=True)
    frame.insert(3, "seats", frame.groupby("game")["game"].transform("size").astype(np.int64))
    frame = frame.astype(dict.fromkeys(("label", "player", "entrant"), "str"))
    similar = [*_similar(frame, "entrant", layout.noun), *_similar(frame, "player", "player")]
    notes = (*rows.notes, *similar)
    return Playtests(file, frame, rows.headings, left_out, layout.noun, notes, rows.rule, len(unusable))


def _left_out(table: Table, layout: Layout, rows: _Rows, reason: NDArray[np.int8]) -> Iterator[str]:
    """Yield a phrase for each reason why games cannot be used."""
    noun = "player" if layout.noun == "player" else f"a {layout.noun}"
    for number, (one, several) in REASONS.items():
        games = np.flatnonzero(reason == number)
        if len(games):
            lines = listed(np.sort(_lines(table, rows, games)), table.word)
            what = (one if len(games) == 1 else several).replace("{noun}", noun)
            where = lines if layout.slots else f"the game{'' if len(games) == 1 else 's'} from {lines}"
            yield f"{where} {what}"
