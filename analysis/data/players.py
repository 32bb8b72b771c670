"""Who plays if a question names no policy, and how many games there is time for.

Every command, function, page and the workbench play the strong players of a game (`Game.player`). Quick players are a choice,
which the output names. Numbers of games follow from `Game.speed`, which a game declares: nothing is timed, so the same command
plays the same games on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10

from analysis.data.names import policies_of, policy_of
from sim.engine.contract import Game
from sim.engine.policies import Policy, PolicySpec

QUICK = "greedy:4"
ANSWER, LONG_ANSWER, SEARCH = 6.0, 12.0, 40.0  # seconds that the games of an answer may take
CORES = 2  # of the machine that these seconds hold for
GAMES_MOST = 10_000  # of an answer: a win rate is then known to about one point
GAMES_LEAST = 20
DIGITS = 2  # significant digits of a number of games
REPLYING = 4  # times as long as a plan without them, replies take


def strong_player(game: Game) -> PolicySpec:
    """The strongest player of a game that answers in time."""
    return policy_of(game.player)


def quicker(player: PolicySpec) -> PolicySpec:
    """The quick player, or another one that does not think longer."""
    quick = policy_of(QUICK)
    return quick if thought(quick) < thought(player) else player


def searching_player(game: Game, player: PolicySpec) -> PolicySpec:
    """The player that searches for what another one tests: a quicker one for the strong player, else the same."""
    return quicker(player) if player == strong_player(game) else player


def chosen_players(game: Game, policy: str | None, quick: bool) -> tuple[PolicySpec, ...]:
    """The players of a question: those that it names, quick ones, or else the strong ones. Raises ValueError."""
    if policy is not None and quick:
        raise ValueError(f"policy={policy!r}: quick players are {QUICK}; leave one of the two out")
    return policies_of(policy or (QUICK if quick else game.player))


def player_words(game: Game, policies: Sequence[PolicySpec], exact: bool = False) -> str:
    """Words for the players: `strong players`, `quick players: greedy:4`, `random players`, or the policies.

    exact: with the policy of the strong players, as in `strong players (turn:4:8:1)`.
    """
    if len(set(policies)) > 1:
        return f"players {','.join(map(str, policies))} in turn by seat"
    player = policies[0]
    if player == strong_player(game):
        return f"strong players ({player})" if exact else "strong players"
    if player == policy_of(QUICK):
        return f"quick players: {player}"
    return "random players" if player.policy == Policy.RANDOM else f"players: {player}"


def level_words(game: Game, levels: Sequence[str]) -> list[str]:
    """Words for players of several levels: `random`, `quick`, `strong`, or the policy; `planning` for plans of a turn.

    levels: policies. A word that fits two of them is not used.
    """
    words = []
    for level in levels:
        player = policy_of(level)
        named = {strong_player(game): "strong", policy_of(QUICK): "quick"}.get(player)
        kinds = {Policy.RANDOM: "random", Policy.TURN: "planning"}
        words.append(named or kinds.get(player.policy, level))
    return [level if words.count(word) > 1 else word for level, word in zip(levels, words, strict=True)]


def thought(player: PolicySpec) -> int:
    """Samples of all plans, or playouts, of a decision, to which its time is roughly proportional; 0 for random decisions."""
    if player.policy == Policy.RANDOM:
        return 0
    samples = player.samples * max(1, player.width)
    return samples * (REPLYING if player.policy == Policy.TURN and player.depth else 1)


def games_in(game: Game, policies: Sequence[PolicySpec], seats: int, seconds: float = ANSWER, most: int = GAMES_MOST) -> int:
    """Number of games that these players finish in some seconds on two cores, at a number of seats; at most `most`.

    `Game.speed` is that of the strong players; that of others is estimated by the thought of a decision.
    """
    mean = sum(map(thought, policies)) / len(policies)
    if not mean:
        return most
    games = CORES * game.speed_at(seats) * seconds * max(1, thought(strong_player(game))) / mean
    unit = 10.0 ** (floor(log10(max(games, 1.0))) + 1 - DIGITS)
    return min(most, max(GAMES_LEAST, int(round(games / unit) * unit)))
