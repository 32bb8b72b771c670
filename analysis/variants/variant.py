"""Effect of a changed number, rule or card: the same games are played both ways and compared pair by pair.

Dice are keyed by game, turn and seat, so a change affects only the rolls that depend on it, and both games of a pair share most
of their randomness (common random numbers). For the comparison see `analysis.data.shares.compare`. Two card sets that compile to
the same numbers play the same games, so the change is exactly zero.

Changes of card files.

Parses edits such as `hero.rhino_guy.move=3` (several make one change) and lists the steps that can be tried: those of the
requested numbers, without fixed numbers, refused steps and steps that never reach play.
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
from analysis.document.model import as_written
from analysis.stats.intervals import adjust
from sim.engine.cardfiles.paths import (
    Document,
    address,
    addresses,
    did_you_mean,
    fixed_fields,
    is_number,
    locate,
    look_up,
    matching,
    scalars,
)
from sim.engine.cards import CardError, CardSet, changed, numeric_fields
from sim.engine.contract import Game
from sim.engine.decks import Decking
from sim.experiments.designs import Design, Shifts
from sim.experiments.experiment import Experiment
from sim.weights import Weights, remade

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


def change(base: Experiment, changed_cards: CardSet, play: Play | None = None, before: Shares | None = None) -> pd.DataFrame:
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


NAMED = 6  # fields listed by name; further ones are counted
UNKNOWN = "default"  # printed for a rule that the file leaves out


@dataclass(frozen=True)
class Edit:
    """One field with another value. None: the file does not contain the field, or leaves the rule to its default."""

    path: str
    before: Any
    value: Any

    def __str__(self) -> str:
        """`move: 4 to 3`."""
        before, after = (UNKNOWN if value is None else as_written(value) for value in (self.before, self.value))
        return f"{self.path}: {before} to {after}"


@dataclass(frozen=True)
class Rival:
    """Another card set that is compared with the current one.

    title, digest: of the other set; only: ids of entrants in only one of the sets, (current, other); members: if entrants or
    their order differ, indices of the common entrants in both sets, (current, other); weighed: whether evaluation weights
    differ.
    """

    title: str
    digest: str
    only: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    members: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    weighed: bool = False


@dataclass(frozen=True)
class Change:
    """Edits made together. cards: the whole set with them; idle: they never reach play.

    rival: set if `cards` is another card set; the edits are then the fields in which the two differ.
    """

    edits: tuple[Edit, ...]
    cards: CardSet
    idle: bool
    rival: Rival | None = None

    def __str__(self) -> str:
        """All edits in words; for another card set only the first ones."""
        if self.rival is None:
            return "; ".join(map(str, self.edits))
        more = len(self.edits) - NAMED
        named = "; ".join(map(str, self.edits[:NAMED])) + (f"; and {more} more" if more > 0 else "")
        differ = "1 field differs" if len(self.edits) == 1 else f"{len(self.edits)} fields differ"
        words = f"{self.rival.title} (digest {self.rival.digest}): {differ}"
        return f"{words}: {named}" if named else words


def edited(game: Game, cards: CardSet, texts: Sequence[str]) -> Change:
    """Make one change from texts `path=value`; later ones apply after earlier ones.

    A value is read as the type of the present one; `+1` and `-1` are steps from a number, `==-1` is the number -1. A rule that
    the file leaves to its default can be set. Raises ValueError for any other text or a field named twice, CardError for a path
    that does not exist (with suggestions) or a value that the card rules refuse (with their message).
    """
    if not texts:
        raise ValueError("no change is given; write --set PATH=VALUE, such as --set hero.rhino_guy.move=3")
    edits: list[Edit] = []
    so_far = cards
    for text in texts:
        edit = _read(so_far, text)
        if any(edit.path == earlier.path for earlier in edits):
            raise ValueError(f"{edit.path} is set twice; give one value for each field")
        edits.append(edit)
        so_far = replace(so_far, document=with_value(so_far, edit.path, edit.value))
    try:
        changed_cards = remade(game, so_far.document, cards)
    except CardError as error:
        lines = str(error).splitlines()
        raise CardError("\n".join(line.removeprefix("document: ") for line in lines)) from None
    return Change(tuple(edits), changed_cards, idle=changed_cards.record.tobytes() == cards.record.tobytes())


def against(game: Game, cards: CardSet, other: CardSet, seats: int) -> Change:
    """Return the change from one card set to another of the same game; entrants are matched by id.

    Raises ValueError if line-ups cannot be matched: too few common entrants, or teams that differ.
    """
    ours, theirs = list(cards.ids), list(other.ids)
    only = tuple(id_ for id_ in ours if id_ not in theirs), tuple(id_ for id_ in theirs if id_ not in ours)
    members: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    if ours != theirs:
        if game.teams_for(cards) is not None:
            named = [f"{_some(ids)} only in {cards_.title}" for ids, cards_ in zip(only, (cards, other), strict=True) if ids]
            raise ValueError(
                f"--against: line-ups of {game.entrants_word} cannot be matched, because the two sets have different "
                f"{game.entrants_word}: {'; '.join(named) or 'the same in another order'}"
            )
        both = [id_ for id_ in ours if id_ in theirs]
        if len(both) < (1 if game.mirror else max(2, seats)):
            raise ValueError(
                f"--against: line-ups cannot be matched: {len(both)} {game.entrants_word} are in both sets"
                f"{f' ({_some(both)})' if both else ''}, and {seats} seats need {seats}; entrants are matched by id"
            )
        members = tuple(map(ours.index, both)), tuple(map(theirs.index, both))
    weighed = game.features and not Weights.of(cards).same_as(Weights.of(other))
    rival = Rival(other.title or other.path.stem, other.digest, only, members, bool(weighed))
    idle = not any(members) and other.record.tobytes() == cards.record.tobytes()
    return Change(_differing(cards.document, other.document), other, idle, rival)


def _some(ids: Sequence[str]) -> str:
    """The first few ids, and how many more there are."""
    more = len(ids) - NAMED
    return ", ".join(ids[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _differing(first: Document, second: Document) -> tuple[Edit, ...]:
    """Numbers, texts and switches that differ, in the order of the first document, then those only in the second."""
    before, after = _by_path(first), _by_path(second)
    edits = [Edit(path, value, after.get(path)) for path, value in before.items() if after.get(path) != value]
    return (*edits, *(Edit(path, None, value) for path, value in after.items() if path not in before))


def _by_path(document: Document) -> dict[str, Any]:
    """Every number, text and switch by its path."""
    fields = list(scalars(document))
    paths = addresses(document, [location for location, _ in fields])
    return dict(zip(paths, (value for _, value in fields), strict=True))


def owner_of(document: Document, path: str, units: Sequence[str]) -> int | None:
    """Index of the unit (entrant, or part of teams) whose table contains a field; None if it belongs to no unit.

    units: their ids. A table counts only if it has all units, so that a card with the id of a unit is not mistaken for one.
    """
    try:
        location = locate(document, path)
    except CardError:
        return None
    if len(location) < 2:
        return None
    table = document[str(location[0])]
    keys = list(table) if isinstance(table, dict) else [row.get("id") if isinstance(row, dict) else None for row in table]
    key = location[1]
    owner = key if isinstance(key, str) else keys[key]
    return list(units).index(str(owner)) if owner in units and set(units) <= set(keys) else None


def _read(cards: CardSet, text: str) -> Edit:
    """Parse one text into an edit of the cards."""
    path, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not path or not value:
        raise ValueError(f"--set {text!r} must be PATH=VALUE, such as hero.rhino_guy.move=3")
    before = present(cards, path)
    if isinstance(before, dict) or (isinstance(before, list) and any(isinstance(item, (dict, list)) for item in before)):
        raise ValueError(f"{path} is a table, not a value; name a field in it")
    if before is None and value[:1] == "+":
        raise ValueError(f"{path}={value}: the file leaves this rule to its default, so a step is not possible; give the value")
    path = _canonical(cards, path)
    if is_number(before) and value[:1] in "+-":
        return Edit(path, before, before + parsed(value, before, path))
    return Edit(path, before, parsed(value.removeprefix("="), before, path))


def _canonical(cards: CardSet, path: str) -> str:
    """Canonical form of a path, so that a field named in two ways is recognised; paths of defaults are unchanged."""
    with suppress(CardError):
        return address(cards.document, locate(cards.document, path))
    return path


@dataclass(frozen=True)
class Candidates:
    """Steps of all requested numbers: those to play, and those left out by reason."""

    live: tuple[Step, ...]
    refused: tuple[Step, ...] = ()
    idle: tuple[Step, ...] = ()
    fixed: tuple[str, ...] = ()  # paths
    places: tuple[str, ...] = ()  # paths of coordinates and board sizes


def candidates(game: Game, cards: CardSet, patterns: Sequence[str] = (), with_fixed: bool = False) -> Candidates:
    """Find the steps. Coordinates and board sizes are left out unless patterns or with_fixed ask for them.

    Raises CardError for a path that does not exist, ValueError if no number is left to change.
    """
    paths = paths_of(cards, patterns)
    marked = set() if with_fixed else fixed_fields(cards.document)
    laid = set() if with_fixed or patterns else board_fields(cards.document) - marked
    steps = numeric_steps(game, cards, [path for path in paths if path not in marked | laid])
    fixed = tuple(path for path in paths if path in marked)
    if not steps:
        raise ValueError(
            f"all {len(fixed)} requested numbers are marked as fixed in the card file; add --with-fixed to include them"
        )
    refused = tuple(step for step in steps if step.cards is None)
    live = tuple(step for step in steps if step.cards is not None and not step.idle)
    idle = tuple(step for step in steps if step.idle)
    return Candidates(live, refused, idle, fixed, tuple(path for path in paths if path in laid))


def board_fields(document: Document) -> set[str]:
    """Paths of coordinates and board sizes, which are not used for balancing.

    They are in tables with a list of coordinates (a list of lists of numbers), or with both `rows` and `columns`.
    """
    return {path for path in numeric_fields(document) if _of_board(document, locate(document, path))}


def _of_board(document: Document, location: Sequence[str | int]) -> bool:
    """Whether the innermost table around a number describes a board."""
    depth = max(number for number, key in enumerate(location) if isinstance(key, str))
    _, table = look_up(document, tuple(location[:depth]))
    if not isinstance(table, dict):
        return False
    return {"rows", "columns"} <= table.keys() or any(map(_coordinates, table.values()))


def _coordinates(value: object) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, list) and item and all(map(is_number, item)) for item in value)
    )


def paths_of(cards: CardSet, patterns: Sequence[str]) -> list[str]:
    """Paths of the numbers that match the patterns, in the order of the file; all without patterns. Errors: see `candidates`."""
    if not patterns:
        return numeric_fields(cards.document)
    wanted: set[str] = set()
    for pattern in patterns:
        matches = matching(cards.document, pattern)
        if not matches:
            if "*" not in pattern:
                locate(cards.document, pattern)
            raise ValueError(f"{pattern}: matches no number of the card file")
        wanted |= set(matches)
    return [path for path in numeric_fields(cards.document) if path in wanted]
