"""Effect of a changed number, rule or card: the same games are played both ways and compared pair by pair.

Dice are keyed by game, turn and seat, so a change affects only the rolls that depend on it, and both games of a pair share most
of their randomness (common random numbers). For the comparison see `analysis.data.shares.compare`. Two card sets that compile to
the same numbers play the same games, so the change is exactly zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.data.rows import distinct
from analysis.data.shares import Play, Shares, compare, compare_apart
from analysis.stats.intervals import adjust
from sim.designs import Design, Shifts
from sim.engine.cards import CardError, CardSet, changed, numeric_fields
from sim.engine.contract import Game
from sim.engine.decks import Decking
from sim.engine.fieldpaths import did_you_mean, is_number, locate, look_up
from sim.experiment import Experiment
from sim.weights import remade

AT_ONCE = 1_000_000  # games searched at a time, to bound memory
RULES = "rules"  # table whose numbers and switches can be left to their defaults
SMALL_STEP = 0.1  # step of a non-integer, as a fraction of it
NO_KEY = "is not a key of this table"  # message of the card rules for an unknown name


@dataclass(frozen=True)
class Among(Experiment):
    """Games between some of the entrants. members: their indices, in the order of the design; empty: all."""

    members: tuple[int, ...] = ()

    @property
    def _single(self) -> Design:
        """See `Experiment`: the balanced design of the members."""
        if self.members and self.line_up is None:
            return Shifts(self.seats, len(self.members), self.mirror, self.seed)
        return super()._single

    def entrants_of(self, index: np.ndarray) -> np.ndarray:
        """See `Experiment`."""
        entrants = super().entrants_of(index)
        return np.array(self.members)[entrants] if self.members and self.line_up is None else entrants


@dataclass(frozen=True)
class Chosen(Among):
    """Some games of an experiment, with their original indices. index: (games,), ascending."""

    index: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64), compare=False)

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.index)

    def plan(self, first: int, count: int) -> np.ndarray:
        """Return the PLAN lines of the chosen games first..first+count-1, as in the whole experiment."""
        return self.plan_of(self.index[first : first + count])


@dataclass(frozen=True)
class GamesOf(Chosen):
    """The games of an experiment with one entrant."""

    entrant: int = 0

    @classmethod
    def from_experiment(cls, whole: Experiment, entrant: int) -> GamesOf:
        """Pick the games of an entrant. Raises ValueError if there are none."""
        index = _games_with(whole, np.arange(len(whole.cards.ids)) == entrant)
        if not len(index):
            raise ValueError(f"entrant={entrant} plays in none of the {whole.games} games")
        return cls(**_fields_of(whole), index=index, entrant=entrant)


@dataclass(frozen=True)
class GamesOfPart(Chosen):
    """The games of an experiment between teams with one part, in any team. part: index in `Teams`."""

    part: int = 0

    @classmethod
    def from_experiment(cls, whole: Experiment, part: int) -> GamesOfPart:
        """Pick the games of a part. Raises ValueError if there are no games or no teams."""
        if whole.teams is None:
            raise ValueError(f"part={part}: {whole.game.title} with these cards has no teams")
        index = _games_with(whole, (whole.teams.members == part).any(axis=1))
        if not len(index):
            raise ValueError(f"part={part} plays in none of the {whole.games} games")
        return cls(**_fields_of(whole), index=index, part=part)


def part_of(whole: Experiment, first: int, last: int, unit: int | None = None) -> Chosen:
    """Games first..last-1 of an experiment, beyond its end if needed. unit: only games with this entrant or part of teams."""
    index, teams = np.arange(first, last), whole.teams
    if unit is not None and (teams is None or teams.planned):
        owns = np.arange(len(whole.cards.ids)) == unit if teams is None else (teams.members == unit).any(axis=1)
        index = index[owns[whole.entrants_of(index)].any(axis=1)]
    return Chosen(**_fields_of(whole), index=index)


def _games_with(whole: Experiment, wanted: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Indices of the games with any wanted entrant; all if teams are formed during the game.

    wanted: by entrant. Raises ValueError if the experiment is already a selection of games.
    """
    if type(whole) not in (Experiment, Among):
        raise ValueError(f"whole={type(whole).__name__}: games must be chosen from a whole experiment")
    if whole.teams and not whole.teams.planned and wanted.any():
        return np.arange(whole.games)
    starts = range(0, whole.games, AT_ONCE)
    every = (np.arange(first, min(first + AT_ONCE, whole.games)) for first in starts)
    return np.concatenate([index[wanted[whole.entrants_of(index)].any(axis=1)] for index in every])


def _fields_of(whole: Experiment) -> dict[str, Any]:
    """Fields of an experiment by name."""
    return {item.name: getattr(whole, item.name) for item in fields(Among if isinstance(whole, Among) else Experiment)}


@dataclass(frozen=True)
class Step:
    """One field of a card file with another value. cards: None if the card rules refuse it; refused: the reason.

    idle: the change never reaches play (a number for information only).
    """

    field: str
    step: int  # number of steps, negative for down; 0 for a variant
    before: Any
    value: Any
    cards: CardSet | None
    refused: str = ""
    idle: bool = False


def numeric_steps(game: Game, cards: CardSet, paths: Sequence[str], by: Sequence[int] = (-1, 1)) -> list[Step]:
    """Steps of each number, one down and one up: by 1 for an integer, else by a tenth.

    by: other numbers of steps, such as (-1, -2) for one and two down. Raises CardError for a path that does not exist,
    ValueError for a path without a number.
    """
    steps_found = []
    known = set(numeric_fields(cards.document))
    for path in paths:
        if path not in known:
            locate(cards.document, path)
            raise ValueError(f"{path}: not a number, so a step is not possible")
        _, before = look_up(cards.document, locate(cards.document, path))
        size = 1 if isinstance(before, int) else SMALL_STEP * abs(before)
        steps_found += [_step(game, cards, path, steps, (before, before + steps * size)) for steps in by]
    return steps_found


def variants(game: Game, cards: CardSet, settings: Mapping[str, tuple[str, ...]]) -> list[Step]:
    """Rule variants: every value of every field, one at a time, without the present value.

    settings: path of a rule -> values as text ("true", "2", "large"), read as the type of the present value. Raises
    ValueError if a text is not of that type, CardError for a rule that does not exist.
    """
    every = [step for path, texts in settings.items() for step in each_value(game, cards, path, texts)]
    return [step for step in every if step.value != step.before]


def each_value(game: Game, cards: CardSet, path: str, texts: tuple[str, ...]) -> list[Step]:
    """A rule with each of the values, which can include the present one. Texts and errors: see `variants`."""
    before = present(cards, path)
    return [_step(game, cards, path, 0, (before, parsed(text, before, path))) for text in texts]


def parsed(text: str, like: Any, path: str = "value") -> Any:
    """Parse a text as a value of the type of `like`; a list of words is written `a+b`. Raises ValueError naming the path.

    like: None if there is no value yet; the type is then guessed from the text.
    """
    if like is None:
        return _guessed(text)
    if isinstance(like, (list, tuple)):
        if not all(isinstance(item, str) for item in like):
            raise ValueError(f"{path}={text!r}: only lists of words can be given, written with + between them")
        return [word.strip() for word in text.split("+") if word.strip()]
    if isinstance(like, bool):
        if text not in ("true", "false"):
            raise ValueError(f"{path}={text!r} must be true or false")
        return text == "true"
    if isinstance(like, (int, float)):
        try:
            return type(like)(text)
        except ValueError:
            kind = "a whole number" if isinstance(like, int) else "a number"
            raise ValueError(f"{path}={text!r} must be {kind}") from None
    return text


def _guessed(text: str) -> Any:
    """Guess the type: integer, number, true or false, else text; the card rules check it."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return {"true": True, "false": False}.get(text, text)


def change(
    base: Experiment, changed_cards: CardSet, play: Play | None = None, before: Shares | None = None
) -> pd.DataFrame:
    """Play the games of `base` again with other cards and compare by entrant: columns of `compare`, and `paired`.

    Teams are compared by their parts, each of which has its team's share of the win. play: how an experiment is played, all
    cores if None; before: results of `base`, if already played. Cards that compile to the same numbers are not played again and
    give a change of zero with an interval of zero width. If seats choose their entrants and choose differently, line-ups differ
    and there are no pairs: see `compare_apart`.
    """
    return difference(base, *both(base, changed_cards, play, before))


def both(
    base: Experiment, changed_cards: CardSet, play: Play | None = None, before: Shares | None = None
) -> tuple[Shares, Shares]:
    """Play `base`, and again with other cards; returns the same object twice if they compile to the same numbers."""
    first = before or Shares.of(base, play)
    same = changed_cards.record.tobytes() == base.cards.record.tobytes()
    return first, first if same else Shares.of(replace(base, cards=changed_cards), play)


def difference(base: Experiment, before: Shares, after: Shares) -> pd.DataFrame:
    """Compare the results of `both`, as `change` does."""
    teams, names = base.teams, unit_names(base)
    first, second = (games.of_parts(teams.members) if teams else games for games in (before, after))
    if after is before:
        return compare(first, second, names).assign(low=0.0, high=0.0, paired=True)
    if np.array_equal(first.entrant, second.entrant):
        return compare(first, second, names).assign(paired=True)
    return compare_apart(first, second, names).assign(paired=False)


def effects(
    base: Experiment, steps: Sequence[Step], name: str, play: Play | None = None, before: Shares | None = None
) -> pd.DataFrame:
    """Effect of each step on the win share of one entrant, or one part of teams, one line per step.

    name: as in the table of `change`. Columns: path, step, present, value (number before and after), and those of `change`.
    Steps are left out if the card rules refuse them, if they never reach play, or if the entrant then plays no game (possible
    where seats choose their entrants). play, before: as in `change`. Raises ValueError for an unknown name.
    """
    known = unit_names(base)
    if name not in known:
        raise ValueError(f"name={name!r}: {did_you_mean(name, known)}")
    tried = [(step, step.cards) for step in steps if step.cards is not None and not step.idle]
    before = before or (Shares.of(base, play) if tried else None)
    lines = []
    for step, cards in tried:
        table = change(base, cards, play, before)
        line = table[table["name"] == name]
        facts = {"path": step.field, "step": step.step, "present": step.before, "value": step.value}
        lines.append(line.assign(**facts)[[*facts, *line.columns]])
    return pd.concat(lines, ignore_index=True) if lines else pd.DataFrame()


def unit_names(base: Experiment) -> list[str]:
    """Names of the units of a comparison: the parts if entrants are teams, else the entrants."""
    return distinct(base.teams.names if base.teams else base.cards.names)


def _step(game: Game, cards: CardSet, path: str, step: int, values: tuple[Any, Any]) -> Step:
    """A step with validated and compiled cards."""
    before, value = values
    try:
        other = remade(game, with_value(cards, path, value), cards)
    except CardError as error:
        if before is None and NO_KEY in str(error):
            locate(cards.document, path)  # raises: there is no such rule
        return Step(path, step, before, value, None, str(error).splitlines()[0])
    return Step(path, step, before, value, other, idle=other.record.tobytes() == cards.record.tobytes())


def present(cards: CardSet, path: str) -> Any:
    """Present value of a rule: from the file, else the default; None for a number that is left to its default."""
    table, _, name = path.rpartition(".")
    try:
        return look_up(cards.document, locate(cards.document, path))[1]
    except CardError:
        if name not in cards.switches and table != RULES:
            raise
        return cards.switches.get(name)


def with_value(cards: CardSet, path: str, value: Any) -> dict[str, Any]:
    """Return the document with another value; a rule that the file leaves to its default is added to its table.

    Raises CardError, with the nearest existing paths, for a path that does not exist.
    """
    try:
        return changed(cards.document, path, value)
    except CardError:
        table, _, name = path.rpartition(".")
        if name not in cards.switches and table != RULES:
            raise
        return _with_rule(cards.document, table, name, value)


def _with_rule(document: Mapping[str, Any], table: str, name: str, value: Any) -> dict[str, Any]:
    """Return the document with a rule added; if numbers have sources, the source of a new number is "assumed"."""
    copied: dict[str, Any] = deepcopy(dict(document))
    rules = copied.setdefault(table, {})
    rules[name] = value
    if isinstance(rules.get("source"), dict) and is_number(value):
        rules["source"][name] = "assumed"
    return copied


@dataclass(frozen=True)
class Replacements:
    """Effect of each card of a deck, and the cards that cannot be replaced, with the message of the card rules.

    frame: one line per card, in the order of the deck's list: entrant, name (of the deck), card (index), card_name, copies,
    effect (win rate with the card minus that with plain ones), low, high, p, p_holm (over the cards of the deck), n (pairs),
    gain (how many times as many games two unpaired samples would need), before, after (win rates with the card and without).
    """

    frame: pd.DataFrame
    refused: dict[str, str]


def replacement_effects(
    base: Experiment, entrant: int, play: Play | None = None, cards: Sequence[int] | None = None
) -> Replacements:
    """Replace each card of a deck in turn, all its copies, by plain ones (`Decking.plain`), and play the deck's games again.

    Both decks of a pair have the same order and the same dice (common random numbers): the difference is the causal effect of
    the card, against these opponents and with these policies. Pairs are analysed as in `compare`. cards: indices of those to
    replace, all if None; play: as in `Shares.of`. Raises ValueError for a game without decks.
    """
    decking, decks = deck_game(base.game), base.game.decks_for(base.cards)
    assert decks is not None
    listed = [int(card) for card in decks.slots[entrant] if card >= 0 and (cards is None or card in cards)]
    names, steps = distinct(decks.names), {}
    for card in listed:
        steps[card] = _replaced(base.game, decking, base.cards, (base.cards.ids[entrant], decks.ids[card]))
    tried = [step for step in steps.values() if step.cards is not None]
    games = GamesOf.from_experiment(base, entrant) if tried and base.line_up is None else base
    before = Shares.of(games, play) if tried else None
    name = distinct(base.cards.names)[entrant]
    frame = effects(games, tried, name, play, before)
    refused = {names[card]: step.refused for card, step in steps.items() if step.cards is None}
    if frame.empty:
        return Replacements(frame, refused)
    number = {decks.ids[card]: card for card in listed}
    replaced = frame["path"].map(number).to_numpy(np.int64)
    turned = {"effect": 0 - frame["change"], "low": 0 - frame["high"], "high": 0 - frame["low"], "p": frame["p"]}
    facts = {"entrant": entrant, "name": name, "card": replaced, "card_name": np.array(names, object)[replaced]}
    facts |= {"copies": decks.counts[entrant, replaced], **turned, "p_holm": adjust(frame["p"])}
    return Replacements(pd.DataFrame(facts).join(frame[["n", "gain", "before", "after"]]), refused)


def with_effects(frame: pd.DataFrame, found: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Add the effect of each card to the table of `deck_cards`.

    Columns added: effect, effect_low, effect_high, effect_p (Holm), pairs; NaN for cards that were not replaced.
    """
    columns = {"effect": "effect", "low": "effect_low", "high": "effect_high", "p_holm": "effect_p", "n": "pairs"}
    known = [part for part in found if len(part)]
    if not known:
        return frame.assign(**dict.fromkeys(columns.values(), np.nan))
    added = pd.concat(known, ignore_index=True)[["entrant", "card", *columns]].rename(columns=columns)
    return frame.merge(added, how="left", on=["entrant", "card"])


def deck_game(game: Game) -> Decking:
    """Return how a game's decks are made. Raises ValueError for a game without decks."""
    if game.decks is None:
        raise ValueError(f"{game.name}: {game.title} is not played with decks of cards")
    return game.decks


def _replaced(game: Game, decking: Decking, cards: CardSet, which: tuple[str, str]) -> Step:
    """Step that replaces one card of a deck by plain ones."""
    deck, card = which
    try:
        other = remade(game, decking.plain(cards.document, deck, card), cards)
    except CardError as error:
        return Step(card, 0, card, "plain", None, str(error).splitlines()[0])
    return Step(card, 0, card, "plain", other)
