"""Report sections on going first, and the result of `fairfight seats`.

`seats` and `seats_result` show what going first is worth, where most, and under which values of a rule (`worth.measured`).
`first_mover` compares policies and values of a rule, `first_by_pairing` the pairings of entrants.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.answer import verdicts
from analysis.answer.model import DrawnChart, Section
from analysis.answer.numbers import Format, count, number, percent
from analysis.answer.prose import (
    at_seats,
    capital,
    change_of,
    distance_words,
    limit_words,
    listed,
    number_word,
    plural,
    point_interval,
    rate_words,
    share_of,
    truncated_words,
    value_words,
)
from analysis.answer.tables import Table, highest, lowest, rate_columns, table
from analysis.charts import dumbbell, forest, halves, lines
from analysis.data import rows as clustered
from analysis.data.study import Study, at, contest, of_pairings, results
from analysis.first_player.worth import EVEN, TWO_SEATS, NobodyFirstError, SeatWorth, Sweep, measured
from analysis.stats.intervals import adjust
from analysis.variants.compare import Advantage, advantage
from analysis.variants.variant import Step, each_value
from sim.engine.cards import CardSet
from sim.engine.questions import FirstPlayer

ID = "seats"
QUESTION = "What is going first worth?"
SURE = 0.05  # p-value, adjusted over all rows of a table, below which an effect is significant
ROWS = 24  # matchups in the chart: where there are more, those farthest from fair
PAIRINGS = 30  # pairings in the chart of `first_by_pairing`, chosen in the same way
PRINTED_MAX = 40  # matchups in the terminal; a longer list is left out
SHARE_OF_TWO = 0.6  # share of the games at two seats, if there are other numbers of seats too
ORDER = ("first", "second", "third", "fourth")
WORDS = ("goes first", "goes second")
RATES = {"share": "first wins", "low": "low", "high": "high", "n": "n", "pairs": "pairs", "p_holm": "p (Holm)", "gain": "gain"}
FORMATS: dict[str, Format] = {"first wins": "percent", "win share": "percent", "fair": "percent"}


DIFFERENCE = {"change": "difference", "change_low": "difference low", "change_high": "difference high"}
ADVANTAGE_FORMATS: dict[str, Format] = {**dict.fromkeys(DIFFERENCE.values(), "points"), "gain": "number", "n (groups)": "count"}


def seats_result(found: SeatWorth) -> Section:
    """Result of `fairfight seats`; the CSV has the matchups or, for teams, the members, at more than two seats the positions."""
    made, tables = found.experiment, _tables(found)
    in_all = f" ({count(found.played)} in all, including those of other values of rules)" if found.played > made.games else ""
    dice = "every game with its own dice"
    how = ["Win share of the first player; a game without a winner is shared equally."]
    if made.pair_games > 1:
        dice = f"every line-up from every seat with the same dice, each {made.coupling}'s own"
        how = ["Win share of the first player; pairs of games are observations, and a game without a winner is shared equally."]
        how.append("Gain: how many times as many games would be needed without common dice.")
    sentences = (
        f"{made.cards.title} (digest {made.cards.digest}): {count(made.games)} games{in_all}, seed {made.seed}, policy "
        f"{made.policy_words}; {dice}.",
        truncated_words(found.truncated, found.games, limit_words(made.game.limits_itself)),
        " ".join(how),
        *_swept(found),
    )
    data: dict[str, Any] = {"facts": made.facts() | {"truncated": found.truncated, "played": found.played}, **tables}
    if found.sweeps is not None:
        data["refused"] = {one.parameter.path: one.refused for one in found.sweeps if one.refused}
    many = made.teams is not None or (found.matchups is not None and len(found.matchups) > PRINTED_MAX)
    return Section(
        ID,
        answer=" ".join(_answer(found)),
        tables=tuple(tables.values()),
        printed=tuple(part for name, part in tables.items() if name != "matchups" or not many),
        main=tables.get("units" if made.teams else "matchups", tables["overall"]),
        lines=sentences,
        data=data,
        draw=lambda: forest(_rows([found]), panels="panel"),
    )


def _tables(found: SeatWorth) -> dict[str, Table]:
    """Tables of one number of seats by their names in JSON."""
    parts = [one.table.assign(parameter=one.parameter.label, field=one.parameter.path) for one in found.sweeps or []]
    parameters = {"parameter": "parameter", "field": "field", "value": "value", "present": "as played", **RATES}
    del parameters["p_holm"]
    overall = found.overall.assign(order=[f"{place + 1}." for place in found.overall["position"]])
    positions = {"order": "turn order", **RATES, "share": "win share", "fair": "fair"}
    worth, word = "What going first is worth", found.unit_word
    shown: dict[str, tuple[pd.DataFrame | None, str, dict[str, str]]] = {
        "overall": (overall, f"Who moves first, at {found.experiment.seats} seats", positions),
        "matchups": (found.matchups, f"{worth} by matchup", {"name": "matchup", **RATES}),
        "units": (found.units, f"{worth} in games with each {word}", {"name": word, **RATES}),
        "parameters": (pd.concat(parts) if parts else None, "Going first under each value of a rule", parameters),
    }
    return {
        name: table(frame, name, caption, columns, FORMATS)
        for name, (frame, caption, columns) in shown.items()
        if frame is not None
    }


def _swept(found: SeatWorth) -> list[str]:
    """Sentences on the values of rules that were tried; none if that was not asked for."""
    if found.sweeps is None:
        return []
    if found.experiment.seats != TWO_SEATS:
        return ["Values of rules are tried at two seats only."]
    if not found.experiment.game.seat_parameters:
        return [f"The rules of {found.experiment.game.title} have no number that makes up for going second."]
    sentences = [_nearest(one) for one in found.sweeps]
    if found.left:
        sentences.append(f"Too few games to try {' and '.join(found.left)}; play more games.")
    return sentences


def _nearest(found: Sweep) -> str:
    """Sentence on the value of a rule whose share of the first player is nearest to one half."""
    path = found.parameter.path
    if found.table.empty:
        return f"{path}: the card rules refuse every value."
    near = found.nearest
    value = f"{number(near['value'])}{', as played,' if near['present'] else ''}"
    return (
        f"Of the values of {path} ({found.parameter.label}), {value} comes nearest to one half: the first player wins "
        f"{rate_words(near, 'games', 'share')}."
    )


def _rows(worths: list[SeatWorth]) -> pd.DataFrame:
    """Rows of the forest plot: at two seats overall and by matchup or unit, at more seats the turn positions.

    Verdicts are those of all rows together; of many matchups the chart has those farthest from fair.
    """
    parts = []
    for found in worths:
        if found.each is not None:
            what = "by matchup" if found.matchups is not None else f"in games with each {found.unit_word}"
            parts.append(found.overall.iloc[[0]].assign(name="all together", panel="Two seats: first player"))
            parts.append((found.each if len(found.each) > 1 else found.each.iloc[:0]).assign(panel=f"Two seats, {what}"))
        else:
            names = [f"moves {ORDER[position]}" for position in found.overall["position"]]
            panel = f"{capital(number_word(found.experiment.seats))} seats: turn order"
            parts.append(found.overall.assign(name=names, panel=panel))
    frame = pd.concat(parts, ignore_index=True).rename(columns={"share": "estimate"})
    frame = verdicts.with_verdicts(frame, verdicts.score(frame["estimate"], verdicts.worth(frame)))
    far = (frame["estimate"] - frame["fair"]).abs().groupby(frame["panel"]).rank(ascending=False, method="first")
    return frame[far <= ROWS]


def seats(study: Study) -> Section | None:
    """Forest plot of the first player's win share, overall and by matchup, and its curve over each parameter of the game.

    None if no player goes first at any number of seats.
    """
    worths = _measured(study)
    if not worths:
        return None
    answer = " ".join(sentence for found in worths for sentence in _answer(found))
    frame = _rows(worths)
    caption = f"Win share by turn order, with {study.policy} in every seat; line-ups play from all seats with the same dice."
    if worths[0].matchups is not None and len(worths[0].matchups) > ROWS:
        caption += f" Shown are the {ROWS} of {count(len(worths[0].matchups))} matchups that are farthest from one half."
    slim = forest(frame, panels="panel", narrow=True)
    figures = [DrawnChart(ID, forest(frame, panels="panel"), caption, f"Dots with intervals. {answer}", slim)]
    note = (
        "A pair of games, in which each entrant keeps its dice, is one observation; gain is how many times as many games would "
        "be needed without common dice. Truncated games are left out; a game without a winner is shared equally. p (Holm): "
        "against the fair share, adjusted over the rows of a table."
    )
    curves = [
        one.table.rename(columns={"value": "x", "share": "estimate"}).assign(
            panel=capital(one.parameter.label), line="first", fair=EVEN, present=one.present
        )
        for one in worths[0].sweeps or []
        if len(one.table) > 1
    ]
    if curves:
        figure = lines(pd.concat(curves, ignore_index=True), label="value", close=True)
        caption = "Win share of the first player by the value of each rule, with all other rules as played; dashed: the value as "
        caption += "played; dotted: one half."
        figures.append(DrawnChart(f"{ID}-parameters", figure, caption, f"Curves of the first player's win share. {answer}"))
        note += (
            " All values of a rule play the same games. The value nearest to one half is picked among several, which makes it "
            "look fairer than it is: test it with another seed."
        )
    tables = [
        replace(part, id=f"{ID}-{found.experiment.seats}-{part.id}", ends=0 if len(part.rows) <= 2 * ROWS else ROWS // 2)
        for found in worths
        for part in _tables(found).values()
    ]
    return Section(ID, QUESTION, answer, tuple(figures), tuple(tables), note)


def _measured(study: Study) -> list[SeatWorth]:
    """The worth of seats at each number of seats with an opponent, the fewest first; those without a first player left out."""
    games, worths = study.budget.pair_games, []
    others = [seats for seats in study.contests if seats != TWO_SEATS]
    part = dict.fromkeys(others, (1 - SHARE_OF_TWO if TWO_SEATS in study.contests else 1.0) / max(1, len(others)))
    play = study.play_as("going first", games)
    for seats in sorted(study.contests):
        wanted = round(games * part.get(seats, 1 - sum(part.values())))
        try:
            worths.append(measured(study.experiment(seats, wanted), wanted, seats == TWO_SEATS, play))
        except NobodyFirstError:
            continue
    return worths


def _answer(found: SeatWorth) -> list[str]:
    """What going first is worth at this number of seats; at two, also where it matters most and the values of rules."""
    rows, where = found.overall, capital(at_seats(found.experiment.seats))
    if found.each is None:
        sure, fair = rows[rows["p_holm"] < SURE], percent(rows["fair"].iloc[0])
        named = [f"moving {ORDER[int(line['position'])]} wins {percent(line['share'])}" for _, line in sure.iterrows()]
        if not named:
            return [f"{where} no turn position wins significantly more or less than its fair share of {fair}."]
        return [f"{where} {listed(named)}, where {fair} is fair."]
    top = rows.iloc[0]
    far = f"{100 * abs(top['share'] - EVEN):.1f} points {'above' if top['share'] >= EVEN else 'below'} one half"
    far += "" if top["p"] < SURE else ", which may be chance"
    sentences = [f"{where} the first player wins {rate_words(top, 'games', 'share')}, {far}."]
    if len(found.each) > 1:
        what = "matchups" if found.matchups is not None else f"{plural(found.unit_word)}' games"
        what, many = f"{number_word(len(found.each))} {what}", int((found.each["p_holm"] < SURE).sum())
        most = found.each.iloc[int((found.each["share"] - EVEN).abs().argmax())]
        sure_ones = f"Going first matters significantly in {number_word(many)} of {what}, most in {most['name']} "
        none = f"None of {what} by itself shows a significant effect of going first."
        sentences.append(f"{sure_ones}({percent(most['share'])})." if many else none)
    return [*sentences, *_swept(found)]


def first_mover(study: Study, question: FirstPlayer) -> Section | None:
    """Dots of the win share when going first and second, and their difference, one row per policy and value of a rule."""
    if not study.contests or contest(study) != len(WORDS):
        return None
    frame = _by_policy_and_value(study, question)
    if frame.empty:
        return None

    def where(line: pd.Series) -> str:
        return f"with {line['policy']}" + (f" and {line['rule']} \u201c{line['value']}\u201d" if line["rule"] else "")

    top = frame.iloc[0]
    answer = (
        f"{capital(at_seats(TWO_SEATS))} the first player wins {share_of(top, 'games', 'first')} {where(top)}, "
        f"{100 * abs(top['change']):.1f} points {'more' if top['change'] >= 0 else 'less'} than the second "
        f"{point_interval(top['change_low'], top['change_high'])}{'' if top['sure'] else ', which may be chance'}."
    )
    rest = [change_of(line, unit=f" points {where(line)}") for _, line in frame.iloc[1:].iterrows()]
    answer += f" The difference is {listed(rest)}." if rest else ""
    figure = dumbbell(frame, words=WORDS, label="win share", change="first less second, points")
    caption = f"Win share of the first player and of the second, {at_seats(TWO_SEATS)}"
    caption += f", by {listed([*dict.fromkeys(frame['rule'][frame['rule'] != '']), 'policy'])}; right: the difference."
    columns = {"rule": "rule", "value": "value", "policy": "policy", "first": WORDS[0], "second": WORDS[1], **DIFFERENCE}
    columns |= {"p_holm": "p (Holm)", "gain": "gain", "pairs": "n (groups)", "n": "n"}
    formats: dict[str, Format] = {**dict.fromkeys(WORDS, "percent"), **ADVANTAGE_FORMATS}
    shown = table(frame, question.id, "Going first", columns, formats)
    note = (
        "A matchup is played with the same dice and the teams on either seat. These games are one observation (group), so the "
        "strength of the teams cancels out. If the rules deal or draft the teams, the dice decide them and every game is an "
        "observation. Gain: how many times as many games would be needed without shared dice. Truncated games are left out. "
        f"Coloured where p (Holm) < {SURE}, adjusted over all rows. n: games."
    )
    alt = f"Pairs of dots, the win share going first and second. {answer}"
    return Section(question.id, question.text, answer, (DrawnChart(question.id, figure, caption, alt),), (shown,), note)


def _by_policy_and_value(study: Study, question: FirstPlayer) -> pd.DataFrame:
    """Rows of `first_mover`: each policy as played, or with each value of each rule.

    Columns: those of `skill.section.row`, rule, value, policy, p_holm, sure. The policy of the report with the current values
    uses the report's main games.
    """
    steps = [step for path, texts in question.rules.items() for step in each_value(study.game, study.cards, path, texts)]
    tried: list[tuple[Step | None, CardSet]] = [(step, step.cards) for step in steps if step.cards] or [(None, study.cards)]
    rows = []
    for policy in filter(None, (study.policy, study.beside)):
        base = study.experiment(TWO_SEATS, study.games_for(question, study.budget.variant_games), policy)
        play = study.play_as(f"going first, {policy}", base.games * len(tried))
        for step, cards in tried:
            if policy == study.policy and (step is None or step.value == step.before):
                frame = at(study.games_frame, TWO_SEATS).reset_index(drop=True)
                share = at(study.seats_frame, TWO_SEATS)["share"].to_numpy().reshape(-1, TWO_SEATS)
                dice = study.main(TWO_SEATS).plan_of(frame["game"].to_numpy("int64"))["dice"]
                frame = frame.assign(share_0=share[:, 0], share_1=share[:, 1], dice=dice)
            else:
                frame = results(base if cards is base.cards else replace(base, cards=cards), play)
            frame = frame[(frame["first"] >= 0) & frame["finished"]]
            if len(frame):
                value = value_words(step.value) if step else ""
                rule = (question.rule or step.field.rpartition(".")[2].replace("_", " ")) if step else ""
                difference = advantage(frame[["share_0", "share_1"]], frame["first"], frame["dice"])
                name = ", ".join(filter(None, (value, str(policy))))
                rows.append({**row(name, difference), "rule": rule, "value": value, "policy": str(policy)})
    frame = pd.DataFrame(rows)
    return frame if frame.empty else frame.assign(p_holm=adjust(frame["p"]), sure=adjust(frame["p"]) < SURE)


def first_by_pairing(study: Study, question: FirstPlayer) -> Section | None:
    """Bars of the first player's win rate, one per pairing of entrants, against one half. No roles, no settings."""
    games = of_pairings(study)
    games = None if games is None else games[games["finished"] & (games["ahead"] >= 0)]
    if games is None or games.empty:
        return None
    key, won, size = games["key"].to_numpy(), games["won"].to_numpy(), len(study.names)
    pairing = games["pairing"].cat.remove_unused_categories()
    each = clustered.shares(key, pairing.cat.codes, won, len(pairing.cat.categories))
    each = each.assign(name=list(pairing.cat.categories), whole=False, p_holm=adjust(clustered.p_against(each, EVEN)))
    whole = clustered.shares(key, np.zeros(len(games), np.int64), won)
    whole = whole.assign(name="all pairings", whole=True, p_holm=clustered.p_against(whole, EVEN))
    rates = pd.concat([whole, each], ignore_index=True)
    rates = rates.assign(sure=rates["p_holm"] < SURE)
    top, each = rates.iloc[0], rates.iloc[1:]
    answer = f"The first player wins {rate_words(top, 'games')}, {distance_words(top['estimate'], EVEN, top['sure'])}."
    drawn = each
    if len(each) > 1:
        most, least, sure = highest(each, "estimate"), lowest(each, "estimate"), int(each["sure"].sum())
        answer += (
            f" Going first helps most in {most['name']} ({percent(most['estimate'])}) and least in {least['name']} "
            f"({percent(least['estimate'])}); the difference from one half is significant in {number_word(sure)} of "
            f"{number_word(len(each))} pairings."
        )
        farthest = (each["estimate"] - EVEN).abs().nlargest(PAIRINGS).index
        drawn = pd.concat([rates.iloc[:1], each.loc[sorted(farthest)]])
    word, entrants = study.game.entrant_word, study.game.entrants_word
    caption = f"Win rate of the first player, by pairing of two {entrants}, with {study.policy} in both seats."
    caption += f" Shown are the {PAIRINGS} pairings farthest from one half." if len(each) > PAIRINGS else ""
    alt = f"Bars of the first player's win rate to either side of one half, one per pairing. {answer}"
    note = (
        "Finished games; a draw is half a win for both. Wilson intervals; games with shared dice that agree more than by chance "
        f"count as fewer. p (Holm): against one half, adjusted over the pairings; coloured if below {SURE}. Both {entrants} of a "
        "pairing go first about equally often, so it does not matter which of them is stronger."
    )
    names, (ahead, behind) = np.array(study.names, object), np.divmod(np.arange(size * size), size)
    ordered = clustered.shares(key, (games["ahead"] * size + games["behind"]).to_numpy(np.int64), won, size * size)
    ordered = ordered.assign(name=names[ahead], other=names[behind])
    tables = (
        table(rates, question.id, "Going first by pairing", rate_columns(name="pairing") | {"p_holm": "p (Holm)"}),
        table(
            ordered[ordered["n"] > 0],
            f"{question.id}-by-{word}",
            "Who wins going first",
            rate_columns(name=f"{word} that goes first", other="against"),
        ),
    )
    chart = DrawnChart(question.id, halves(drawn, label="first wins"), caption, alt)
    return Section(question.id, question.text, answer, (chart,), tables, note)


def row(name: str, result: Advantage) -> dict[str, Any]:
    """Row of a dumbbell chart; each share gets half the interval of the difference."""
    first, second, down, up = result.first, result.second, (result.change - result.low) / 2, (result.high - result.change) / 2
    line = {"name": name, "first": first, "first_low": max(0.0, first - down), "first_high": min(1.0, first + up)}
    line |= {"second": second, "second_low": max(0.0, second - up), "second_high": min(1.0, second + down)}
    line |= {"change": result.change, "change_low": result.low, "change_high": result.high, "p": result.p, "gain": result.gain}
    return line | {"pairs": result.n, "n": result.games}
