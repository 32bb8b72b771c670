"""Exact odds of duels, compared with duels that the game's kernels fight: the command `duel`, and tables of all duels.

`duel_section` shows one duel, `duel_table` every fighter against every opponent, without gear and with each piece of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analysis.answer.model import Section
from analysis.answer.numbers import Format, count, number, percent
from analysis.answer.tables import Table
from analysis.charts import dumbbell
from analysis.data.rows import distinct
from analysis.stats.intervals import adjust
from analysis.stats.markov import BestDecisions, DuelOdds, compare, optimise, solve
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.exact import Decisions, Duel, DuelRequest, Duels, arrange
from sim.seeds import derived_seed

GAMES_MAX = 10_000_000
TURNS_SHOWN = 15  # rows of the table of turns; the rest are added up
BAR = 24  # characters of the longest bar
EIGHTHS = " ▏▎▍▌▋▊▉█"
LEAST = 0.0005  # rows with smaller chances are cut off the end
SHARES: dict[str, Format] = {"exact": "percent", "simulated": "percent"}
FLED_WORTH = 0.5  # of a flight, when a win is worth 1
DECISIONS_SHOWN = 12  # rows of the table of best decisions
BARE = ""  # gear of a fighter without any
KEYS = ["fighter", "opponent"]

Watch = Callable[[str, int, int], None]


def check_games(games: int) -> None:
    """Raise ValueError outside 1..GAMES_MAX."""
    if not 1 <= games <= GAMES_MAX:
        raise ValueError(f"games={games} must be 1..{GAMES_MAX}")


def duels_of(game: Game) -> Duels:
    """Return the duels of a game. Raises ValueError if it has none."""
    if game.duels is None:
        raise ValueError(f"game={game.name!r} has no duels with known odds")
    return game.duels


def request_of(fighter: str, opponents: str, gear: str | None, **plan: Any) -> DuelRequest:
    """Return the request described by the options of the command.

    opponents, gear: lists of ids separated by commas; plan: passed on unchanged.
    """
    against, worn = (tuple(filter(None, map(str.strip, text.split(",")))) for text in (opponents, gear or ""))
    return DuelRequest(fighter, against, worn, **plan)


def arranged(game: Game, cards: CardSet, request: DuelRequest) -> Duel:
    """Set up a duel of a game. Raises ValueError for a duel that cannot be fought, or if the game has no duels."""
    return arrange(duels_of(game), cards, request)


def plan_words(request: DuelRequest) -> str:
    """Describe the fighter's plan, e.g. "2 potions, drinks at 4 or less, flees at 2 or less"; empty if it only fights."""
    words = [f"{request.potions} potion{'s' if request.potions > 1 else ''}"] if request.potions else []
    words += [f"drinks at {request.drink_at} or less"] if request.drink_at is not None else []
    words += [f"flees at {request.flee_at} or less"] if request.flee_at is not None else []
    return ", ".join(words + ([] if request.exit else ["nowhere to flee to"]))


def duel_section(game: Game, duel: Duel, plan: str, games: int, seed: int) -> Section:
    """Solve and simulate a duel: tables of its endings, of what is left at the end, and of its length. plan: in words."""
    odds, fights, left_word = solve(duel.chain()), duel.sample(games, seed), duels_of(game).left_word
    fit = compare(odds, fights)
    endings = [
        {"ending": name, "exact": chance, "simulated": share.estimate, "low": share.low, "high": share.high, "z": z}
        for name, chance, share, z in zip(odds.endings, odds.chance.tolist(), fit.shares, fit.z, strict=True)
    ]
    left = []
    for ending, name in enumerate(odds.endings):
        seen = fights.left[fights.ending == ending]
        amounts = {*odds.left[ending], *seen.tolist()}
        for amount in sorted(amounts, reverse=True) if amounts - {0} else ():  # nothing to show if nothing is ever left
            exact = float(odds.chance[ending]) * odds.left[ending].get(amount, 0.0)
            left.append({"ending": name, "left": amount, "exact": exact, "simulated": int((seen == amount).sum()) / fit.n})
    shares = np.bincount(fights.turns)[1:] / fit.n
    size = max(len(shares), len(odds.turns))
    chances = [np.pad(column, (0, size - len(column))).tolist() for column in (odds.turns, shares)]
    turns = [
        {"turns": turn, "exact": exact, "simulated": share}
        for turn, (exact, share) in enumerate(zip(*chances, strict=True), start=1)
    ]
    stopped = f", {count(fit.undecided)} of them stopped before their end" if fit.undecided else ""
    tested = f", chi-square p = {fit.p_value:.3f}" if fit.p_value == fit.p_value else ""
    caption = (
        f"{duel.title}: {duel.health} of {duel.health_max} {left_word}{plan and ', '}{plan}; {count(fit.n)} duels{stopped}; "
        f"largest |z| = {abs(fit.z_max):.2f}{tested}"
    )
    rows = tuple(tuple(line.values()) for line in endings)
    tables = [Table("endings", tuple(endings[0]), rows, caption, {**SHARES, "low": "percent", "high": "percent"})]
    if left:
        words, over = ("ending", f"{left_word} left", "exact", "simulated", ""), f"{left_word.capitalize()} left at the end"
        tables.append(_with_bars("left", words, [tuple(line.values()) for line in left], over))
    lines = [(str(line["turns"]), line["exact"], line["simulated"]) for line in turns[:TURNS_SHOWN]]
    if len(turns) > TURNS_SHOWN or odds.rest > 0:
        exact, share = (sum(line[key] for line in turns[TURNS_SHOWN:]) for key in ("exact", "simulated"))
        lines.append(("later", exact + odds.rest, share))
    while len(lines) > 1 and max(lines[-1][1:]) < LEAST:
        lines.pop()
    caption = f"Turns: mean {number(odds.mean_turns)}, sd {number(odds.sd_turns)}; simulated mean {number(fit.mean_turns)}, z = "
    tables.append(_with_bars("turns", ("ends in turn", "exact", "simulated", ""), lines, f"{caption}{number(fit.z_turns)}"))
    named = ("title", "fighter", "opponents", "gear", "health", "health_max")
    data = {**{name: getattr(duel, name) for name in named}, "plan": plan, "endings": endings, "left": left, "turns": turns}
    data |= {"longer": odds.rest, "mean_turns": {"exact": odds.mean_turns, "simulated": fit.mean_turns, "z": fit.z_turns}}
    data |= {"games": fit.n, "stopped": fit.undecided, "z_max": fit.z_max, "p": fit.p_value}
    sentences = tuple[str, ...]()
    if duel.decisions is not None:
        try:
            advice, sentences, best = _best_decisions(duel.decisions(), odds, left_word)
            tables, data = [*tables, advice], data | best
        except ValueError as error:  # every decision makes far more situations than one plan
            sentences = (f"Best decisions are left out: {error}.",)
    ways = ", ".join(f"{line['ending']} {percent(line['exact'])}" for line in endings)
    answer = f"{duel.title}{plan and ', '}{plan}: {ways}, in {number(odds.mean_turns)} turns on average."
    figure = partial(_endings_figure, endings, fit.n)
    return Section("duel", answer=answer, tables=tuple(tables), lines=sentences, data=data, draw=figure)


def _best_decisions(decisions: Decisions, odds: DuelOdds, left_word: str) -> tuple[Table, tuple[str, ...], dict[str, Any]]:
    """Table of the best decisions, sentences that compare the plan with them, and both as data. odds: of the plan."""
    names, escape = decisions.endings, decisions.escape
    worths = {"to win": [1.0] + [0.0] * (len(names) - 1)}
    if escape in decisions.ending:
        worths["to win or flee"] = [FLED_WORTH if index == escape else worth for index, worth in enumerate(worths["to win"])]
    solved = {goal: optimise(decisions, worth) for goal, worth in worths.items()}
    lines, best = [], []
    for goal, worth in worths.items():
        value, plan = solved[goal].value, float(odds.chance @ worth)
        share = plan / value if value > 0 else None
        best.append({"goal": goal, "best": value, "plan": plan, "share": share, "worth": dict(zip(names, worth, strict=True))})
        terms = [f"{name} counts {weight:g}" for name, weight in zip(names, worth, strict=True) if 0 < weight < 1]
        of_best = f", {percent(share)} of the optimum" if share is not None else ""
        weighed, word = (f" ({', '.join(terms)})", "worth") if terms else ("", names[0])
        lines.append(f"Best decisions {goal}{weighed}: {word} {percent(value)} (this plan {percent(plan)}{of_best}).")
    cells = _decision_cells(decisions, solved)
    rows = _decision_rows(cells, list(worths))
    potions = bool(decisions.potions.any())
    shown = [row if potions else (row[0], *row[2:]) for row in rows[:DECISIONS_SHOWN]]
    caption = f"Best decisions by {left_word} at the start of a turn; \u201cat\u201d: the opponents' {left_word}"
    if any(len(actions) > 1 for actions in cells.values()):
        caption += "; \u201cor\u201d: it depends on more than the table shows, such as poison"
    if len(rows) > DECISIONS_SHOWN:
        caption += f". The first {DECISIONS_SHOWN} of {len(rows)} rows; --json lists all situations"
    columns = (left_word, *(("potions",) if potions else ()), *worths)
    fields = ("goal", "left", "potions", "theirs", "decisions")
    listed = [dict(zip(fields, (*cell, sorted(actions)), strict=True)) for cell, actions in cells.items()]
    return Table("decisions", columns, tuple(shown), caption), tuple(lines), {"best": best, "decisions": listed}


def _decision_cells(decisions: Decisions, solved: dict[str, BestDecisions]) -> dict[tuple[str, int, int, int], set[str]]:
    """Best actions by goal, what the fighter has left, potions, and what the opponents have left, where they can come up.

    Situations that differ in something else, such as poison, share a cell.
    """
    cells: dict[tuple[str, int, int, int], set[str]] = {}
    for goal, best in solved.items():
        for state in np.flatnonzero(best.reached):
            cell = (goal, int(decisions.own[state]), int(decisions.potions[state]), int(decisions.theirs[state]))
            cells.setdefault(cell, set()).add(decisions.actions[best.action[state]])
    return cells


def _decision_rows(cells: dict[tuple[str, int, int, int], set[str]], goals: list[str]) -> list[tuple[str, ...]]:
    """Rows of what is left, potions, and decisions by goal; neighbouring amounts with the same decisions are one row."""
    rows: list[tuple[int, int, int, list[str]]] = []  # most left, least left, potions, words
    for potions, own in sorted({cell[2:0:-1] for cell in cells}, reverse=True):
        words = []
        for goal in goals:
            runs: list[tuple[str, list[int]]] = []  # actions, and the opponents' amounts at which they are best
            for theirs in sorted(cell[3] for cell in cells if cell[:3] == (goal, own, potions)):
                text = " or ".join(sorted(cells[goal, own, potions, theirs]))
                if not runs or runs[-1][0] != text:
                    runs.append((text, []))
                runs[-1][1].append(theirs)
            parted = [f"{text} at {_span(amounts[-1], amounts[0])}" if len(runs) > 1 else text for text, amounts in runs]
            words.append("; ".join(parted))
        if rows and rows[-1][2:] == (potions, words):
            rows[-1] = (rows[-1][0], own, potions, words)
        else:
            rows.append((own, own, potions, words))
    return [(_span(most, least), str(potions), *(text or "\u2013" for text in words)) for most, least, potions, words in rows]


def _span(most: int, least: int) -> str:
    """A range of whole numbers, e.g. "3\u20137"."""
    return str(most) if most == least else f"{least}\u2013{most}"


def _with_bars(id_: str, columns: tuple[str, ...], rows: Sequence[tuple[Any, ...]], caption: str) -> Table:
    """A table with text bars of the exact chances, its last column but one; the longest has BAR characters."""
    chances = [row[-2] for row in rows]
    lengths = [round(8 * BAR * chance / (max(chances) or 1.0)) for chance in chances]
    bars = [(EIGHTHS[8] * (length // 8) + EIGHTHS[length % 8]).rstrip() for length in lengths]
    return Table(id_, columns, tuple((*row, bar) for row, bar in zip(rows, bars, strict=True)), caption, SHARES)


def _endings_figure(endings: Sequence[dict[str, Any]], n: int) -> Figure:
    """Exact probabilities of the endings beside simulated shares."""
    frame = pd.DataFrame(endings).rename(columns={"ending": "name", "exact": "first", "simulated": "second"})
    bounds = {"first_low": frame["first"], "first_high": frame["first"], "second_low": frame["low"], "second_high": frame["high"]}
    return dumbbell(frame.assign(**bounds, n=n), words=("exact", "simulated"), label="chance", what="duels")


def duel_table(
    game: Game, cards: CardSet, games: int, seed: int, watch: Watch | None = None
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """One row per duel of one against one, at full health, fought to the end. Each duel has its own dice.

    Columns: fighter, opponent, gear (names, BARE first; without pieces that a fighter cannot wear), win (exact chance),
    simulated, low, high (share of `games` duels won), z, z_max (over all endings and the turns), p (chi-square, nan for a
    single ending), p_holm, turns and left (exact means; left given a win), stopped, n; chance_0, chance_1, ... (exact, by
    ending); bare (win without gear), change (win less bare). Also returns the names of the endings. Raises ValueError if the
    game has no duels.
    """
    duels = duels_of(game)
    named = [hook(cards) for hook in (duels.gear, duels.fighters, duels.opponents)]
    ids = [dict(zip([id_ for id_, _ in pairs], distinct([name for _, name in pairs]), strict=True)) for pairs in named]
    gear, fighters, opponents = ids
    wanted = [(piece, fighter, opponent) for piece in ("", *gear) for fighter in fighters for opponent in opponents]
    lines, endings = [], tuple[str, ...]()
    for index, (piece, fighter, opponent) in enumerate(wanted):
        try:
            duel = arranged(game, cards, DuelRequest(fighter, (opponent,), (piece,) if piece else ()))
        except ValueError:
            if not piece:
                raise
            duel = None  # the fighter cannot wear this piece
        if duel is not None:
            odds = solve(duel.chain())
            fit, endings = compare(odds, duel.sample(games, derived_seed(seed, f"duel {index}"))), odds.endings
            won, names = fit.shares[0], {"fighter": fighters[fighter], "opponent": opponents[opponent]}
            line = {**names, "gear": gear.get(piece, BARE), "win": odds.win, "simulated": won.estimate, "low": won.low}
            line |= {"high": won.high, "z": fit.z[0], "z_max": fit.z_max, "p": fit.p_value, "turns": odds.mean_turns}
            line |= {f"chance_{ending}": float(chance) for ending, chance in enumerate(odds.chance)}
            lines.append(line | {"left": odds.mean_left(), "stopped": fit.undecided, "n": fit.n})
        if watch:
            watch("duels", index + 1, len(wanted))
    frame = pd.DataFrame(lines)
    bare = frame.loc[frame["gear"] == BARE, [*KEYS, "win"]].rename(columns={"win": "bare"})
    frame = frame.merge(bare, on=KEYS, how="left", validate="many_to_one")
    return frame.assign(change=frame["win"] - frame["bare"], p_holm=adjust(frame["p"])), endings
