"""Read games that people played from a file.

A log has a row per player of a game (game, player, hero, won) or a row per game (player 1, hero 1, player 2, hero 2, winner);
which of the two follows from its headings. The winner follows from the first of these that the file has: who won, the winner's
name or a result such as 1-0, the final place, the score. Nothing is guessed: what can be read in two ways is an error that names
the choice, and games that cannot be used are left out by name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.answer.numbers import count, word
from analysis.cardsheets.reading import game_of, is_spreadsheet
from analysis.data.names import LOGS
from analysis.playtests.headings import ENTRANT, GAME, PLAYER, ROUND, WINNER, WINS, WON, choices, tokens
from analysis.playtests.layouts import Layout, layout_of
from analysis.playtests.log import COLUMNS, RESULTS, Playtests
from analysis.playtests.order import positions_of
from analysis.playtests.outcomes import ALONE, NO_ENTRANT, NO_WINNER, REASONS, TWICE, Decision
from analysis.playtests.players import HELP, Players, check_games, players_of, similar_names
from analysis.playtests.tables import Table, mistake, read_tables, unsaved_formula
from analysis.playtests.values import Floats, missing, numbers
from analysis.playtests.winners import check_outcome, decision_of, note_contradictions, place_of, score_of

ROW_NUMBERS = {("id",), ("uuid",), ("no",), ("nr",), ("number",), ("#",)}  # headings of games or of rows
UNUSED_SHOWN = 8  # columns in a note
OF_FILE = " (file)"  # added to headings that are names of columns of `Playtests`


def is_playtests(name: str) -> bool:
    """Whether a word is the path of an existing file whose suffix is that of a log, and no spreadsheet of cards."""
    if Path(name).suffix.lower() not in LOGS or not os.path.isfile(name):  # noqa: PTH113 - never raises, unlike Path.is_file
        return False
    return not is_spreadsheet(Path(name)) or not _names_game(Path(name))


def _names_game(spreadsheet: Path) -> bool:
    """Whether a spreadsheet is a card set."""
    try:
        return bool(game_of(spreadsheet))
    except ValueError:
        return False


def read_playtests(path: str | Path, columns: Mapping[str, str] | Sequence[str] = ()) -> Playtests:
    r"""Read games that people played.

    Parameters
    ----------
    path : str or Path
        A .csv, .tsv, .txt, .xlsx, .xlsm, .parquet, .jsonl, .ndjson or .json file.
    columns : mapping or sequence of str, optional
        Headings by role, where they are not understood: ``{"entrant": "Hero"}`` or ``["entrant=Hero", "won=Result"]``. Roles:
        game, date, round, table, player, entrant, seat, first, won, winner, place, score, lowscore (the lowest wins), wins
        (games of a match) and ignore. Of numbered headings give the words: ``score=k`` for k1 and k2.

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
    ...     _ = file.write_text("game,hero,won\n1,Ada,yes\n1,Bo,no\n")
    ...     print(read_playtests(file).summary)
    1 game of 2 players, 2 heroes, turn order unknown.

    """
    try:
        return _playtests_of(Path(path), columns)
    except ValueError as error:
        formula = unsaved_formula(Path(path))
        if formula:
            raise ValueError(f"{error}; {formula}") from None
        raise


def _playtests_of(path: Path, columns: Mapping[str, str] | Sequence[str]) -> Playtests:
    """Read games that people played, see `read_playtests`."""
    choices(columns)
    table, layout, notes = _readable(*read_tables(path), columns)
    players = players_of(table, layout)
    players.notes[:0] = [*notes, *table.notes]
    if GAME not in dict(choices(columns)):
        _check_numbers_of_games(players)
    decision, rule = decision_of(players)
    place, score = place_of(players), score_of(players)
    reason = _reasons(players, decision)
    note_contradictions(players, Decision(decision.share, reason), place, score)
    left_out = tuple(_left_out(players, reason))
    unusable = int(np.count_nonzero(reason))
    if 2 * unusable > players.games:
        wrong = f"{count(unusable)} of {count(players.games)} games cannot be used: {'; '.join(left_out)}"
        raise mistake(table.path, f"{wrong}; correct them, or {HELP}", table.sheet)
    position = positions_of(players)
    facts = {name: values for name, values in zip(RESULTS, (place, score), strict=True) if values is not None}
    facts |= _facts(players)
    rows = _rows(players, decision.share, position, facts)[reason[players.game] == 0]
    rows = _in_order(rows)
    _note_unused(players, facts)
    similar = [*similar_names(rows, "entrant", layout.noun), *similar_names(rows, "player", "player")]
    all_notes = (*dict.fromkeys(players.notes), *similar)
    return Playtests(table.path, rows, _headings(table, layout), left_out, layout.noun, all_notes, rule, unusable)


def _readable(
    tables: Sequence[Table], sheets: Sequence[str], columns: Mapping[str, str] | Sequence[str]
) -> tuple[Table, Layout, list[str]]:
    """Return the only table whose headings are understood, its layout, and a note on the other sheets.

    sheets: names of those that are no tables. Raises ValueError if no table is understood, or more than one.
    """
    errors: list[ValueError] = []
    layouts: list[tuple[Table, Layout]] = []
    for table in tables:
        try:
            layout = layout_of(table, columns)
            check_outcome(table, layout)
            check_games(table, layout)
        except ValueError as error:
            errors.append(error)
        else:
            layouts.append((table, layout))
    if not layouts:
        raise errors[0]
    table, layout = layouts[0]
    if len(layouts) > 1:
        names = " and ".join(word(other.sheet) for other, _ in layouts)
        raise mistake(table.path, f"the sheets {names} all hold games; put the rows into one sheet, or save the sheets as files")
    others = [*(other.sheet for other in tables if other is not table), *sheets]
    return table, layout, [f"sheet {word(table.sheet)} is read, not {', '.join(map(word, others))}"] if others else []


def _headings(table: Table, layout: Layout) -> dict[str, str]:
    """Return the headings by role, those for several players joined by commas."""
    headings = {role: table.headings[column] for role, column in layout.roles.items()}
    for role in dict.fromkeys(role for roles in layout.slot_roles for role in roles):
        headings[role] = ", ".join(table.headings[roles[role]] for roles in layout.slot_roles if role in roles)
    if ENTRANT not in headings:
        headings[ENTRANT] = headings.pop(PLAYER)
    return headings


def _check_numbers_of_games(players: Players) -> None:
    """Raise ValueError if what could be the number of the game is the number of the row."""
    column = players.layout.roles.get(GAME, -1)
    if players.by_game or column < 0 or (np.bincount(players.game) > 1).any():
        return
    heading = players.table.headings[column]
    if len(players.game) > 1 and tokens(heading) in ROW_NUMBERS:
        right = f"add a column game, or choose --columns game={heading} if every game had one player"
        raise players.table.error(f"differs in all rows, so that no game has two players; {right}", column=column)


# ---- Games that cannot be used ---------------------------------------------------------------------------------------


def _reasons(players: Players, decision: Decision) -> NDArray[np.int8]:
    """Return by game why it cannot be used, 0 for games that can; see REASONS."""
    reason = decision.reason.copy()
    number = np.bincount(players.game)
    if (number > 1).any():
        reason[number == 1] = ALONE
    names = players.entrant if players.layout.noun == "player" else players.player
    frame = pd.DataFrame({"game": players.game, "name": names})
    twice = frame.duplicated().to_numpy() & (names != "")
    reason[players.game[twice]] = TWICE
    reason[players.game[players.entrant == ""]] = NO_ENTRANT
    if not (number > 1).any() and not {WON, WINNER} & players.layout.roles.keys():
        reason[reason == 0] = NO_WINNER  # a score without an opponent decides nothing
    return reason


def _left_out(players: Players, reason: NDArray[np.int8]) -> Iterator[str]:
    """Yield a phrase for each reason why games cannot be used."""
    noun = "name" if players.layout.noun == "player" else players.layout.noun
    for number, (one, several) in REASONS.items():
        games = np.flatnonzero(reason == number)
        if len(games):
            lines = players.lines(games)
            where = lines if players.by_game else f"the game{'' if len(games) == 1 else 's'} from {lines}"
            yield f"{where} {(one if len(games) == 1 else several).replace('{noun}', noun)}"


# ---- Rows ------------------------------------------------------------------------------------------------------------


def _rows(players: Players, share: Floats, position: NDArray[np.int64], facts: Mapping[str, Floats]) -> pd.DataFrame:
    """Return the rows of all games, with the columns of `Playtests`."""
    columns = {
        "game": players.game,
        "line": players.table.lines[players.row],
        "label": np.where(missing(players.label), "", players.label),
        "seats": np.bincount(players.game)[players.game],
        "position": position,
        "player": players.player,
        "entrant": players.entrant,
        "share": share,
    }
    return pd.DataFrame({**columns, **facts}).astype(dict.fromkeys(("label", "player", "entrant"), "str"))


def _in_order(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows with games numbered without gaps, and with players in turn order in games in which it is known."""
    game = pd.factorize(rows["game"], sort=True)[0].astype(np.int64)
    complete = (rows["position"] >= 0).groupby(game).transform("all")
    order = np.lexsort((rows["position"].where(complete, 0), game))
    return rows.assign(game=game).iloc[order].reset_index(drop=True)


def _facts(players: Players) -> dict[str, Floats]:
    """Return the columns without a role that hold nothing but numbers, except ids, by name."""
    table, layout = players.table, players.layout
    facts: dict[str, Floats] = {}
    with_round = [*layout.spare, *([layout.roles[ROUND]] if ROUND in layout.roles and GAME in layout.roles else [])]
    for column in sorted(with_round):
        values, readable = numbers(table.columns[column])
        if readable.all() and tokens(table.headings[column])[-1:] != ("id",):
            facts[_free(facts, table.headings[column])] = values[players.row]
    for phrase, by_slot in layout.slot_spare.items():
        empty = np.full(len(table.lines), "", object)
        parts = [numbers(empty if column is None else table.columns[column]) for column in by_slot]
        if all(readable.all() for _, readable in parts) and phrase.split()[-1] != "id":
            facts[_free(facts, phrase)] = np.column_stack([values for values, _ in parts])[players.row, players.slot]
    wins = players.values(WINS, numbers, "a number") if players.has_own(WINS) else None
    if wins is not None:
        facts[_free(facts, WINS)] = wins
    return facts


def _free(facts: Mapping[str, Floats], heading: str) -> str:
    """Return a heading, or one made of it that is no name of another column."""
    name = heading
    while name in facts or name in COLUMNS + RESULTS:
        name += OF_FILE
    return name


def _note_unused(players: Players, facts: Mapping[str, Floats]) -> None:
    """Note the columns that have no role and are no facts."""
    headings, layout = players.table.headings, players.layout
    unused = [
        headings[column] for column in layout.spare if not {headings[column], f"{headings[column]}{OF_FILE}"} & facts.keys()
    ]
    for phrase, by_slot in layout.slot_spare.items():
        if phrase not in facts:
            unused += [headings[column] for column in by_slot if column is not None]
    if unused:
        more = f" and {len(unused) - UNUSED_SHOWN} more" if len(unused) > UNUSED_SHOWN else ""
        players.notes.append(f"columns that are not used: {', '.join(map(word, unused[:UNUSED_SHOWN]))}{more}")
