"""Scenario files as they are written: reading and checking what needs no game. The format is told in README.md.

Holding a position against what a scenario file expects of it.

Only what is expected is compared. A table is compared key by key. In a list of tables the first key of an expected
table says which one is meant: `{ hero = "bow_master", marker = 1 }` is about the hero of that id.

Scenario files: a position, scripted dice and decisions in words, played through the compiled code.

The format is told in README.md beside this file. Nothing here knows a game: positions, decisions and events are put
into words by the game's `words`.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.engine.cardfiles.paths import Table, did_you_mean, is_whole, key_words, plain, shown
from sim.engine.cards import CardError, CardSet, changed, read_document
from sim.engine.contract import Game, current_player, is_over
from sim.engine.dice import DRAW_MAX, FACES, NATURE_STREAM, SCRIPT_MAX, SEATS_MAX
from sim.engine.loop import advance
from sim.engine.policies import Workspace, new_workspace
from sim.engine.words import DrawWords

__all__ = ["Result", "Scenario", "ScenarioError", "Step", "cards_for", "load", "play", "run"]

SIZE_MAX = 1_000_000  # bytes of a file
DICE_MAX = SCRIPT_MAX - 1  # one place stays free, so that one roll too many shows; of draws as many
STEPS_MAX = 1000  # decisions in a file
CHANGES_MAX = 100
REFERENCE = "reference"


class ScenarioError(ValueError):
    """A scenario file that cannot be played: file, field, value, and what would be right."""


@dataclass(frozen=True)
class Step:
    """One decision of a scenario. seat: who is expected to take it, None: not checked."""

    action: str
    seat: int | None = None


@dataclass(frozen=True)
class Scenario:
    """A scenario file as read: well formed, but not yet held against its game.

    cards: card file or folder, None for the reference set; change: new values by field path of the card file;
    dice: faces in the order in which they are rolled; draws: what is drawn, in the game's words and in that order; expect:
    None if the file expects nothing.
    """

    path: Path
    game: str
    title: str
    cards: Path | None
    change: Mapping[str, Any]
    dice: tuple[int, ...]
    draws: tuple[str, ...]
    position: Mapping[str, Any]
    do: tuple[Step, ...]
    expect: Mapping[str, Any] | None


def load(path: Path | str) -> Scenario:
    """Read a scenario file. Raises ScenarioError if it cannot be read, is no TOML or is not well formed."""
    file = Path(path)
    document = _document(file)
    try:
        table = Table(document)
        scenario = Scenario(
            path=file,
            game=table.text("game"),
            title=table.text("title", ""),
            cards=_card_path(table, file),
            change=_change(table),
            dice=_dice(table),
            draws=_draws(table),
            position=Table(table.take("position"), "position").values,
            do=tuple(_step(entry, f"do[{index}]") for index, entry in enumerate(table.items("do", STEPS_MAX))),
            expect=Table(table.take("expect"), "expect").values if table.has("expect") else None,
        )
        table.known.append("expect")
        table.close()
    except ValueError as error:
        raise ScenarioError(f"{file}: {error}") from None
    return scenario


def _document(file: Path) -> dict[str, Any]:
    try:
        if not file.is_file():
            wrong = "is not a file" if file.exists() else "does not exist"
            raise ScenarioError(f"{file}: {wrong}; give a scenario file (TOML)")
        if file.stat().st_size > SIZE_MAX:
            raise ScenarioError(f"{file}: is larger than {SIZE_MAX:,} bytes")
        return read_document(None, file)[0]
    except OSError as error:
        raise ScenarioError(f"{file}: cannot be read ({error.strerror})") from None
    except CardError as error:
        raise ScenarioError(str(error)) from None


def _card_path(table: Table, file: Path) -> Path | None:
    """Where the cards are: None for the reference set, else a place at or below the folder of the file."""
    words = table.text("cards", REFERENCE)
    if words == REFERENCE:
        return None
    if not words.isprintable():
        raise table.wrong("cards", "must be the name of a file or folder beside this file")
    try:
        folder = file.resolve().parent
        place = (folder / words).resolve()
    except (OSError, ValueError) as error:
        raise table.wrong("cards", f"cannot be read ({error})") from None
    if not place.is_relative_to(folder):
        raise table.wrong("cards", "lies outside the folder of the scenario file; name a place inside it")
    return place


def _change(table: Table) -> Mapping[str, Any]:
    changes = Table(table.take("change", {}), "change").values
    if len(changes) > CHANGES_MAX:
        raise ValueError(f"change: has {len(changes)} entries; at most {CHANGES_MAX} are allowed")
    return changes


def _dice(table: Table) -> tuple[int, ...]:
    faces = table.items("dice", DICE_MAX)
    for index, face in enumerate(faces):
        if not is_whole(face, 1, FACES):
            raise ValueError(f"dice[{index}] = {shown(face)}: must be a face, a whole number from 1 to {FACES}")
    return tuple(faces)


def _draws(table: Table) -> tuple[str, ...]:
    draws = table.items("draws", DICE_MAX)
    for index, words in enumerate(draws):
        if not isinstance(words, str):
            raise ValueError(f"draws[{index}] = {shown(words)}: must be text, what is drawn in words")
    return tuple(draws)


def _step(entry: object, where: str) -> Step:
    if isinstance(entry, str):
        return Step(entry)
    if not isinstance(entry, Mapping):
        raise ValueError(f"{where} = {shown(entry)}: must be a decision in words, or a table with seat and action")
    table = Table(entry, where)
    seat = table.whole("seat", 0, SEATS_MAX - 1) if table.has("seat") else None
    table.known.append("seat")
    step = Step(table.text("action"), seat)
    table.close()
    return step


ROOT = "expect"


def compare(expected: Mapping[str, Any], position: Mapping[str, Any], outside: Mapping[str, Any]) -> list[str]:
    """Differences between what is expected and what is, one line each.

    outside: what is known besides the position: `over`, `current_player`, `options` (compared without regard to order) and
    `events` (every expected text must be part of a line). Raises ValueError for a key that there is not.
    """
    differences = []
    for key, value in expected.items():
        path = f"{ROOT}.{key_words(key)}"
        if key == "options":
            differences += _same_words(path, _texts(path, value), outside[key])
        elif key == "events":
            lines = [plain(line) for line in outside[key]]
            missing = [text for text in _texts(path, value) if not any(plain(text) in line for line in lines)]
            differences += [f"{path}: {shown(text)} did not happen" for text in missing]
        elif key in outside:
            differences += _compared(path, value, outside[key])
        else:
            _check_key(path, key, {**position, **outside})
            differences += _compared(path, value, position[key])
    return differences


def _compared(path: str, expected: Any, found: Any) -> list[str]:
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        return _compared_tables(path, expected, found)
    if _is_tables(expected) and isinstance(found, list):
        return [line for table in expected for line in _compared_entry(path, table, found)]
    if expected == found and isinstance(expected, bool) == isinstance(found, bool):
        return []
    return [f"{path}: expected {shown(expected)}, is {shown(found)}"]


def _compared_tables(path: str, expected: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    if not found and expected:
        return [f"{path}: expected {shown(expected)}, is empty"]
    differences = []
    for key, value in expected.items():
        place = f"{path}.{key_words(key)}"
        _check_key(place, key, found)
        differences += _compared(place, value, found[key])
    return differences


def _compared_entry(path: str, expected: Mapping[str, Any], found: list[Any]) -> list[str]:
    """Compare with the tables of a list that its first key picks; the best fit counts if it picks several."""
    key, value = next(iter(expected.items()))
    tables = [entry for entry in found if isinstance(entry, Mapping)]
    for entry in tables:
        _check_key(f"{path}.{key_words(key)}", key, entry)
    name = f"{path}[{key_words(key)} = {shown(value)}]"
    fits = [_compared_tables(name, expected, entry) for entry in tables if entry[key] == value]
    if not fits:
        there = ", ".join(shown(entry[key]) for entry in tables) or "none"
        return [f"{name}: there is none; {key} is {there}"]
    return min(fits, key=len)


def _check_key(path: str, key: str, known: Mapping[str, Any]) -> None:
    if key not in known:
        raise ValueError(f"{path}: there is no such field; {did_you_mean(key, list(known))}")


def _is_tables(value: Any) -> bool:
    """Whether a value is a list of tables; an empty list is compared as it is."""
    return isinstance(value, list) and bool(value) and all(isinstance(entry, Mapping) and entry for entry in value)


def _texts(path: str, value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise ValueError(f"{path} = {shown(value)}: must be a list of texts")
    return value


def _same_words(path: str, expected: list[str], found: list[str]) -> list[str]:
    """Compare two sets of words; one line names what is missing and what is too much."""
    wanted, there = {plain(text): text for text in expected}, {plain(text): text for text in found}
    missing = [text for word, text in wanted.items() if word not in there]
    extra = [text for word, text in there.items() if word not in wanted]
    lines = [f"{path}: {shown(text)} is not open" for text in missing]
    return lines + [f"{path}: {shown(text)} is open too" for text in extra]


FORCED_MAX = 1000  # decisions with one option in a row
OPTIONS_SHOWN = 12  # in a message
NEAR_LENGTH = 100  # characters looked at to find the nearest
NO_DECISION = -1  # of `advance`


@dataclass(frozen=True)
class Result:
    """What came of a scenario: the position after its last decision, and where it differs from what was expected."""

    position: dict[str, Any]
    differences: list[str]
    log: list[str]  # decisions ("seat 1: pass", seats counted from 1), each followed by what happened, indented
    over: bool
    current_player: int | None  # None: the game is over
    options: list[str]  # decisions open in the position after


def run(path: Path | str, games: Mapping[str, Game], cards: Path | None = None) -> Result:
    """Load a scenario file and play it. games: by name; cards: a card file or folder instead of the file's own.

    Raises ScenarioError for whatever is wrong with the file or its cards.
    """
    scenario = load(path)
    game = games.get(scenario.game)
    if game is None:
        known = did_you_mean(scenario.game, list(games))
        raise ScenarioError(f"{path}: game = {shown(scenario.game)}: is not known; {known}")
    return play(scenario, game, cards_for(scenario, game, cards))


def cards_for(scenario: Scenario, game: Game, cards: Path | None = None) -> CardSet:
    """Load the card set of a scenario with its changes made. cards: a card file or folder instead of the file's own."""
    try:
        card_set = game.load(cards or scenario.cards)
        if not scenario.change:
            return card_set
        document = dict(card_set.document)
        for field, value in scenario.change.items():
            document = changed(document, field, value)
        return game.from_document(document)
    except CardError as error:
        raise ScenarioError(f"{scenario.path}: its cards cannot be used: {error}") from None


def play(scenario: Scenario, game: Game, cards: CardSet) -> Result:
    """Play a scenario through the compiled code.

    Raises ScenarioError for a position that cannot be, a decision that is not open, dice left over or too few, and
    for expectations about things that the game does not have.
    """
    playing = _Playing(scenario, game, cards)
    for index, step in enumerate(scenario.do):
        playing.take(index, step)
    if scenario.do:
        playing.finish_turn()
    playing.check_left_over()
    return playing.result()


class _Playing:
    """A scenario being played: the bench, the decisions open in words, and the log."""

    def __init__(self, scenario: Scenario, game: Game, cards: CardSet) -> None:
        self.scenario, self.game, self.cards = scenario, game, cards
        self.workspace = new_workspace(game.state, game.options_max, SEATS_MAX)
        self.state = self.workspace.states[0]
        self.turn = 0  # in which the last decision was taken
        self.log: list[str] = []
        self.options: dict[str, int] = {}  # decisions open, by their words
        try:
            game.words.place(dict(scenario.position), cards, self.state)
        except ValueError as error:
            raise self.error(f"position.{error}") from None
        _script(self.workspace, scenario.dice)
        self.script_draws()
        self.advance(NO_DECISION)
        if not self.options and not is_over(self.state) and self.state["turn"] < game.turn_limit(cards):
            raise self.error("position: nobody can decide anything in it")

    def error(self, text: str) -> ScenarioError:
        return ScenarioError(f"{self.scenario.path}: {text}")

    def script_draws(self) -> None:
        """Hand the draws to the dice. Without any a script is set that has run out, unless the game cannot be scripted."""
        words, draws, dice = self.game.words, self.scenario.draws, self.workspace.dice[0]
        if not isinstance(words, DrawWords):
            if draws:
                raise self.error(f"draws: {self.game.title} draws nothing that can be scripted; leave the field out")
            return
        for index, text in enumerate(draws):
            try:
                dice["draws"][index] = _checked_draw(words.draw(text, self.cards), text)
            except ValueError as error:
                raise self.error(f"draws[{index}] = {shown(text)}: {error}") from None
        dice["draws_scripted"] = max(1, len(draws))
        dice["draws_at"] = 0 if draws else 1

    def advance(self, action: int) -> None:
        """Carry a decision out, and name those that are then open."""
        count = advance(self.workspace, self.cards.record, action)
        if self.state["turn"] >= self.game.turn_limit(self.cards):
            count = 0  # stopped as capped
        words = self.game.words.action
        self.options = {words(self.state, self.cards, int(a)): int(a) for a in self.workspace.options[:count]}

    def take(self, index: int, step: Step) -> None:
        """Take one decision of the file; decisions with one option that come before it may be left out."""
        where = f"do[{index}] = {shown(step.action)}"
        wanted = plain(step.action)
        for _ in range(FORCED_MAX):
            found = next((words for words in self.options if plain(words) == wanted), None)
            if found is not None:
                break
            if len(self.options) != 1:
                raise self.error(f"{where}: is not open; {_open(step.action, [*self.options])}")
            self.carry_out(where, next(iter(self.options)))
        else:
            raise self.error(f"{where}: did not come after {FORCED_MAX} decisions without a choice")
        seat = current_player(self.state)
        if step.seat not in (None, seat):
            raise self.error(f"{where}: seat = {seat} decides here, not seat = {step.seat}")
        self.carry_out(where, found)

    def carry_out(self, where: str, words: str) -> None:
        """Carry a decision out, and log it with what happened."""
        before = self.state.copy()
        self.turn = int(before["turn"])
        self.log.append(f"seat {current_player(self.state) + 1}: {words}")
        self.advance(self.options[words])
        self.log += [f"  {event}" for event in self.game.words.events(before, self.state, self.cards)]
        self.check_missing(where)

    def check_missing(self, where: str) -> None:
        """Refuse a decision that rolls or draws more than is given, or draws what cannot be drawn."""
        dice = self.workspace.dice[0]
        if refused := int(dice["draw_refused"]):
            text = shown(self.scenario.draws[refused - 1])
            raise self.error(f"draws[{refused - 1}] = {text}: is not left where {where} draws; name something that is")
        if (missing := int(dice["script_at"]) - int(dice["scripted"])) > 0:
            given = len(self.scenario.dice)
            raise self.error(f"dice: {where} rolls {missing} more than the {given} given; add {missing} faces")
        if (missing := int(dice["draws_at"]) - int(dice["draws_scripted"])) > 0:
            given = len(self.scenario.draws)
            raise self.error(f"draws: {where} draws {missing} more than the {given} given; add {missing}")

    def finish_turn(self) -> None:
        """After the last decision: take what remains of its turn as long as there is nothing to choose."""
        for _ in range(FORCED_MAX):
            if len(self.options) != 1 or self.state["turn"] != self.turn:
                break
            self.carry_out("what follows the last decision", next(iter(self.options)))

    def check_left_over(self) -> None:
        """Refuse dice that were not rolled, and what was not drawn."""
        dice, draws = self.scenario.dice, self.scenario.draws
        for name, script, counter, done in (
            ("dice", dice, "script_at", "rolled"),
            ("draws", draws, "draws_at", "drawn"),
        ):
            given, used = len(script), int(self.workspace.dice[0][counter])
            left = list(script[used:])
            if left:
                these = f"{used} of the {given} given were {done}"
                raise self.error(f"{name}: {these}; take away the last {len(left)}, {left}")

    def result(self) -> Result:
        """Compare with what is expected."""
        position = self.game.words.position(self.state, self.cards)
        seat = int(current_player(self.state)) if self.options else None
        outside = {"over": not self.options, "current_player": seat, "options": [*self.options], "events": self.log}
        try:
            differences = compare(self.scenario.expect or {}, position, outside)
        except ValueError as error:
            raise self.error(str(error)) from None
        return Result(position, differences, self.log, not self.options, seat, [*self.options])


def _script(workspace: Workspace, faces: tuple[int, ...]) -> None:
    """Hand the faces to the dice. Without any, a script is set that has run out, for no die may fall at random."""
    dice = workspace.dice[0]
    dice["stream"] = [*range(SEATS_MAX), NATURE_STREAM]
    dice["script"][: len(faces)] = faces
    dice["scripted"] = max(1, len(faces))
    dice["script_at"] = 0 if faces else 1


def _checked_draw(value: int, text: str) -> int:
    """Return what a game makes of a draw's words. Raises RuntimeError for a fault of the game."""
    if not 0 <= value <= DRAW_MAX:
        raise RuntimeError(f"draw({text!r}) = {value} must be 0..{DRAW_MAX}; this is a fault of the game's code")
    return value


def _open(wanted: str, options: list[str]) -> str:
    """Tell which decisions are open, those nearest to the wanted words first."""
    if not options:
        return "the game is over"

    def likeness(words: str) -> float:
        return difflib.SequenceMatcher(None, plain(wanted)[:NEAR_LENGTH], plain(words)[:NEAR_LENGTH]).ratio()

    nearest = sorted(options, key=likeness, reverse=True)
    more = f" and {len(nearest) - OPTIONS_SHOWN} more" if len(nearest) > OPTIONS_SHOWN else ""
    return f"open are: {'; '.join(nearest[:OPTIONS_SHOWN])}{more}"
