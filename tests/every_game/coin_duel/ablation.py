"""What can be forbidden in Coin duel: folding and raising. A seat that can do neither holds."""

from sim.engine.cards import CardSet
from sim.engine.contract import NOTHING
from sim.engine.jit import Record, kernel
from tests.every_game.coin_duel.state import Action

USABLE = ("rule.fold", "rule.raise")
FOLDING, RAISING = range(len(USABLE))


def ablatable(cards: CardSet) -> tuple[str, ...]:
    """The same for every card set."""
    return USABLE


@kernel
def ablation_of(state: Record, cards: Record, action: int) -> int:
    """Holding uses nothing."""
    if action == Action.FOLD:
        return FOLDING
    return RAISING if action == Action.RAISE else NOTHING
