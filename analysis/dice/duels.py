"""Exact odds of duels, compared with duels that the game's kernels fight.

`fought` compares one duel, `duel_table` every fighter against every opponent, without gear and with each piece of it. `duels`
and `siege` are the report sections on them: who beats whom and what gear adds, and how many attackers it takes to slay a strong
opponent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.charts import lines, matrix
from analysis.data.rows import distinct
from analysis.data.study import Study
from analysis.data.usage import use_and_effect
from analysis.document.model import Chart, Format, Section, Table, count, highest, lowest, number, percent, points, table
from analysis.document.prose import capital, interval, listed, plural, some
from analysis.stats.intervals import adjust, proportion
from analysis.stats.markov import DuelAgreement, DuelOdds, compare, solve
from sim.engine.cards import CardSet, slug
from sim.engine.contract import Game
from sim.engine.exact import Duel, DuelRequest, Duels, Fights, Siege, arrange
from sim.engine.measures import Question

GAMES_MAX = 10_000_000
TURNS_SHOWN = 15  # rows of the table of turns; the rest are added up
BAR = 24  # characters of the longest bar
EIGHTHS = " ▏▎▍▌▋▊▉█"

LEAST = 0.0005  # rows with smaller chances are cut off the end
_SHARES: dict[str, Any] = {"exact": "percent", "simulated": "percent"}

Line = tuple[float, float]  # exact chance, simulated share


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
    return DuelRequest(fighter, _listed(opponents), _listed(gear or ""), **plan)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


@dataclass(frozen=True)
class Fought:
    """A duel, its exact odds, and the results of simulated duels."""

    duel: Duel
    plan: str  # the fighter's, in words; "" if it only fights
    odds: DuelOdds
    fights: Fights
    agreement: DuelAgreement
    left_word: str

    def endings(self) -> list[dict[str, Any]]:
        """Return one row per ending: exact chance, simulated share with its interval, z."""
        shares, z = self.agreement.shares, self.agreement.z
        return [
            {"ending": name, "exact": chance, "simulated": share.estimate, "low": share.low, "high": share.high, "z": z_}
            for name, chance, share, z_ in zip(self.odds.endings, self.odds.chance.tolist(), shares, z, strict=True)
        ]

    def left(self) -> Iterator[tuple[str, int, Line]]:
        """Yield ending, amount left, and the chances (exact, simulated) of both together, most left first.

        Empty if nothing is ever left.
        """
        for ending, name in enumerate(self.odds.endings):
            amounts_left = self.fights.left[self.fights.ending == ending]
            amounts = {*self.odds.left[ending], *amounts_left.tolist()}
            for amount in sorted(amounts, reverse=True) if amounts - {0} else ():
                exact = float(self.odds.chance[ending]) * self.odds.left[ending].get(amount, 0.0)
                yield name, amount, (exact, int((amounts_left == amount).sum()) / self.agreement.n)

    def turns(self) -> list[Line]:
        """Return the chances (exact, simulated) of each number of turns, from 1 to the last that was seen or is likely."""
        seen = np.bincount(self.fights.turns)[1:] / self.agreement.n
        size = max(len(seen), len(self.odds.turns))
        exact = np.pad(self.odds.turns, (0, size - len(self.odds.turns)))
        return list(zip(exact.tolist(), np.pad(seen, (0, size - len(seen))).tolist(), strict=True))

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        duel, fit = self.duel, self.agreement
        return {
            "title": duel.title,
            "fighter": duel.fighter,
            "opponents": duel.opponents,
            "gear": duel.gear,
            "health": duel.health,
            "health_max": duel.health_max,
            "plan": self.plan,
            "endings": self.endings(),
            "left": [
                {"ending": name, "left": left, "exact": exact, "simulated": share} for name, left, (exact, share) in self.left()
            ],
            "turns": [
                {"turns": turn, "exact": exact, "simulated": share} for turn, (exact, share) in enumerate(self.turns(), start=1)
            ],
            "longer": self.odds.rest,
            "mean_turns": {"exact": self.odds.mean_turns, "simulated": fit.mean_turns, "z": fit.z_turns},
            "games": fit.n,
            "stopped": fit.undecided,
            "z_max": fit.z_max,
            "p": fit.p_value,
        }

    def tables(self) -> list[Table]:
        """Return tables of endings, of what is left, and of the number of turns; the last two with bars of the exact chances."""
        rows = tuple(tuple(line.values()) for line in self.endings())
        columns = ("ending", "exact", "simulated", "low", "high", "z")
        ends = Table("endings", columns, rows, self._told(), dict.fromkeys(columns[1:-1], "percent"))
        left = list(self.left())
        bars = _bars([exact for _, _, (exact, _) in left])
        lines = [(name, amount, *chances, bar) for (name, amount, chances), bar in zip(left, bars, strict=True)]
        headings = ("ending", f"{self.left_word} left", "exact", "simulated", "")
        over = Table("left", headings, tuple(lines), f"{self.left_word.capitalize()} left at the end", _SHARES)
        return [ends, *([over] if lines else []), self._lengths()]

    def _told(self) -> str:
        """Describe the duel, the number of simulated duels, and the fit."""
        duel, fit = self.duel, self.agreement
        sentence = f"{duel.title}: {duel.health} of {duel.health_max} {self.left_word}{self.plan and ', '}{self.plan}"
        sentence += f"; {count(fit.n)} duels"
        if fit.undecided:
            sentence += f", {count(fit.undecided)} of them stopped before their end"
        sentence += f"; largest |z| = {abs(fit.z_max):.2f}"
        return sentence + (f", chi-square p = {fit.p_value:.3f}" if fit.p_value == fit.p_value else "")

    def _lengths(self) -> Table:
        """One row for each of the first turns, and one for all others."""
        turns = self.turns()
        shown = turns[:TURNS_SHOWN]
        lines = [(str(turn), *chances) for turn, chances in enumerate(shown, start=1)]
        if len(turns) > TURNS_SHOWN or self.odds.rest > 0:
            exact, share = (sum(line[column] for line in turns[TURNS_SHOWN:]) for column in (0, 1))
            lines.append(("later", exact + self.odds.rest, share))
        while len(lines) > 1 and max(lines[-1][1:]) < LEAST:
            lines.pop()
        bars = _bars([exact for _, exact, _ in lines])
        fit = self.agreement
        caption = f"Turns: mean {number(self.odds.mean_turns)}, sd {number(self.odds.sd_turns)}; "
        caption += f"simulated mean {number(fit.mean_turns)}, z = {number(fit.z_turns)}"
        rows = tuple((*line, bar) for line, bar in zip(lines, bars, strict=True))
        return Table("turns", ("ends in turn", "exact", "simulated", ""), rows, caption, _SHARES)


def arranged(game: Game, cards: CardSet, request: DuelRequest) -> Duel:
    """Set up a duel of a game. Raises ValueError for a duel that cannot be fought, or if the game has no duels."""
    return arrange(duels_of(game), cards, request)


def fought(game: Game, duel: Duel, plan: str, games: int, seed: int) -> Fought:
    """Solve and simulate a duel of a game. plan: in words."""
    odds = solve(duel.chain())
    fights = duel.sample(games, seed)
    return Fought(duel, plan, odds, fights, compare(odds, fights), duels_of(game).left_word)


def plan_words(request: DuelRequest) -> str:
    """Describe the fighter's plan, e.g. "2 potions, drinks at 4 or less, flees at 2 or less"."""
    words = [f"{request.potions} potion{'s' if request.potions > 1 else ''}"] if request.potions else []
    words += [f"drinks at {request.drink_at} or less"] if request.drink_at is not None else []
    words += [f"flees at {request.flee_at} or less"] if request.flee_at is not None else []
    return ", ".join(words + ([] if request.exit else ["nowhere to flee to"]))


def _bars(chances: list[float]) -> list[str]:
    """Draw chances as text bars, the largest of BAR characters."""
    most = max(chances, default=0.0) or 1.0
    lengths = [round(8 * BAR * chance / most) for chance in chances]
    return [(EIGHTHS[8] * (length // 8) + EIGHTHS[length % 8]).rstrip() for length in lengths]


BARE = ""  # gear of a fighter without any
KEYS = ["fighter", "opponent"]

Watch = Callable[[str, int, int], None]


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
    fighters, opponents, gear = (_distinct_names(hook(cards)) for hook in (duels.fighters, duels.opponents, duels.gear))
    wanted = [
        (piece, fighter, opponent)
        for piece in [("", BARE), *gear.items()]
        for fighter in fighters.items()
        for opponent in opponents.items()
    ]
    lines = []
    endings: tuple[str, ...] = ()
    for index, (piece, fighter, opponent) in enumerate(wanted):
        duel = _wearing(game, cards, DuelRequest(fighter[0], (opponent[0],), (piece[0],) if piece[0] else ()))
        if duel is not None:
            names = {"fighter": fighter[1], "opponent": opponent[1], "gear": piece[1]}
            line, endings = _line(duel, games, seed + 1 + index)
            lines.append(names | line)
        if watch:
            watch("duels", index + 1, len(wanted))
    frame = pd.DataFrame(lines)
    bare = frame.loc[frame["gear"] == BARE, [*KEYS, "win"]].rename(columns={"win": "bare"})
    frame = frame.merge(bare, on=KEYS, how="left", validate="many_to_one")
    return frame.assign(change=frame["win"] - frame["bare"], p_holm=adjust(frame["p"])), endings


def _distinct_names(named: list[tuple[str, str]]) -> dict[str, str]:
    """Names by id, with equal names made distinct."""
    return dict(zip([ident for ident, _ in named], distinct([name for _, name in named]), strict=True))


def _wearing(game: Game, cards: CardSet, request: DuelRequest) -> Duel | None:
    """Set up a duel; None if the fighter cannot wear the gear. Raises ValueError for a duel without gear."""
    try:
        return arrange(duels_of(game), cards, request)
    except ValueError:
        if not request.gear:
            raise
        return None


def _line(duel: Duel, games: int, seed: int) -> tuple[dict[str, float], tuple[str, ...]]:
    """Exact odds and fit of one duel, and the names of its endings."""
    odds = solve(duel.chain())
    fit = compare(odds, duel.sample(games, seed))
    won = fit.shares[0]
    line = {"win": odds.win, "simulated": won.estimate, "low": won.low, "high": won.high, "z": fit.z[0]}
    line |= {"z_max": fit.z_max, "p": fit.p_value, "turns": odds.mean_turns, "left": odds.mean_left()}
    line |= {f"chance_{ending}": float(chance) for ending, chance in enumerate(odds.chance)}
    return line | {"stopped": fit.undecided, "n": fit.n}, odds.endings


SUSPECT = 0.01  # adjusted p-value below which the simulated duels do not fit
NOTHING = "without gear"
SHADES = (-0.5, 0.5)  # changes at the ends of the colour scale


def duels(study: Study, question: Question) -> Section | None:
    """Matrix of every fighter against every opponent without gear, and one per fighter with each piece.

    Left out if the game has no duels. Roles, both optional: fights, kills (per seat and opponent, in the order of the game's
    opponents), the fights that came about in the games, shown beside the exact chances.
    """
    if study.game.duels is None:
        return None
    frame, endings = duel_table(study.game, study.cards, study.budget.rolls, study.seed, study.watch)
    ranks = {column: _ranks(frame, column) for column in KEYS}
    frame = frame.sort_values(KEYS, key=lambda names: names.map(ranks[str(names.name)]), kind="stable")
    bare, geared = frame[frame["gear"] == BARE], frame[frame["gear"] != BARE]
    word, health = study.game.entrant_word, duels_of(study.game).left_word
    answer = _duels_answer(bare, geared, word) + _agreement(frame)
    n = count(study.budget.rolls)
    caption = f"Chance that the row's {word} beats the column's opponent, with all of its {health} and {NOTHING}, "
    caption += f"fighting to the end. Above: exact; below: share of {n} simulated duels."
    drawn = bare.rename(columns={"fighter": "row", "opponent": "column", "win": "value", "simulated": "below"})
    figure = matrix(drawn, label=f"chance that the {word} wins, in %", what="duels")
    charts = [Chart(question.id, figure, caption, f"Matrix of the chance of every {word} against every opponent. {answer}")]
    if len(geared):
        charts.append(_gear_chart(question, frame, word))
    tables = (_bare_table(bare, word, health, endings), *_gear_tables(geared, word), *_in_play(study, question, bare))
    note = "z: simulated share less exact chance, in standard errors; largest |z|: over all endings and the number of turns. "
    note += f"Endings other than \u201c{endings[0]}\u201d count as not won. A fighter flees only if it must. "
    note += f"{capital(health)} left: on average, after a win."
    stopped = int(frame["stopped"].sum())
    note += f" {count(stopped)} simulated duels were stopped before their end." if stopped else ""
    return Section(question.id, question.text, answer, tuple(charts), tables, note)


def _ranks(frame: pd.DataFrame, column: str) -> dict[str, int]:
    """Ranks by the mean chance without gear: strongest fighters and easiest opponents first."""
    means = frame[frame["gear"] == BARE].groupby(column, sort=False)["win"].mean()
    return {str(name): rank for rank, name in enumerate(means.sort_values(ascending=False, kind="stable").index)}


def _pieces(geared: pd.DataFrame) -> pd.DataFrame:
    """One row per piece of gear, the one that adds most first: mean and largest change, where it is largest, and the fit."""
    lines = []
    for piece, part in geared.groupby("gear", sort=False):
        top = highest(part, "change", size=True)
        line = {"gear": piece, "mean": part["change"].mean(), "most": top["change"], "duels": len(part), "n": top["n"]}
        worst = highest(part, "z_max", size=True)["z_max"]
        lines.append({**line, "fighter": top["fighter"], "opponent": top["opponent"], "z_max": abs(worst)})
    return pd.DataFrame(lines).sort_values("mean", ascending=False, kind="stable", ignore_index=True)


def _gear_chart(question: Question, frame: pd.DataFrame, word: str) -> Chart:
    """One panel per fighter: its chances without gear and with every piece."""
    pieces = [BARE, *_pieces(frame[frame["gear"] != BARE])["gear"]]
    whole = pd.MultiIndex.from_product(
        [frame["fighter"].unique(), pieces, frame["opponent"].unique()], names=["fighter", "gear", "opponent"]
    )
    drawn = frame.set_index(["fighter", "gear", "opponent"]).reindex(whole).reset_index()
    drawn["gear"] = drawn["gear"].replace({BARE: NOTHING})
    drawn = drawn.rename(columns={"gear": "row", "opponent": "column", "win": "value"}).assign(n=np.nan)
    label = "colour: change by the piece, in points"
    figure = matrix(drawn, panels="fighter", shade="change", limits=SHADES, label=label, what="duels")
    caption = f"Exact chance of each {word} to win, in %, with one piece of gear (row) against each opponent (column). Orange: "
    caption += f"better than {NOTHING}; blue: worse; grey: the {word} cannot wear it. The piece that adds most comes first."
    alt = f"One matrix for each {word}: its chance of winning against every opponent with every piece of gear."
    return Chart(f"{question.id}-with-gear", figure, caption, alt)


def _bare_table(bare: pd.DataFrame, word: str, health: str, endings: tuple[str, ...]) -> Table:
    """Every duel without gear, with the chance of every ending."""
    columns = {"fighter": word, "opponent": "against", "win": endings[0], "simulated": "simulated", "low": "low", "high": "high"}
    columns |= {"z": "z", "z_max": "largest |z|", "turns": "turns", "left": f"{health} left"}
    columns |= {f"chance_{number}": name for number, name in enumerate(endings) if number}
    formats: dict[str, Format] = {**dict.fromkeys(endings, "percent"), "simulated": "percent", "n": "count"}
    bare = bare.assign(z_max=bare["z_max"].abs())
    return table(bare, "duels", f"Every duel {NOTHING}", {**columns, "n": "n"}, formats)


def _gear_tables(geared: pd.DataFrame, word: str) -> list[Table]:
    """What each piece adds, and every exact chance."""
    if geared.empty:
        return []
    pieces = _pieces(geared)
    moved: dict[str, Format] = {"mean change": "points", "largest change": "points", "n": "count"}
    columns = {"gear": "gear", "mean": "mean change", "most": "largest change", "fighter": "of", "opponent": "against"}
    columns |= {"duels": "duels", "z_max": "largest |z|", "n": "n"}
    tables = [table(pieces, "duels-gear", "What each piece of gear adds to the chance of winning", columns, moved)]
    opponents = list(dict.fromkeys(geared["opponent"]))
    keys = ["gear", "fighter"]
    sums = geared.groupby(keys, sort=False).agg(change=("change", "mean"), z_max=("z_max", _largest), n=("n", "min"))
    wide = geared.pivot_table(index=keys, columns="opponent", values="win")[opponents].join(sums)
    order = [(piece, name) for piece in pieces["gear"] for name in geared["fighter"].unique() if (piece, name) in wide.index]
    headings = {"gear": "gear", "fighter": word, **{name: name for name in opponents}}
    headings |= {"change": "mean change", "z_max": "largest |z|", "n": "n"}
    formats: dict[str, Format] = {**dict.fromkeys(opponents, "percent"), "mean change": "points", "n": "count"}
    whole = wide.loc[order].reset_index()
    return [*tables, table(whole, "duels-with-gear", "Chance of winning with each piece of gear, exact", headings, formats)]


def _largest(z: pd.Series) -> float:
    return float(np.abs(z).max())


def _in_play(study: Study, question: Question, bare: pd.DataFrame) -> list[Table]:
    """Fights that came about in the games, with helpers, gear and flights, beside the exact chance without them."""
    if not {"fights", "kills"} <= set(question.roles):
        return []
    fights, kills = question.roles["fights"], question.roles["kills"]
    parts = study.measure(fights).parts
    frame = use_and_effect(study.seats_frame, fights, kills, parts)
    keys = [bare[column].map(slug) for column in ("fighter", "opponent")]
    exact = pd.Series(bare["win"].to_numpy(), index=pd.MultiIndex.from_arrays(keys))
    lines = pd.MultiIndex.from_arrays([frame["name"].astype(str).map(slug), frame["part_name"].map(slug)])
    frame = frame.assign(exact=exact.reindex(lines).to_numpy(), effect_low=frame["effect_low"].clip(lower=0))
    columns = {"name": study.game.entrant_word, "part_name": "against", "uses": "fights", "effect": "slain per fight"}
    columns |= {"effect_low": "low", "effect_high": "high", "exact": "won in a duel, exact", "n": "n"}
    formats: dict[str, Format] = {"fights": "count", "slain per fight": "percent", "won in a duel, exact": "percent"}
    caption = f"In play, {study.policy} in every seat: opponents slain per fight begun, with any health, gear and help"
    return [table(frame[frame["uses"] > 0], "duels-in-play", caption, columns, formats)]


def _duels_answer(bare: pd.DataFrame, geared: pd.DataFrame, word: str) -> str:
    """Strongest and weakest fighter, easiest and hardest opponent, and the gear that adds most."""
    fighters = bare.groupby("fighter", sort=False)["win"].mean().reset_index()
    opponents = bare.groupby("opponent", sort=False)["win"].mean().reset_index()
    top, low = highest(fighters, "win"), lowest(fighters, "win")
    easy, hard = highest(opponents, "win"), lowest(opponents, "win")
    text = f"Without gear {top['fighter']} wins {percent(top['win'])} of its duels on average over the opponents, the most of "
    text += f"all {plural(word)}, and {low['fighter']} the fewest, {percent(low['win'])} (all exact). {easy['opponent']} is the "
    text += f"easiest opponent (beaten in {percent(easy['win'])}), {hard['opponent']} the hardest ({percent(hard['win'])}). "
    if geared.empty:
        return text
    best = _pieces(geared).iloc[0]
    text += f"Of {some(geared['gear'].nunique(), 'piece')} of gear, {best['gear']} adds most: {points(best['mean'])} points on "
    return f"{text}average and {points(best['most'])} to {best['fighter']} against {best['opponent']}. "


def _agreement(frame: pd.DataFrame) -> str:
    """Whether the simulated duels fit all exact chances."""
    worst = highest(frame, "z_max", size=True)
    tested = frame.dropna(subset=["p"])
    least = float(tested["p_holm"].min()) if len(tested) else 1.0
    fit = "agree with" if least >= SUSPECT else "do NOT all fit"
    text = f"The simulated duels {fit} the exact chances: over {count(len(frame))} duels of n = {count(worst['n'])} the largest "
    text += f"difference is {abs(worst['z_max']):.1f} standard errors"
    misfits = tested.loc[tested["p_holm"] < SUSPECT, ["fighter", "opponent"]].agg(" against ".join, axis=1)
    return (
        text
        + (f", the smallest p (Holm) {least:.2g}" if len(tested) else "")
        + (f". The misfits are {listed(list(misfits))}." if len(misfits) else ".")
    )


LIKELY = 0.5  # chance from which the opponent is more likely slain than not


def siege(study: Study, question: Question) -> Section | None:
    """Lines of the chance to slay the opponent and of an attacker's death, by number of attackers and gear.

    Left out if the game has no sieges.
    """
    sieges = study.game.duels.siege(study.cards) if study.game.duels and study.game.duels.siege else []
    if not sieges:
        return None
    frame = pd.DataFrame(list(_measured(study, sieges)))
    several = len(set(frame["opponent"])) > 1
    drawn = pd.concat([_curve(frame, "slain", "Slain", several), _curve(frame, "died", "An attacker dies", several)])
    answer = " ".join(_siege_answer(part) for _, part in frame.groupby("opponent", sort=False))
    n = count(study.budget.rolls)
    caption = "Chance that the opponent is slain, and that at least one attacker dies, by number of attackers and the gear that "
    caption += f"all of them wear; {n} simulated fights each."
    chart = Chart(question.id, lines(drawn, label="attackers"), caption, f"Lines by number of attackers. {answer}")
    columns = {"opponent": "opponent", "gear": "gear", "attackers": "attackers", "slain": "slain", "slain_low": "slain low"}
    columns |= {"slain_high": "slain high", "died": "an attacker dies", "died_low": "dies low", "died_high": "dies high"}
    shares: dict[str, Format] = dict.fromkeys(list(columns.values())[3:], "percent")
    columns |= {"deaths": "attackers dead, mean", "n": "n"}
    numbers = table(frame, "siege", "Every siege", columns, {**shares, "attackers dead, mean": "number", "n": "count"})
    kinds = list(dict.fromkeys(siege_.attacker for siege_ in sieges if siege_.attacker))
    note = (
        f"Every attacker is {listed(kinds)}, at full {study.game.duels.left_word if study.game.duels else ''}. " if kinds else ""
    )
    note += "The attackers fight until the opponent or all of them are dead; the estimates are independent."
    return Section(question.id, question.text, answer, (chart,), (numbers,), note)


def _measured(study: Study, sieges: list[Siege]) -> Iterator[dict[str, object]]:
    """One row per siege."""
    for index, siege_ in enumerate(sieges):
        fights = siege_.sample(study.budget.rolls, study.seed + 1 + index)
        n = len(fights.slain)
        line: dict[str, object] = {"opponent": siege_.opponent, "gear": siege_.gear, "attackers": siege_.attackers, "n": n}
        for name, times in (("slain", int(fights.slain.sum())), ("died", int((fights.deaths > 0).sum()))):
            share = proportion(times, n)
            line |= {name: share.estimate, f"{name}_low": share.low, f"{name}_high": share.high}
        yield {**line, "deaths": float(fights.deaths.mean())}
        if study.watch:
            study.watch("sieges", index + 1, len(sieges))


def _curve(frame: pd.DataFrame, field: str, panel: str, several: bool) -> pd.DataFrame:
    """Frame of the chart for one of the two chances."""
    gear = frame["gear"] + (", against " + frame["opponent"] if several else "")
    columns = {"estimate": frame[field], "low": frame[f"{field}_low"], "high": frame[f"{field}_high"], "n": frame["n"]}
    return pd.DataFrame({"panel": panel, "line": gear, "x": frame["attackers"], **columns})


def _siege_answer(part: pd.DataFrame) -> str:
    """Number of attackers needed with the least and with the best gear, and what that costs."""
    name, most = part["opponent"].iloc[0], int(part["attackers"].max())
    sentences = []
    for gear in dict.fromkeys([part["gear"].iloc[0], _best(part)]):
        lines_ = part[part["gear"] == gear].sort_values("attackers", kind="stable")
        enough = lines_[lines_["slain"] >= LIKELY]
        row = enough.iloc[0] if len(enough) else lines_.iloc[-1]
        chance = f"{percent(row['slain'])} {interval(row['slain_low'], row['slain_high'], row['n'])}"
        first = f"{gear}: "
        if len(enough):
            first += f"it takes {some(int(row['attackers']), 'attacker')} to slay {name} in at least half of the fights"
        else:
            first += f"even {some(most, 'attacker')} slay {name} in fewer than half of the fights"
        sentences.append(f"{capital(first)}, {chance}; an attacker dies in {percent(row['died'])}.")
    return " ".join(sentences)


def _best(part: pd.DataFrame) -> str:
    """The gear with which the opponent is slain most often, over all numbers of attackers."""
    return str(part.groupby("gear", sort=False)["slain"].mean().idxmax())
