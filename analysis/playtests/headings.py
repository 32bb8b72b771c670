"""Roles of columns, and the words of headings for them in English, German, French and Spanish.

Headings match in any case, with any punctuation and without accents: "Victory Points", victory_points, VictoryPoints.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Mapping, Sequence

GAME, DATE, TABLE, PLAYER, ENTRANT, SEAT, FIRST = "game", "date", "table", "player", "entrant", "seat", "first"
WON, PLACE, SCORE, LOWSCORE, WINNER, WINS = "won", "place", "score", "lowscore", "winner", "wins"
ROUND, IGNORE = "round", "ignore"

NOUNS: dict[str, tuple[str, ...]] = {  # noun for entrants: its plural, and other words for it
    "hero": ("heroes", "held", "heros", "heroe", "starting hero"),
    "deck": ("decks", "mazo", "kartendeck", "jeu de cartes"),
    "character": ("characters", "char", "charakter", "figur", "personnage", "personaje", "identity", "player board"),
    "faction": ("factions", "fraktion", "faccion"),
    "civilization": ("civilizations", "civilisation", "civ"),
    "corporation": ("corporations", "corp", "corporacion", "konzern"),
    "commander": ("commanders", "general"),
    "archetype": ("archetypes",),
    "investigator": ("investigators",),
    "spirit": ("spirits", "geist", "esprit", "espiritu"),
    "champion": ("champions",),
    "fighter": ("fighters",),
    "race": ("races", "volk", "rasse", "peuple", "raza"),
    "species": ("species",),
    "army": ("armies",),
    "clan": ("clans",),
    "tribe": ("tribes",),
    "monster": ("monsters",),
    "squad": ("squads",),
    "warband": ("warbands",),
    "entrant": ("entrants",),
    "class": ("classes", "klasse", "classe", "clase"),
    "leader": ("leaders",),
    "house": ("houses",),
    "nation": ("nations",),
    "country": ("countries",),
    "team": ("teams", "mannschaft", "equipe", "equipo"),
    "role": ("roles", "rolle"),
    "color": ("colors",),
    "colour": ("colours", "farbe", "couleur"),
}
LESSER = frozenset({"class", "leader", "house", "nation", "country", "team", "role", "color", "colour"})  # give way to others
NOUN_OF = {form: noun for noun, (_, *others) in NOUNS.items() for form in (noun, *others)}


def phrases_in(text: str) -> tuple[str, ...]:
    """Return the phrases of a list."""
    return tuple(text.split(", "))


PHRASES = {  # of the other roles; those before others are preferred
    GAME: phrases_in(
        "game id, match id, play id, uuid, game number, game no, game nr, game #, match number, match no, match nr, match #, "
        "play number, play no, #, no, nr, number, id, game, match, play, partie, spiel, partida, spiel nr, spielnummer, juego"
    ),
    DATE: phrases_in(
        "date, day, game date, match date, date played, played on, played, played at, play date, start date, start time, "
        "timestamp, datum, tag, jour, fecha, dia, utc date"
    ),
    ROUND: phrases_in("round, round number, round no, match round, runde, tour, ronde, ronda"),
    TABLE: phrases_in("table, table number, table no, pod, tisch, mesa"),
    PLAYER: phrases_in(
        "player, player name, players name, spieler, spielerin, joueur, joueuse, jugador, jugadora, p, name, user, username, "
        "user name, person, participant, gamer, pilot, spielername, nombre, nom"
    ),
    SEAT: phrases_in(
        "seat, seat number, seat order, seat no, seat position, turn order, player order, play order, start position, "
        "starting position, start order, starting order, starting seat, turn position, order, position, pos, sitz, sitzplatz, "
        "startposition, reihenfolge, zugreihenfolge, sitzreihenfolge, ordre, ordre du tour, ordre de jeu, orden, "
        "orden de turno, turno"
    ),
    FIRST: phrases_in(
        "first player, start player, starting player, first, starter, went first, goes first, moved first, startplayer, "
        "play draw, on the play, play or draw, who started, who went first, startspieler, premier joueur, jugador inicial, "
        "primer jugador, empieza, beginnt, commence"
    ),
    WON: phrases_in(
        "won, win, is winner, is win, did they win, did you win, won game, won the game, victory, "
        "win loss, w l, result, outcome, game result, match result, gewonnen, sieg, ergebnis, "
        "resultat, gagne, victoire, gano, gana, victoria, resultado"
    ),
    PLACE: phrases_in(
        "place, placement, placing, rank, final place, final rank, final placement, finish, finishing place, "
        "finishing position, final position, standing, standings, final standing, finished, platz, rang, platzierung, "
        "classement, puesto, lugar, posicion final"
    ),
    SCORE: phrases_in(
        "score, final score, total score, points, final points, total points, victory points, vp, vps, pts, goals, punkte, "
        "siegpunkte, endstand, tore, puntos, puntuacion, puntaje, points de victoire, buts, total vp, final vp, punktzahl, "
        "gesamtpunkte"
    ),
    LOWSCORE: phrases_in(
        "penalty, penalties, penalty points, strokes, low score, lowscore, minuspunkte, strafpunkte, points de penalite, "
        "penalizacion"
    ),
    WINNER: phrases_in(
        "winner, winner name, winning player, winner player, player winner, won by, game winner, match winner, winning hero, "
        "winning faction, winning deck, winning team, winner hero, winner faction, winner deck, winners, sieger, gewinner, "
        "vainqueur, gagnant, ganador, vencedor"
    ),
    WINS: phrases_in("wins, games won, game wins, games, sets, sets won, siege, victoires, victorias"),
}
ROLES = (*PHRASES, ENTRANT, IGNORE)
ROLE_OF = {phrase: (role, rank) for role, phrases in PHRASES.items() for rank, phrase in enumerate(phrases)}
ID_RANK, LESSER_RANK, LONGER_RANK = 3, 10, 50  # added to ranks: of ids, of lesser nouns, of phrases with an ending
ENDINGS = ("name", "names", "id", "ref", "short", "full", "title", "played", "used", "choice")  # to nouns, which mean the same


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
            near = difflib.get_close_matches(role, ROLES, 1) or ([ENTRANT] if noun_in(role)[0] else [])
            meant = f"; did you mean {near[0]}?" if near else ""
            raise ValueError(f'columns: "{role}" is not a role; roles are {", ".join(ROLES)}{meant}')
        if not heading:
            raise ValueError(f"columns: {role}= has no heading; write {role}=HEADING, {example}")
    return pairs


def noun_of(heading: str) -> str:
    """Return the noun for entrants in a heading; "entrant" if it has none."""
    return noun_in(" ".join(tokens(heading)))[0] or "entrant"


def plural(noun: str) -> str:
    """Return the plural of a noun for entrants."""
    return NOUNS[noun][0] if noun in NOUNS else f"{noun}s"


def noun_in(phrase: str) -> tuple[str, int]:
    """Return the noun of entrants in a phrase, and how many words were added to it; "" if there is none."""
    words = phrase.split()
    extra = 0
    while words:
        noun = NOUN_OF.get(" ".join(words))
        if noun:
            return noun, extra + (ID_RANK if "id" in phrase.split()[len(words) :] else 0)
        if words[-1] not in ENDINGS:
            break
        words.pop()
        extra += 1
    return "", 0


def role_in(phrase: str) -> tuple[str, int]:
    """Return the role of a phrase and its rank, of which the lowest is preferred; "" if it has none."""
    noun, extra = noun_in(phrase)
    if noun:
        return ENTRANT, extra + (LESSER_RANK if noun in LESSER else 0)
    if phrase in ROLE_OF:
        return ROLE_OF[phrase]
    words = phrase.split()
    while len(words) > 1 and words[-1] in ENDINGS:
        words.pop()
        if ROLE_OF.get(" ".join(words), ("",))[0] in (PLAYER, WINNER, FIRST):
            role, rank = ROLE_OF[" ".join(words)]
            return role, rank + LONGER_RANK
    return "", 0
