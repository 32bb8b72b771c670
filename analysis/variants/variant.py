"""The same games with something changed: which games, which changes of a card file, and the comparison of both plays.

Dice are keyed by game, turn and seat, so a change affects only the rolls that depend on it, and both games of a pair share most
of their randomness (common random numbers). For the comparison see `analysis.data.shares.compare`. Two card sets that compile to
the same numbers play the same games, so the change is exactly zero.

A change is an edit such as `hero.rhino_guy.move=3` (several make one change), another card set, or a step of a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.answer.numbers import as_written
from analysis.answer.prose import value_words
from analysis.data import shares
from analysis.data.rows import distinct
from analysis.data.selection import Among, Chosen, fields_of
from analysis.data.shares import Play, Shares
from analysis.data.together import PlayAll, played
from analysis.stats.intervals import adjust
from sim.engine.cardfiles.paths import Document, address, addresses, fixed_fields, is_number, locate, look_up, matching, scalars
from sim.engine.cards import CardError, CardSet, changed, numeric_fields
from sim.engine.contract import Game
from sim.engine.decks import Decking
from sim.experiments.experiment import Experiment
from sim.weights import Weights, remade

AT_ONCE = 1_000_000  # games searched at a time, to bound memory
RULES = "rules"  # table whose numbers and switches can be left to their defaults
SMALL_STEP = 0.1  # step of a non-integer, as a fraction of it
NO_KEY = "is not a key of this table"  # message of the card rules for an unknown name
NAMED = 6  # fields listed by name; further ones are counted
UNKNOWN = "default"  # printed for a rule that the file leaves out
SURE = 0.05  # adjusted p-value below which a change is significant

Measure = Callable[[Experiment, Shares, Shares], pd.DataFrame]


@dataclass(frozen=True)
class GamesOf(Chosen):
    """The games of an experiment with one entrant or, if the entrants are teams, one part in any team. unit: its index."""

    unit: int = 0

    @classmethod
    def from_experiment(cls, whole: Experiment, unit: int) -> GamesOf:
        """Pick the games of a unit; all if teams form during the game.

        Raises ValueError if the unit plays in none of them, or if the experiment is already a selection of games.
        """
        if type(whole) not in (Experiment, Among):
            raise ValueError(f"whole={type(whole).__name__}: games must be chosen from a whole experiment")
        starts = range(0, whole.games, AT_ONCE)
        index = np.concatenate([part_of(whole, first, min(first + AT_ONCE, whole.games), unit).index for first in starts])
        if not len(index) or unit >= len(unit_names(whole)):
            raise ValueError(f"{'part' if whole.teams else 'entrant'}={unit} plays in none of the {whole.games} games")
        return cls(**fields_of(whole), index=index, unit=unit)


def part_of(whole: Experiment, first: int, last: int, unit: int | None = None) -> Chosen:
    """Games first..last-1 of an experiment, beyond its end if needed. unit: only games with this entrant or part of teams."""
    index, teams = np.arange(first, last), whole.teams
    if unit is not None and (teams is None or teams.planned):
        owns = np.arange(len(whole.cards.ids)) == unit if teams is None else (teams.members == unit).any(axis=1)
        index = index[owns[whole.entrants_of(index)].any(axis=1)]
    return Chosen(**fields_of(whole), index=index)


def compare(
    base: Experiment,
    variants: Iterable[tuple[Mapping[str, Any], Experiment]],
    play_all: PlayAll = played,
    *,
    before: Shares | None = None,
    unit: str | None = None,
    measure: Measure | None = None,
) -> pd.DataFrame:
    """Play the same games with something changed, all variants side by side, and compare each with the unchanged games.

    variants: for each the columns that describe it, and `base` with something changed: cards (a number, a switch, a deck), a
    ban, a policy. play_all: how experiments are played. before: results of `base`, if already played. unit: only
    the lines with this name. measure: lines of a variant from (base, before, after), by default the changes of all win rates
    (see `difference`).

    Columns: those of the variant, those of the measure (change, low, high, raw p, gain: the variance ratio), p_holm (adjusted
    over all lines, Holm 1979) and sure. Without variants, or without lines, the frame is empty; nothing is played without
    variants.
    """
    every, parts = [(facts, other, is_same(base, other)) for facts, other in variants], []
    if not every:
        return pd.DataFrame()
    new = [other for _, other, same in every if not same]
    games = iter(play_all(new if before else [base, *new]))
    before = before or next(games)
    for facts, _, same in every:
        lines = (measure or difference)(base, before, before if same else next(games))
        lines = lines if unit is None else lines[lines["name"] == unit]
        parts.append(lines.assign(**facts)[[*facts, *lines.columns]])
    return adjusted(pd.concat(parts, ignore_index=True))


def adjusted(frame: pd.DataFrame) -> pd.DataFrame:
    """Add p_holm and sure over all lines of a comparison; NaN p-values do not count."""
    p_holm = adjust(frame["p"])
    return frame.assign(p_holm=p_holm, sure=p_holm < SURE)


def change(base: Experiment, changed_cards: CardSet, play: Play | None = None, before: Shares | None = None) -> pd.DataFrame:
    """Play the games of `base` again with other cards and compare by entrant: columns of `shares.compare`, and `paired`.

    Teams are compared by their parts, each of which has its team's share of the win. play, before: see `compare`. Cards that
    compile to the same numbers are not played again and give a change of zero with an interval of zero width. If seats choose
    their entrants and choose differently, line-ups differ and there are no pairs: see `shares.compare_apart`.
    """
    return difference(base, *both(base, replace(base, cards=changed_cards), play, before))


def both(base: Experiment, other: Experiment, play: Play | None = None, before: Shares | None = None) -> tuple[Shares, Shares]:
    """Play `base`, and again with something changed; returns the same object twice if the games are the same."""
    first = before or Shares.of(base, play)
    return first, first if is_same(base, other) else Shares.of(other, play)


def is_same(base: Experiment, other: Experiment) -> bool:
    """Whether two experiments are the same games: at most the cards differ, and compile to the same numbers."""
    kept = [item.name for item in fields(base) if item.compare and item.name != "cards"]
    same = other.cards.record.tobytes() == base.cards.record.tobytes()
    return same and all(getattr(other, name) == getattr(base, name) for name in kept)


def difference(base: Experiment, before: Shares, after: Shares) -> pd.DataFrame:
    """Compare the results of `both`, as `change` does."""
    old, new = by_unit(base, before), by_unit(base, after)
    paired = np.array_equal(old.entrant, new.entrant)
    table = (shares.compare if paired else shares.compare_apart)(old, new, unit_names(base)).assign(paired=paired)
    return table.assign(low=0.0, high=0.0) if after is before else table


def by_unit(base: Experiment, games: Shares) -> Shares:
    """Games with teams replaced by their parts; unchanged if the entrants are not teams."""
    return games.of_parts(base.teams.members) if base.teams else games


def turned_round(frame: pd.DataFrame) -> pd.DataFrame:
    """Changes with the opposite sign: the worth of what was taken away."""
    return frame.assign(change=0 - frame["change"], low=0 - frame["high"], high=0 - frame["low"])


def moved(before: Shares, after: Shares) -> NDArray[np.bool_]:
    """Games that end differently: a player has another share of the win, or only one of them was truncated, (games,)."""
    return np.asarray((np.abs(after.share - before.share) > 0).any(axis=1) | (after.truncated != before.truncated))


def unit_names(base: Experiment) -> list[str]:
    """Names of the units of a comparison: the parts if entrants are teams, else the entrants."""
    return distinct(base.teams.names if base.teams else base.cards.names)


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

    @property
    def live(self) -> bool:
        """Whether the card rules allow it and it reaches play."""
        return self.cards is not None and not self.idle

    @property
    def name(self) -> str:
        """Last word of the path, e.g. `hit faces`."""
        return self.field.rpartition(".")[2].replace("_", " ")

    @property
    def label(self) -> str:
        """The change in words, e.g. `hit faces: 2 instead of 3`."""
        return f"{self.name}: {value_words(self.value)} instead of {value_words(self.before)}"


def tried(base: Experiment, steps: Iterable[Step]) -> list[tuple[dict[str, Any], Experiment]]:
    """Steps that the card rules allow as variants for `compare`. Columns: path, step, present, value, label."""
    return [
        (
            {"path": one.field, "step": one.step, "present": one.before, "value": one.value, "label": one.label},
            replace(base, cards=one.cards),
        )
        for one in steps
        if one.cards is not None
    ]


def made(
    game: Game, cards: CardSet, names: tuple[str, Any, Any], document: Callable[[], Mapping[str, Any]], step: int = 0
) -> Step:
    """A step to another document, refused if the card rules refuse it. names: field, present, value."""
    field_, before, value = names
    try:
        other = remade(game, document(), cards)
    except CardError as error:
        return Step(field_, step, before, value, None, str(error).splitlines()[0])
    return Step(field_, step, before, value, other, idle=other.record.tobytes() == cards.record.tobytes())


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
        for step in by:
            value = before + step * size
            steps_found.append(made(game, cards, (path, before, value), partial(with_value, cards, path, value), step))
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
    before, steps = present(cards, path), []
    for value in (parsed(text, before, path) for text in texts):
        steps.append(made(game, cards, (path, before, value), partial(with_value, cards, path, value)))
        if before is None and NO_KEY in steps[-1].refused:
            locate(cards.document, path)  # raises: there is no such rule
    return steps


def parsed(text: str, like: Any, path: str = "value") -> Any:
    """Parse a text as a value of the type of `like`; a list of words is written `a+b`. Raises ValueError naming the path.

    like: None if there is no value yet; the type is then guessed from the text, and the card rules check it.
    """
    if like is None:
        for kind in (int, float):
            with suppress(ValueError):
                return kind(text)
        return {"true": True, "false": False}.get(text, text)
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
            kind_words = "a whole number" if isinstance(like, int) else "a number"
            raise ValueError(f"{path}={text!r} must be {kind_words}") from None
    return text


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

    If numbers have sources, the source of an added number is "assumed". Raises CardError, with the nearest existing paths, for a
    path that does not exist.
    """
    try:
        return changed(cards.document, path, value)
    except CardError:
        table, _, name = path.rpartition(".")
        if name not in cards.switches and table != RULES:
            raise
    copied: dict[str, Any] = deepcopy(dict(cards.document))
    rules = copied.setdefault(table, {})
    rules[name] = value
    if isinstance(rules.get("source"), dict) and is_number(value):
        rules["source"][name] = "assumed"
    return copied


def recompiled(game: Game, document: Document, like: CardSet) -> CardSet:
    """A card set of an edited document, with the weights of `like`.

    Raises CardError with a line for each problem, which names a field by the path that edits it, such as
    `hero.rhino_guy.ability.charge.range`, and not by its index in the file.
    """
    try:
        return remade(game, document, like)
    except CardError as error:
        text = "\n".join(line.removeprefix("document: ") for line in str(error).splitlines())
        for problem in error.problems:
            text = text.replace(address(document, problem.location, by_name=False), address(document, problem.location))
        raise CardError(text, error.problems) from None


def replacement_effects(base: Experiment, entrant: int, play_all: PlayAll = played) -> tuple[pd.DataFrame, dict[str, str]]:
    """Replace each card of a deck in turn, all its copies, by plain ones (`Decking.plain`), and play the deck's games again.

    Both decks of a pair have the same order and the same dice (common random numbers): the difference is the causal effect of
    the card, against these opponents and with these policies. play_all: as in `compare`.
    Raises ValueError for a game without decks.

    Returns one line per card, in the order of the deck's list: entrant, name (of the deck), card (index), card_name, copies,
    effect (win rate with the card minus that with plain ones), low, high, p, p_holm (over the cards of the deck), n (pairs),
    gain (how many times as many games two unpaired samples would need), before, after (win rates with the card and without).
    And the cards that cannot be replaced, with the message of the card rules.
    """
    decking, decks = deck_game(base.game), base.game.decks_for(base.cards)
    assert decks is not None
    deck, names = base.cards.ids[entrant], distinct(decks.names)
    number = {decks.ids[card]: int(card) for card in decks.slots[entrant] if card >= 0}
    plain = partial(decking.plain, base.cards.document, deck)
    steps = [made(base.game, base.cards, (card, card, "plain"), partial(plain, card)) for card in number]
    refused = {names[number[step.field]]: step.refused for step in steps if step.cards is None}
    games = GamesOf.from_experiment(base, entrant) if len(refused) < len(steps) and base.line_up is None else base
    name = distinct(base.cards.names)[entrant]
    frame = compare(games, tried(games, steps), play_all, unit=name)
    if frame.empty:
        return frame, refused
    replaced = frame["path"].map(number).to_numpy(np.int64)
    facts = {"entrant": entrant, "name": name, "card": replaced, "card_name": np.array(names, object)[replaced]}
    facts |= {"copies": decks.counts[entrant, replaced]}
    effect = turned_round(frame).rename(columns={"change": "effect"})
    columns = ["effect", "low", "high", "p", "p_holm", "n", "gain", "before", "after"]
    return pd.DataFrame(facts).join(effect[columns]), refused


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
        differ = "1 field differs" if len(self.edits) == 1 else f"{len(self.edits)} fields differ"
        one_sided = (*self.rival.only[0], *self.rival.only[1])  # named elsewhere; their fields would hide the changes
        changes = [edit for edit in self.edits if not any(f".{id_}." in edit.path for id_ in one_sided)]
        if len(changes) < len(self.edits):
            differ += f", {len(self.edits) - len(changes)} of them of {_first_few(one_sided)}, only in one of the two"
        named = _first_few(list(map(str, changes)), "; ")
        return f"{self.rival.title} (digest {self.rival.digest}): {differ}{named and f': {named}'}"


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
    changed_cards = recompiled(game, so_far.document, cards)
    return Change(tuple(edits), changed_cards, idle=changed_cards.record.tobytes() == cards.record.tobytes())


def _read(cards: CardSet, text: str) -> Edit:
    """Parse one text into an edit of the cards. The path gets its canonical form, unless it is that of a default."""
    path, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not path or not value:
        raise ValueError(f"--set {text!r} must be PATH=VALUE, such as hero.rhino_guy.move=3")
    before = present(cards, path)
    if isinstance(before, dict) or (isinstance(before, list) and any(isinstance(item, (dict, list)) for item in before)):
        raise ValueError(f"{path} is a table, not a value; name a field in it")
    if before is None and value[:1] == "+":
        raise ValueError(f"{path}={value}: the file leaves this rule to its default, so a step is not possible; give the value")
    path = canonical(cards, path)
    if is_number(before) and value[:1] in "+-":
        return Edit(path, before, before + parsed(value, before, path))
    return Edit(path, before, parsed(value.removeprefix("="), before, path))


def canonical(cards: CardSet, path: str) -> str:
    """The path as the card file addresses it; unchanged for a rule that the file leaves to its default."""
    with suppress(CardError):
        return address(cards.document, locate(cards.document, path))
    return path


def against(game: Game, cards: CardSet, other: CardSet, seats: int) -> Change:
    """Return the change from one card set to another of the same game; entrants are matched by id.

    The edits are the numbers, texts and switches that differ, in the order of the first document, then those only in the second.
    Raises ValueError if line-ups cannot be matched: too few common entrants, or teams that differ.
    """
    ours, theirs = list(cards.ids), list(other.ids)
    only = tuple(id_ for id_ in ours if id_ not in theirs), tuple(id_ for id_ in theirs if id_ not in ours)
    members: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    if ours != theirs:
        if game.teams_for(cards) is not None:
            named = [f"{_first_few(ids)} only in {one.title}" for ids, one in zip(only, (cards, other), strict=True) if ids]
            raise ValueError(
                f"--against: line-ups of {game.entrants_word} cannot be matched, because the two sets have different "
                f"{game.entrants_word}: {'; '.join(named) or 'the same in another order'}"
            )
        common = [id_ for id_ in ours if id_ in theirs]
        if len(common) < (1 if game.mirror else max(2, seats)):
            raise ValueError(
                f"--against: line-ups cannot be matched: {len(common)} {game.entrants_word} are in both sets"
                f"{f' ({_first_few(common)})' if common else ''}, and {seats} seats need {seats}; entrants are matched by id"
            )
        members = tuple(map(ours.index, common)), tuple(map(theirs.index, common))
    weighed = game.features and not Weights.of(cards).same_as(Weights.of(other))
    rival = Rival(other.title or other.path.stem, other.digest, only, members, bool(weighed))
    idle = not any(members) and other.record.tobytes() == cards.record.tobytes()
    before, after = _by_path(cards.document), _by_path(other.document)
    edits = [Edit(path, value, after.get(path)) for path, value in before.items() if after.get(path) != value]
    edits += [Edit(path, None, value) for path, value in after.items() if path not in before]
    return Change(tuple(edits), other, idle, rival)


def _first_few(names: Sequence[str], between: str = ", ") -> str:
    """The first few names, and how many more there are."""
    more = len(names) - NAMED
    end = f"{'; and' if between == '; ' else ' and'} {more} more" if more > 0 else ""
    return between.join(names[:NAMED]) + end


def _by_path(document: Document) -> dict[str, Any]:
    """Every number, text and switch by its path."""
    known = list(scalars(document))
    paths = addresses(document, [location for location, _ in known])
    return dict(zip(paths, (value for _, value in known), strict=True))


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
    return Candidates(
        live=tuple(step for step in steps if step.live),
        refused=tuple(step for step in steps if step.cards is None),
        idle=tuple(step for step in steps if step.idle),
        fixed=fixed,
        places=tuple(path for path in paths if path in laid),
    )


def board_fields(document: Document) -> set[str]:
    """Paths of coordinates and board sizes, which are not used for balancing.

    They are in tables with a list of coordinates (a list of lists of numbers), or with both `rows` and `columns`.
    """

    def coordinates(value: object) -> bool:
        filled = isinstance(value, list) and bool(value)
        return filled and all(isinstance(item, list) and item and all(map(is_number, item)) for item in value)  # type: ignore[attr-defined]

    found = set()
    for path in numeric_fields(document):
        location = locate(document, path)
        depth = max(number for number, key in enumerate(location) if isinstance(key, str))
        _, table = look_up(document, tuple(location[:depth]))  # the innermost table around the number
        if isinstance(table, dict) and ({"rows", "columns"} <= table.keys() or any(map(coordinates, table.values()))):
            found.add(path)
    return found


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
            raise ValueError(f"{pattern}: matches no number of the card file; `fairfight cards GAME` lists them")
        wanted |= set(matches)
    return [path for path in numeric_fields(cards.document) if path in wanted]
