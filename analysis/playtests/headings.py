"""What the headings of a log mean: which column has the players, the heroes, the winner, and which belong to which player.

Headings match in any case and order, with any punctuation. A log with a row per game numbers its headings (Player 1, hero_2, P1), or
marks them by a letter (Deck A), a side (White, home team, winner) or the name of a player (Ann's hero).
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from analysis.playtests.tables import Table
from analysis.playtests.values import is_missing, name_key

GAME, DATE, TABLE, PLAYER, ENTRANT, SEAT, FIRST = "game", "date", "table", "player", "entrant", "seat", "first"
WON, PLACE, SCORE, LOWSCORE, WINNER, WINS = "won", "place", "score", "lowscore", "winner", "wins"
ROUND, IGNORE = "round", "ignore"

NOUNS = {  # nouns of entrants and their plurals; those of LESSER give way to others
    **{"hero": "heroes", "deck": "decks", "character": "characters", "faction": "factions", "civilization": "civilizations"},
    **{"corporation": "corporations", "commander": "commanders", "archetype": "archetypes", "investigator": "investigators"},
    **{"spirit": "spirits", "champion": "champions", "fighter": "fighters", "leader": "leaders", "race": "races"},
    **{"species": "species", "class": "classes", "army": "armies", "clan": "clans", "tribe": "tribes", "house": "houses"},
    **{"monster": "monsters", "squad": "squads", "warband": "warbands", "team": "teams", "nation": "nations"},
    **{"country": "countries", "role": "roles", "color": "colors", "colour": "colours", "entrant": "entrants"},
    **{"player": "players"},
}
LESSER = frozenset({"class", "house", "team", "nation", "country", "role", "color", "colour", "leader"})
NOUN_OF = {
    **{noun: noun for noun in NOUNS if noun != "player"},
    **{"heroes": "hero", "held": "hero", "heros": "hero", "heroe": "hero", "char": "character", "charakter": "character"},
    **{"figur": "character", "personnage": "character", "personaje": "character", "fraktion": "faction", "faccion": "faction"},
    **{"civ": "civilization", "civilisation": "civilization", "corp": "corporation", "corporacion": "corporation"},
    **{"konzern": "corporation", "general": "commander", "mazo": "deck", "jeu de cartes": "deck", "kartendeck": "deck"},
    **{"volk": "race", "peuple": "race", "raza": "race", "rasse": "race", "klasse": "class", "classe": "class", "clase": "class"},
    **{"geist": "spirit", "esprit": "spirit", "espiritu": "spirit", "farbe": "colour", "couleur": "colour"},
    **{"rolle": "role", "mannschaft": "team", "equipe": "team", "equipo": "team", "identity": "character"},
    **{"starting hero": "hero", "player board": "character", "civ name": "civilization"},
}
PHRASES = {  # of the other roles; those before others are preferred
    GAME: (
        *("game id", "match id", "play id", "uuid", "game number", "game no", "game nr", "game #", "match number", "match no"),
        *("match nr", "match #", "play number", "play no", "#", "no", "nr", "number", "id", "game", "match", "play", "partie"),
        *("spiel", "partida", "spiel nr", "spielnummer", "partie no", "juego"),
    ),
    DATE: (
        *("date", "day", "game date", "match date", "date played", "played on", "played", "played at", "play date", "start date"),
        *("start time", "timestamp", "datum", "tag", "jour", "fecha", "dia", "utc date"),
    ),
    ROUND: ("round", "round number", "round no", "match round", "runde", "tour", "ronde", "ronda"),
    TABLE: ("table", "table number", "table no", "pod", "tisch", "mesa"),
    PLAYER: (
        *("player", "player name", "players name", "spieler", "spielerin", "joueur", "joueuse", "jugador", "jugadora", "p"),
        *("name", "user", "username", "user name", "person", "participant", "gamer", "pilot", "spielername", "nombre", "nom"),
    ),
    SEAT: (
        *("seat", "seat number", "seat order", "seat no", "seat position", "turn order", "player order", "play order"),
        *("start position", "starting position", "start order", "starting order", "starting seat", "turn position", "order"),
        *("position", "pos", "sitz", "sitzplatz", "startposition", "reihenfolge", "zugreihenfolge", "sitzreihenfolge"),
        *("ordre", "ordre du tour", "ordre de jeu", "orden", "orden de turno", "turno"),
    ),
    FIRST: (
        *("first player", "start player", "starting player", "first", "starter", "went first", "goes first", "moved first"),
        *("startplayer", "play draw", "on the play", "play or draw", "who started", "who went first", "startspieler"),
        *("premier joueur", "jugador inicial", "primer jugador", "empieza", "beginnt", "commence"),
    ),
    WON: (
        *("won", "win", "is winner", "victory", "win loss", "w l", "result", "outcome", "game result", "match result"),
        *("gewonnen", "sieg", "ergebnis", "resultat", "gagne", "victoire", "gano", "gana", "victoria", "resultado"),
    ),
    PLACE: (
        *("place", "placement", "placing", "rank", "final place", "final rank", "final placement", "finish", "finishing place"),
        *("finishing position", "final position", "standing", "standings", "final standing", "finished", "platz", "rang"),
        *("platzierung", "classement", "puesto", "lugar", "posicion final"),
    ),
    SCORE: (
        *("score", "final score", "total score", "points", "final points", "total points", "victory points", "vp", "vps", "pts"),
        *("goals", "punkte", "siegpunkte", "endstand", "tore", "puntos", "puntuacion", "puntaje", "points de victoire", "buts"),
        *("total vp", "final vp", "punktzahl", "gesamtpunkte"),
    ),
    LOWSCORE: (
        *("penalty", "penalties", "penalty points", "strokes", "low score", "lowscore", "minuspunkte", "strafpunkte"),
        *("points de penalite", "penalizacion"),
    ),
    WINNER: (
        *("winner", "winner name", "winning player", "winner player", "player winner", "won by", "game winner", "match winner"),
        *("winning hero", "winning faction", "winning deck", "winning team", "winner hero", "winner faction", "winner deck"),
        *("winners", "sieger", "gewinner", "vainqueur", "gagnant", "ganador", "vencedor"),
    ),
    WINS: ("wins", "games won", "game wins", "games", "sets", "sets won", "siege", "victoires", "victorias"),
}
ROLES = (*PHRASES, ENTRANT, IGNORE)
ROLE_OF = {phrase: (role, rank) for role, phrases in PHRASES.items() for rank, phrase in enumerate(phrases)}
ADDED = ("name", "names", "id", "ref", "short", "full", "title", "played", "used", "choice")  # to nouns, which mean the same
PERSONS = (
    "player",
    "players",
    "p",
    "spieler",
    "joueur",
    "jugador",
    "seat",
    "team",
    "s",
    "sitz",
    "mannschaft",
    "equipe",
    "equipo",
)
IN_ORDER = ("seat", "sitz", "s")  # whose numbers are the turn order
SIDES = {  # pairs of words that mark players of a game for two, by name
    "white": (("white", "weiss", "blancs", "blanc", "blancas", "w"), ("black", "schwarz", "noirs", "noir", "negras", "b")),
    "home": (("home", "heim", "domicile", "local", "h"), ("away", "gast", "visitor", "exterieur", "visitante", "visiteur")),
    "winner": (("winner", "winning", "winners", "sieger", "gewinner", "vainqueur", "ganador"),
               ("loser", "losing", "losers", "verlierer", "perdant", "perdedor")),
    "opponent": (("my", "me", "own", "mine", "self", "mein", "mon", "mi"),
                 ("opponent", "opponents", "opp", "their", "enemy", "rival", "gegner", "adversaire", "oponente", "vs", "against")),
    "blue": (("blue",), ("red",)),
}  # fmt: skip
ORDINAL_ENDS = frozenset({"st", "nd", "rd", "th", "er", "eme", "ere"})
SLOTS_MAX = 20  # players of a game in one row
NUMBERED, LETTERED, NAMED = "number", "letter", "name"


@dataclass(frozen=True)
class Layout:
    """The columns of a table by what they mean. Numbers of columns count from 0.

    roles: role to column, of the whole game or, in a log with a row per player, of the player. slots: for a log with a row per game,
    name of each player's headings, such as 1 or white; slot_roles: role to column for each slot. kind: how slots are marked.
    noun: of the entrants. spare: columns without a role; slot_spare: heading to columns by slot, of those that a slot marks.
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
    """A heading of one slot. slot: its mark; phrase: the other words; column: its number."""

    slot: str
    phrase: str
    column: int
    in_order: bool = False


def tokens(heading: str) -> tuple[str, ...]:
    """Return the words and numbers of a heading in lower case, without accents."""
    letters = unicodedata.normalize("NFKD", heading)
    text = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return tuple(re.findall(r"[^\W\d_]+|\d+|#", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).casefold()))


def choices(columns: Mapping[str, str] | Sequence[str]) -> list[tuple[str, str]]:
    """Return pairs of role and heading from what a user chose, such as {"entrant": "Hero"} or ["entrant=Hero", "won=Result"].

    A text can hold several pairs: "entrant=Hero,won=Result". Raises ValueError for anything else and for unknown roles.
    """
    example = "such as entrant=Hero,won=Result"
    pairs: list[tuple[str, str]] = []
    if isinstance(columns, Mapping):
        pairs = [(str(role), str(heading)) for role, heading in columns.items()]
    else:
        for text in [columns] if isinstance(columns, str) else columns:
            for part in re.split(r",(?=\s*\w+\s*=)", str(text)):
                role, equals, heading = part.partition("=")
                if not equals:
                    raise ValueError(f'columns: "{part}" is not a role and a heading; write ROLE=HEADING, {example}')
                pairs.append((role, heading))
    pairs = [(role.strip().casefold(), " ".join(heading.split())) for role, heading in pairs]
    for role, heading in pairs:
        if role not in ROLES:
            near = difflib.get_close_matches(role, ROLES, 1)
            meant = f"; did you mean {near[0]}?" if near else ""
            raise ValueError(f'columns: "{role}" is not a role; roles are {", ".join(ROLES)}{meant}')
        if not heading:
            raise ValueError(f"columns: {role}= has no heading; write {role}=HEADING, {example}")
    return pairs


def layout_of(table: Table, columns: Mapping[str, str] | Sequence[str] = ()) -> Layout:
    """Return what the headings of a table mean. Columns without a heading or without values are ignored.

    columns: see `choices`. Raises ValueError if the headings have no players or entrants, or could mean several things.
    """
    empty = {number for number, column in enumerate(table.columns) if all(map(is_missing, set(column)))}
    usable = [number for number, heading in enumerate(table.headings) if heading and number not in empty]
    chosen, stems = _chosen(table, choices(columns))
    slotted = _slotted_layout(table, usable, chosen, stems)
    if slotted:
        return slotted
    if stems:
        role, heading = next(iter(stems.items()))
        raise _no_such_column(table, role, heading)
    return _row_per_player(table, usable, chosen)


def noun_of(heading: str) -> str:
    """Return the noun for entrants in a heading; "entrant" if it has none."""
    return _noun(" ".join(tokens(heading)))[0] or "entrant"


# ---- Roles of headings ---------------------------------------------------------------------------------------------------


def _noun(phrase: str) -> tuple[str, int]:
    """Return the noun of entrants in a phrase, and how many words were added to it; "" if there is none."""
    words = phrase.split()
    added = 0
    while words:
        noun = NOUN_OF.get(" ".join(words))
        if noun:
            return noun, added + (3 if "id" in phrase.split()[len(words) :] else 0)
        if words[-1] not in ADDED:
            break
        words.pop()
        added += 1
    return "", 0


def _role(phrase: str) -> tuple[str, int]:
    """Return the role of a phrase and its rank, of which the lowest is preferred; "" if it has none."""
    noun, added = _noun(phrase)
    if noun:
        return ENTRANT, added + (10 if noun in LESSER else 0)
    if phrase in ROLE_OF:
        return ROLE_OF[phrase]
    words = phrase.split()
    while len(words) > 1 and words[-1] in ADDED:
        words.pop()
        if ROLE_OF.get(" ".join(words), ("",))[0] in (PLAYER, WINNER, FIRST):
            role, rank = ROLE_OF[" ".join(words)]
            return role, rank + 50
    return "", 0


def _chosen(table: Table, pairs: Sequence[tuple[str, str]]) -> tuple[dict[int, str], dict[str, str]]:
    """Return roles by column, and phrases by role for chosen headings that are none, which are numbered headings perhaps."""
    by_key = {name_key(heading): number for number, heading in enumerate(table.headings) if heading}
    chosen: dict[int, str] = {}
    stems: dict[str, str] = {}
    for role, heading in pairs:
        column = by_key.get(name_key(heading))
        if column is None:
            stems[role] = heading
        elif chosen.setdefault(column, role) != role:
            raise ValueError(f'columns: "{heading}" cannot be both {chosen[column]} and {role}; choose one')
    return chosen, stems


def _no_such_column(table: Table, role: str, heading: str) -> ValueError:
    near = difflib.get_close_matches(heading, table.headings, 1, 0.5)
    meant = f"; did you mean {near[0]}?" if near else ""
    return table.error(f"columns: {role}={heading}: no column has this heading; headings are {_quoted(table.headings)}{meant}")


def _quoted(headings: Sequence[str], most: int = 12) -> str:
    names = [heading for heading in headings if heading]
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


# ---- A row per player ----------------------------------------------------------------------------------------------------


def _row_per_player(table: Table, usable: Sequence[int], chosen: Mapping[int, str]) -> Layout:
    """Return the layout of a log with a row per player."""
    candidates: dict[str, list[tuple[int, int]]] = {}
    for column in usable:
        role, rank = (chosen[column], -1) if column in chosen else _role(" ".join(tokens(table.headings[column])))
        if role and role != IGNORE:
            candidates.setdefault(role, []).append((rank, column))
    roles = {role: _best(table, role, ranked) for role, ranked in candidates.items()}
    if ENTRANT not in roles and PLAYER not in roles:
        right = "name the column with --columns, such as --columns entrant=HEADING"
        raise table.error(f"has no column of players, heroes, decks or the like; headings are {_quoted(table.headings)}; {right}")
    if (
        ENTRANT in roles
        and table.headings[roles[ENTRANT]]
        and noun_of(table.headings[roles[ENTRANT]]) == "team"
        and PLAYER in roles
    ):
        del roles[ENTRANT]  # teams of a game, not what players chose
    noun = noun_of(table.headings[roles[ENTRANT]]) if ENTRANT in roles else "player"
    ignored = {column for column, role in chosen.items() if role == IGNORE}
    spare = tuple(column for column in usable if column not in roles.values() and column not in ignored)
    return Layout(roles, noun, spare)


def _best(table: Table, role: str, ranked: Sequence[tuple[int, int]]) -> int:
    """Return the column with the lowest rank. Raises ValueError if two of them could be the entrant."""
    best = min(ranked)
    equals = [column for rank, column in ranked if rank == best[0]]
    if len(equals) > 1 and (role == ENTRANT or best[0] == -1):
        names = " and ".join(table.headings[column] for column in equals)
        right = f"choose one with --columns {role}={table.headings[equals[0]]}"
        raise table.error(f"the columns {names} could both be the {role}; {right}")
    return best[1]


# ---- A row per game ------------------------------------------------------------------------------------------------------


def _slotted_layout(table: Table, usable: Sequence[int], chosen: Mapping[int, str], stems: Mapping[str, str]) -> Layout | None:
    """Return the layout of a log with a row per game, or None if headings do not come for two or more players."""
    stem_roles = {" ".join(tokens(heading)): role for role, heading in stems.items()}
    for kind, parts in _marked(table, usable):
        layout = _layout_of_kind(table, usable, chosen, stem_roles, kind, parts)
        if layout:
            return layout
    return None


def _layout_of_kind(  # noqa: PLR0917 - the arguments of its only caller
    table: Table,
    usable: Sequence[int],
    chosen: Mapping[int, str],
    stem_roles: Mapping[str, str],
    kind: str,
    parts: Sequence[_Part],
) -> Layout | None:
    """Return the layout if at least two slots of a kind have a player or an entrant."""
    by_slot: dict[str, dict[str, tuple[int, int]]] = {}
    for part in parts:
        role, rank = _slot_role(part, kind, stem_roles)
        if part.column in chosen:
            role, rank = chosen[part.column], -1
        if role in (PLAYER, ENTRANT, SEAT, FIRST, WON, PLACE, SCORE, LOWSCORE, WINS):
            slot = by_slot.setdefault(part.slot, {})
            slot[role] = min(slot.get(role, (rank, part.column)), (rank, part.column))
    slots = [slot for slot, roles in by_slot.items() if PLAYER in roles or ENTRANT in roles]
    if kind == NUMBERED:
        slots.sort(key=int)
    elif kind in SIDES:
        slots = [slot for slot in (kind, f"not {kind}") if slot in slots]
    if len(slots) < 2 or (stem_roles and not _all_used(stem_roles, parts, kind)):
        return None
    for role in (SEAT, FIRST, WON, PLACE, SCORE, LOWSCORE, WINS):
        if not all(role in by_slot[slot] for slot in slots):  # such as "Ann wins" in a log that has the winner too
            for slot in slots:
                by_slot[slot].pop(role, None)
    persons = (
        PLAYER if sum(PLAYER in by_slot[slot] for slot in slots) >= sum(ENTRANT in by_slot[slot] for slot in slots) else ENTRANT
    )
    slots = [slot for slot in slots if persons in by_slot[slot]]
    if len(slots) < 2:
        return None
    slot_roles = [{role: column for role, (_, column) in by_slot[slot].items()} for slot in slots]
    slot_columns = {column for roles in slot_roles for column in roles.values()}
    roles = _roles_of_game(table, [column for column in usable if column not in slot_columns], chosen)
    phrases = {part.column: part.phrase for part in parts}
    entrants = [roles_of_slot[ENTRANT] for roles_of_slot in slot_roles if ENTRANT in roles_of_slot]
    noun = noun_of(phrases.get(entrants[0], "").removeprefix("player ")) if entrants else "player"
    ignored = {column for column, role in chosen.items() if role == IGNORE}
    used = slot_columns | set(roles.values()) | ignored
    slot_spare: dict[str, list[int | None]] = {}
    for part in parts:
        if part.slot in slots and part.column not in used and part.phrase:
            slot_spare.setdefault(part.phrase, [None] * len(slots))[slots.index(part.slot)] = part.column
    marked = {column for columns in slot_spare.values() for column in columns}
    spare = tuple(column for column in usable if column not in used and column not in marked)
    in_order = all(any(part.in_order for part in parts if part.slot == slot) for slot in slots)
    facts = {phrase: tuple(columns) for phrase, columns in slot_spare.items()}
    return Layout(roles, noun, spare, kind, tuple(slots), tuple(slot_roles), facts, in_order)


def _all_used(stem_roles: Mapping[str, str], parts: Sequence[_Part], kind: str) -> bool:
    """Whether all chosen headings that are no whole heading are the words of marked headings."""
    return all(any(part.phrase == stem for part in parts) for stem in stem_roles) and kind != NAMED


def _slot_role(part: _Part, kind: str, stem_roles: Mapping[str, str]) -> tuple[str, int]:
    """Return the role of a heading within its slot, and its rank."""
    if part.phrase in stem_roles:
        return stem_roles[part.phrase], -1
    if not part.phrase:
        return PLAYER, 0
    words = part.phrase.split()
    if part.phrase in PERSONS:
        team = part.phrase in ("team", "mannschaft", "equipe", "equipo")
        return (ENTRANT, 20) if team else (PLAYER, 0)
    role, rank = _role(part.phrase)
    if not role and words[0] in PERSONS:
        role, rank = _role(" ".join(words[1:]))
    if not role and words[-1] in PERSONS and len(words) > 1:  # "score player 1"
        role, rank = _role(" ".join(words[:-1]))
    if kind == "winner" and role in (WON, PLACE, SCORE, LOWSCORE, WINS, SEAT):
        return ("", 0)  # the winner is known; ranks are those of a table of players
    return role, rank


def _roles_of_game(table: Table, columns: Sequence[int], chosen: Mapping[int, str]) -> dict[str, int]:
    """Return the columns of whole games by role."""
    ranked: dict[str, list[tuple[int, int]]] = {}
    for column in columns:
        role, rank = (chosen[column], -1) if column in chosen else _role(" ".join(tokens(table.headings[column])))
        if role in (GAME, DATE, FIRST, WON, WINNER, SCORE):
            ranked.setdefault(role, []).append((rank, column))
    return {role: _best(table, role, pairs) for role, pairs in ranked.items()}


def _marked(table: Table, usable: Sequence[int]) -> list[tuple[str, list[_Part]]]:
    """Return the headings that mark players, by how they do it."""
    words = {column: tokens(table.headings[column]) for column in usable}
    kinds: list[tuple[str, list[_Part]]] = [(NUMBERED, _numbered(words)), (LETTERED, _lettered(words))]
    kinds += [(side, _sided(words, side)) for side in SIDES]
    kinds.append((NAMED, _named(table, words)))
    return [(kind, parts) for kind, parts in kinds if len({part.slot for part in parts}) > 1]


def _numbered(words: Mapping[int, tuple[str, ...]]) -> list[_Part]:
    """Headings with one number: Player 1, hero_2, 1st player."""
    parts = []
    for column, tokens_ in words.items():
        at = [place for place, token in enumerate(tokens_) if token.isdecimal()]
        if len(at) == 1 and 1 <= int(tokens_[at[0]]) <= SLOTS_MAX:
            others = [*tokens_[: at[0]], *tokens_[at[0] + 1 :]]
            ordinal = at[0] < len(others) and others[at[0]] in ORDINAL_ENDS
            if ordinal:
                del others[at[0]]
            parts.append(
                _Part(str(int(tokens_[at[0]])), " ".join(others), column, ordinal or others[:1] in ([w] for w in IN_ORDER))
            )
    return [part for part in parts if part.phrase]


def _lettered(words: Mapping[int, tuple[str, ...]]) -> list[_Part]:
    """Headings that begin or end with a letter: Deck A, A score."""
    parts = []
    for column, tokens_ in words.items():
        for mark, others in ((tokens_[-1:], tokens_[:-1]), (tokens_[:1], tokens_[1:])):
            if others and mark[0] in "abcdefgh" and len(mark[0]) == 1:
                parts.append(_Part(mark[0], " ".join(others), column))
                break
    return sorted(parts, key=lambda part: part.slot)


def _sided(words: Mapping[int, tuple[str, ...]], side: str) -> list[_Part]:
    """Headings with a word for a side: White, home team, opponent's deck. What has none is one's own beside an opponent's."""
    parts = []
    for number, marks in enumerate(SIDES[side]):
        for column, tokens_ in words.items():
            kept = tuple(token for token in tokens_ if token != "s")
            at = next((place for place, token in enumerate(kept) if token in marks and len(token) > 1), None)
            if at is not None:
                parts.append(_Part((side, f"not {side}")[number], " ".join((*kept[:at], *kept[at + 1 :])), column))
    if side == "opponent":
        marked = {part.column for part in parts}
        phrases = {part.phrase for part in parts if part.slot == f"not {side}"} | {"player"}
        parts += [
            _Part(side, " ".join(tokens_), column)
            for column, tokens_ in words.items()
            if column not in marked and " ".join(tokens_) in phrases
        ]
    return parts


def _named(table: Table, words: Mapping[int, tuple[str, ...]]) -> list[_Part]:
    """Headings that begin with a name, the same names before a noun of entrants and other words: Ann's hero, Bo hero, Ann score."""
    names: dict[str, str] = {}
    for tokens_ in words.values():
        kept = [token for token in tokens_ if token != "s"]
        if len(kept) > 1 and _noun(kept[-1])[0] and not _role(" ".join(kept))[0] and not _role(kept[0])[0]:
            names.setdefault(" ".join(kept[:-1]), kept[-1])
    if len(names) < 2 or len(set(names.values())) > 1:
        return []
    parts = []
    for column, tokens_ in words.items():
        text = " ".join(token for token in tokens_ if token != "s")
        slot = next((name for name in names if text.startswith(f"{name} ")), None)
        if slot:
            parts.append(_Part(_as_written(table.headings[column], slot), text[len(slot) + 1 :], column))
    return parts


def _as_written(heading: str, name: str) -> str:
    """Return a name as a heading writes it."""
    words = re.findall(r"[^\W_]+", heading)
    for length in range(1, len(words) + 1):
        if " ".join(tokens(" ".join(words[:length]))) == name:
            return " ".join(words[:length])
    return name
