"""The headline of a report: who is out of the fair band and how sure, the lone player, the first move, truncated games, sources.

Contests come first: they are what balance is about; games for one have no fair share and are told by how often they succeed.
"""

from collections.abc import Iterator

import pandas as pd

from analysis import verdicts
from analysis.estimates import Interval, proportion
from analysis.pace import truncated_share
from analysis.report.answers.fields import ASSUMED, field_words
from analysis.report.answers.prose import article, at_seats, listed, number_word, some
from analysis.report.answers.turn_order import places
from analysis.report.answers.win_rates import rates
from analysis.report.model import Finding, Tone
from analysis.report.team_headline import of_teams
from analysis.study import Study
from analysis.wording import count, percent, points
from sim.engine.provenance import CHANGED

UNFAIR: dict[str, Tone] = {"too strong": "strong", "too weak": "weak"}
MANY = 0.1  # share of stopped games from which on they come first: all else then speaks of the others
SHOWN = 4  # entrants named one by one
NAMED = 12  # assumed numbers named one by one


def headline(study: Study) -> tuple[Finding, ...]:
    """Findings, the most important first. Teams are told of by their parts."""
    ended = [_truncated(study), _lost(study)]
    many = bool((truncated_share(study.games_frame)["estimate"] > MANY).any())
    found = [
        *(ended if many else []),
        *(of_teams(study) if study.team_study else _of_entrants(study)),
        *([] if many else ended),
        _assumed(study),
    ]
    return tuple(finding for finding in found if finding is not None)


def _of_entrants(study: Study) -> list[Finding | None]:
    """Findings on who wins how often."""
    frame = rates(study)
    return [
        _fair(frame),
        *_unfair(frame),
        *_others(frame, study),
        *_first_move(study),
        _alone(frame, study),
    ]


def _fair(frame: pd.DataFrame) -> Finding | None:
    """What fair means, in figures for every number of seats."""
    shares = frame.dropna(subset=["fair"]).groupby("seats")["fair"].first()
    if shares.empty:
        return None
    bands = [f"{verdicts.band(fair)} {at_seats(int(str(seats)))}" for seats, fair in shares.items()]
    return Finding(f"Fair means: within {verdicts.BAND_WORDS} of an equal share of the wins, that is {listed(bands)}.")


def _unfair(frame: pd.DataFrame) -> Iterator[Finding]:
    """Entrants that are beyond the band for sure at some number of seats, the farthest out first."""
    sure = frame[frame["verdict"].isin(verdicts.UNFAIR)]
    sure = sure.assign(far=(sure["estimate"] / sure["fair"] - 1).abs())
    order = sure.groupby("name", observed=True)["far"].max().sort_values(ascending=False, kind="stable").index
    for name in order[:SHOWN]:
        part = sure[sure["name"] == name].sort_values("seats")
        tones = {UNFAIR[verdict] for verdict in part["verdict"]}
        tone = tones.pop() if len(tones) == 1 else "note"
        words = " and ".join(dict.fromkeys(part["verdict"]))
        where = [
            f"{percent(row['estimate'])} {at_seats(row['seats'])} ({100 * row['low']:.1f} to {percent(row['high'])})"
            for _, row in part.iterrows()
        ]
        yield Finding(f"{name} is {words}: it wins {listed(where)}.", tone)
    for verdict, tone in UNFAIR.items():
        part = sure[sure["name"].isin(order[SHOWN:]) & (sure["verdict"] == verdict)]
        names = [f"{name} ({_seats(part[part['name'] == name])})" for name in order if (part["name"] == name).any()]
        if names:
            yield Finding(f"{verdict.capitalize()} as well: {listed(names)}.", tone)
    if len(order):
        said = "Those named as too strong or too weak are beyond the fair band with "
        yield Finding(f"{said}95 % confidence in all of them together (Holm); intervals are of each win rate alone.")


def _others(frame: pd.DataFrame, study: Study) -> Iterator[Finding]:
    """Who is within the band at every number of seats, and who is not decided."""
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
        yield Finding(f"Not decided, more games would tell: {listed(names)}.", "open")


def _alone(frame: pd.DataFrame, study: Study) -> Finding | None:
    """How often games for one succeed, and for whom most and least."""
    known = frame[(frame["n"] > 0) & (frame["seats"] == 1)]
    if known.empty:
        return None
    whole = proportion(float(known["wins"].sum()), int(known["n"].sum()))
    ended = " that come to an end" if (frame[frame["seats"] == 1]["truncated"] > 0).any() else ""
    said = f"Alone {article(study.game.entrant_word)} succeeds in {percent(whole.estimate)} "
    said += f"of the games{ended} {_bounds(whole)}"
    if len(known) > 1:
        best, worst = known.iloc[0], known.iloc[-1]
        said += f", most often {best['name']} with {percent(best['estimate'])} {_bounds(best)}, "
        said += f"least often {worst['name']} with {percent(worst['estimate'])} {_bounds(worst)}"
    return Finding(f"{said}.")


def _bounds(rate: Interval | pd.Series) -> str:
    """The interval of a rate in brackets."""
    return f"({100 * rate.low:.1f} to {percent(rate.high)})"


def _seats(part: pd.DataFrame) -> str:
    seats: list[str] = [number_word(number) for number in sorted(part["seats"].tolist())]
    return f"{listed(seats)} seats"


def _first_move(study: Study) -> Iterator[Finding]:
    """What going first is worth."""
    frame = places(study)
    if frame.empty:
        return
    first = frame[(frame["position"] == 0) & (frame["n"] > 0)]
    parts = []
    for _, row in first.iterrows():
        low, high = row["low"] - row["fair"], row["high"] - row["fair"]
        shift = row["estimate"] - row["fair"]
        parts.append(f"{points(shift)} points {at_seats(row['seats'])} ({points(low)} to {points(high)})")
    if parts:
        yield Finding(f"Going first, against the fair share: {'; '.join(parts)}.")


def _truncated(study: Study) -> Finding:
    """How many games the turn limit stopped."""
    frame = truncated_share(study.games_frame)
    if not frame["truncated"].any():
        return Finding(f"No game reached {study.limit_words}.")
    parts = [
        f"{percent(row['estimate'], 2)} of the games {at_seats(row['seats'])}"
        for _, row in frame.iterrows()
        if row["truncated"]
    ]
    return Finding(f"Stopped at {study.limit_words}, and left out of win rates: {listed(parts)}.")


def _lost(study: Study) -> Finding | None:
    """How many contests ended by the rules without a winner."""
    tally = study.tally
    parts = [
        f"{percent(tally.lost[seats] / tally.finished[seats])} {at_seats(seats)}"
        for seats in study.contests
        if tally.lost[seats]
    ]
    said = "Of the games that came to an end, nobody won"
    return Finding(f"{said} {listed(parts)}; such a game counts as not won by all who sat there.") if parts else None


def _assumed(study: Study) -> Finding | None:
    """How much of what is shown rests on assumed or changed numbers; few assumed ones are named."""
    numbers = study.cards.provenance
    if not numbers:
        return None
    assumed = [number.path for number in numbers if number.source == ASSUMED]
    changed = sum(number.source == CHANGED for number in numbers)
    differ = f" {count(changed)} {'differs' if changed == 1 else 'differ'} from what is printed." if changed else ""
    if not assumed and not changed:
        return Finding(f"All {some(len(numbers), 'number')} of the card set are printed or published.")
    if not assumed:
        return Finding(f"None of the {count(len(numbers))} numbers of the card set is assumed.{differ}")
    some_of = f"{count(len(assumed))} of the {count(len(numbers))} numbers of the card set"
    said = f"{some_of} {'is' if len(assumed) == 1 else 'are'} assumed: "
    if len(assumed) == len(numbers):
        said = f"All {some(len(numbers), 'number')} of the card set are assumed: "
    elif len(assumed) <= NAMED:
        words = [field_words(study.cards.document, path, {}) for path in assumed]
        return Finding(f"{said}{'; '.join(words)}.{differ}")
    said += f"the results speak of \u201c{study.cards.title}\u201d with {study.policy} in every seat."
    return Finding(said + differ)
