"""What can be forbidden in Coin duel: to fold, and to raise. Who may do neither holds."""

from sim.engine.cards import CardSet
from sim.engine.contract import NOTHING
from sim.engine.jit import Record, kernel
from tests.every_game.coin_duel.state import Action

USABLE = ("rule.fold", "rule.raise")
FOLDING, RAISING = range(len(USABLE))


def ablatable(cards: CardSet) -> tuple[str, ...]:
    """The same whatever the cards are."""
    return USABLE


@kernel
def ablation_of(state: Record, cards: Record, action: int) -> int:
    """To hold uses nothing."""
    if action == Action.FOLD:
        return FOLDING
    return RAISING if action == Action.RAISE else NOTHING
