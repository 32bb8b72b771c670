"""What a weighed game says: lines below each decision, a summary at the end, and the same as plain values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analysis.weighing import AGAIN, LUCKY, MARKS, REROLLS, Decision, Weighing
from analysis.wording import THIN, percent, points, seat_word
from sim.engine.table import Status

SHOWN = 5  # alternatives of a decision
MARGIN = "      "
SURE = 0.0005  # chances that differ by less look the same


def alternatives(weighing: Weighing, line: int) -> Iterator[str]:
    """Yield what the alternatives of a decision were worth, best first, and what was given away; nothing of one without any."""
    decision = weighing.decisions.get(line)
    if decision is None:
        return
    places = shown_places(decision)
    said = [f"{percent(decision.chances[at])} {_words(weighing, line, at)}" for at in places]
    said = [f"[{one}]" if at == decision.taken else one for one, at in zip(said, places, strict=True)]
    more = len(decision.actions) - len(places)
    rest = f" \u00b7 {more} more, down to {percent(decision.chances[-1])}" if more else ""
    yield MARGIN + " \u00b7 ".join(said) + rest
    if decision.mark:
        best = _words(weighing, line, 0)
        yield f"{MARGIN}{decision.mark.upper()}: gives away {_points(decision.given_away)} (best: {best})"


def turn_end(weighing: Weighing, line: int, seated: list[str]) -> str:
    """The chances of all seats at the end of a turn. line: of the first decision after it."""
    turn = int(weighing.played.moves[line - 1]["turn"]) + 1
    chances = zip(seated, weighing.judged[line], strict=True)
    said = ", ".join(f"{name} ({seat_word(seat)}) {percent(chance)}" for seat, (name, chance) in enumerate(chances))
    return f"End of turn {turn}, chances by the game's evaluation: {said}"


def luck_lines(weighing: Weighing, line: int, seated: list[str]) -> Iterator[str]:
    """Yield whom the chance after a decision served well or badly."""
    for seat, moved in weighing.lucky(line).items():
        kind = "lucky" if moved > 0 else "unlucky"
        yield f"{MARGIN}{kind} for {seated[seat]} ({seat_word(seat)}): {points(moved)} points"


def shown_places(decision: Decision) -> list[int]:
    """Places of the alternatives that are shown: the first, and the one that was chosen."""
    places = list(range(min(SHOWN, len(decision.actions))))
    return places if decision.taken in places else [*places[:-1], decision.taken]


def summary(weighing: Weighing, seated: list[str]) -> Iterator[str]:
    """Yield what the decisions and the luck of a game come to, and who says so."""
    yield ""
    yield f"Weighed by {weighing.policy}, which {weighing.policy.in_words}; luck is told by the game's own judgement."
    for seat, name in enumerate(seated):
        marks = ", ".join(f"{count} {plural(mark, count)}" for mark, count in weighing.marked(seat).items())
        lost = _points(weighing.given_away(seat))
        yield f"  {name} ({seat_word(seat)}): {marks}; gave away {lost}; luck {points(weighing.luck_in_all[seat])} points"
    deal = ", ".join(f"{who} {points(part)}" for who, part in zip(seated, weighing.of_deal, strict=True))
    if abs(weighing.of_deal).max() >= SURE:
        yield f"  of this luck the deal: {deal}"
    yield f"  {turning_words(weighing, seated)}"
    yield from how_to_read()


def how_to_read() -> Iterator[str]:
    """Yield what the marks mean."""
    least = ", ".join(f"{name} {100 * given:g}" for name, given in reversed(MARKS))
    yield "Chances of alternatives: of winning, of whoever decides, by what that seat knows; [ ] was chosen."
    yield (
        "Chances at the end of a turn: after its last decision and rolls, by the game's own evaluation, which sees all that is "
        "hidden; --interesting and --chart show the same ones."
    )
    yield f"Points given away: {least} or more, weighed again with {AGAIN} times the effort; added up where marked."
    yield (
        f"Lucky or unlucky: {100 * LUCKY:g} points or more beyond what {REROLLS} samples of the same chance lead to expect. "
        "The two judges differ: their points do not add up."
    )


def turning_words(weighing: Weighing, seated: list[str]) -> str:
    """Where the winner got ahead for good, and by what."""
    winner, line = weighing.winner, weighing.turning_point
    if winner is None:
        return f"turning point: none, for {_ending(weighing)}"
    if line is None:
        return f"turning point: none, for {seated[winner]} was ahead from the deal on"
    before, after = weighing.judged[line : line + 2, winner]
    move = weighing.played.moves[line]
    what = weighing.experiment.game.words.action(
        weighing.played.positions[line], weighing.experiment.cards, int(move["action"])
    )
    who = f"{seated[move['seat']]} ({seat_word(move['seat'])})"
    chance = float(weighing.luck[line, winner])
    luck = f", {points(chance)} of it by chance" if abs(chance) >= SURE else ""
    return (
        f"turning point: turn {move['turn'] + 1}, {who}: {what}; from there on {seated[winner]} was ahead for good "
        f"({percent(before)} to {percent(after)}{luck})"
    )


def as_values(weighing: Weighing) -> dict[str, Any]:
    """The summary as plain values."""
    seats, winner, line = range(weighing.seats), weighing.winner, weighing.turning_point
    return {
        "weighed_by": str(weighing.policy),
        "thresholds": dict(MARKS) | {"lucky": LUCKY},
        "marks": [weighing.marked(seat) for seat in seats],
        "given_away": [weighing.given_away(seat) for seat in seats],
        "luck": weighing.luck_in_all.tolist(),
        "luck_of_deal": weighing.of_deal.tolist(),
        "winner": winner,
        "turning_point": None if line is None else {"move": line, "turn": int(weighing.played.moves[line]["turn"]) + 1},
    }


def move_values(weighing: Weighing, line: int) -> dict[str, Any]:
    """What is told of one decision, as plain values: all alternatives, and the luck after it."""
    found: dict[str, Any] = {"judged": weighing.judged[line].tolist(), "luck": weighing.luck[line].tolist()}
    found["lucky"] = [seat for seat, moved in weighing.lucky(line).items() if moved > 0]
    found["unlucky"] = [seat for seat, moved in weighing.lucky(line).items() if moved < 0]
    decision = weighing.decisions.get(line)
    if decision is None:
        return found
    options = [
        {"decision": _words(weighing, line, at), "chance": chance, "chosen": at == decision.taken}
        for at, chance in enumerate(decision.chances)
    ]
    return found | {"alternatives": options, "given_away": decision.given_away, "mark": decision.mark or None}


def plural(word: str, count: int) -> str:
    """A mark's name in the plural, but for one."""
    if count == 1:
        return word
    return word.removesuffix("y") + "ies" if word.endswith("y") else f"{word}s"


def _words(weighing: Weighing, line: int, at: int) -> str:
    """An alternative in the game's words."""
    experiment = weighing.experiment
    action = weighing.decisions[line].actions[at]
    return experiment.game.words.action(weighing.played.positions[line], experiment.cards, action)


def _points(share: float) -> str:
    """An amount of points, without a sign."""
    return f"{100 * share:.1f}{THIN}points"


def _ending(weighing: Weighing) -> str:
    """Why nobody won alone."""
    row = weighing.played.rows[0]
    if row["status"] == Status.CAPPED:
        return "the game was stopped"
    return "the win is shared" if row["share"].any() else "nobody won"
