"""The words of the game: names, decisions, the picture of a position, and what happened between two states.

`events` reads only the two states. It repeats an attack on a copy of the first one, with the hits and blocks that the second
one holds, so that the events come in the order of ARENA-31.
"""

import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass

import numpy as np

from sim.engine.cardfiles.paths import plain
from sim.engine.cards import CardSet
from sim.engine.words import Change
from sim.games.arena.actions import legal_actions
from sim.games.arena.rules.attack import clear_fallen, name_targets, retaliate, reward_hit, settle, strike
from sim.games.arena.rules.knockback import pull_step, push_step
from sim.games.arena.rules.turn import help_oneself, pay_rage, swap_places
from sim.games.arena.state import (
    DRAGONLING,
    EMPTY,
    NO_TARGET,
    NOBODY,
    OPTIONS_MAX,
    PASS,
    PIECES,
    SEATS,
    STOP_SUMMON,
    TARGET_CODES,
    Cause,
    Phase,
    Zone,
    put,
)

DIRECTIONS = ("north", "north-east", "south-east", "south", "south-west", "north-west")
ON = " on "  # between the names of an ability and its target
_MARKED = re.compile(r"\((seat|ability) ")  # in names that were made unique; a name that has it from the card is made unique too
_DRAGONLING = "dragonling"


def hero_names(state: np.void, cards: CardSet) -> list[str]:
    """Name of each seat's hero, with its seat where the name alone is ambiguous."""
    names = [cards.names[hero] if hero != NOBODY else "" for hero in state["hero"][: state["seats"]]]
    return made_unique(names, "seat", first=1)


def made_unique(names: list[str], what: str, first: int = 0) -> list[str]:
    """Make names unique: one that occurs twice or looks like another word of the game gets `what` and its number."""
    words = [plain(name) for name in names]
    reserved = (_DRAGONLING, "pass")
    marked = []
    for index, (name, word) in enumerate(zip(names, words, strict=True), first):
        strange = not word or word.startswith(reserved) or ON.strip() in word.split() or _MARKED.search(word)
        marked.append(f"{name} ({what} {index})" if strange or words.count(word) > 1 else name)
    return marked


def ability_names(cards: CardSet, hero: int) -> list[str]:
    """Name of each ability of a hero's card."""
    return made_unique([ability["name"] for ability in cards.document["hero"][hero]["ability"]], "ability")


def piece_name(state: np.void, cards: CardSet, piece: int) -> str:
    """Name of a piece: a hero's name, or a dragonling with its number 4..15."""
    return hero_names(state, cards)[piece] if piece < SEATS else f"{_DRAGONLING} {piece}"


def piece_names(state: np.void, cards: CardSet) -> dict[int, str]:
    """Name of every piece on the board, by piece."""
    return {piece: piece_name(state, cards, piece) for piece in range(len(state["pos"])) if state["pos"][piece] >= 0}


def hex_name(cards: CardSet, place: int) -> str:
    """Name of a land hex: its coordinates."""
    q, r = hex_at(cards, place)
    return f"({q},{r})"


def hex_at(cards: CardSet, place: int) -> tuple[int, int]:
    """Axial coordinates of a land hex."""
    record = cards.record[0]
    return int(record["q"][place]), int(record["r"][place])


def land(cards: CardSet) -> dict[tuple[int, int], int]:
    """Hex id of every land hex, by axial coordinates."""
    return {hex_at(cards, place): place for place in range(cards.record[0]["hexes"])}


def zones(cards: CardSet, hero: int) -> list[int]:
    """Spaces of a hero's green, yellow and red zone."""
    return [int(spaces) for spaces in cards.record[0]["energy"][hero]]


def zone_name(cards: CardSet, hero: int, marker: int) -> str:
    """ARENA-44. Name of the zone that an energy marker is in."""
    green, yellow, _ = zones(cards, hero)
    return Zone((marker >= green) + (marker >= green + yellow)).name.lower()


def some(count: int, what: str) -> str:
    """A number and a noun: `1 hit`, `2 hits`."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def line_up(cards: CardSet, entrants: list[int]) -> list[str]:
    """Name of each seat's hero."""
    return [cards.names[entrant] for entrant in entrants]


def action(state: np.void, cards: CardSet, action: int) -> str:
    """One decision in words, unique among the options in `state`."""
    match Phase(state["phase"]):
        case Phase.START:
            words = f"start {hex_name(cards, cards.record[0]['start_hex'][action])}"
        case Phase.ABILITY:
            words = _ability(state, cards, action)
        case Phase.RAGE:
            words = f"pay {action} rage"
        case Phase.SUMMON:
            words = "stop" if action == STOP_SUMMON else f"dragonling at {hex_name(cards, action)}"
        case Phase.STEP:
            words = f"{_pushing(state, cards)} {DIRECTIONS[action]}"
        case phase:
            verb = "step to" if phase == Phase.PRE_MOVE else "move to"
            stays = action == state["pos"][state["active"]]
            words = "stay" if stays else f"{verb} {hex_name(cards, action)}"
    return words


def _ability(state: np.void, cards: CardSet, action: int) -> str:
    if action == PASS:
        return "pass"
    ability, target = divmod(action - 1, TARGET_CODES)
    name = ability_names(cards, state["hero"][state["active"]])[ability]
    return name if target == NO_TARGET else f"{name}{ON}{piece_name(state, cards, target)}"


def _pushing(state: np.void, cards: CardSet) -> str:
    pulled = cards.record[0]["pull"][state["hero"][state["active"]], state["ability"]]
    return "pull" if pulled else "push"


CELL = 4  # characters of a column
LAND = "·"
TRACK = ("○", "●")  # energy spaces: before the marker, and the one it stands on


def picture(state: np.void, cards: CardSet) -> str:
    """Draw the position: the board below its column numbers q, and a line for every hero.

    A hero is shown as its initial and seat (B1), a dragonling as those of its owner in lower case (d2). `*` marks the active
    hero.
    """
    return "\n".join([*_board(state, cards), "", *_legend(state, cards)])


def _board(state: np.void, cards: CardSet) -> list[str]:
    """Lines of the board, half a hex high: hex (q, r) is in column q of line 2r + q. The columns are numbered above."""
    places = land(cards)
    columns = range(min(q for q, _ in places), max(q for q, _ in places) + 1)
    rows = range(min(2 * r + q for q, r in places), max(2 * r + q for q, r in places) + 1)
    cells = {(q, r): _cell(state, cards, place) for (q, r), place in places.items()}
    lines = ["".join(f"{q}".center(CELL) for q in columns)]
    for row in rows:
        line = [cells.get((q, (row - q) // 2), "") if (row - q) % 2 == 0 else "" for q in columns]
        lines.append("".join(cell.center(CELL) for cell in line))
    return [line.rstrip() for line in lines]


def _cell(state: np.void, cards: CardSet, place: int) -> str:
    piece = state["occ"][place]
    if piece == EMPTY:
        return LAND
    owner = int(state["owner"][piece])
    mark = _marks(state, cards)[owner]
    if piece != owner:
        return mark.lower()
    return f"{mark}*" if owner == state["active"] and state["phase"] != Phase.OVER else mark


def _marks(state: np.void, cards: CardSet) -> list[str]:
    """Initial and seat of every hero; H instead of an initial that is no ASCII letter."""
    initials = [name[:1].upper() for name in hero_names(state, cards)]
    return [f"{i if i.isascii() and i.isalpha() else 'H'}{seat + 1}" for seat, i in enumerate(initials)]


def _legend(state: np.void, cards: CardSet) -> list[str]:
    names, marks = hero_names(state, cards), _marks(state, cards)
    width = max(map(len, names))
    lines = []
    for seat, (mark, name) in enumerate(zip(marks, names, strict=True)):
        turn = "*" if seat == state["active"] and state["phase"] != Phase.OVER else " "
        lines.append(f"{turn} {mark}  {name:<{width}}  {_standing(state, cards, seat)}".rstrip())
    return lines


def _standing(state: np.void, cards: CardSet, seat: int) -> str:
    """Where a hero is, its energy track, rage, protection and slow."""
    if state["pos"][seat] < 0:
        return "not placed yet" if state["phase"] == Phase.START else f"out, place {state['place'][seat]}"
    hero, marker = int(state["hero"][seat]), int(state["marker"][seat])
    q, r = hex_at(cards, state["pos"][seat])
    words = [f"({q:>2},{r:>2})  {_track(zones(cards, hero), marker)} {zone_name(cards, hero, marker):<6}"]
    if state["rage"][seat]:
        words.append(f"{state['rage'][seat]} rage")
    if state["protection"][seat]:
        words.append(f"+{state['protection'][seat]} Defence")
    if state["slow"][seat]:
        words.append(f"slowed by {state['slow'][seat]}")
    return "  ".join(words)


def _track(spaces: list[int], marker: int) -> str:
    """The energy track: spaces of the three zones, with the marker."""
    zones_drawn, first = [], 0
    for count in spaces:
        zones_drawn.append("".join(TRACK[place == marker] for place in range(first, first + count)))
        first += count
    return "|".join(zones_drawn)


_CAUSES = {
    Cause.KNOCKBACK: "knocked back by {}",
    Cause.COLLISION: "struck by what {} set going",
    Cause.PULL: "pulled by {}",
    Cause.RETALIATION: "shoved by {}",
}
_CHOSEN = (Phase.START, Phase.MOVE, Phase.POST_MOVE)
_OPENING = (Phase.ABILITY, Phase.PRE_MOVE, Phase.RAGE)  # decisions after which an attack can be rolled
# Fields that the end of a turn does not change
_KEPT_BY_THE_END = ("pos", "marker", "rage", "hexes_pushed", "fall_turn", "made_u", "made_v")


@dataclass(frozen=True)
class _Change(Change):
    """A change with the names of what is in it."""

    pushed: int = NOBODY  # piece that was displaced first: the target, or a user shoved by a hero

    @property
    def user(self) -> int:
        """Seat whose turn it was."""
        return self.was("active")

    @property
    def seats(self) -> range:
        return range(self.was("seats"))

    @property
    def phase(self) -> Phase:
        """What was decided."""
        return Phase(self.was("phase"))

    def name(self, piece: int) -> str:
        return piece_name(self.after, self.cards, piece)

    def place(self, piece: int, state: np.void) -> str:
        return hex_name(self.cards, state["pos"][piece])

    def card(self, field: str) -> int:
        """A number of the ability in use."""
        return int(self.cards.record[0][field][self.now("hero", self.user), self.now("ability")])

    def fell(self, piece: int) -> bool:
        """Whether a piece has fallen into the water (ARENA-62)."""
        return self.changed("fall_turn", piece)

    @property
    def rolled(self) -> bool:
        """Whether an attack was rolled."""
        return self.phase in _OPENING and (self.after["phase"] == Phase.STEP or self.gain("attacks", self.user) > 0)

    @property
    def acts(self) -> bool:
        """Whether the decision leads on within an ability, from ARENA-31 (c) on."""
        if self.phase == Phase.ABILITY:
            return self.after["phase"] != Phase.PRE_MOVE and self.gain("uses", self.user) > 0
        return self.phase in (Phase.PRE_MOVE, Phase.RAGE, Phase.STEP)


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """What happened between two consecutive states: a list of sentences, in order."""
    whole = _Change(before, after, cards)
    parts = _course(whole) if whole.acts else [whole]
    lines = [line for part in parts[:2] for line in (*_moves(part), *_help(part), *_payment(part))]
    lines += _dice(whole)
    lines += [line for part in parts[2:] for line in (*_shifts(part), *_falls(part), *_damage(part), *_tokens(part))]
    return [*lines, *_turn(whole)]


def _course(whole: _Change) -> list[_Change]:
    """Split an ability into parts: the move before it, effects on the user and payment, then each step of the attack.

    The state does not hold the hex of PRE_MOVE or the direction of STEP, so every option is tried: the one that leads to
    `after` is taken.
    """
    out = np.zeros(OPTIONS_MAX, np.int32)
    count = legal_actions(whole.before, whole.cards.record[0], out) if whole.phase in (Phase.PRE_MOVE, Phase.STEP) else 1
    courses = [_carried_out(whole, int(choice)) for choice in out[:count]]
    return max(courses, key=lambda course: _agreement(course[-1], whole))


def _agreement(last: _Change, whole: _Change) -> int:
    """Number of fields with equal values at the end of two changes, of those that the end of a turn does not change."""
    ends = Change(last.after, whole.after, whole.cards)
    return sum(not ends.changed(field) for field in _KEPT_BY_THE_END)


def _carried_out(whole: _Change, choice: int) -> list[_Change]:
    """Repeat ARENA-31 (b) to (j) with the dice as rolled. choice: hex of PRE_MOVE or direction of STEP, else ignored."""
    trial, last, parts = whole.before.copy(), whole.before, []
    for pushed in _steps(whole, choice, trial):
        earlier, last = last, trial.copy()
        parts.append(_Change(earlier, last, whole.cards, pushed))
    return parts


def _steps(whole: _Change, choice: int, trial: np.void) -> Iterator[int]:
    """Repeat the steps one by one on `trial`; yields the piece that each displaced first, or NOBODY."""
    record, user = whole.cards.record[0], whole.before["active"]
    trial["ability"], trial["target"] = whole.after["ability"], whole.after["target"]
    if whole.phase == Phase.PRE_MOVE:
        put(trial, user, choice)
    yield NOBODY
    if whole.phase == Phase.RAGE:
        pay_rage(trial, int(whole.after["paid"]))
    elif whole.phase != Phase.STEP:
        if whole.card("swap"):
            swap_places(trial, user, trial["target"])
        help_oneself(trial, record)
    trial["paid"] = whole.after["paid"]
    yield NOBODY
    if not (whole.rolled or whole.phase == Phase.STEP) or not (yield from _displacements(whole, choice, trial)):
        return
    reward_hit(trial, record)
    yield NOBODY
    for slot in range(trial["target_count"]):
        retaliate(trial, record, slot)
        yield int(user)
    clear_fallen(trial)
    yield NOBODY


def _displacements(whole: _Change, choice: int, trial: np.void) -> Generator[int, None, bool]:
    """ARENA-31 (g), target by target. Returns False if a path must be chosen first."""
    record = whole.cards.record[0]
    if whole.phase == Phase.STEP:
        step = pull_step if whole.card("pull") else push_step
        step(trial, record, trial["target"], choice)
        settled = settle(trial, record, 0)
        yield int(trial["target"])
        return bool(settled)
    trial["hits"], trial["net_hit"] = whole.after["hits"], 0
    name_targets(trial, record)
    for slot in range(trial["target_count"]):
        settled = strike(trial, record, slot, whole.after["blocked"][slot])
        yield int(trial["targets"][slot])
        if not settled:
            return False
    return True


def _moves(change: _Change) -> list[str]:
    """Moves of the user: by choice, before an attack, or by a swap; or that it passed."""
    user, before, after = change.user, change.before, change.after
    name = change.name(user)
    if change.phase == Phase.START:
        return [f"{name} starts on {change.place(user, after)}."]
    if change.phase in _CHOSEN:
        if before["pos"][user] == after["pos"][user]:
            return [f"{name} stays on {change.place(user, after)}."]
        return [f"{name} moves from {change.place(user, before)} to {change.place(user, after)}."]
    if _swapped(change):
        return [f"{name} changes places with {change.name(int(after['target']))}."]
    if change.phase == Phase.PRE_MOVE and before["pos"][user] != after["pos"][user]:
        return [f"{name} steps from {change.place(user, before)} to {change.place(user, after)}."]
    if change.phase == Phase.ABILITY and change.gain("passes", user):
        return [f"{name} uses no ability."]
    return []


def _swapped(change: _Change) -> bool:
    """ARENA-72. Whether user and target have changed places."""
    target = change.after["target"]
    if target == NO_TARGET or change.phase not in (Phase.ABILITY, Phase.PRE_MOVE) or change.after["phase"] != change.phase:
        return False
    return bool(change.before["pos"][target] == change.after["pos"][change.user] != change.before["pos"][change.user])


def _help(change: _Change) -> list[str]:
    """Dragonlings placed, protection, recovery and rage for use."""
    user, before, after = change.user, change.before, change.after
    name, lines = change.name(user), []
    hatched = [piece for piece in range(DRAGONLING, PIECES) if before["pos"][piece] < 0 <= after["pos"][piece]]
    lines += [f"{name} hatches {change.name(piece)} on {change.place(piece, after)}." for piece in hatched]
    if after["protection"][user] > before["protection"][user]:
        lines.append(f"{name} has +{after['protection'][user]} Defence until its next turn.")
    if after["marker"][user] < before["marker"][user]:
        lines.append(f"{name} recovers: marker from {before['marker'][user]} to {after['marker'][user]}.")
    return lines + _tokens(change)


def _dice(change: _Change) -> list[str]:
    """The attack roll and each target's Defence roll."""
    if not change.rolled:
        return []
    after = change.after
    ability = ability_names(change.cards, int(after["hero"][change.user]))[after["ability"]]
    if change.card("auto_hit"):
        attack = f"{ability} hits without a roll ({after['hits']})"
    else:
        attack = f"{ability} rolls {some(int(after['hits']), 'hit')}"
    if change.card("no_defence_roll"):
        return [f"{attack}; there is no Defence roll."]
    targets = after["targets"][: after["target_count"]]
    blocks = [f"{change.name(piece)} blocks {after['blocked'][slot]}" for slot, piece in enumerate(targets)]
    return [f"{attack}; {', '.join(blocks)}."]


def _shifts(change: _Change) -> list[str]:
    """Pieces that were pushed or pulled, and collisions."""
    before, after = change.before, change.after
    moved = [piece for piece in range(PIECES) if before["pos"][piece] != after["pos"][piece]]
    if change.pushed == NOBODY or not (moved or _collisions(change)):
        return []
    lines, strikes_listed = _push(change), 0
    for piece in _outwards(change):
        struck = piece in change.seats and change.gain("collisions_suffered", piece) > 0
        if change.fell(piece):
            strikes_listed += after["fall_cause"][piece] == Cause.COLLISION
        elif piece in moved:
            lines.append(f"{change.name(piece)} is struck and thrown {_way(change, piece)}.")
            strikes_listed += 1
        elif struck:
            lines.append(f"{change.name(piece)} is struck and passes the push on.")
            strikes_listed += 1
    if _collisions(change) > strikes_listed:
        lines.append(f"{some(_collisions(change), 'piece')} struck in all.")
    return lines


def _push(change: _Change) -> list[str]:
    """Where the piece that was displaced first went."""
    before, after, piece = change.before, change.after, change.pushed
    still, gone = before["pos"][piece] == after["pos"][piece], change.fell(piece)
    if piece == change.user:
        shover = next(seat for seat in change.seats if seat != piece and _pushes(change, seat))
        way = f" from {change.place(piece, before)}" if gone else "" if still else f" {_way(change, piece)}"
        held = f", which stays on {change.place(piece, after)}" if still else ""
        return [f"{change.name(shover)} shoves {change.name(piece)}{way}{held}."]
    verb = "is pulled" if change.card("pull") else "is pushed"
    return [] if still or gone else [f"{change.name(piece)} {verb} {_way(change, piece)}."]


def _pushes(change: _Change, seat: int) -> bool:
    """Whether a seat has the credit for what happened."""
    fields = ("hexes_pushed", "collisions_caused", "falls_caused", "dragonlings_felled")
    return any(change.gain(field, seat) for field in fields)


def _collisions(change: _Change) -> int:
    """Number of pieces that were struck."""
    return change.gain("collisions_caused")


def _outwards(change: _Change) -> list[int]:
    """ARENA-65. Other pieces on the board, by distance from the one displaced first: the order of a chain."""
    places = change.before["pos"]
    distance = change.cards.record[0]["distance"][places[change.pushed]]
    others = [piece for piece in range(PIECES) if places[piece] >= 0 and piece != change.pushed]
    return sorted(others, key=lambda piece: int(distance[places[piece]]))


def _way(change: _Change, piece: int) -> str:
    return f"from {change.place(piece, change.before)} to {change.place(piece, change.after)}"


def _falls(change: _Change) -> list[str]:
    """ARENA-64, 85. Pieces that fell, the cause and the credit; dragonlings that left with their owner."""
    before, after = change.before, change.after
    lines = []
    for piece in range(PIECES):
        if change.fell(piece):
            why = _CAUSES[Cause(after["fall_cause"][piece])].format(change.name(int(after["fall_by"][piece])))
            edge = hex_name(change.cards, after["fall_hex"][piece])
            lines.append(f"{change.name(piece)} falls into the water beyond {edge}, {why}.")
        elif after["pos"][piece] < 0 <= before["pos"][piece]:
            lines.append(f"{change.name(piece)} leaves the board with {change.name(int(before['owner'][piece]))}.")
    return lines


def _damage(change: _Change) -> list[str]:
    """Damage taken, and zones entered."""
    lines = []
    for seat, damage in change.gains("damage_taken").items():
        hero, was, now = change.now("hero", seat), change.was("marker", seat), change.now("marker", seat)
        zone_was, zone = zone_name(change.cards, hero, was), zone_name(change.cards, hero, now)
        end = ", the end of the track" if now == sum(zones(change.cards, hero)) - 1 else ""
        entered = f" and enters {zone}" if zone != zone_was else ""
        lines.append(f"{change.name(seat)} takes {damage} damage: marker from {was} to {now}{end}{entered}.")
    return lines


def _payment(change: _Change) -> list[str]:
    """ARENA-31 (e). Rage paid before the roll."""
    return [f"{change.name(seat)} pays {spent} rage." for seat, spent in change.gains("rage_spent").items()]


def _tokens(change: _Change) -> list[str]:
    """Rage gained, and slow."""
    lines = []
    for seat in change.seats:
        if gained := change.gain("rage_gained", seat):
            lines.append(f"{change.name(seat)} gains {gained} rage.")
        if change.gain("slow", seat) > 0:
            lines.append(f"{change.name(seat)} is slowed by {change.now('slow', seat)} on its next turn.")
    return lines


def _turn(change: _Change) -> list[str]:
    """End of the turn or of the game."""
    before, after = change.before, change.after
    if after["phase"] == Phase.OVER != before["phase"]:
        winner = next(seat for seat in change.seats if after["place"][seat] == 1)
        return [f"Turn {after['turn']} ends the game: {change.name(winner)} is the last hero standing."]
    if after["phase"] != Phase.MOVE or before["phase"] == Phase.OVER:
        return []
    lines = []
    following = int(after["active"])
    if change.ended:
        lines.append(f"Turn {after['turn']} ends; {change.name(following)} is next.")
    if before["protection"][following] > 0:
        lines.append(f"The protection of {change.name(following)} ends.")
    return lines
