"""The headline of a game: the verdict in one line, then the most important findings."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from analysis.answer import verdicts
from analysis.answer.numbers import count, percent, points
from analysis.answer.page import Finding, Tone
from analysis.answer.prose import ASSUMED, article, at_seats, bounds_of, capital, field_words, listed, number_word, some
from analysis.data.study import Study
from analysis.data.usage import truncated_share
from analysis.stats.intervals import proportion
from analysis.teams.findings import of_teams, part_verdicts
from analysis.teams.league import EVEN, team_study
from analysis.winrates.study_rates import entrant_rates, places
from sim.engine.cardfiles.validation import CHANGED

UNFAIR: dict[str, Tone] = {"too strong": "strong", "too weak": "weak"}
TRUNCATED_MOST, UNWON_MOST = 0.05, 0.1  # shares of games at a number of seats up to which win rates are judged
SHOWN = 4  # entrants named one by one
NAMED = 12  # assumed numbers named one by one


def headline(study: Study) -> tuple[Finding, ...]:
    """Findings: first the verdict in one line, then the most important ones. Teams are judged by their parts.

    Games with several seats come first; games for one have no fair share and are described by their success rate. If many games
    are truncated or have no winner, a warning takes the place of all verdicts.
    """
    ended = [_truncated(study), _lost(study)]
    if warning := _unsound(study):
        findings = [warning, *ended, None if study.has_teams else _alone(entrant_rates(study), study), _assumed(study)]
    else:
        verdicts = of_teams(study) if study.has_teams else _of_entrants(study)
        findings = [_verdict(study), *verdicts, *ended, _assumed(study)]
    return tuple(finding for finding in findings if finding is not None)


def _unsound(study: Study) -> Finding | None:
    """Warning if many games are truncated or have no winner: then win rates show the limits of the players."""
    tally, finished = study.tally, study.tally.finished
    truncated = float(truncated_share(study.games_frame)["estimate"].max())
    unwon = max((tally.lost[seats] / finished[seats] for seats in study.contests if finished[seats]), default=0.0)
    wrong = [f"up to {percent(truncated, 0)} of the games are truncated"] if truncated > TRUNCATED_MOST else []
    wrong += [f"up to {percent(unwon, 0)} of the finished ones have no winner"] if unwon > UNWON_MOST else []
    if not wrong:
        return None
    limits = f"Above {percent(TRUNCATED_MOST, 0)} truncated or {percent(UNWON_MOST, 0)} without a winner, win rates show"
    return Finding(
        f"Do not judge this game by its win rates yet: {listed(wrong)}. {limits} the limits of the players ({study.policy}) more "
        f"than the strength of {article(study.unit_word)}, so this page begins without verdicts.",
        "verdict",
    )


def _verdict(study: Study) -> Finding | None:
    """The report in one line: entrants outside the band, entrants not decided, and the worth of going first.

    None if nothing can be judged.
    """
    frame = part_verdicts(study) if study.has_teams else entrant_rates(study)
    known = frame.dropna(subset=[name for name in ("estimate", "fair") if name in frame])
    if known.empty:
        return None
    sure = known["verdict"].isin(list(UNFAIR))
    counts = {verdict: known.loc[sure & (known["verdict"] == verdict), "name"].nunique() for verdict in UNFAIR}
    named = known.loc[sure, "name"].unique()
    fair = [name for name, part in known.groupby("name", observed=True) if (part["verdict"] == "fair").all()]
    unsure = known["name"].nunique() - len(named) - len(fair)
    if len(named):
        parts = [f"not fair: {listed([f'{count(number)} {verdict}' for verdict, number in counts.items() if number])}"]
        parts += [f"{count(unsure)} not decided"] if unsure else []
    elif unsure:
        some_fair = f", {count(len(fair))} of {count(len(fair) + unsure)} surely fair" if fair else ""
        parts = [f"not decided: no {study.unit_word} is surely too strong or too weak{some_fair}"]
    else:
        parts = [f"fair: every {study.unit_word} is within the fair band"]
    return Finding(f"{capital('; '.join([*parts, *_first_worth(study)]))}.", "verdict")


def _first_worth(study: Study) -> list[str]:
    """Sentence part on the worth of going first at the lowest number of seats; empty if no seat goes first."""
    where = ""
    teams = team_study(study)
    if teams:
        model = teams.contributions
        if model is None or not model.first.n:
            return []
        shift, low, high = (value - EVEN for value in (model.first.estimate, model.first.low, model.first.high))
        where = " in an even match"
    else:
        first = _first_places(study)
        if first.empty:
            return []
        row = first.sort_values("seats").iloc[0]
        shift, low, high = row[["estimate", "low", "high"]] - row["fair"]
        where = f" {at_seats(row['seats'])}" if len(study.contests) > 1 else ""
    if low <= 0 <= high:
        return [f"going first has no significant effect{where}"]
    return [f"going first is worth {points(shift)} points{where}"]


def _of_entrants(study: Study) -> list[Finding | None]:
    """Findings on win rates."""
    frame = entrant_rates(study)
    return [_fair(frame), *_unfair(frame), *_others(frame, study), *_first_move(study), _alone(frame, study)]


def _fair(frame: pd.DataFrame) -> Finding | None:
    """The fair band in figures for every number of seats."""
    shares = frame.dropna(subset=["fair"]).groupby("seats")["fair"].first()
    if shares.empty:
        return None
    bands = [f"{verdicts.band(fair)} {at_seats(int(str(seats)))}" for seats, fair in shares.items()]
    return Finding(f"Fair means: within {verdicts.BAND_WORDS} of an equal share of the wins, that is {listed(bands)}.")


def _unfair(frame: pd.DataFrame) -> Iterator[Finding]:
    """Entrants that are surely outside the band at some number of seats, the farthest first."""
    sure = frame[frame["verdict"].isin(verdicts.UNFAIR)]
    sure = sure.assign(far=(sure["estimate"] / sure["fair"] - 1).abs())
    order = sure.groupby("name", observed=True)["far"].max().sort_values(ascending=False, kind="stable").index
    for name in order[:SHOWN]:
        part = sure[sure["name"] == name].sort_values("seats")
        tones = {UNFAIR[verdict] for verdict in part["verdict"]}
        tone = tones.pop() if len(tones) == 1 else "note"
        words = " and ".join(dict.fromkeys(part["verdict"]))
        where = [f"{percent(row['estimate'])} {at_seats(row['seats'])}" for _, row in part.iterrows()]
        yield Finding(f"{name} is {words}: it wins {listed(where)}.", tone)
    for verdict, tone in UNFAIR.items():
        part = sure[sure["name"].isin(order[SHOWN:]) & (sure["verdict"] == verdict)]
        names = [f"{name} ({_seats(part[part['name'] == name])})" for name in order if (part["name"] == name).any()]
        if names:
            yield Finding(f"{verdict.capitalize()} as well: {listed(names)}.", tone)
    if len(order):
        yield Finding("The intervals hold together: with 95 % confidence, all those named are beyond the fair band.")


def _others(frame: pd.DataFrame, study: Study) -> Iterator[Finding]:
    """Entrants within the band at every number of seats, and entrants not decided."""
    known = frame[(frame["n"] > 0) & frame["fair"].notna()]
    fair = [str(name) for name, part in known.groupby("name", sort=False) if (part["verdict"] == "fair").all()]
    tables = known["seats"].unique()
    where = at_seats(tables[0]) if len(tables) == 1 else "at every number of seats"
    where += " from two on" if len(tables) > 1 and (frame["seats"] == 1).any() else ""
    everywhere = f"within the fair band {where}"
    if len(fair) == known["name"].nunique() and fair:
        yield Finding(f"Every {study.game.entrant_word} is {everywhere}.", "fair")
    elif fair:
        yield Finding(f"{listed(fair)} {'is' if len(fair) == 1 else 'are'} {everywhere}.", "fair")
    undecided = known[known["verdict"] == verdicts.OPEN]
    if len(undecided):
        names = [f"{name} ({_seats(part)})" for name, part in undecided.groupby("name", sort=False)]
        yield Finding(f"Not decided, more games are needed: {listed(names)}.", "open")


def _alone(frame: pd.DataFrame, study: Study) -> Finding | None:
    """Success rate of games for one, and the entrants with the highest and lowest."""
    known = frame[(frame["n"] > 0) & (frame["seats"] == 1)]
    if known.empty:
        return None
    whole = proportion(float(known["wins"].sum()), int(known["n"].sum()))
    ended = " that come to an end" if (frame[frame["seats"] == 1]["truncated"] > 0).any() else ""
    best, worst = (f"{row['name']} with {percent(row['estimate'])} {bounds_of(row)}" for _, row in known.iloc[[0, -1]].iterrows())
    ends = f", most often {best}, least often {worst}" if len(known) > 1 else ""
    word = article(study.game.entrant_word)
    return Finding(f"Alone {word} succeeds in {percent(whole.estimate)} of the games{ended} {bounds_of(vars(whole))}{ends}.")


def _seats(part: pd.DataFrame) -> str:
    seats: list[str] = [number_word(number) for number in sorted(part["seats"].tolist())]
    return f"{listed(seats)} seats"


def _first_places(study: Study) -> pd.DataFrame:
    """Win rates of the first player, a row per number of seats; empty if no seat goes first."""
    frame = places(study)
    return frame[(frame["position"] == 0) & (frame["n"] > 0)] if len(frame) else frame


def _first_move(study: Study) -> Iterator[Finding]:
    """The worth of going first."""
    parts = []
    for _, row in _first_places(study).iterrows():
        shift, low, high = (points(row[name] - row["fair"]) for name in ("estimate", "low", "high"))
        parts.append(f"{shift} points {at_seats(row['seats'])} ({low} to {high})")
    if parts:
        yield Finding(f"Going first, compared with the fair share: {'; '.join(parts)}.")


def _truncated(study: Study) -> Finding:
    """Share of truncated games."""
    frame = truncated_share(study.games_frame)
    if not frame["truncated"].any():
        return Finding(f"No game reached {study.limit_words}.")
    parts = [
        f"{percent(row['estimate'], 2)} of the games {at_seats(row['seats'])}" for _, row in frame.iterrows() if row["truncated"]
    ]
    return Finding(f"Stopped at {study.limit_words}, and left out of win rates: {listed(parts)}.")


def _lost(study: Study) -> Finding | None:
    """Share of games with opponents that finished without a winner."""
    tally = study.tally
    parts = [
        f"{percent(tally.lost[seats] / tally.finished[seats])} {at_seats(seats)}" for seats in study.contests if tally.lost[seats]
    ]
    if not parts:
        return None
    return Finding(f"Of the finished games, {listed(parts)} had no winner; such a game counts as lost by all players.")


def _assumed(study: Study) -> Finding | None:
    """Number of assumed and changed values behind the results; a few assumed ones are named."""
    numbers = study.cards.provenance
    if not numbers:
        return None
    assumed = [number.path for number in numbers if number.source == ASSUMED]
    changed = sum(number.source == CHANGED for number in numbers)
    differ = f" {count(changed)} {'differs' if changed == 1 else 'differ'} from what is printed." if changed else ""
    every = f"All {some(len(numbers), 'number')} of the card set are"
    if not assumed:
        none = f"None of the {count(len(numbers))} numbers of the card set is assumed.{differ}"
        return Finding(none if changed else f"{every} printed or published.")
    known = f"the results are for \u201c{study.cards.title}\u201d with {study.players}"
    if len(assumed) < len(numbers):
        every = f"{count(len(assumed))} of the {count(len(numbers))} numbers of the card set "
        every += "is" if len(assumed) == 1 else "are"
        if len(assumed) <= NAMED:
            known = "; ".join(field_words(study.cards.document, path, {}) for path in assumed)
    return Finding(f"{every} assumed: {known}.{differ}")
