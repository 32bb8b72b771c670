"""The layout of a log: which columns have the players, the heroes and the winner, and which belong to which player.

A log with a row per game numbers its headings (Player 1, hero_2, P1), or marks them by a letter (Deck A), a side (White, home
team, winner) or the name of a player (Ann's hero). Each mark is a slot: what it marks belongs to one player of the game.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from analysis.playtests.headings import (
    DATE,
    ENTRANT,
    FIRST,
    GAME,
    IGNORE,
    LOWSCORE,
    PLACE,
    PLAYER,
    SCORE,
    SEAT,
    WINNER,
    WINS,
    WON,
    choices,
    noun_in,
    noun_of,
    role_in,
    tokens,
)
from analysis.playtests.tables import Table
from analysis.playtests.values import is_missing, name_key

NUMBERED, LETTERED, NAMED = "number", "letter", "name"  # how slots are marked, besides SIDES
SIDES = {  # words for the two players of a game, by name of the pair; the first of a pair comes first in a result such as 1-0
    "white": (("white", "weiss", "blancs", "blanc", "blancas"), ("black", "schwarz", "noirs", "noir", "negras")),
    "home": (("home", "heim", "domicile", "local"), ("away", "gast", "visitor", "exterieur", "visitante", "visiteur")),
    "winner": (
        ("winner", "winning", "winners", "sieger", "gewinner", "vainqueur", "ganador"),
        ("loser", "losing", "losers", "verlierer", "perdant", "perdedor"),
    ),
    "opponent": (
        ("my", "me", "own", "mine", "self", "mein", "mon", "mi"),
        ("opponent", "opponents", "opp", "their", "enemy", "rival", "gegner", "adversaire", "oponente", "vs", "against"),
    ),
    "blue": (("blue",), ("red",)),
}
TEAMS = ("team", "mannschaft", "equipe", "equipo")
SEATS = ("seat", "sitz")  # whose numbers are the turn order
PERSONS = ("player", "players", "p", "spieler", "joueur", "jugador", *SEATS, *TEAMS)  # words before what belongs to a player
OF_PLAYERS = (SEAT, FIRST, WON, PLACE, SCORE, LOWSCORE, WINS)  # roles that each player of a game has, or none
OF_GAMES = (GAME, DATE, FIRST, WON, WINNER, SCORE)
ORDINAL_ENDS = frozenset({"st", "nd", "rd", "th", "er", "eme", "ere"})
SLOTS_MAX = 20  # players of a game in one row
LISTED_MAX = 12  # headings in messages
CHOICE_RANK, LAST_RANK = -1, 20  # of candidates for a role, of which the lowest is used

Ranked = list[tuple[int, int]]  # rank and number of columns that could have a role
Tokens = Mapping[int, tuple[str, ...]]  # words of the headings by number of the column


@dataclass(frozen=True)
class Layout:
    """The columns of a table by what they mean. Columns are numbered from 0.

    roles: role to column, of the player in a log with a row per player, else of the game. noun: for entrants; "player" if there
    are only players. spare: columns without a role. In a log with a row per game, kind: how slots are marked; slots: their marks;
    slot_roles: role to column for each slot; slot_spare: for columns without a role that a slot marks, the other words of the
    heading to the column of each slot; in_order: whether the order of slots is the turn order.
    """

    roles: Mapping[str, int]
    noun: str
    spare: tuple[int, ...]
    kind: str = ""
    slots: tuple[str, ...] = ()
    slot_roles: tuple[Mapping[str, int], ...] = ()
    slot_spare: Mapping[str, tuple[int | None, ...]] = field(default_factory=dict)
    in_order: bool = False


@dataclass(frozen=True)
class _Part:
    """A heading that a slot marks. phrase: its other words; column: its number; ordinal: whether its number is a turn."""

    slot: str
    phrase: str
    column: int
    ordinal: bool = False


@dataclass(frozen=True)
class _Choice:
    """What a user chose: role by column, and by phrase the role and the heading of choices that are no heading of a column."""

    columns: Mapping[int, str]
    phrases: Mapping[str, tuple[str, str]]


def layout_of(table: Table, columns: Mapping[str, str] | Sequence[str] = ()) -> Layout:
    """Return the layout of a table. Columns without a heading or without values are ignored.

    columns: see `headings.choices`. Raises ValueError if there are no players or entrants, or if several columns could be the
    entrant.
    """
    empty = {number for number, column in enumerate(table.columns) if all(map(is_missing, set(column)))}
    choice = _choice(table, choices(columns))
    with_empty = {number: tokens(heading) for number, heading in enumerate(table.headings) if heading}
    words = {column: parts for column, parts in with_empty.items() if column not in empty}
    for kind, parts in _marks(table, with_empty):
        layout = _row_per_game(table, words, choice, kind, parts)
        if layout:
            return layout
    for role, heading in choice.phrases.values():
        near = difflib.get_close_matches(heading, table.headings, 1, 0.5)
        meant = f"; did you mean {near[0]}?" if near else ""
        raise table.error(f"columns: {role}={heading}: no column has this heading; headings are {headings_of(table)}{meant}")
    return _row_per_player(table, words, choice)


def headings_of(table: Table) -> str:
    """Return the headings of a table for a message."""
    names = [heading for heading in table.headings if heading]
    more = f" and {len(names) - LISTED_MAX} more" if len(names) > LISTED_MAX else ""
    return ", ".join(names[:LISTED_MAX]) + more


def _choice(table: Table, pairs: Sequence[tuple[str, str]]) -> _Choice:
    by_key = {name_key(heading): number for number, heading in enumerate(table.headings) if heading}
    columns: dict[int, str] = {}
    phrases: dict[str, tuple[str, str]] = {}
    for role, heading in pairs:
        column = by_key.get(name_key(heading))
        if column is None:
            phrases[" ".join(tokens(heading)) or heading] = role, heading
        elif columns.setdefault(column, role) != role:
            raise ValueError(f'columns: "{heading}" cannot be both {columns[column]} and {role}; choose one')
    return _Choice(columns, phrases)


def _candidates(words: Tokens, choice: _Choice) -> dict[str, Ranked]:
    """Return the columns that could have each role."""
    candidates: dict[str, Ranked] = {}
    for column, parts in words.items():
        role, rank = role_in(" ".join(parts))
        if column in choice.columns:
            role, rank = choice.columns[column], CHOICE_RANK
        if role:
            candidates.setdefault(role, []).append((rank, column))
    return candidates


def _best(table: Table, role: str, ranked: Ranked) -> int:
    """Return the column with the lowest rank. Raises ValueError if two columns could be the entrant, or were both chosen."""
    rank, column = min(ranked)
    equals = [other for other_rank, other in ranked if other_rank == rank]
    if len(equals) > 1 and (role == ENTRANT or rank == CHOICE_RANK):
        names = " and ".join(table.headings[other] for other in equals)
        right = f"choose one with --columns {role}={table.headings[equals[0]]}"
        raise table.error(f"the columns {names} could both be the {role}; {right}")
    return column


# ---- A row per player ------------------------------------------------------------------------------------------------


def _row_per_player(table: Table, words: Tokens, choice: _Choice) -> Layout:
    candidates = _candidates(words, choice)
    candidates.pop(IGNORE, None)
    if PLAYER in candidates and ENTRANT in candidates:  # teams are players who win together, not what they play
        candidates[ENTRANT] = [
            (rank, column)
            for rank, column in candidates[ENTRANT]
            if rank == CHOICE_RANK or noun_of(table.headings[column]) != "team"
        ]
    roles = {role: _best(table, role, ranked) for role, ranked in candidates.items() if ranked}
    noun = noun_of(table.headings[roles[ENTRANT]]) if ENTRANT in roles else "player"
    if ENTRANT not in roles and PLAYER not in roles:
        right = "name the column with --columns, such as --columns entrant=HEADING"
        raise table.error(f"has no column of players, heroes, decks or the like; headings are {headings_of(table)}; {right}")
    return Layout(roles, noun, _spare(words, choice, roles.values()))


def _spare(words: Tokens, choice: _Choice, *roles: Iterable[int]) -> tuple[int, ...]:
    """Return the columns that have no role and are not ignored."""
    others = {column for columns in roles for column in columns}
    return tuple(column for column in words if column not in others and choice.columns.get(column) != IGNORE)


# ---- A row per game --------------------------------------------------------------------------------------------------


def _row_per_game(table: Table, words: Tokens, choice: _Choice, kind: str, parts: Sequence[_Part]) -> Layout | None:
    """Return the layout if at least two slots of a kind have a player or an entrant, and all phrases of the user mark slots."""
    if not set(choice.phrases) <= {part.phrase for part in parts}:
        return None
    by_slot = _roles_by_slot(parts, choice, kind)
    slots = _slots_with_names(by_slot, kind)
    names = [[column for role, column in by_slot[slot].items() if role in (PLAYER, ENTRANT)] for slot in slots]
    if sum(not words.keys().isdisjoint(columns) for columns in names) < 2:  # or the columns of all but one are empty
        return None
    slot_roles = [by_slot[slot] for slot in slots]
    common = {role for role in OF_PLAYERS if all(role in roles for roles in slot_roles)}
    slot_roles = [{role: column for role, column in roles.items() if role in common | {PLAYER, ENTRANT}} for roles in slot_roles]
    of_slots = {column for roles in slot_roles for column in roles.values()}
    others = {column: parts_ for column, parts_ in words.items() if column not in of_slots}
    roles = {role: _best(table, role, ranked) for role, ranked in _candidates(others, choice).items() if role in OF_GAMES}
    slot_spare: dict[str, list[int | None]] = {}
    for part in parts:
        if part.slot in slots and part.phrase and part.column in _spare(others, choice, roles.values()):
            slot_spare.setdefault(part.phrase, [None] * len(slots))[slots.index(part.slot)] = part.column
    facts = {phrase: tuple(columns) for phrase, columns in slot_spare.items()}
    of_facts = [column for columns in facts.values() for column in columns if column is not None]
    return Layout(
        roles,
        _noun(parts, slot_roles),
        _spare(others, choice, roles.values(), of_facts),
        kind,
        tuple(slots),
        tuple(slot_roles),
        facts,
        kind == "white" or all(any(part.ordinal for part in parts if part.slot == slot) for slot in slots),
    )


def _roles_by_slot(parts: Sequence[_Part], choice: _Choice, kind: str) -> dict[str, dict[str, int]]:
    """Return the column of each role for each slot."""
    ranked: dict[str, dict[str, Ranked]] = {}
    for part in parts:
        role, rank = _role_of_part(part, kind)
        own_role = choice.columns.get(part.column) or choice.phrases.get(part.phrase, ("",))[0]
        if own_role:
            role, rank = own_role, CHOICE_RANK
        if role in (PLAYER, ENTRANT, *OF_PLAYERS):
            ranked.setdefault(part.slot, {}).setdefault(role, []).append((rank, part.column))
    return {slot: {role: min(columns)[1] for role, columns in roles.items()} for slot, roles in ranked.items()}


def _role_of_part(part: _Part, kind: str) -> tuple[str, int]:
    """Return the role of a heading within its slot, and its rank; "" if it has none."""
    words = part.phrase.split()
    if not words or (part.phrase in PERSONS and part.phrase not in TEAMS):
        return PLAYER, 0
    if part.phrase in TEAMS:
        return ENTRANT, LAST_RANK
    role, rank = role_in(part.phrase)
    if not role and words[0] in PERSONS:  # player 1 score
        role, rank = role_in(" ".join(words[1:]))
    if not role and words[-1] in PERSONS:  # score player 1
        role, rank = role_in(" ".join(words[:-1]))
    if kind == "winner" and role in OF_PLAYERS:  # such as the winner's rank, which is none in this game
        return "", 0
    return role, rank


def _slots_with_names(by_slot: Mapping[str, Mapping[str, int]], kind: str) -> list[str]:
    """Return the slots with players or, if more have those, with entrants, in the order of their numbers, letters or sides."""
    players, entrants = ([slot for slot, roles in by_slot.items() if role in roles] for role in (PLAYER, ENTRANT))
    slots = players if len(players) >= len(entrants) else entrants
    if kind in SIDES:
        return [side for side in _sides(kind) if side in slots]
    return sorted(slots, key=int) if kind == NUMBERED else slots


def _noun(parts: Sequence[_Part], slot_roles: Sequence[Mapping[str, int]]) -> str:
    """Return the noun for entrants of a log with a row per game."""
    entrants = [roles[ENTRANT] for roles in slot_roles if ENTRANT in roles]
    if not entrants:
        return "player"
    words = next(part.phrase for part in parts if part.column == entrants[0]).split()
    without = words[1:] if len(words) > 1 and words[0] in PERSONS else words
    return noun_of(" ".join(without))


# ---- Marks of slots --------------------------------------------------------------------------------------------------


def _marks(table: Table, words: Tokens) -> Iterator[tuple[str, list[_Part]]]:
    """Yield ways in which headings mark at least two slots, and what they mark."""
    ways = {NUMBERED: _number_parts(words), LETTERED: _letter_parts(words)}
    ways |= {side: _side_parts(words, side) for side in SIDES}
    ways[NAMED] = _name_parts(table, words)
    for kind, parts in ways.items():
        if len({part.slot for part in parts}) > 1:
            yield kind, parts


def _number_parts(words: Tokens) -> list[_Part]:
    """Headings with one number: Player 1, hero_2, 1st player."""
    parts = []
    for column, heading in words.items():
        at = [place for place, token in enumerate(heading) if token.isdecimal()]
        number = int(heading[at[0]]) if len(at) == 1 and len(heading[at[0]]) < 3 else 0
        if 1 <= number <= SLOTS_MAX and len(heading) > 1:
            others = [*heading[: at[0]], *heading[at[0] + 1 :]]
            ordinal = at[0] < len(others) and others[at[0]] in ORDINAL_ENDS
            if ordinal:
                del others[at[0]]
            parts.append(_Part(str(number), " ".join(others), column, ordinal or others[:1] in [[seat] for seat in SEATS]))
    return [part for part in parts if part.phrase]


def _letter_parts(words: Tokens) -> list[_Part]:
    """Headings that begin or end with a letter: Deck A, A score."""
    parts = []
    for column, heading in words.items():
        for mark, others in ((heading[-1], heading[:-1]), (heading[0], heading[1:])) if len(heading) > 1 else ():
            if len(mark) == 1 and mark in "abcdefgh":
                parts.append(_Part(mark, " ".join(others), column))
                break
    return sorted(parts, key=lambda part: part.slot)


def _sides(side: str) -> tuple[str, str]:
    """Return the names of the slots of a pair of sides."""
    return side, f"not {side}"


def _side_parts(words: Tokens, side: str) -> list[_Part]:
    """Headings with a word for a side: White, home team, opponent's deck. Beside an opponent's, what has no word is one's own."""
    parts = []
    for slot, marks in zip(_sides(side), SIDES[side], strict=True):
        for column, heading in words.items():
            tokens_of_name = [token for token in heading if token != "s"]
            at = next((place for place, token in enumerate(tokens_of_name) if token in marks), None)
            if at is not None:
                parts.append(_Part(slot, " ".join([*tokens_of_name[:at], *tokens_of_name[at + 1 :]]), column))
    if side == "opponent":
        theirs = {part.phrase for part in parts if part.slot != side} | {"player"}
        without = [column for column in words if column not in {part.column for part in parts}]
        parts += [_Part(side, " ".join(words[column]), column) for column in without if " ".join(words[column]) in theirs]
    return parts


def _name_parts(table: Table, words: Tokens) -> list[_Part]:
    """Headings that begin with a name, if the same noun for entrants comes after at least two: Ann's hero, Bo hero, Ann score."""
    nouns: dict[str, str] = {}
    phrases = {column: [token for token in heading if token != "s"] for column, heading in words.items()}
    for phrase in phrases.values():
        if len(phrase) > 1 and noun_in(phrase[-1])[0] and not role_in(" ".join(phrase))[0] and not role_in(phrase[0])[0]:
            nouns.setdefault(" ".join(phrase[:-1]), phrase[-1])
    if len(nouns) < 2 or len(set(nouns.values())) > 1:
        return []
    parts = []
    for column, phrase in phrases.items():
        name = next((name for name in nouns if " ".join(phrase).startswith(f"{name} ")), None)
        if name:
            parts.append(_Part(_as_in_heading(table.headings[column], name), " ".join(phrase)[len(name) + 1 :], column))
    return parts


def _as_in_heading(heading: str, name: str) -> str:
    """Return a name as a heading spells it."""
    words = re.findall(r"[^\W_]+", heading)
    starts = (" ".join(words[:length]) for length in range(1, len(words) + 1))
    return next((start for start in starts if " ".join(tokens(start)) == name), name)
