"""What a changed number, rule or card does: the same games played both ways.

What a changed number or rule does: the same games played with both card sets and compared pair by pair.

Dice are keyed by game, turn and seat, so a change touches only the rolls it bears on and most of the chance is common to
both games of a pair (common random numbers). How they are compared: see `compare`. Two card sets that compile to the same
numbers play the same games: the change is nothing, for certain.

What a card does to its deck: the same games with the same dice, once with the card and once with a plain one in its place.
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

AT_ONCE = 1_000_000  # games looked through at a time: bounds the memory
RULES = "rules"  # table whose numbers and switches may be left to their defaults
SMALL_STEP = 0.1  # of a number that is not whole
NO_KEY = "is not a key of this table"  # what the card rules say of a name that they do not know


@dataclass(frozen=True)
class Among(Experiment):
    """Games between some of the entrants. members: their numbers, in the order in which the design takes them; empty: all."""

    members: tuple[int, ...] = ()

    @property
    def _single(self) -> Design:
        """See `Experiment`: the balanced design, of the members."""
        if self.members and self.line_up is None:
            return Shifts(self.seats, len(self.members), self.mirror, self.seed)
        return super()._single

    def entrants_of(self, index: np.ndarray) -> np.ndarray:
        """See `Experiment`."""
        found = super().entrants_of(index)
        return np.array(self.members)[found] if self.members and self.line_up is None else found


@dataclass(frozen=True)
class Chosen(Among):
    """Some games of an experiment, under their own indexes. index: of the games, ascending, (games,)."""

    index: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64), compare=False)

    @property
    def games(self) -> int:
        """Games to be played."""
        return len(self.index)

    def plan(self, first: int, count: int) -> np.ndarray:
        """Return the PLAN lines of the chosen games first..first+count-1, as the whole experiment has them."""
        return self.plan_of(self.index[first : first + count])


@dataclass(frozen=True)
class GamesOf(Chosen):
    """The games of an experiment in which one entrant sits."""

    entrant: int = 0

    @classmethod
    def from_experiment(cls, whole: Experiment, entrant: int) -> GamesOf:
        """Pick the games of an entrant. Raises ValueError if there are none."""
        index = _games_with(whole, np.arange(len(whole.cards.ids)) == entrant)
        if not len(index):
            raise ValueError(f"entrant={entrant} sits in none of the {whole.games} games")
        return cls(**_fields_of(whole), index=index, entrant=entrant)


@dataclass(frozen=True)
class GamesOfPart(Chosen):
    """The games of an experiment between teams in which one part sits, in whatever team: its number in `Teams`."""

    part: int = 0

    @classmethod
    def from_experiment(cls, whole: Experiment, part: int) -> GamesOfPart:
        """Pick the games of a part. Raises ValueError if there are none, or no teams."""
        if whole.teams is None:
            raise ValueError(f"part={part}: {whole.game.title} with these cards has no teams")
        index = _games_with(whole, (whole.teams.members == part).any(axis=1))
        if not len(index):
            raise ValueError(f"part={part} sits in none of the {whole.games} games")
        return cls(**_fields_of(whole), index=index, part=part)


def part_of(whole: Experiment, first: int, last: int, unit: int | None = None) -> Chosen:
    """Games first..last-1 of an experiment without an end; with a unit (entrant, part of teams) those in which it sits."""
    index, teams = np.arange(first, last), whole.teams
    if unit is not None and (teams is None or teams.planned):
        owns = np.arange(len(whole.cards.ids)) == unit if teams is None else (teams.members == unit).any(axis=1)
        index = index[owns[whole.entrants_of(index)].any(axis=1)]
    return Chosen(**_fields_of(whole), index=index)


def _games_with(whole: Experiment, wanted: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Indexes of the games in which an entrant sits that is wanted, all where teams come about in the game.

    wanted: by entrant. Raises ValueError for games that are a choice already.
    """
    if type(whole) not in (Experiment, Among):
        raise ValueError(f"whole={type(whole).__name__}: games are chosen from a whole experiment")
    if whole.teams and not whole.teams.planned and wanted.any():
        return np.arange(whole.games)
    starts = range(0, whole.games, AT_ONCE)
    every = (np.arange(first, min(first + AT_ONCE, whole.games)) for first in starts)
    return np.concatenate([index[wanted[whole.entrants_of(index)].any(axis=1)] for index in every])


def _fields_of(whole: Experiment) -> dict[str, Any]:
    """What makes an experiment, by name."""
    return {one.name: getattr(whole, one.name) for one in fields(Among if isinstance(whole, Among) else Experiment)}


@dataclass(frozen=True)
class Step:
    """One field of a card file with another value. cards: None where the card rules refuse it, `refused` says why.

    idle: the change never reaches play (a number printed for information only).
    """

    field: str
    step: int  # how many steps up, below 0 down; 0 for a variant
    before: Any
    value: Any
    cards: CardSet | None
    refused: str = ""
    idle: bool = False


def numeric_steps(game: Game, cards: CardSet, paths: Sequence[str], by: Sequence[int] = (-1, 1)) -> list[Step]:
    """Each number one step down and one step up: by 1 if it is whole, else by a tenth.

    by: other numbers of steps, such as (-1, -2) for one and two down. Raises CardError for a path that does not exist,
    ValueError for one that holds no number.
    """
    found = []
    known = set(numeric_fields(cards.document))
    for path in paths:
        if path not in known:
            locate(cards.document, path)
            raise ValueError(f"{path}: holds no number, so there is no step to take")
        _, before = look_up(cards.document, locate(cards.document, path))
        size = 1 if isinstance(before, int) else SMALL_STEP * abs(before)
        found += [_step(game, cards, path, steps, (before, before + steps * size)) for steps in by]
    return found


def variants(game: Game, cards: CardSet, settings: Mapping[str, tuple[str, ...]]) -> list[Step]:
    """Other readings of the rules: every value of every field, one at a time; the value played is left out.

    settings: path of a rule -> values as text ("true", "2", "large"), read as the type of the present value. Raises
    ValueError where the text is no such value, CardError for a rule that does not exist.
    """
    every = [step for path, texts in settings.items() for step in each_value(game, cards, path, texts)]
    return [step for step in every if step.value != step.before]


def each_value(game: Game, cards: CardSet, path: str, texts: tuple[str, ...]) -> list[Step]:
    """A rule with each of some values, the one played among them or not. Texts and errors: see `variants`."""
    before = present(cards, path)
    return [_step(game, cards, path, 0, (before, parsed(text, before, path))) for text in texts]


def parsed(text: str, like: Any, path: str = "value") -> Any:
    """Read a text as a value of the type of `like`; a list of texts is written `a+b`. Raises ValueError naming the path.

    like: None where there is no value yet; then the text is what it looks like.
    """
    if like is None:
        return _guessed(text)
    if isinstance(like, (list, tuple)):
        if not all(isinstance(one, str) for one in like):
            raise ValueError(
                f"{path}={text!r}: only lists of words can be read from a text, written with + between them"
            )
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
    """A text as what it looks like: a whole number, a number, true or false, else the text; the card rules judge it."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return {"true": True, "false": False}.get(text, text)


def change(
    base: Experiment, changed_cards: CardSet, play: Play | None = None, before: Shares | None = None
) -> pd.DataFrame:
    """Play the games of `base` with other cards too and compare, by entrant: see `compare`, and `paired` beside its columns.

    Teams are compared by their parts, each of which has its team's share of the win.
    play: how an experiment is played, all cores if None; before: what `base` gave, if it has been played already. Cards
    that compile to the same numbers give no change without width, and are not played again. Where seats choose whom they play
    and chose otherwise, the line-ups differ and there are no pairs: see `compare_apart`.
    """
    return difference(base, *both(base, changed_cards, play, before))


def both(
    base: Experiment, changed_cards: CardSet, play: Play | None = None, before: Shares | None = None
) -> tuple[Shares, Shares]:
    """The games of `base`, and the same with other cards: one and the same where these compile to the same numbers."""
    first = before or Shares.of(base, play)
    same = changed_cards.record.tobytes() == base.cards.record.tobytes()
    return first, first if same else Shares.of(replace(base, cards=changed_cards), play)


def difference(base: Experiment, before: Shares, after: Shares) -> pd.DataFrame:
    """Compare what `both` gave, as `change` does."""
    teams, names = base.teams, unit_names(base)
    first, second = (one.of_parts(teams.members) if teams else one for one in (before, after))
    if after is before:
        return compare(first, second, names).assign(low=0.0, high=0.0, paired=True)
    if np.array_equal(first.entrant, second.entrant):
        return compare(first, second, names).assign(paired=True)
    return compare_apart(first, second, names).assign(paired=False)


def effects(
    base: Experiment, steps: Sequence[Step], name: str, play: Play | None = None, before: Shares | None = None
) -> pd.DataFrame:
    """What each step does to the win share of one entrant, or of one part of teams, one line per step that can be taken.

    name: as in the table of `change`. Columns: path, step, present, value (what the number is and becomes), and those of
    `change`. Left out: steps that the card rules refuse, those that never reach play, and those with which the entrant sits in
    no game, as may be where seats choose whom they play; empty if none is left. play, before: as in `change`. Raises
    ValueError for a name that nobody has.
    """
    known = unit_names(base)
    if name not in known:
        raise ValueError(f"name={name!r}: {did_you_mean(name, known)}")
    tried = [(step, step.cards) for step in steps if step.cards is not None and not step.idle]
    before = before or (Shares.of(base, play) if tried else None)
    found = []
    for step, cards in tried:
        table = change(base, cards, play, before)
        own = table[table["name"] == name]
        facts = {"path": step.field, "step": step.step, "present": step.before, "value": step.value}
        found.append(own.assign(**facts)[[*facts, *own.columns]])
    return pd.concat(found, ignore_index=True) if found else pd.DataFrame()


def unit_names(base: Experiment) -> list[str]:
    """Whom a comparison tells of: the parts where entrants are teams, else the entrants."""
    return distinct(base.teams.names if base.teams else base.cards.names)


def _step(game: Game, cards: CardSet, path: str, step: int, values: tuple[Any, Any]) -> Step:
    """One changed field, validated and compiled."""
    before, value = values
    try:
        other = remade(game, with_value(cards, path, value), cards)
    except CardError as error:
        if before is None and NO_KEY in str(error):
            locate(cards.document, path)  # raises: there is no such rule
        return Step(path, step, before, value, None, str(error).splitlines()[0])
    return Step(path, step, before, value, other, idle=other.record.tobytes() == cards.record.tobytes())


def present(cards: CardSet, path: str) -> Any:
    """Value of a rule in force: as the file has it, else the default; None for a number that is left to its default."""
    table, _, name = path.rpartition(".")
    try:
        return look_up(cards.document, locate(cards.document, path))[1]
    except CardError:
        if name not in cards.switches and table != RULES:
            raise
        return cards.switches.get(name)


def with_value(cards: CardSet, path: str, value: Any) -> dict[str, Any]:
    """The document with another value; a rule that the file leaves to its default is written into its table.

    Raises CardError, naming the nearest existing paths, for a path that does not exist.
    """
    try:
        return changed(cards.document, path, value)
    except CardError:
        table, _, name = path.rpartition(".")
        if name not in cards.switches and table != RULES:
            raise
        return _with_rule(cards.document, table, name, value)


def _with_rule(document: Mapping[str, Any], table: str, name: str, value: Any) -> dict[str, Any]:
    """The document with a rule that it does not mention; a number is an assumption where numbers have sources one by one."""
    copied: dict[str, Any] = deepcopy(dict(document))
    rules = copied.setdefault(table, {})
    rules[name] = value
    if isinstance(rules.get("source"), dict) and is_number(value):
        rules["source"][name] = "assumed"
    return copied


@dataclass(frozen=True)
class Replacements:
    """What each card of a deck does, and the cards that cannot be replaced, with what the card rules say about it.

    frame: one line per card, in the order of the deck's list: entrant, name (of the deck), card (number), card_name, copies,
    effect (win rate with the card less that with plain ones), low, high, p, p_holm (over the cards of the deck), n (pairs),
    gain (times as many games that two unpaired samples would need), before, after (win rates with the card and without).
    """

    frame: pd.DataFrame
    refused: dict[str, str]


def replacement_effects(
    base: Experiment, entrant: int, play: Play | None = None, cards: Sequence[int] | None = None
) -> Replacements:
    """Replace each card of a deck in turn, all its copies, by plain ones (`Decking.plain`), and play the deck's games again.

    Both decks of a pair lie in the same order and roll the same dice (common random numbers): the difference is what the card
    does, and causal, with these opponents and these policies. Pairs are analysed as in `compare`. cards: numbers of those to
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
    found = effects(games, tried, name, play, before)
    refused = {names[card]: step.refused for card, step in steps.items() if step.cards is None}
    if found.empty:
        return Replacements(found, refused)
    number = {decks.ids[card]: card for card in listed}
    replaced = found["path"].map(number).to_numpy(np.int64)
    turned = {"effect": 0 - found["change"], "low": 0 - found["high"], "high": 0 - found["low"], "p": found["p"]}
    facts = {"entrant": entrant, "name": name, "card": replaced, "card_name": np.array(names, object)[replaced]}
    facts |= {"copies": decks.counts[entrant, replaced], **turned, "p_holm": adjust(found["p"])}
    return Replacements(pd.DataFrame(facts).join(found[["n", "gain", "before", "after"]]), refused)


def with_effects(frame: pd.DataFrame, found: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """The table of `card_usage.deck_cards` with what each card does beside it.

    Columns added: effect, effect_low, effect_high, effect_p (Holm), pairs; NaN where a card was not replaced.
    """
    columns = {"effect": "effect", "low": "effect_low", "high": "effect_high", "p_holm": "effect_p", "n": "pairs"}
    known = [one for one in found if len(one)]
    if not known:
        return frame.assign(**dict.fromkeys(columns.values(), np.nan))
    added = pd.concat(known, ignore_index=True)[["entrant", "card", *columns]].rename(columns=columns)
    return frame.merge(added, how="left", on=["entrant", "card"])


def deck_game(game: Game) -> Decking:
    """How a game's decks are made. Raises ValueError for a game without decks."""
    if game.decks is None:
        raise ValueError(f"{game.name}: {game.title} is not played with decks of cards")
    return game.decks


def _replaced(game: Game, decking: Decking, cards: CardSet, which: tuple[str, str]) -> Step:
    """The card set with plain cards in one place of a deck, as a step of a what-if."""
    deck, card = which
    try:
        other = remade(game, decking.plain(cards.document, deck, card), cards)
    except CardError as error:
        return Step(card, 0, card, "plain", None, str(error).splitlines()[0])
    return Step(card, 0, card, "plain", other)
