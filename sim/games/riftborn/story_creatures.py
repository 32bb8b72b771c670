"""What happened to creatures between two positions of Riftborn Tactics: who came, who was hurt, healed, changed, who died."""

from sim.games.riftborn.cards import ability_word
from sim.games.riftborn.labels import ROW_WORDS, spot_of
from sim.games.riftborn.record import ABILITIES, Ability
from sim.games.riftborn.state import ACTIVE, WAITING, side_of
from sim.games.riftborn.story_change import Change, joined
from sim.games.riftborn.switches import MoraleStart
from sim.games.riftborn.terms import Harm

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
_TOKENS = {"rage": "Rage", "health": "Health", "weakness": "Weakness", "decay": "Decay"}
_STATES = (("charm", "charmed"), ("pacify", "pacified"))


def arrivals(change: Change) -> list[str]:
    """RIFT-30, 111. Who entered a formation, and who has become another."""
    told = []
    for g in change.new:
        row = spot_of(change.after, g)[1]
        down = ", face down" if change.after["face_down"][g] else ""
        told.append(f"{change.card(int(change.after['card'][g]))} enters the {ROW_WORDS[row]} row{down}.")
    for g in change.stayed:
        card = int(change.after["card"][g])
        if card != change.before["card"][g]:
            told.append(f"{change.name(g)} becomes {change.card(card)}.")
    return told


def fates(change: Change) -> list[str]:
    """RIFT-46 to 52, 63 to 72. What creatures suffered, what healed them, who died: the creature in use comes last."""
    user = int(change.after["user"])
    told = [line for g in change.stayed if g != user for line in _changed(change, g)]
    ends = _ends(change)
    told += [line for g, line in ends.items() if g != user]
    told += _changed(change, user) if user in change.stayed else []
    return told + ([ends[user]] if user in ends else [])


def _changed(change: Change, g: int) -> list[str]:
    """What has changed on a creature that is still there."""
    if change.after["card"][g] != change.before["card"][g]:
        return []  # a TRANSFORM token, which has begun anew
    return [*_turned(change, g), *_hurt(change, g), *_tokens(change, g)]


def _turned(change: Change, g: int) -> list[str]:
    """RIFT-108. A creature that was face down."""
    up = change.before["face_down"][g] and not change.after["face_down"][g]
    return [f"{change.name(g)} turns face up."] if up else []


def _hurt(change: Change, g: int) -> list[str]:
    """Damage and healing; what the creature in use took in return is told apart."""
    name, left = change.name(g), int(change.after["damage"][g])
    if (back := -change.gain("ability", g, Ability.UNDEATH)) > 0:
        more = int(change.after["ability"][g, Ability.UNDEATH])
        return (
            [f"{name} dies and returns with {left} damage; {more or 'no'} UNDEATH is left."]
            if back == 1
            else [f"{name} dies {back} times and returns with {left} damage; {more or 'no'} UNDEATH is left."]
        )
    shields = 0 if side_of(g) == change.fresh else max(0, -change.gain("shield", g))
    answer = change.answered(g)
    absorbed = min(shields, answer)
    other = change.gain("damage", g) - (answer - absorbed)
    told = []
    if other < 0:
        told.append(f"{name} heals {-other} damage.")
    elif other + shields - absorbed > 0:
        told.append(f"{name} takes {other + shields - absorbed} damage{_shielded(shields - absorbed)}.")
    if answer:
        how = "as it moves away" if change.moved_away(g) else "in return"
        told.append(f"{name} takes {answer} damage {how}{_shielded(absorbed)}.")
    return told


def _shielded(points: int) -> str:
    return f", {points} of it on Shields" if points else ""


def _tokens(change: Change, g: int) -> list[str]:
    """RIFT-60, 66 to 68, 82, 93, 94, 99. Tokens, stored READY, abilities, states."""
    name, told = change.name(g), []
    came = [f"{change.gain(field, g)} {word}" for field, word in _TOKENS.items() if change.gain(field, g) > 0]
    came += [f"{change.gain('shield', g)} Shield"] if change.gain("shield", g) > 0 else []
    gone = [f"{-change.gain(field, g)} {word}" for field, word in _TOKENS.items() if change.gain(field, g) < 0]
    told += [f"{name} gets {joined(came)}."] if came else []
    told += [f"{name} loses {joined(gone)}."] if gone else []
    if change.gain("ready", g) > 0:
        told.append(f"{name} is ready: its next strike does {change.after['ready'][g]} more.")
    if change.gain("morale", g) and change.after["ability"][g, Ability.MORALE]:
        told.append(f"{name} gives {MoraleStart(change.after['morale'][g]).name.title()} now.")
    for field, word in _STATES:
        if change.after[field][g] & WAITING and not change.before[field][g] & (WAITING | ACTIVE):
            told.append(f"{name} is {word} for its next turn.")
    return told + _abilities(change, g)


def _abilities(change: Change, g: int) -> list[str]:
    """RIFT-60, 110. Abilities granted and lost, but for UNDEATH that was used."""
    was, now = (state["ability"][g].astype(int) for state in (change.before, change.after))
    gained = [ability_word(a, int(now[a])) for a in range(ABILITIES) if now[a] > was[a]]
    lost = [ability_word(a, int(was[a])) for a in range(ABILITIES) if was[a] and not now[a] and a != Ability.UNDEATH]
    told = [f"{change.name(g)} has {joined(gained)} now."] if gained else []
    return told + ([f"{change.name(g)} loses {joined(lost)}."] if lost else [])


def _ends(change: Change) -> dict[int, str]:
    """RIFT-72. Who died, and of what as far as the causes tell, by creature."""
    told: dict[int, str] = {}
    for seat in change.seats:
        causes = [harm for harm in Harm for _ in range(max(0, change.gain("deaths", seat, int(harm))))]
        gone = sorted((g for g in change.gone if side_of(g) == seat), key=lambda g: not _is_foremost(change, g))
        told |= {g: f"{change.name(g)} {_DEATHS[_cause(change, g, causes)]}." for g in gone}
    return told


def _is_foremost(change: Change, g: int) -> bool:
    """Whether a creature struck or was struck, so that its cause of death is known before that of others."""
    return g in (change.after["user"], change.after["target"])


def _cause(change: Change, g: int, causes: list[Harm]) -> Harm:
    """What a creature died of: of the causes left, the one that goes with what it did. The cause is taken out."""
    own = (Harm.ANSWER, Harm.OPPORTUNITY) if g == change.after["user"] else (Harm.STRIKE, Harm.WEAPON)
    likely = [harm for harm in own if harm in causes] if _is_foremost(change, g) else [*causes]
    others = [harm for harm in causes if harm not in (Harm.STRIKE, Harm.ANSWER, Harm.OPPORTUNITY)]
    cause = (likely or others or [*causes, Harm.NONE])[0]
    if cause in causes:
        causes.remove(cause)
    return cause
