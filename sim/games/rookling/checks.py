"""Rules of a card file of Rookling Heroes that concern more than one field (register section 2.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sim.engine.cards import Problem
from sim.engine.fieldpaths import did_you_mean
from sim.engine.reading import plain
from sim.games.rookling.effects import CHOOSING, Effect, ShuffleField, TokenOnHit, TokenSelf

if TYPE_CHECKING:
    from sim.games.rookling.schema import AnyLine, Rookling, RooklingFile

ANY, GREY = "any", "grey"
RESERVED = (GREY, ANY, "source")  # words of colours that mean something else
DECK_MIN, DECK_MAX = 24, 78
OF_A_KIND = 2  # most lines of one kind on a card
KINDS = ("attack", "defence", "special")

Where = tuple[str | int, ...]


def problems(file: RooklingFile) -> Iterator[Problem]:
    """Everything that concerns more than one field."""
    yield from _rule_problems(file)
    yield from _energy_problems(file)
    yield from _repeated(("token",), "id", [token.id for token in file.token])
    for index, token in enumerate(file.token):
        yield from _within(("token", index), token.problems())
    yield from _field_effect_problems(file)
    yield from _supply_problems(file)
    yield from _repeated(("rookling",), "id", [rookling.id for rookling in file.rookling])
    yield from _repeated(("rookling",), "name", [plain(rookling.name) for rookling in file.rookling])
    for index, rookling in enumerate(file.rookling):
        yield from _within(("rookling", index), _rookling_problems(file, rookling))


def _effects_of(file: RooklingFile) -> Iterator[tuple[Where, Rookling, AnyLine, Effect]]:
    """Every effect of every line: its place, its Rookling, its line, itself."""
    for number, rookling in enumerate(file.rookling):
        for slot, line in enumerate(rookling.line):
            for index, effect in enumerate(line.effects):
                yield ("rookling", number, "line", slot, "effects", index), rookling, line, effect


def _within(place: Where, found: Iterator[Problem]) -> Iterator[Problem]:
    for problem in found:
        yield Problem((*place, *problem.location), problem.wrong, problem.right)


def _repeated(place: Where, key: str, words: list[str]) -> Iterator[Problem]:
    """Words that must be different from each other and are not; place: of the list of tables."""
    counts = Counter(words)
    for index, word in enumerate(words):
        if counts[word] > 1:
            right = f"every {str(place[-1]).replace('_', ' ')} needs {'an' if key == 'id' else 'a'} {key} of its own"
            yield Problem((*place, index, key), "is used more than once", right)


def _rule_problems(file: RooklingFile) -> Iterator[Problem]:
    """Life above the cap, a hand above its limit, a drafter where nobody drafts."""
    rules = file.rules
    if rules.heal_cap < rules.start_life:
        wrong = f"is less than start_life = {rules.start_life}"
        yield Problem(("rules", "heal_cap"), wrong, "must be at least start_life")
    if rules.hand > rules.hand_max:
        yield Problem(("rules", "hand"), f"is more than hand_max = {rules.hand_max}", "must be at most hand_max")
    if rules.first_attacker != "coin" and rules.squad_mode != "draft":
        right = 'must be "coin" unless squad_mode = "draft"'
        yield Problem(("rules", "first_attacker"), f'names a drafter with squad_mode = "{rules.squad_mode}"', right)
    for index, rookling in enumerate(file.rookling):
        if rookling.life > rules.heal_cap:
            wrong = f"is more than rules.heal_cap = {rules.heal_cap}"
            yield Problem(("rookling", index, "life"), wrong, "must be at most rules.heal_cap")


def _energy_problems(file: RooklingFile) -> Iterator[Problem]:
    """Colours and their lists that do not match; a deck too small or too large."""
    colours, counts = file.energy.colours, file.energy.counts.by_colour()
    for index, colour in enumerate(colours):
        if colour in RESERVED:
            right = f"must be another word than {', '.join(RESERVED)}"
            yield Problem(("energy", "colours", index), "has a meaning of its own", right)
        elif colour in colours[:index]:
            yield Problem(("energy", "colours", index), "stands twice", "must be another one")
        elif colour not in counts:
            right = "every colour needs a list of copies by number"
            yield Problem(("energy", "counts", colour), "is missing", right)
    for colour in counts:
        if colour not in colours:
            yield Problem(("energy", "counts", colour), "is no colour of this file", did_you_mean(colour, colours))
    total = sum(sum(copies) for copies in counts.values())
    if not DECK_MIN <= total <= DECK_MAX:
        right = f"must be {DECK_MIN} to {DECK_MAX} cards together"
        yield Problem(("energy", "counts"), f"hold {total} cards", right)


def _colour_problems(place: Where, colour: str, file: RooklingFile, other: str = "") -> Iterator[Problem]:
    """A word that is neither a colour nor `other`."""
    known = [*file.energy.colours, other] if other else file.energy.colours
    if colour not in known:
        yield Problem(place, "is no such colour", f"must be one of {', '.join(known)}")


def _token_problems(place: Where, token: str, file: RooklingFile) -> Iterator[Problem]:
    """A token that there is not."""
    known = [one.id for one in file.token]
    if token not in known:
        yield Problem(place, "is no token of this file", did_you_mean(token, known))


def _field_effect_problems(file: RooklingFile) -> Iterator[Problem]:
    """Field effects with unknown colours or tokens, and those that not exactly one Rookling shuffles in."""
    ids = [effect.id for effect in file.field_effect]
    yield from _repeated(("field_effect",), "id", ids)
    owners: dict[str, dict[str, None]] = {word: {} for word in ids}
    for _, rookling, _, effect in _effects_of(file):
        if isinstance(effect, ShuffleField) and effect.field_effect in owners:
            owners[effect.field_effect][rookling.id] = None
    for index, card in enumerate(file.field_effect):
        place = ("field_effect", index)
        yield from _colour_problems((*place, "colour"), card.colour, file, GREY)
        yield from _token_problems((*place, "token"), card.token, file)
        if len(owners[card.id]) != 1:
            wrong = f"is shuffled in by {' and '.join(owners[card.id]) or 'nobody'}"
            yield Problem((*place, "id"), wrong, "exactly one Rookling must name it in shuffle_field")


def _supply_problems(file: RooklingFile) -> Iterator[Problem]:
    """Tokens that lines give although there are no cards of them."""
    givers: dict[str, str] = {}
    for _, rookling, line, effect in _effects_of(file):
        if isinstance(effect, TokenOnHit | TokenSelf):
            givers.setdefault(effect.token, f"{rookling.name}'s {line.name}")
    for index, token in enumerate(file.token):
        if token.id in givers and not token.supply and not token.fixed:
            wrong = f"is too small: {givers[token.id]} gives this token"
            yield Problem(("token", index, "supply"), wrong, "must be at least 1")


def _rookling_problems(file: RooklingFile, rookling: Rookling) -> Iterator[Problem]:
    """What is wrong with one card."""
    kinds = Counter[str](line.kind for line in rookling.line)
    for kind in KINDS:
        if not 1 <= kinds[kind] <= OF_A_KIND:
            wrong = f"have {kinds[kind]} of kind {kind}"
            yield Problem(("line",), wrong, f"a Rookling has 1 to {OF_A_KIND} lines of each kind: {', '.join(KINDS)}")
    yield from _repeated(("line",), "name", [plain(line.name) for line in rookling.line])
    if not any(_overridden(line) for line in rookling.line):
        right = "the siege-state side must change at least one, as in siege = { amount = 5 }"
        yield Problem(("line",), "have no siege number", right)
    own: dict[str, None] = {}
    for slot, line in enumerate(rookling.line):
        yield from _within(("line", slot), _line_problems(file, line, own))


def _overridden(line: AnyLine) -> list[str]:
    """Numbers that the siege-state side of a line changes."""
    return [field for field in type(line.siege).model_fields if field != "source" and getattr(line.siege, field)]


def _line_problems(file: RooklingFile, line: AnyLine, own: dict[str, None]) -> Iterator[Problem]:
    """What is wrong with one line. own: field effects of the lines before it on the card, added to."""
    yield from _colour_problems(("colour",), line.colour, file, ANY)
    if line.kind != "special":
        match = {"match_colour", "match_bonus"} & line.model_fields_set
        if len(match) == 1:
            missing = "match_bonus" if "match_colour" in match else "match_colour"
            yield Problem((missing,), f"is missing, but {match.pop()} is given", "a match needs both or neither")
        if "match_colour" in match:
            yield from _colour_problems(("match_colour",), line.match_colour, file)
    for index, effect in enumerate(line.effects):
        yield from _within(("effects", index), _effect_problems(file, line, effect, own))
    scopes = [getattr(effect, "scope", "") for effect in line.effects]
    choosing = [scope for scope in scopes if scope in CHOOSING]
    if len({*choosing}) > 1:
        wrong = f'is not that of the effect before it, "{scopes[0]}"'
        yield Problem(("effects", 1, "scope"), wrong, "the player picks one Rookling for both, so both have one scope")
    yield from _within(("siege",), _siege_problems(file, line))


def _effect_problems(file: RooklingFile, line: AnyLine, effect: Effect, own: dict[str, None]) -> Iterator[Problem]:
    """What is wrong with one effect. own: see `_line_problems`."""
    if line.kind != effect.ON:
        yield Problem(("do",), f"is not for {line.kind} lines", f"belongs to {effect.ON} lines")
    if isinstance(effect, TokenOnHit | TokenSelf):
        yield from _token_problems(("token",), effect.token, file)
        if any(token.fixed for token in file.token if token.id == effect.token):
            yield Problem(("token",), "is a fixed token, which has no token cards", "must be a token that is not fixed")
    if isinstance(effect, ShuffleField):
        known = {card.id: card.copies for card in file.field_effect}
        own.setdefault(effect.field_effect)
        if effect.field_effect not in known:
            right = did_you_mean(effect.field_effect, list(known))
            yield Problem(("field_effect",), "is no field effect of this file", right)
        elif effect.n > known[effect.field_effect]:
            yield Problem(("n",), *_too_many_copies(effect.field_effect, known[effect.field_effect]))
        if len(own) > 1 and effect.field_effect != (first := next(iter(own))):
            right = f"a Rookling has at most one; this one has {first}"
            yield Problem(("field_effect",), "is another field effect of the same Rookling", right)


def _siege_problems(file: RooklingFile, line: AnyLine) -> Iterator[Problem]:
    """Siege numbers without a front number, and those that the front could not have either."""
    effect = line.effects[-1] if line.effects else None
    front = {"number"}
    if line.kind != "special":
        front |= {"amount", "match_bonus"} if line.match_bonus else {"amount"}
    if effect is not None and effect.MOST:
        front.add("value")
    for field in _overridden(line):
        if field not in front:
            what = "n in the last of its effects" if field == "value" else field
            yield Problem((field,), f"changes a number that the front has not: {what}", "must be left out")
    if effect is None or not line.siege.value:
        return
    if effect.MOST and line.siege.value > effect.MOST:
        right = f"must be a whole number from 1 to {effect.MOST}"
        yield Problem(("value",), f'is too large for "{effect.do}"', right)
    elif isinstance(effect, ShuffleField):
        copies = {card.id: card.copies for card in file.field_effect}.get(effect.field_effect, line.siege.value)
        if line.siege.value > copies:
            yield Problem(("value",), *_too_many_copies(effect.field_effect, copies))


def _too_many_copies(field_effect: str, copies: int) -> tuple[str, str]:
    """What is wrong, and what would be right."""
    return f"is more than field_effect.{field_effect}.copies = {copies}", f"must be at most {copies}"
