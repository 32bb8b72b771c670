"""Riftborn Tactics in words (the protocol `Words` of the engine): decisions, draws, events, and a picture of the position.

Events are derived from two consecutive state records alone. In the picture half a tile is HALF characters wide, so the offset
between rows and what blocks a path can be seen.
"""

import textwrap
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sim.engine import story
from sim.engine.cards import CardSet
from sim.engine.words import WIDTH, boxed, card_drawn, counted, joined, line_up, packed, some
from sim.games.riftborn.actions import PLAY, USE, WIELD
from sim.games.riftborn.cards import ABILITIES, Ability, Kind, MoraleStart
from sim.games.riftborn.position import POSITION, place, position
from sim.games.riftborn.position.creatures import (
    COUNTERS,
    FLAGS,
    attached_to,
    creatures_of,
    formation,
    is_here,
    pile_of,
    spot_of,
    tricks_of,
)
from sim.games.riftborn.record import ability_word, card_name, ids_of, kind_of, names_of, trick_word
from sim.games.riftborn.rules.attack import ATTACK, ATTACK_PLAYER, CHARM, OWN_PLAYER, THE_OPPONENT
from sim.games.riftborn.rules.damage import attack_of, health_of
from sim.games.riftborn.state import (
    ACTIVE,
    ALL,
    CREATURES,
    NOBODY,
    PER_ROW,
    ROWS,
    SEATS,
    WAITING,
    Aim,
    Gain,
    Harm,
    Phase,
    Wound,
    creature_at,
    power,
    side_of,
)

__all__ = ["POSITION", "action", "draw", "events", "line_up", "picture", "place", "position"]

ROW_WORDS = ("front", "second", "third")
FACE_DOWN = "face-down creature"  # of the opponent, in the words of a decision


def creature_name(state: np.void, cards: CardSet, g: int, every_side: bool = False, viewer: int = NOBODY) -> str:
    """Name of a creature, unique on its side: with its place, `Beast Cub (front 2)`, if there are several.

    every_side: unique on the table, so with its seat if both sides have one. viewer: seat that reads it, to which the other's
    face-down creatures have no names; NOBODY: a reader who sees all of them.
    """
    seat, row, index = spot_of(state, g)
    shown = _card_shown(state, g, viewer)
    present = map(int, np.flatnonzero(state["card"] != NOBODY))
    same = [other // CREATURES for other in present if _card_shown(state, other, viewer) == shown]
    parts = [f"seat {seat + 1}"] if every_side and any(side != seat for side in same) else []
    parts += [f"{ROW_WORDS[row]} {index + 1}"] if same.count(seat) > 1 else []
    name = FACE_DOWN if shown == NOBODY else card_name(cards, shown)
    return name + (f" ({', '.join(parts)})" if parts else "")


def _card_shown(state: np.void, g: int, viewer: int) -> int:
    """The card of a creature; NOBODY if it is face down and not the viewer's."""
    is_unknown = viewer not in (NOBODY, side_of(g)) and state["face_down"][g]
    return NOBODY if is_unknown else int(state["card"][g])


# Two consecutive positions


@dataclass(frozen=True)
class Change(story.Change):
    """A position before and after one decision, including all that followed from it without a choice."""

    @property
    def phase(self) -> Phase:
        """Kind of the decision."""
        return Phase(self.before["phase"])

    @property
    def active(self) -> int:
        """Seat whose turn it was."""
        return int(self.before["active"])

    @property
    def seats(self) -> tuple[int, int]:
        """Both seats, first the one whose turn it was."""
        return self.active, 1 - self.active

    @property
    def began(self) -> bool:
        """Whether the first turn has begun."""
        return bool(self.before["first"] == NOBODY != self.after["first"])

    @property
    def fresh(self) -> int:
        """Seat whose turn has begun since; NOBODY."""
        return self.now("active") if self.began or self.ended else NOBODY

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.after["phase"] == Phase.OVER != self.before["phase"])

    @cached_property
    def stayed(self) -> list[int]:
        """Creatures that were there and still are, even as a TRANSFORM token; first those of the seat whose turn it was."""
        here = [g for seat in self.seats for g in creatures_of(self.before, seat)]
        return [g for g in here if self.after["card"][g] != NOBODY and self._is_same(g)]

    @cached_property
    def gone(self) -> list[int]:
        """Creatures that were there and no longer are."""
        return [g for seat in self.seats for g in creatures_of(self.before, seat) if g not in self.stayed]

    @cached_property
    def new(self) -> list[int]:
        """Creatures that were not there before."""
        return [g for seat in self.seats for g in creatures_of(self.after, seat) if g not in self.stayed]

    def _is_same(self, g: int) -> bool:
        """Whether a number still means the same creature: its card, or a token over its card."""
        was, now = ([int(state[field][g]) for field in ("card", "origin")] for state in (self.before, self.after))
        return was == now or (was[1] == now[1] != NOBODY and self.cards.record[0]["kind"][now[0]] == Kind.TOKEN)

    def name(self, g: int) -> str:
        """Name of a creature before the decision; of a new one, after it."""
        return creature_name(self.after if g in self.new else self.before, self.cards, g, every_side=True)

    def card(self, card: int) -> str:
        """Name of a card."""
        return card_name(self.cards, card)

    def came(self, pile: str, seat: int) -> list[int]:
        """Cards that came to a pile or hand."""
        was, now = (Counter(pile_of(state, pile, seat)) for state in (self.before, self.after))
        return list((now - was).elements())

    def answered(self, g: int) -> int:
        """Damage of retaliation and opportunity that the acting creature took; 0 for all others."""
        if g != self.after["user"] or g >= ALL:
            return 0
        enemy = SEATS - 1 - int(side_of(g))
        return self.gain("answer_damage", enemy) + self.gain("opportunity_damage", enemy)


# The picture

HALF = 10  # characters of half a tile; five tiles are WIDTH
BOX = 2 * HALF
INSIDE = BOX - 4  # characters of a box without its frame and a blank on either side
UP, DOWN = "┌─┐│└─┘", "┌╌┐┊└╌┘"  # frames of a creature face up and face down
MIDDLE = "·" * WIDTH  # between the front rows


def picture(state: np.void, cards: CardSet) -> str:
    """Draw the position: seat 0 above, seat 1 below, their front rows in the middle.

    A box shows Attack/Health left, with the maximum if there is damage; below it abilities in force, tokens and states. A
    dashed frame means face down. `*` marks the seat that decides.
    """
    above = [line for row in reversed(formation(state, 0)) for line in _row(state, cards, row)]
    below = [line for row in formation(state, 1) for line in _row(state, cards, row)]
    lines = [*_player(state, cards, 0), *above, MIDDLE, *below, *_player(state, cards, 1), "", *_table(state, cards)]
    return "\n".join(line.rstrip() for line in lines)


def _player(state: np.void, cards: CardSet, seat: int) -> list[str]:
    """A player without the creatures."""
    phase = Phase(state["phase"])
    mark = "*" if phase != Phase.OVER and state["seat"] == seat else " "
    level, used = int(state["level"][seat]), int(state["used_levels"][seat])
    turn = phase != Phase.MULLIGAN and state["active"] == seat
    parts = [cards.names[state["deck"][seat]], f"life {state['life'][seat]}"]
    parts += [f"level {level}" + (f", {used} used" if turn else ""), f"experience {state['xp'][seat]:,}"]
    parts += [f"{pile} {state[f'{pile}_n'][seat]}" for pile in ("library", "discard", "removed")]
    parts += _belongings(state, cards, seat)
    hand = [f"{card_name(cards, card)} ({cards.record[0]['level'][card]})" for card in pile_of(state, "hand", seat)]
    return packed(f"{mark} seat {seat + 1}", [*parts, f"hand: {', '.join(counted(hand)) or 'empty'}"])


def _belongings(state: np.void, cards: CardSet, seat: int) -> list[str]:
    """Weapons with Attack and uses left, Armour with points left, and TRICK cards."""
    attacks, used = cards.record[0]["attack"], state["weapon_used"][seat]
    weapons = [
        f"{card_name(cards, card)} {attacks[card]}/{state['uses'][seat, slot]}{' (used)' if used[slot] else ''}"
        for slot, card in enumerate(attached_to(state, "weapon", seat))
    ]
    armour = [
        f"{card_name(cards, card)} {state['points'][seat, slot]}" for slot, card in enumerate(attached_to(state, "armour", seat))
    ]
    tricks = [trick_word(trick) for trick in tricks_of(state, seat)]
    found = (("weapons", weapons), ("armour", armour), ("tricks", tricks))
    return [f"{what}: {', '.join(words)}" for what, words in found if words]


def _row(state: np.void, cards: CardSet, row: list[int]) -> list[str]:
    """The boxes of a row side by side, centred on the table (RIFT-31)."""
    facts = [_facts(state, cards, g) for g in row]
    height = max(map(len, facts))
    boxes = [
        boxed(_numbers(state, cards, g), [*lines, *[""] * (height - len(lines))], DOWN if state["face_down"][g] else UP, BOX)
        for g, lines in zip(row, facts, strict=True)
    ]
    margin = " " * (WIDTH // 2 + HALF * (int(state["centre"][row[0]]) - 1))
    return [margin + "".join(parts) for parts in zip(*boxes, strict=True)]


def _numbers(state: np.void, cards: CardSet, g: int) -> str:
    """Current Attack and Health left."""
    record, damage = cards.record[0], int(state["damage"][g])
    attack, most = int(attack_of(state, record, g)), int(health_of(state, record, g))
    return f"{attack}/{most - damage}" + (f" of {most}" if damage else "")


def _facts(state: np.void, cards: CardSet, g: int) -> list[str]:
    """Lines of a box: name, abilities, tokens and states."""
    abilities = [ability_word(a, int(power(state, g, a))) for a in range(ABILITIES) if power(state, g, a)]
    if "MORALE" in " ".join(abilities):
        abilities.append(f"for {MoraleStart(state['morale'][g]).name.title()}")
    tokens = [f"{state[field][g]} {field}" for field in COUNTERS[1:] if state[field][g]]
    states = [words for words, (field, bit) in FLAGS.items() if state[field][g] & bit]
    states += ["moved"] if state["swaps"][g] else []
    parts = (card_name(cards, int(state["card"][g])), ", ".join(abilities), ", ".join(tokens), ", ".join(states))
    return [line for part in parts if part for line in textwrap.wrap(part, INSIDE)]


def _table(state: np.void, cards: CardSet) -> list[str]:
    """The turn, the pending decision, the Spell being played and waiting tricks."""
    phase = Phase(state["phase"])
    if phase == Phase.OVER:
        over = "nobody wins" if state["winner"] == NOBODY else f"seat {state['winner'] + 1} wins"
        return packed("", [f"turn {state['turn'] + 1}", f"over: {over}"])
    about = _about(state, cards, phase)
    parts = [f"turn {state['turn'] + 1}" if phase != Phase.MULLIGAN else "before the first turn"]
    parts += [f"decision: {phase.name.lower().replace('_', ' ')}" + (f" ({about})" if about else "")]
    if state["spell"] != NOBODY:
        parts.append(f"being played: {card_name(cards, int(state['spell']))}")
    waiting = [f"seat {owner + 1}" for owner in state["queue_owner"][: state["queue_n"]]]
    return packed("", parts + ([f"tricks waiting: {', '.join(waiting)}"] if waiting else []))


def _about(state: np.void, cards: CardSet, phase: Phase) -> str:
    """The card or creature that the pending decision is about."""
    seat, user = int(state["seat"]), int(state["user"])
    if phase == Phase.MULLIGAN:
        return card_name(cards, int(state["hand"][seat, state["cursor"]]))
    if phase == Phase.PLACE:
        return card_name(cards, int(state["entrant"]))
    if phase == Phase.TARGET and state["aim"] == Aim.WEAPON:
        return card_name(cards, int(state["weapon"][seat, user]))
    if phase == Phase.TARGET and state["aim"] == Aim.PASS:
        return f"{state['excess']} damage left"
    if phase == Phase.CREATURE or (phase == Phase.TARGET and state["aim"] != Aim.EFFECT and is_here(state, user)):
        return creature_name(state, cards, user)
    return card_name(cards, int(state["list_card"])) if state["list_card"] != NOBODY else ""


# Events: creatures

_DEATHS = {
    Harm.NONE: "dies of a bonus that it has lost",
    Harm.STRIKE: "is killed by the strike",
    Harm.PASS: "is killed by what passes through",
    Harm.WEAPON: "is killed by the Weapon",
    Harm.ANSWER: "is killed by the answer",
    Harm.OPPORTUNITY: "is killed as it moves away",
    Harm.EFFECT: "is killed by the effect",
    Harm.DECAY: "withers away",
}
_KEPT = ("rage", "health", "weakness", "decay")  # tokens that do not vanish by themselves
_STATE_WORDS = (("charm", "charmed"), ("pacify", "pacified"))


def arrivals(change: Change) -> list[str]:
    """RIFT-30, 111. Creatures that entered, and creatures that were transformed."""
    sentences = []
    for g in change.new:
        row = spot_of(change.after, g)[1]
        down = ", face down" if change.now("face_down", g) else ""
        sentences.append(f"{change.card(int(change.after['card'][g]))} enters the {ROW_WORDS[row]} row{down}.")
    for g in change.stayed:
        card = change.now("card", g)
        if card != change.was("card", g):
            sentences.append(f"{change.name(g)} becomes {change.card(card)}.")
    return sentences


def fates(change: Change) -> list[str]:
    """RIFT-46 to 52, 63 to 72. Damage, healing, changes and deaths of creatures; the acting creature comes last."""
    user = change.now("user")
    sentences = [line for g in change.stayed if g != user for line in _changed(change, g)]
    ends = _ends(change)
    sentences += [line for g, line in ends.items() if g != user]
    sentences += _changed(change, user) if user in change.stayed else []
    return sentences + ([ends[user]] if user in ends else [])


def _changed(change: Change, g: int) -> list[str]:
    """Changes of a creature that is still there."""
    if change.changed("card", g):
        return []  # a TRANSFORM token, which starts without tokens and states
    up = change.was("face_down", g) and not change.now("face_down", g)  # RIFT-108
    return [*([f"{change.name(g)} turns face up."] if up else []), *_hurt(change, g), *_tokens(change, g)]


def _hurt(change: Change, g: int) -> list[str]:
    """Damage and healing; what the acting creature took in return is reported separately."""
    name, left = change.name(g), change.now("damage", g)
    if (back := -change.gain("ability", g, Ability.UNDEATH)) > 0:
        more = change.now("ability", g, Ability.UNDEATH)
        times = "" if back == 1 else f" {back} times"
        return [f"{name} dies{times} and returns with {left} damage; {more or 'no'} UNDEATH is left."]
    shields = 0 if side_of(g) == change.fresh else max(0, -change.gain("shield", g))
    answer = change.answered(g)
    absorbed = min(shields, answer)
    other = change.gain("damage", g) - (answer - absorbed)
    sentences = []
    if other < 0:
        sentences.append(f"{name} heals {-other} damage.")
    elif other + shields - absorbed > 0:
        sentences.append(f"{name} takes {other + shields - absorbed} damage{_shielded(shields - absorbed)}.")
    if answer:
        how = "as it moves away" if change.gain("opportunity_damage", SEATS - 1 - int(side_of(g))) else "in return"
        sentences.append(f"{name} takes {answer} damage {how}{_shielded(absorbed)}.")
    return sentences


def _shielded(points: int) -> str:
    return f", {points} of it on Shields" if points else ""


def _tokens(change: Change, g: int) -> list[str]:
    """RIFT-60, 66 to 68, 82, 93, 94, 99. Tokens, stored READY, abilities, states."""
    name, sentences = change.name(g), []
    came = [f"{change.gain(field, g)} {field.title()}" for field in (*_KEPT, "shield") if change.gain(field, g) > 0]
    gone = [f"{-change.gain(field, g)} {field.title()}" for field in _KEPT if change.gain(field, g) < 0]
    sentences += [f"{name} gets {joined(came)}."] if came else []
    sentences += [f"{name} loses {joined(gone)}."] if gone else []
    if change.gain("ready", g) > 0:
        sentences.append(f"{name} is ready: its next strike does {change.after['ready'][g]} more.")
    if change.gain("morale", g) and change.now("ability", g, Ability.MORALE):
        sentences.append(f"{name} gives {MoraleStart(change.after['morale'][g]).name.title()} now.")
    for field, word in _STATE_WORDS:
        if change.after[field][g] & WAITING and not change.before[field][g] & (WAITING | ACTIVE):
            sentences.append(f"{name} is {word} for its next turn.")
    return sentences + _abilities(change, g)


def _abilities(change: Change, g: int) -> list[str]:
    """RIFT-60, 110. Abilities granted and lost, except UNDEATH that was used."""
    was, now = (state["ability"][g].astype(int) for state in (change.before, change.after))
    gained = [ability_word(a, int(now[a])) for a in range(ABILITIES) if now[a] > was[a]]
    lost = [ability_word(a, int(was[a])) for a in range(ABILITIES) if was[a] and not now[a] and a != Ability.UNDEATH]
    sentences = [f"{change.name(g)} has {joined(gained)} now."] if gained else []
    return sentences + ([f"{change.name(g)} loses {joined(lost)}."] if lost else [])


def _ends(change: Change) -> dict[int, str]:
    """RIFT-72. Who died, and of what as far as the causes are known, by creature."""
    sentences: dict[int, str] = {}
    for seat in change.seats:
        causes = [harm for harm in Harm for _ in range(max(0, change.gain("deaths", seat, int(harm))))]
        gone = sorted((g for g in change.gone if side_of(g) == seat), key=lambda g: not _is_foremost(change, g))
        sentences |= {g: f"{change.name(g)} {_DEATHS[_cause(change, g, causes)]}." for g in gone}
    return sentences


def _is_foremost(change: Change, g: int) -> bool:
    """Whether a creature struck or was struck, so that its cause of death is assigned first."""
    return g in (change.now("user"), change.now("target"))


def _cause(change: Change, g: int, causes: list[Harm]) -> Harm:
    """Take the cause of a creature's death from the remaining causes: the one that fits what it did."""
    own = (Harm.ANSWER, Harm.OPPORTUNITY) if g == change.now("user") else (Harm.STRIKE, Harm.WEAPON)
    likely = [harm for harm in own if harm in causes] if _is_foremost(change, g) else [*causes]
    others = [harm for harm in causes if harm not in (Harm.STRIKE, Harm.ANSWER, Harm.OPPORTUNITY)]
    cause = (likely or others or [*causes, Harm.NONE])[0]
    if cause in causes:
        causes.remove(cause)
    return cause


# Events: players

_FOR = {
    Gain.TURN: "for the turn",
    Gain.PLAY: "for the card",
    Gain.SUMMON: "for the summons",
    Gain.KILL: "for the kill",
    Gain.EFFECT: "by the effect",
}
_BY = {
    Wound.CONTACT: "",
    Wound.RANGE: " from afar",
    Wound.FLIGHT: " from the air",
    Wound.PASS: " that passes through",
    Wound.EFFECT: " by an effect",
}


def experience(change: Change, seat: int, *sources: Gain) -> list[str]:
    """RIFT-20, 21. Experience from some sources."""
    sentences = []
    for source in sources:
        points = change.gain("gained", seat, int(source))
        several = "s" if source == Gain.KILL and change.gain("kills", seat) > 1 else ""
        sentences += [f"Seat {seat + 1} gains {points} experience {_FOR[source]}{several}."] if points else []
    return sentences


def levels(change: Change, seat: int) -> list[str]:
    """RIFT-20, 23. A new level."""
    return [f"Seat {seat + 1} reaches level {change.after['level'][seat]}."] if change.gain("level", seat) else []


def lives(change: Change) -> list[str]:
    """RIFT-51, 90. Damage to players, absorption by Armour, and healing."""
    sentences = []
    for seat in reversed(change.seats):
        lost = 0
        for wound in Wound:
            points = change.gain("wounds", seat, int(wound))
            lost += points
            sentences += [f"Seat {seat + 1} takes {points} damage{_BY[wound]}."] if points else []
        absorbed, life = change.gain("absorbed", seat), change.now("life", seat)
        if absorbed:
            sentences.append(f"Armour absorbs {absorbed} of it.")
        if lost > absorbed:
            sentences.append(f"Seat {seat + 1} has {max(0, life)} life left.")
        if (healed := change.gain("life", seat) + lost - absorbed) > 0:
            sentences.append(f"Seat {seat + 1} gains {healed} life and has {life} now.")
    return sentences


def attached(change: Change) -> list[str]:
    """RIFT-51 to 53, 121. Weapons and Armours that broke."""
    sentences = []
    for seat in change.seats:
        for field in ("weapon", "armour"):
            was, now = (Counter(attached_to(state, field, seat)) for state in (change.before, change.after))
            sentences += [f"{change.card(card)} breaks." for card in (was - now).elements()]
    return sentences


def tricks(change: Change) -> list[str]:
    """RIFT-115, 117. TRICK cards laid and set off."""
    sentences = []
    for seat in change.seats:
        was, now = ({*tricks_of(state, seat)} for state in (change.before, change.after))
        sentences += [f"{trick_word(trick)} of seat {seat + 1} is set off." for trick in sorted(was - now)]
        if change.phase != Phase.TRICK_SET:
            sentences += [f"Seat {seat + 1} lays {trick_word(trick)}." for trick in sorted(now - was)]
    return sentences


def draws(change: Change, seat: int) -> list[str]:
    """RIFT-87, 120. Cards drawn, after the discard pile was shuffled into the library if necessary."""
    sentences = [f"Seat {seat + 1} shuffles its discard pile into its library."] if change.gain("refills", seat) else []
    drawn, came = change.gain("drawn", seat), change.came("hand", seat)
    if came and drawn <= len(came):
        sentences.append(f"Seat {seat + 1} draws {joined(counted([change.card(card) for card in came]))}.")
    elif drawn:
        sentences.append(f"Seat {seat + 1} draws {some(drawn, 'card')}.")
    return sentences


def mulligans(change: Change) -> list[str]:
    """RIFT-07. Cards that were exchanged."""
    counts = {seat: change.gain("returned_cards", seat) for seat in change.seats}
    return [f"Seat {seat + 1} shuffles {some(count, 'card')} back and draws as many." for seat, count in counts.items() if count]


def looks(change: Change) -> list[str]:
    """RIFT-104, 107. Cards of a library that a player looks at."""
    sentences = []
    for seat in change.seats:
        if change.gain("times", seat, Ability.SPY):
            top = pile_of(change.after, "library", 1 - seat)[::-1][: change.now("known_other", 1 - seat)]
            names = joined([change.card(card) for card in top]) or "nothing"
            sentences.append(f"Seat {seat + 1} sees on top of the other library: {names}.")
    if change.now("phase") == Phase.SCRY != change.phase:
        seat = change.now("seat")
        top = pile_of(change.after, "library", seat)[::-1][: change.now("scry_n")]
        sentences.append(f"Seat {seat + 1} sees on top of its library: {joined([change.card(card) for card in top])}.")
    return sentences


def piles(change: Change) -> list[str]:
    """RIFT-84, 123. Cards removed from the game, and a discard pile shuffled into the library."""
    sentences = []
    for seat in change.seats:
        sentences += [f"{change.card(card)} is removed from the game." for card in change.came("removed", seat)]
        if change.gain("library_n", seat) > 0 and not change.gain("refills", seat) and change.phase != Phase.MULLIGAN:
            sentences.append(f"Seat {seat + 1} shuffles its discard pile into its library.")
    return sentences


# Events: their order


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """What happened between two consecutive states: one sentence each, in the usual order.

    The decision itself is not repeated.
    """
    change = Change(before, after, cards)
    old = [seat for seat in change.seats if seat != change.fresh]
    return [
        *mulligans(change),
        *(line for seat in old for line in experience(change, seat, Gain.PLAY, Gain.SUMMON)),
        *arrivals(change),
        *attached(change),
        *tricks(change),
        *fates(change),
        *lives(change),
        *(line for seat in change.seats for line in experience(change, seat, Gain.KILL, Gain.EFFECT)),
        *(line for seat in old for line in levels(change, seat)),
        *piles(change),
        *(line for seat in old for line in draws(change, seat)),
        *looks(change),
        *_turn(change),
        *_end(change),
    ]


def _turn(change: Change) -> list[str]:
    """RIFT-08, 11, 16. Whose turn begins, and what the start step gives."""
    seat = change.fresh
    if seat == NOBODY or change.over:
        return []
    sentences = [
        f"Seat {seat + 1} has the first turn." if change.began else f"Turn {change.after['turn']} ends; seat {seat + 1} is next."
    ]
    return [*sentences, *experience(change, seat, Gain.TURN), *levels(change, seat), *draws(change, seat)]


def _end(change: Change) -> list[str]:
    """RIFT-130. The end of the game."""
    if not change.over:
        return []
    winner = change.now("winner")
    if winner == NOBODY:
        return ["Nobody has life left: the game is a draw."]
    return [f"Seat {2 - winner} has no life left: seat {winner + 1} wins."]


# Decisions and draws

OPPONENT = "the opponent"
_ACTIONS = (  # of CREATURE, from CHARM on
    *("charm with", "heal with", "switch the morale of", "pacify with"),
    *("ready", "use the spell of", "summon with", "transform"),
)
_AIMS = {
    Aim.EFFECT: "choose",
    Aim.CHARM: "charm",
    Aim.PACIFY: "pacify",
    Aim.HEAL: "heal",
    Aim.WEAPON: "hit",
    Aim.RETARGET: "strike",
    Aim.PASS: "let the rest hit",
}


def action(state: np.void, cards: CardSet, action: int) -> str:
    """One decision in words, unique among the open decisions of `state`."""
    seat = int(state["seat"])
    match Phase(state["phase"]):
        case Phase.MULLIGAN:
            words = f"{'return' if action else 'keep'} {_held(state, cards, int(state['cursor']))}"
        case Phase.MAIN:
            words = _main(state, cards, seat, action)
        case Phase.CREATURE:
            words = _deed(state, cards, action)
        case Phase.PLACE:
            words = f"place it {gap_words(state, seat, *divmod(action, PER_ROW))}"
        case Phase.TARGET:
            words = _target(state, cards, seat, action)
        case Phase.ROW:
            words = f"choose {'the own' if action >= ROWS else 'the enemy'} {ROW_WORDS[action % ROWS]} row"
        case Phase.SCRY:
            words = f"put {_looked_at(state, cards, seat, action)} next"
        case Phase.TRICK_SET:
            words = f"lay {trick_word(action)}" if action else "lay no trick"
        case Phase.TRICK_FIRE:
            words = _trick(state, cards, seat, *divmod(action, 2))
        case _:
            words = f"play {_held(state, cards, action)} for free"
    return words


def _main(state: np.void, cards: CardSet, seat: int, action: int) -> str:
    """A decision of the main step."""
    if action == 0:
        return "end the turn"
    if action < USE:
        card = int(state["hand"][seat, action - PLAY])
        return f"play {card_name(cards, card)} (level {cards.record[0]['level'][card]})"
    if action < WIELD:
        return f"use {creature_name(state, cards, int(creature_at(state, seat, action - USE)))}"
    return f"use {_copy(cards, attached_to(state, 'weapon', seat), action - WIELD)}"


def _deed(state: np.void, cards: CardSet, action: int) -> str:
    """What the selected creature does: a Move, an attack or another Action."""
    user = int(state["user"])
    seat, name = user // CREATURES, creature_name(state, cards, user)
    if action < ATTACK:
        return f"swap {name} with {creature_name(state, cards, int(creature_at(state, seat, action)))}"
    if action < ATTACK_PLAYER:
        return f"attack {creature_name(state, cards, int(creature_at(state, seat, action)), viewer=seat)} with {name}"
    if action == ATTACK_PLAYER:
        return f"attack {OPPONENT} with {name}"
    return f"{_ACTIONS[action - CHARM]} {name}"


def _target(state: np.void, cards: CardSet, seat: int, action: int) -> str:
    """The target of an effect, an Action, a Weapon or the rest of a blow."""
    verb = _AIMS[Aim(state["aim"])]
    if action == OWN_PLAYER:
        return f"{verb} the own player"
    if action == THE_OPPONENT:
        return f"{verb} {OPPONENT}"
    return f"{verb} {creature_name(state, cards, int(creature_at(state, seat, action)), every_side=True, viewer=seat)}"


def _trick(state: np.void, cards: CardSet, seat: int, slot: int, list_: int) -> str:
    """A TRICK effect, with its number if the creature has two."""
    g = int(creature_at(state, seat, slot))
    number = f" {list_ + 1}" if power(state, g, int(Ability.TRICK)) > 1 else ""
    return f"use trick{number} of {creature_name(state, cards, g)}"


def _held(state: np.void, cards: CardSet, at: int) -> str:
    """A card of the hand, with its number if there are several of a kind."""
    hand = state["hand"][state["seat"], : state["hand_n"][state["seat"]]].tolist()
    return _copy(cards, hand, at)


def _looked_at(state: np.void, cards: CardSet, seat: int, at: int) -> str:
    """A card looked at and not yet put back, counted from the top."""
    top = int(state["library_n"][seat]) - int(state["scry_at"])
    left = int(state["scry_n"]) - int(state["scry_at"])
    return _copy(cards, state["library"][seat, top - left : top].tolist()[::-1], at)


def _copy(cards: CardSet, among: list[int], at: int) -> str:
    """Name of a card, with its number if there are several of a kind."""
    number = among[: at + 1].count(among[at])
    return card_name(cards, among[at]) + (f" (number {number})" if among.count(among[at]) > 1 else "")


def draw(words: str, cards: CardSet) -> int:
    """Code of a scripted draw: a card, or the seat that has the first turn.

    words: id or name of a card that decks can contain, drawn from anywhere in the library; `seat 0` or `seat 1` for the coin
    (RIFT-08). Raises ValueError with the nearest valid word.
    """
    rows = [row for row in range(len(ids_of(cards))) if kind_of(cards, row) != Kind.TOKEN]
    seats = {f"seat {seat}": seat for seat in range(SEATS)}
    return card_drawn(words, {row: (names_of(cards)[row], ids_of(cards)[row]) for row in rows}, seats)


def gap_words(state: np.void, seat: int, row: int, index: int) -> str:
    """A place for a new creature: gap `index` of a row, or a new row behind the last."""
    length = int(state["row_len"][seat, row]) if row < ROWS else 0
    if length == 0:
        return "in a new row behind" if row else "in the front row"
    if index in (0, length):
        return f"in the {ROW_WORDS[row]} row at the {'right' if index else 'left'} end"
    return f"in the {ROW_WORDS[row]} row as number {index + 1}"
