"""A game that people play in the terminal, against each other or against players of the program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from rich.columns import Columns
from rich.text import Text

from analysis.answer.numbers import percent
from analysis.answer.prose import listed
from analysis.output import terminal
from analysis.output.encoding import as_text
from analysis.replay.narrate import decision_words, event_words, line_up_lines, move_rows, result_line
from analysis.replay.select import decisions_of, seated_names
from analysis.replay.visible import View
from sim.engine.cardfiles.paths import plain
from sim.engine.policies import PolicySpec
from sim.live import LiveGame

ONE_A_LINE = 9  # options up to which each has a line of its own
BEST = 5  # options that a hint shows
TRIALS = 8  # samples of what an option would do
EXAMPLES = 3  # different results of them that are shown
REVIEWED = 3  # decisions that are named at the end
HELP = (
    "Type the number of a decision, or its words. Also:",
    "  ? 3      what decision 3 would do",
    "  hint     what the strong player would decide, and the winning chances",
    "  undo     take back your last decision, and what followed",
    "  show     the position and the decisions again",
    "  quit     leave the game; with --out it is kept, and --resume continues it",
)


class Left(Exception):  # noqa: N818 - no error
    """A person leaves the game."""


@dataclass
class TerminalGame:
    """A game between people and the players of an experiment.

    people: their seats; adviser: the player whose hints they get; reviewer: the player that reviews their decisions at the end;
    ask: reads a line, and raises EOFError at the end of the input.
    """

    live: LiveGame
    people: frozenset[int]
    adviser: PolicySpec
    reviewer: PolicySpec
    ask: Callable[[str], str] = input
    seen: dict[int, int] = field(default_factory=dict)  # number of decisions that each person knows of
    pictured: tuple[int, int] | None = None  # turn and seat of the last picture

    def play(self) -> None:
        """Play to the end. Raises Left if a person leaves."""
        for line in line_up_lines(self.live.experiment, self.live.index, self.live.replay()):
            terminal.say(line)
        words = listed([self.seated[seat] for seat in sorted(self.people)])
        terminal.tell(f"You play {words}. Type a number to decide, ? for help.")
        while not self.live.over:
            if len(self.live.options) == 1 or self.live.seat not in self.people:
                self.live.take(self.live.choice())
            else:
                self.decide()
        viewer = min(self.people)
        self.tell_news(viewer)
        terminal.say("")
        self.show_picture(viewer)
        terminal.tell(result_line(self.live.experiment, self.live.replay()))
        self.review()

    @property
    def seated(self) -> list[str]:
        """Names by seat."""
        return seated_names(self.live.experiment, self.live.rows()[0])

    def decide(self) -> None:
        """Let a person decide. Other commands come first, any number of them."""
        self.pass_on()
        self.tell_news(self.live.seat)
        turn = int(self.live.position["turn"]), self.live.seat
        if turn != self.pictured:
            terminal.say("")
            terminal.say(f"Turn {turn[0] + 1}")
            self.show_picture(self.live.seat)
            self.pictured = turn
        self.show_options()
        decisions = len(self.live.moves)
        while len(self.live.moves) == decisions:
            self.obey(self.read())

    def pass_on(self) -> None:
        """Let the person who decides take the keyboard, if another one has had it and cards are hidden."""
        is_other = self.pictured is not None and self.pictured[1] != self.live.seat
        if is_other and len(self.people) > 1 and self.live.game.hidden:
            terminal.clear()
            self.read(f"{self.seated[self.live.seat]} decides: press Enter to see the position. ")

    def read(self, prompt: str = "> ") -> str:
        """Read a line. Raises Left at the end of the input."""
        try:
            return self.ask(prompt).strip()
        except EOFError:
            raise Left from None

    def obey(self, typed: str) -> None:
        """Carry out what was typed."""
        commands: dict[str, Callable[[], None]] = {
            "hint": self.hint,
            "undo": self.undo,
            "show": self.show,
            "help": self.help,
            "?": self.help,
        }
        if typed.lower() in {"quit", "exit", "q"}:
            raise Left
        if typed.startswith("?") and typed != "?":
            action = self.option_of(typed[1:].strip())
            if action is not None:
                self.foresee(action)
        elif typed.lower() in commands:
            commands[typed.lower()]()
        elif typed:
            action = self.option_of(typed)
            if action is not None:
                self.live.take(action)
                self.seen[self.live.moves[-1][3]] = len(self.live.moves) - 1

    def option_of(self, typed: str) -> int | None:
        """The option that was named by its number or its words; None, with a message, if none was."""
        options = self.live.options
        if typed.isdecimal():
            if 1 <= int(typed) <= len(options):
                return options[int(typed) - 1]
            terminal.tell(f"{typed} is no decision here; they are numbered from 1 to {len(options)}.")
            return None
        words = [plain(text) for text in self.option_words()]
        wanted = plain(typed)
        places = [at for at, text in enumerate(words) if text == wanted] or [
            at for at, text in enumerate(words) if wanted in text
        ]
        if len(places) == 1:
            return options[places[0]]
        numbers = listed([str(at + 1) for at in places[:BEST]])
        terminal.tell(f"{typed!r} fits {numbers}: type the number." if places else f"{typed!r} is no decision here; ? for help.")
        return None

    def option_words(self) -> list[str]:
        """The decisions in words."""
        position = self.live.position
        return [decision_words(self.live.experiment, position, action) for action in self.live.options]

    def show_options(self) -> None:
        """Print the decisions with their numbers."""
        lines = [f"{at:>3}  {words}" for at, words in enumerate(self.option_words(), 1)]
        terminal.say("")
        if len(lines) <= ONE_A_LINE:
            for line in lines:
                terminal.say(line)
        else:
            terminal.output().print(Columns([Text(as_text(line)) for line in lines], padding=(0, 2), column_first=True))

    def show_picture(self, seat: int) -> None:
        """Print the position as a seat can see it."""
        for line in View(self.live, seat).picture(self.live.position):
            terminal.say(line)

    def show(self) -> None:
        """Print the position and the decisions."""
        self.show_picture(self.live.seat)
        self.show_options()

    def help(self) -> None:
        """Print what can be typed."""
        for line in HELP:
            terminal.say(line)

    def tell_news(self, seat: int) -> None:
        """Print what happened since a person was last told, as this person can see it."""
        seated, view = self.seated, View(self.live, seat)
        positions = [*self.live.positions, self.live.position]
        for at in range(self.seen.get(seat, 0), len(self.live.moves)):
            _, action, options, mover = self.live.moves[at]
            words = view.decision(positions[at], action)
            terminal.say(f"  {seated[mover]}: {words}{'   [no choice]' if options == 1 else ''}")
            for event in view.events(positions[at], positions[at + 1]):
                terminal.say(f"    {event}")
        self.seen[seat] = len(self.live.moves)

    def hint(self) -> None:
        """Print what the adviser would choose, and the best options with their winning chances."""
        chosen, chances = self.live.advice(self.adviser)
        words = dict(zip(self.live.options, self.option_words(), strict=True))
        terminal.tell(f"{self.adviser} would choose {self.live.options.index(chosen) + 1}, {words[chosen]}. Winning chances:")
        for action in list(dict.fromkeys([chosen, *chances]))[:BEST]:
            terminal.say(f"{percent(chances[action]):>8}  {self.live.options.index(action) + 1:>3}  {words[action]}")
        if chances[chosen] < max(chances.values()):
            terminal.tell("Its choice looks further ahead than these chances.")

    def foresee(self, action: int) -> None:
        """Print what an option would do; with dice or hidden cards, examples."""
        pairs = self.live.outcomes(action, TRIALS)
        stories = [event_words(self.live.experiment, *pair) or ["Nothing follows at once."] for pair in pairs]
        different = [list(story) for story in dict.fromkeys(map(tuple, stories))]
        _, chances = self.live.advice(self.adviser)
        number, words = self.live.options.index(action) + 1, decision_words(self.live.experiment, self.live.position, action)
        terminal.tell(f"{number}, {words}: winning chance {percent(chances[action])}.")
        if len(different) > 1:
            terminal.tell("It depends on dice, or on cards that you cannot see. For example:")
        for at, story in enumerate(different[:EXAMPLES]):
            for line in story:
                terminal.say(f"  {'or ' if at and line is story[0] else ''}{line}")

    def undo(self) -> None:
        """Take back the last decision of a person that had an alternative, and what followed."""
        own = [at for at, (_, _, options, seat) in enumerate(self.live.moves) if seat in self.people and options > 1]
        if not own:
            terminal.tell("There is no decision of yours to take back.")
            return
        while len(self.live.moves) > own[-1]:
            self.live.take_back()
        self.seen = {seat: min(count, own[-1]) for seat, count in self.seen.items()}
        self.pictured = None

    def review(self) -> None:
        """Print the decisions of people that gave away most, as the reviewer sees it."""
        experiment, played = self.live.experiment, self.live.replay()
        decisions = decisions_of(experiment, played, self.reviewer)
        marked = [(at, one) for at, one in decisions.items() if one.seat in self.people and one.mark]
        marked.sort(key=lambda pair: -pair[1].given_away)
        if not marked:
            terminal.tell(f"Reviewed by {self.reviewer}: no decision of yours gave away much.")
            return
        terminal.tell(f"Your decisions that gave away most, reviewed by {self.reviewer}:")
        for at, one in marked[:REVIEWED]:
            taken, best = (decision_words(experiment, played.positions[at], one.actions[place]) for place in (one.taken, 0))
            lost = f"{100 * one.given_away:.0f} points"
            terminal.say(f"  Turn {played.moves[at]['turn'] + 1}: {taken} gave away {lost} against {best}")


def record_of(live: LiveGame, people: Sequence[int]) -> dict[str, Any]:
    """A game as plain values: how it is played, its decisions and events in words, and its result. Seats are counted from 0."""
    experiment, played = live.experiment, live.replay()
    ids = [experiment.cards.ids[entrant] if entrant >= 0 else "" for entrant in live.entrants.tolist()]
    decisions = [{key: row[key] for key in DECISION} for row in move_rows(experiment, played)]
    facts = {key: value for key, value in experiment.facts().items() if key in KEPT}
    shares: np.ndarray = played.rows["share"][0, : experiment.seats]
    return facts | {
        "index": live.index,
        "entrants": ids,
        "people": [*people],
        "over": live.over,
        "shares": shares.tolist() if live.over else None,
        "result": result_line(experiment, played) if live.over else "",
        "decisions": decisions,
    }


KEPT = ("game", "cards", "cards_digest", "seats", "policy", "seed", "line_up")  # facts that a record repeats
DECISION = ("turn", "seat", "decision", "events")  # of each move


def take_all(live: LiveGame, decisions: Sequence[str]) -> None:
    """Take decisions given in words. Raises ValueError for one that is not legal, with the legal ones."""
    for number, typed in enumerate(decisions, 1):
        position = live.position
        words = {plain(decision_words(live.experiment, position, action)): action for action in live.options}
        if plain(typed) not in words:
            legal = f"legal are {', '.join(words)}" if words else "the game is over"
            raise ValueError(f"decisions[{number - 1}] = {typed!r}: is not legal; {legal}")
        live.take(words[plain(typed)])
