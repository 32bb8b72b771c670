"""What cards, stances, abilities and ailments do, in short words: "damage 3 to a Runeslinger; hit: 2 weaken".

The tables of the README are made of them. All functions take tables of a valid card file as they were read.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Entry = Mapping[str, Any]

_TO = {
    "any": "to any target",
    "runeslinger": "to a Runeslinger",
    "enemy": "to the enemy Runeslinger",
    "own": "to the own Runeslinger or an own card",
    "defence": "to a defence card",
    "self": "to the own Runeslinger",
    "each": "to each Runeslinger",
}
_WHOSE = {"runeslinger": "a Runeslinger: ", "enemy": "the enemy: ", "each": "each: ", "self": "", "same": ""}
_THINGS = {"defence": "a defence card", "runespell": "a runespell", "concentration": "a concentration", "card": "a card in play"}
_VERBS = {
    "lose": "lose {n} health",
    "heal": "heal {n}",
    "remove": "remove {n} ailments",
    "draw": "draw {n}",
    "sear": "sear {n}",
    "void": "void {n}",
    "discard": "discard {n}",
    "discard_random": "discard {n} at random",
    "light": "{n} light",
    "extra_set": "{n} more to set",
    "release": "release the card under it",
}
_STATS = {
    "block": "block",
    "max_health": "maximum health",
    "damage": "damage",
    "damage_spirit": "damage of spirit runespells",
    "damage_attack": "damage of attack runespells",
    "defence": "defence of defence cards",
}
_FLAGS = {
    "attack_any": "attack runespells may target defence cards",
    "no_heal": "no healing",
    "no_pass": "no passing",
    "no_ability": "no abilities",
    "pierce_spirit": "spirit runespells have Pierce",
    "pierce_attack": "attack runespells have Pierce",
}
_SCOPES = {"self": "", "enemy": " of the enemy", "each": " of both"}
_IF = {"always": "", "owned": " [owned]", "not_owned": " [not owned]"}
_WHEN = {
    "turn_start": "at the start of the turn",
    "sling_spirit": "when you sling a spirit runespell",
    "sling_attack": "when you sling an attack runespell",
    "sling_utility": "when you sling a utility runespell",
    "you_block": "when you block",
    "you_pass": "when you pass",
    "you_downed": "when you lose a power",
    "enemy_downed": "when the enemy loses a power",
    "destroyed": "when destroyed",
    "leaves": "when it leaves",
}


def effect_text(effect: Entry) -> str:
    """One effect."""
    op, n, to = effect["op"], effect.get("n"), effect.get("to", "self")
    if op == "damage":
        return _damage_text(effect)
    if op == "barrier":
        return f"barrier {n} {_TO[to]}"
    if op in ("destroy", "trap"):
        return f"{op} {_THINGS[to]}"
    if op == "boost":
        return _boost_text(effect)
    if op == "apply":
        words = _applied(effect)
    elif op == "convert":
        words = f"convert {n} ailments into {'a chosen type' if effect['into'] == 'choose' else effect['into']}"
    else:
        words = _plural(_VERBS[op].format(n=n), n)
    return _WHOSE[to] + words


def _plural(words: str, n: int | None) -> str:
    """`1 ailment` instead of `1 ailments`."""
    return words.removesuffix("s") if n == 1 and words.endswith("ailments") else words


def _damage_text(effect: Entry) -> str:
    """Damage, its kind, and what a hit does."""
    kind = " direct" if effect.get("direct") else ""
    per = " for each ailment of the target" if "per" in effect else ""
    words = f"damage {effect['n']}{kind}{per} {_TO[effect['to']]}"
    hit = ", ".join(map(effect_text, effect.get("hit", ())))
    return f"{words}; hit: {hit}" if hit else words


def _applied(effect: Entry) -> str:
    """Instances of an ailment."""
    if effect["ailment"] != "choose":
        return f"{effect['n']} {effect['ailment']}"
    return f"{effect['n']} {'different ' if effect.get('distinct') else ''}ailments of choice"


def _boost_text(effect: Entry) -> str:
    """A stat that is raised until the Discard Phase."""
    if effect["stat"] in _FLAGS:
        return f"this turn {_FLAGS[effect['stat']]}"
    return f"this turn {_STATS[effect['stat']]} +{effect['n']}"


def list_text(effects: Iterable[Entry]) -> str:
    """Effects as they come."""
    return ", then ".join(map(effect_text, effects))


def static_text(static: Entry) -> str:
    """One static."""
    stat, scope = static["stat"], _SCOPES[static.get("scope", "self")]
    if stat in _FLAGS:
        words = f"{_FLAGS[stat]}{scope}"
    elif stat == "max_hand":
        words = f"maximum hand{scope} {static['n']}"
    else:
        words = f"{_STATS[stat]}{scope} {static['n']:+}"
    return words + _IF[static.get("if", "always")]


def trigger_text(trigger: Entry) -> str:
    """One trigger."""
    return f"{_WHEN[trigger['when']]}{_IF[trigger.get('if', 'always')]}: {list_text(trigger['effects'])}"


def activated_text(activated: Entry) -> str:
    """An activated effect or inherent ability: what it costs, how often, and what it does."""
    costs = ["turn it"] if activated.get("use") else []
    costs += [f"{activated[what]} {what}" for what in ("light", "tokens") if activated.get(what)]
    times = activated.get("per_turn", 0)
    often = {0: "", 1: ", once a turn"}.get(times, f", {times} times a turn")
    return f"{' and '.join(costs) or 'free'}{often}: {list_text(activated['effects'])}"


def card_text(card: Entry) -> str:
    """All that a card or stance does: keywords, costs beside light, effects; "no text" where there is nothing."""
    keywords: Sequence[str] = card.get("keywords", ())
    parts = [f"token {card['tokens']}" if word == "token" else word for word in keywords]
    if discard := card.get("extra_cost", {}).get("discard"):
        parts.append(f"cost: discard {discard}")
    parts += [list_text(card["effects"])] if card.get("effects") else []
    parts += [f"• {list_text(bullet)}" for bullet in card.get("bullets", ())]
    parts += map(static_text, card.get("statics", ()))
    parts += map(trigger_text, card.get("triggers", ()))
    parts += map(activated_text, card.get("activated", ()))
    return "; ".join(parts) or "no text"


def ability_text(ability: Entry) -> str:
    """What an ability costs and does."""
    return f"{ability['determination']} determination: {list_text(ability['effects'])}"


def ailment_text(ailment: Entry) -> str:
    """All that an ailment does to its bearer."""
    parts = []
    if ailment.get("on_apply"):
        parts.append(f"each one applied: {list_text(ailment['on_apply'])}")
    parts += [f"{static_text(static)} for each" for static in ailment.get("per_instance", ())]
    parts += map(static_text, ailment.get("while_any", ()))
    second = [*map(static_text, ailment.get("level2", ()))]
    for field, moment in (("ailment_phase", "in the Ailment Phase"), ("after_draw", "after drawing")):
        if ailment.get(field):
            second.append(f"{moment}: {list_text(ailment[field])}")
    if second:
        parts.append(f"from {ailment['threshold']} on: {', '.join(second)}")
    return "; ".join(parts) or "no text"
