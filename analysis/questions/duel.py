"""Exact odds of a duel beside duels that the game's kernels fight, and the best decisions of the fighter."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart
from analysis.answer.numbers import Format, count, number, percent
from analysis.answer.tables import Table, data_only, table
from analysis.data.study import Study
from analysis.dice.duels import arranged, check_games, duels_of, plan_words
from analysis.question import question
from analysis.stats.markov import BestDecisions, DuelOdds, compare, optimise, solve
from sim.engine.exact import Decisions, Duel, DuelRequest

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

TURNS_SHOWN = 15  # rows of the table of turns; the rest are added up
LEAST = 0.0005  # rows with smaller chances are cut off the end
SIMULATED = ("simulated", "low", "high", "z")  # see `Table.details`
SHARES: dict[str, Format] = {"exact": "percent", "simulated": "percent"}
FLED_WORTH = 0.5  # of a flight, when a win is worth 1
DECISIONS_SHOWN = 12  # rows of the table of best decisions


@question(
    needs=("duels",),
    without=("seats", "policy", "line_up", "forbid", "jobs"),
    examples=("duel cardrogue warrior troll --gear sword,helm --health 9",),
)
def duel(
    study: Study,
    fighter: str,
    opponents: list[str],
    gear: list[str] = (),  # type: ignore[assignment]
    *,
    health: int | None = None,
    potions: int = 0,
    drink_at: int | None = None,
    flee_at: int | None = None,
    no_exit: bool = False,
    duels: int = 100_000,
) -> Answer:
    """Exact odds of a duel, beside duels simulated with the game's compiled rules: endings, health left, turns.

    Parameters
    ----------
    fighter : str
        The fighter (id).
    opponents : list of str
        Its opponents (ids), one to four at once.
    gear : list of str
        Equipment of the fighter (ids).
    health : int, optional
        Health at the start; by default full health.
    potions : int
        Healing potions of the fighter.
    drink_at : int, optional
        Drink at this health or less.
    flee_at : int, optional
        Try to flee at this health or less.
    no_exit : bool
        There is no place to flee to.
    duels : int
        Duels to simulate; they are not whole games.

    Examples
    --------
    >>> import fairfight as ff
    >>> result = ff.duel("cardrogue", "warrior", "troll", duels=100, progress=False)
    >>> result.frame["ending"].tolist()
    ['won', 'dead', 'fled']

    """
    check_games(duels)
    against, worn = tuple(filter(None, opponents)), tuple(filter(None, gear))
    request = DuelRequest(fighter, against, worn, health, potions, drink_at, flee_at, exit=not no_exit)
    fight = arranged(study.game, study.cards, request)
    return answer_of(fight, plan_words(request), duels, study.seed, duels_of(study.game).left_word)


def answer_of(fight: Duel, plan: str, games: int, seed: int, left_word: str) -> Answer:
    """Solve and simulate a duel. plan: in words."""
    odds, fights = solve(fight.chain()), fight.sample(games, seed)
    fit = compare(odds, fights)
    rows = zip(odds.endings, odds.chance.tolist(), fit.shares, fit.z, strict=True)
    endings = pd.DataFrame(
        [
            {
                "ending": name,
                "exact": chance,
                "simulated": share.estimate,
                "simulated_low": share.low,
                "simulated_high": share.high,
                "z": z,
            }
            for name, chance, share, z in rows
        ]
    )
    shares = np.bincount(fights.turns)[1:] / fit.n
    best = best_decisions(fight, odds)
    left = left_at_end(odds, fights.ending, fights.left, fit.n)
    columns = {"ending": "ending", "exact": "exact", "simulated": "simulated", "simulated_low": "low", "simulated_high": "high"}
    columns |= {"z": "z"}
    tables = [
        table(
            endings, "endings", "How the duel ends", columns, {**SHARES, "low": "percent", "high": "percent"}, details=SIMULATED
        )
    ]
    if len(left):
        headings = {"ending": "ending", "left": f"{left_word} left", "exact": "exact", "simulated": "simulated"}
        caption = f"{left_word.capitalize()} left at the end"
        tables.append(table(left, "left", caption, headings, SHARES, details=SIMULATED, main=True))
    tables.append(turns_table(odds, shares, fit.mean_turns, fit.z_turns))
    if best.solved:
        tables += [decisions_table(best, left_word), data_only(best.goals, "best")]
    named = ("title", "fighter", "opponents", "gear", "health", "health_max")
    facts: dict[str, Any] = {**{name: getattr(fight, name) for name in named}, "plan": plan, "longer": odds.rest}
    facts |= {"mean_turns": {"exact": odds.mean_turns, "simulated": fit.mean_turns, "z": fit.z_turns}}
    facts |= {"games": fit.n, "stopped": fit.undecided, "z_max": fit.z_max, "p": fit.p_value}
    ways = ", ".join(f"{name} {percent(chance)}" for name, chance in zip(odds.endings, odds.chance.tolist(), strict=True))
    stopped = [f"{count(fit.undecided)} duels were stopped before their end."] if fit.undecided else []
    tested = f", chi-square p = {fit.p_value:.3f}" if np.isfinite(fit.p_value) else ""
    notes = [
        *best.sentences,
        f"{fight.health} of {fight.health_max} {left_word}; {count(fit.n)} duels; largest |z| = {abs(fit.z_max):.2f}{tested}.",
    ]
    title = f"Endings of {fight.title}: exact chances and shares of {count(fit.n)} simulated duels."
    return Answer(
        f"{fight.title}{plan and ', '}{plan}: {ways}, in {number(odds.mean_turns)} turns on average.",
        tuple(tables),
        (Chart(partial(endings_figure, endings, fit.n), title),),
        tuple(notes),
        facts,
        warnings=tuple(stopped),
    )


def left_at_end(odds: DuelOdds, ending: np.ndarray, left: np.ndarray, games: int) -> pd.DataFrame:
    """What the fighter has left: columns ending, left, exact, simulated; empty for endings at which nothing is ever left."""
    rows = []
    for index, name in enumerate(odds.endings):
        seen = left[ending == index]
        amounts = {*odds.left[index], *seen.tolist()}
        for amount in sorted(amounts, reverse=True) if amounts - {0} else ():
            exact = float(odds.chance[index]) * odds.left[index].get(amount, 0.0)
            rows.append({"ending": name, "left": amount, "exact": exact, "simulated": int((seen == amount).sum()) / games})
    return pd.DataFrame(rows)


def turns_table(odds: DuelOdds, shares: np.ndarray, mean: float, z: float) -> Table:
    """Turns in which the duel ends; people see the first, with the rest as one row."""
    size = max(len(shares), len(odds.turns))
    exact, simulated = (np.pad(column, (0, size - len(column))).tolist() for column in (odds.turns, shares))
    frame = pd.DataFrame({"turns": range(1, size + 1), "exact": exact, "simulated": simulated})
    rows = [(str(turn), *chances) for turn, *chances in frame.head(TURNS_SHOWN).itertuples(index=False, name=None)]
    if size > TURNS_SHOWN or odds.rest > 0:
        rows.append(("later", sum(exact[TURNS_SHOWN:]) + odds.rest, sum(simulated[TURNS_SHOWN:])))
    while len(rows) > 1 and max(rows[-1][1:]) < LEAST:
        rows.pop()
    caption = f"Turns: mean {number(odds.mean_turns)}, sd {number(odds.sd_turns)}; simulated mean {number(mean)}, z = {number(z)}"
    return Table("turns", ("ends in turn", "exact", "simulated"), tuple(rows), caption, SHARES, whole=frame)


def endings_figure(endings: pd.DataFrame, n: int) -> Figure:
    """Exact probabilities of the endings beside simulated shares."""
    frame = endings.rename(columns={"ending": "name", "exact": "first", "simulated": "second"})
    frame = frame.rename(columns={"simulated_low": "second_low", "simulated_high": "second_high"})
    return charts.dumbbell(
        frame.assign(first_low=frame["first"], first_high=frame["first"], n=n),
        words=("exact", "simulated"),
        label="chance",
        what="duels",
    )


# The best decisions


@dataclass(frozen=True)
class Best:
    """The best decisions by goal, and how near the plan comes.

    goals: goal, best (value of the best decisions), plan (value of the plan), share (of the two). frame:
    goal, left, potions, theirs, decisions. sentences: on the goals, or on why there are none.
    """

    goals: pd.DataFrame
    frame: pd.DataFrame
    cells: dict[tuple[str, int, int, int], set[str]]
    sentences: tuple[str, ...]
    solved: bool


def best_decisions(fight: Duel, odds: DuelOdds) -> Best:
    """Solve the decisions of a duel, if its fighter has any. odds: of the plan."""
    nothing = Best(pd.DataFrame(), pd.DataFrame(), {}, (), False)
    if fight.decisions is None:
        return nothing
    try:
        decisions = fight.decisions()
    except ValueError as error:  # every decision makes far more situations than one plan
        return replace(nothing, sentences=(f"Best decisions are left out: {error}.",))
    names, escape = decisions.endings, decisions.escape
    worths = {"to win": [1.0] + [0.0] * (len(names) - 1)}
    if escape in decisions.ending:
        worths["to win or flee"] = [FLED_WORTH if index == escape else worth for index, worth in enumerate(worths["to win"])]
    solved = {goal: optimise(decisions, worth) for goal, worth in worths.items()}
    goals, sentences = [], []
    for goal, worth in worths.items():
        value, plan = solved[goal].value, float(odds.chance @ worth)
        share = plan / value if value > 0 else None
        goals.append({"goal": goal, "best": value, "plan": plan, "share": share})
        sentences.append(goal_sentence(goal, dict(zip(names, worth, strict=True)), value, plan, share))
    cells = decision_cells(decisions, solved)
    rows = [(*cell, " or ".join(sorted(actions))) for cell, actions in cells.items()]
    frame = pd.DataFrame(rows, columns=["goal", "left", "potions", "theirs", "decisions"])
    return Best(pd.DataFrame(goals), frame, cells, tuple(sentences), solved=True)


def goal_sentence(goal: str, worth: dict[str, float], value: float, plan: float, share: float | None) -> str:
    """How near the plan comes to the best decisions."""
    terms = [f"{name} counts {weight:g}" for name, weight in worth.items() if 0 < weight < 1]
    of_best = f", {percent(share)} of the optimum" if share is not None else ""
    weighed, word = (f" ({', '.join(terms)})", "worth") if terms else ("", next(iter(worth)))
    return f"Best decisions {goal}{weighed}: {word} {percent(value)} (this plan {percent(plan)}{of_best})."


def decisions_table(best: Best, left_word: str) -> Table:
    """Best decisions by what the fighter has left; neighbouring amounts with the same decisions are one row."""
    goals = list(best.goals["goal"])
    rows = decision_rows(best.cells, goals)
    potions = bool((best.frame["potions"] > 0).any())
    shown = [row if potions else (row[0], *row[2:]) for row in rows[:DECISIONS_SHOWN]]
    caption = f"Best decisions by {left_word} at the start of a turn; \u201cat\u201d: the opponents' {left_word}"
    if any(len(actions) > 1 for actions in best.cells.values()):
        caption += "; \u201cor\u201d: it depends on more than the table shows, such as poison"
    if len(rows) > DECISIONS_SHOWN:
        caption += f". The first {DECISIONS_SHOWN} of {len(rows)} rows; --json lists all situations"
    columns = (left_word, *(("potions",) if potions else ()), *goals)
    return Table("decisions", columns, tuple(shown), caption, whole=best.frame)


def decision_cells(decisions: Decisions, solved: dict[str, BestDecisions]) -> dict[tuple[str, int, int, int], set[str]]:
    """Best actions by goal, what the fighter has left, potions, and what the opponents have left, where they can come up.

    Situations that differ in something else, such as poison, share a cell.
    """
    cells: dict[tuple[str, int, int, int], set[str]] = {}
    for goal, best in solved.items():
        for state in np.flatnonzero(best.reached):
            cell = (goal, int(decisions.own[state]), int(decisions.potions[state]), int(decisions.theirs[state]))
            cells.setdefault(cell, set()).add(decisions.actions[best.action[state]])
    return cells


def decision_rows(cells: dict[tuple[str, int, int, int], set[str]], goals: list[str]) -> list[tuple[str, ...]]:
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
            parted = [f"{text} at {span(amounts[-1], amounts[0])}" if len(runs) > 1 else text for text, amounts in runs]
            words.append("; ".join(parted))
        if rows and rows[-1][2:] == (potions, words):
            rows[-1] = (rows[-1][0], own, potions, words)
        else:
            rows.append((own, own, potions, words))
    return [(span(most, least), str(potions), *(text or "\u2013" for text in words)) for most, least, potions, words in rows]


def span(most: int, least: int) -> str:
    """A range of whole numbers, e.g. "3\u20137"."""
    return str(most) if most == least else f"{least}\u2013{most}"
