"""Scenario files: a position, scripted dice and decisions in words.

The kernels run as plain Python: a scenario has few decisions, and compiling a game for them would take longer.

README.md in this folder describes the format. The game's `words` translates positions, decisions and events.

Expectations are compared with the final position, as far as the file names them. Tables are compared key by key. In a list
of tables, the first key of an expected table selects the entry: `{ hero = "bow_master", marker = 1 }` checks the hero of
that id.
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
from sim.engine.jit import interpreted
from sim.engine.loop import advance
from sim.engine.policies import Workspace, new_workspace
from sim.engine.positions import Document
from sim.engine.words import DrawWords

__all__ = ["Result", "Scenario", "ScenarioError", "Step", "cards_for", "load", "play", "run"]

SIZE_MAX = 1_000_000  # bytes of a file
DICE_MAX = SCRIPT_MAX - 1  # one place stays free, to detect one roll too many; also the limit of draws
STEPS_MAX = 1000  # decisions in a file
CHANGES_MAX = 100
REFERENCE = "reference"


class ScenarioError(ValueError):
    """A scenario file that cannot be played. The message gives the file, the field, its value and what is valid."""


@dataclass(frozen=True)
class Step:
    """A decision of a scenario. seat: the seat expected to take it, None: not checked."""

    action: str
    seat: int | None = None


@dataclass(frozen=True)
class Scenario:
    """A scenario file as read: well formed, but not yet checked against its game.

    cards: card file or folder, None for the reference set; change: new values by field path of the card file;
    dice: faces in the order of the rolls; draws: cards (tiles, ...) in the game's words, in the order of the draws; expect:
    None if the file has no expectations.
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
    """Read a scenario file. Raises ScenarioError if it cannot be read, is not TOML or is not well formed."""
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
    """Return the path of the cards, inside the folder of the file, or None for the reference set."""
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
            raise ValueError(f"draws[{index}] = {shown(words)}: must be text that names what is drawn")
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
    """Return the differences between expected and actual values, one line each.

    outside: facts besides the position: `over`, `current_player`, `options` (in any order) and `events` (every expected text
    must be part of a line). Raises ValueError for an unknown key.
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


def _compared(path: str, expected: Any, actual: Any) -> list[str]:
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        return _compared_tables(path, expected, actual)
    if _is_tables(expected) and isinstance(actual, list):
        return [line for table in expected for line in _compared_entry(path, table, actual)]
    if expected == actual and isinstance(expected, bool) == isinstance(actual, bool):
        return []
    return [f"{path}: expected {shown(expected)}, is {shown(actual)}"]


def _compared_tables(path: str, expected: Mapping[str, Any], actual: Mapping[str, Any]) -> list[str]:
    if not actual and expected:
        return [f"{path}: expected {shown(expected)}, is empty"]
    differences = []
    for key, value in expected.items():
        place = f"{path}.{key_words(key)}"
        _check_key(place, key, actual)
        differences += _compared(place, value, actual[key])
    return differences


def _compared_entry(path: str, expected: Mapping[str, Any], actual: list[Any]) -> list[str]:
    """Compare a table with the entries of a list that its first key selects; with several, the best match counts."""
    key, value = next(iter(expected.items()))
    tables = [entry for entry in actual if isinstance(entry, Mapping)]
    for entry in tables:
        _check_key(f"{path}.{key_words(key)}", key, entry)
    name = f"{path}[{key_words(key)} = {shown(value)}]"
    fits = [_compared_tables(name, expected, entry) for entry in tables if entry[key] == value]
    if not fits:
        known = ", ".join(shown(entry[key]) for entry in tables) or "none"
        return [f"{name}: there is no such entry; known here: {known}"]
    return min(fits, key=len)


def _check_key(path: str, key: str, known: Mapping[str, Any]) -> None:
    if key not in known:
        raise ValueError(f"{path}: there is no such field; {did_you_mean(key, list(known))}")


def _is_tables(value: Any) -> bool:
    """Whether a value is a nonempty list of tables; an empty list is compared as a plain value."""
    return isinstance(value, list) and bool(value) and all(isinstance(entry, Mapping) and entry for entry in value)


def _texts(path: str, value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise ValueError(f"{path} = {shown(value)}: must be a list of texts")
    return value


def _same_words(path: str, expected: list[str], actual: list[str]) -> list[str]:
    """Compare two sets of options; each missing or extra option gives a line."""
    wanted, present = {plain(text): text for text in expected}, {plain(text): text for text in actual}
    missing = [text for word, text in wanted.items() if word not in present]
    extra = [text for word, text in present.items() if word not in wanted]
    lines = [f"{path}: {shown(text)} is not open" for text in missing]
    return lines + [f"{path}: {shown(text)} is also open" for text in extra]


FORCED_MAX = 1000  # consecutive forced decisions
OPTIONS_SHOWN = 12  # options in a message
NEAR_LENGTH = 100  # characters compared to find the nearest option
NO_DECISION = -1  # action of `advance`: only list the options


@dataclass(frozen=True)
class Result:
    """Result of a scenario: the final position and its differences from the expectations."""

    position: dict[str, Any]
    differences: list[str]
    log: list[str]  # decisions ("seat 1: pass", seats counted from 1), each followed by its events, indented
    over: bool
    current_player: int | None  # None: the game is over
    options: list[str]  # options in the final position


def run(path: Path | str, games: Mapping[str, Game], cards: Path | None = None) -> Result:
    """Load a scenario file and play it. games: by name; cards: a card file or folder that replaces the scenario's.

    Raises ScenarioError for any error in the file or its cards.
    """
    scenario = load(path)
    game = games.get(scenario.game)
    if game is None:
        known = did_you_mean(scenario.game, list(games))
        raise ScenarioError(f"{path}: game = {shown(scenario.game)}: is not known; {known}")
    return play(scenario, game, cards_for(scenario, game, cards))


def cards_for(scenario: Scenario, game: Game, cards: Path | None = None) -> CardSet:
    """Load the card set of a scenario and apply its changes. cards: a card file or folder that replaces the scenario's."""
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
    """Play a scenario.

    Raises ScenarioError for an impossible position, an illegal decision, too many or too few dice or draws, and
    expectations about unknown fields.
    """
    with interpreted():
        playing = _Playing(scenario, game, cards)
        for index, step in enumerate(scenario.do):
            playing.take(index, step)
        if scenario.do:
            playing.finish_turn()
        playing.check_left_over()
        return playing.result()


class _Playing:
    """A scenario in play: the workspace, the options in words, and the log."""

    def __init__(self, scenario: Scenario, game: Game, cards: CardSet) -> None:
        self.scenario, self.game, self.cards = scenario, game, cards
        self.workspace = new_workspace(game.state, game.options_max, SEATS_MAX)
        self.state = self.workspace.states[0]
        self.turn = 0  # turn of the latest decision
        self.log: list[str] = []
        self.options: dict[str, int] = {}  # actions by their words
        try:
            game.words.place(dict(scenario.position), cards, self.state)
        except ValueError as error:
            raise self.error(f"position.{error}") from None
        _script(self.workspace, scenario.dice)
        self.script_draws()
        self.advance(NO_DECISION)
        if not self.options and not is_over(self.state) and self.state["turn"] < game.turn_limit(cards):
            raise self.error("position: no player has a decision to make")

    def error(self, text: str) -> ScenarioError:
        return ScenarioError(f"{self.scenario.path}: {text}")

    def script_draws(self) -> None:
        """Script the draws. Without any, set a script that has run out, unless the game supports no script."""
        words, draws, dice = self.game.words, self.scenario.draws, self.workspace.dice[0]
        if not isinstance(words, DrawWords):
            if draws:
                raise self.error(f"draws: {self.game.title} has no draws that can be scripted; leave the field out")
            return
        for index, text in enumerate(draws):
            try:
                dice["draws"][index] = _checked_draw(words.draw(text, self.cards), text)
            except ValueError as error:
                raise self.error(f"draws[{index}] = {shown(text)}: {error}") from None
        dice["draws_scripted"] = max(1, len(draws))
        dice["draws_at"] = 0 if draws else 1

    def advance(self, action: int) -> None:
        """Apply an action and update the options."""
        count = advance(self.workspace, self.cards.record, action)
        if self.state["turn"] >= self.game.turn_limit(self.cards):
            count = 0  # truncated
        words = self.game.words.action
        self.options = {words(self.state, self.cards, int(a)): int(a) for a in self.workspace.options[:count]}

    def take(self, index: int, step: Step) -> None:
        """Take one decision of the file; the file can omit forced decisions before it."""
        where = f"do[{index}] = {shown(step.action)}"
        wanted = plain(step.action)
        for _ in range(FORCED_MAX):
            chosen = next((words for words in self.options if plain(words) == wanted), None)
            if chosen is not None:
                break
            if len(self.options) != 1:
                raise self.error(f"{where}: is not open; {_open(step.action, [*self.options])}")
            self.carry_out(where, next(iter(self.options)))
        else:
            raise self.error(f"{where}: was not reached after {FORCED_MAX} decisions without a choice")
        seat = current_player(self.state)
        if step.seat not in (None, seat):
            raise self.error(f"{where}: seat = {seat} decides here, not seat = {step.seat}")
        self.carry_out(where, chosen)

    def carry_out(self, where: str, words: str) -> None:
        """Apply an action and log it with its events."""
        before = self.state.copy()
        self.turn = int(before["turn"])
        self.log.append(f"seat {current_player(self.state) + 1}: {words}")
        self.advance(self.options[words])
        self.log += [f"  {event}" for event in self.game.words.events(before, self.state, self.cards)]
        self.check_missing(where)

    def check_missing(self, where: str) -> None:
        """Refuse a decision that rolls or draws more than is given, or makes an impossible draw."""
        dice = self.workspace.dice[0]
        if refused := int(dice["draw_refused"]):
            text = shown(self.scenario.draws[refused - 1])
            raise self.error(f"draws[{refused - 1}] = {text}: is not left when {where} draws; name something that is left")
        if (missing := int(dice["script_at"]) - int(dice["scripted"])) > 0:
            given = len(self.scenario.dice)
            raise self.error(f"dice: {where} rolls {missing} more than the {given} given; add {missing} faces")
        if (missing := int(dice["draws_at"]) - int(dice["draws_scripted"])) > 0:
            given = len(self.scenario.draws)
            raise self.error(f"draws: {where} draws {missing} more than the {given} given; add {missing}")

    def finish_turn(self) -> None:
        """Finish the turn of the last decision as long as the decisions are forced."""
        for _ in range(FORCED_MAX):
            if len(self.options) != 1 or self.state["turn"] != self.turn:
                break
            self.carry_out("what follows the last decision", next(iter(self.options)))

    def check_left_over(self) -> None:
        """Refuse unused dice and draws."""
        dice, draws = self.scenario.dice, self.scenario.draws
        for name, script, counter, done in (("dice", dice, "script_at", "rolled"), ("draws", draws, "draws_at", "drawn")):
            given, used = len(script), int(self.workspace.dice[0][counter])
            left = list(script[used:])
            if left:
                count = f"{used} of the {given} given were {done}"
                raise self.error(f"{name}: {count}; remove the last {len(left)}, {left}")

    def result(self) -> Result:
        """Compare with the expectations."""
        position = self.game.words.position(self.state, self.cards)
        seat = int(current_player(self.state)) if self.options else None
        outside = {"over": not self.options, "current_player": seat, "options": [*self.options], "events": self.log}
        expect, document = self.scenario.expect or {}, getattr(self.game.words, "POSITION", None)
        try:
            if isinstance(document, Document):
                document.check_words(expect, self.cards, self.state, ROOT)
            differences = compare(expect, position, outside)
        except ValueError as error:
            raise self.error(str(error)) from None
        return Result(position, differences, self.log, not self.options, seat, [*self.options])


def _script(workspace: Workspace, faces: tuple[int, ...]) -> None:
    """Script the dice. Without faces, set a script that has run out, because no die can be random."""
    dice = workspace.dice[0]
    dice["stream"] = [*range(SEATS_MAX), NATURE_STREAM]
    dice["script"][: len(faces)] = faces
    dice["scripted"] = max(1, len(faces))
    dice["script_at"] = 0 if faces else 1


def _checked_draw(value: int, text: str) -> int:
    """Return the game's number for a draw. Raises RuntimeError if it is out of range."""
    if not 0 <= value <= DRAW_MAX:
        raise RuntimeError(f"draw({text!r}) = {value} must be 0..{DRAW_MAX}; this is a bug in the game's code")
    return value


def _open(wanted: str, options: list[str]) -> str:
    """List the options, those most similar to `wanted` first."""
    if not options:
        return "the game is over"

    def likeness(words: str) -> float:
        return difflib.SequenceMatcher(None, plain(wanted)[:NEAR_LENGTH], plain(words)[:NEAR_LENGTH]).ratio()

    nearest = sorted(options, key=likeness, reverse=True)
    more = f" and {len(nearest) - OPTIONS_SHOWN} more" if len(nearest) > OPTIONS_SHOWN else ""
    return f"options: {'; '.join(nearest[:OPTIONS_SHOWN])}{more}"
