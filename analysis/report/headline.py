"""The headline of a game: the verdict in one line, then what to act on first, with a command for each.

Entrants and turn positions at all numbers of seats are compared by their distance from the fair share, in multiples of it, so the
largest unfairness of a game comes first. No sentence is about a win rate from fewer than SENTENCE_GAMES games.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pandas as pd

from analysis.answer import verdicts
from analysis.answer.model import Section
from analysis.answer.numbers import as_written, count, percent, points
from analysis.answer.page import Finding, Tone
from analysis.answer.prose import (
    ASSUMED,
    SENTENCE_GAMES,
    article,
    at_seats,
    bounds_of,
    capital,
    field_words,
    listed,
    number_word,
    plural,
    some,
)
from analysis.answer.tables import highest
from analysis.data.budget import Budget
from analysis.data.commands import at, command
from analysis.data.study import OF_TEAMS, Study
from analysis.data.usage import truncated_share
from analysis.questions.seats import ORDER, SURE
from analysis.report.course import ending_of
from analysis.stats.intervals import proportion
from analysis.teams.findings import of_league, part_verdicts
from analysis.teams.league import EVEN
from analysis.winrates.study_rates import entrant_rates, places
from analysis.winrates.tested import BOTH, QUICK_ONLY, UNCONFIRMED, levels_words, with_test
from sim.engine.cardfiles.validation import CHANGED

UNFAIR: dict[str, Tone] = {"too strong": "strong", "too weak": "weak"}
TRUNCATED_MOST, UNWON_MOST = 0.05, 0.1  # shares of games at a number of seats up to which win rates are judged
LEVELS = {  # of a verdict of quick players -> what the strong ones say
    BOTH: "; strong players confirm it",
    UNCONFIRMED: "; strong players have not decided",
    QUICK_ONLY: "; strong players find otherwise",
}
NAMED = 12  # assumed numbers named one by one
PRECISION = 1  # percentage points of the games proposed for entrants that are not decided


def headline(study: Study, sections: Sequence[Section] = ()) -> tuple[Finding, ...]:
    """Findings: first the verdict in one line, then what to act on, the most important first, then notes.

    If many games are truncated or have no winner, a warning takes the place of all verdicts. sections: those answered so far; a
    number that makes an unfair entrant fair is a finding.
    """
    notes = [_truncated(study), _lost(study), _alone(study), _assumed(study)]
    if warning := _unsound(study):
        return (warning, *_endings(study), *filter(None, [*notes, _limits(study)]))
    frame, seats = _tested(study, _judged(study)), _positions(study)
    verdict = _verdict(study, frame, seats)
    if verdict is None:
        return (*_too_few(study), *filter(None, notes))
    unfair, others = _unfair(study, frame, seats, cures(sections)), [*_others(study, frame)]
    league = of_league(study) if study.has_teams else []
    where = _where(study, min(study.contests))
    nothing = f"No change is proposed: no {study.unit_word}{where} and no turn position is surely outside the fair band."
    return (
        verdict,
        *_disagreement(study, frame),
        *unfair,
        *([] if has_change(study) else [Finding(nothing)]),
        *others,
        *filter(None, [_fair(study, frame), _left_out(study, frame), *_first_move(seats), *league, *notes]),
    )


def unfair_units(study: Study) -> pd.DataFrame:
    """Entrants, or parts of teams, that are surely outside the fair band at the fewest seats with an opponent, farthest first.

    Columns: unit (index), name, estimate, n, fair, verdict, and others. Empty if win rates show the limits of the players.
    """
    if not study.contests or _unsound(study):
        return no_rows("unit", "name", "estimate", "n", "fair", "verdict")
    frame = _judged(study)
    frame = frame[frame["unfair"] & (frame["seats"] == min(study.contests))]
    frame = frame.assign(unit=[study.units.index(str(name)) for name in frame["name"]])
    return frame.sort_values("distance", ascending=False, kind="stable", ignore_index=True)


def is_first_unfair(study: Study) -> bool:
    """Whether a turn position is surely outside the fair band."""
    return bool(study.contests) and not _unsound(study) and bool(_positions(study)["unfair"].any())


def has_change(study: Study) -> bool:
    """Whether there is anything to change, and so a page about it."""
    return len(unfair_units(study)) > 0 or is_first_unfair(study)


def leading_seats(study: Study) -> int:
    """Seats of the lead chart: of the entrant farthest outside the fair band, by default the fewest with an opponent."""
    frame = _judged(study)
    unfair = frame[frame["unfair"]]
    return int(highest(unfair, "distance")["seats"]) if len(unfair) else study.fewest_seats


def _too_few(study: Study) -> list[Finding]:
    """What is said if no win rate has enough games for a sentence; nothing for games without opponents."""
    if not study.contests:
        return []
    frame = entrant_rates(study)
    most = int(frame.loc[frame["fair"].notna(), "n"].max())
    words = f"Too few games for a verdict: no {study.unit_word} has more than {count(most)}, and it takes {SENTENCE_GAMES}"
    return [Finding(f"{words}.", "verdict", command(study, "report"))]


def _unsound(study: Study) -> Finding | None:
    """Warning if many games are truncated or have no winner: then win rates show the limits of the players."""
    tally, finished = study.tally, study.tally.finished
    truncated = float(truncated_share(study.games_frame)["estimate"].max())
    unwon = max((tally.lost[seats] / finished[seats] for seats in study.contests if finished[seats]), default=0.0)
    wrong = [f"up to {percent(truncated, 0)} of the games are truncated"] if truncated > TRUNCATED_MOST else []
    wrong += [f"up to {percent(unwon, 0)} of the finished ones have no winner"] if unwon > UNWON_MOST else []
    if not wrong:
        return None
    return Finding(f"Do not judge this game by its win rates yet: {listed(wrong)}.", "verdict")


def _endings(study: Study) -> list[Finding]:
    """Which games do not end as they should, at the number of seats where most do not, with the command that counts them."""
    tally, fact = study.tally, ending_of(study)
    kinds = (
        ("are stopped at a limit", {seats: tally.truncated[seats] / max(1, tally.games[seats]) for seats in study.seats}),
        ("end without a winner", {seats: tally.lost[seats] / max(1, tally.finished[seats]) for seats in study.contests}),
    )
    findings = []
    for words, shares in kinds:
        seats = max(shares, key=lambda number: shares[number], default=0)
        if seats and shares[seats]:
            asked = command(study, "categories", fact, *at(study, seats)) if fact else ""
            findings.append(Finding(f"{capital(at_seats(seats))} {percent(shares[seats])} of the games {words}.", "open", asked))
    return findings


def _limits(study: Study) -> Finding:
    """Why there are no verdicts."""
    limits = f"Above {percent(TRUNCATED_MOST, 0)} truncated or {percent(UNWON_MOST, 0)} without a winner, win rates show"
    return Finding(f"{limits} the limits of {study.players} more than the strength of {article(study.unit_word)}.")


def _verdict(study: Study, frame: pd.DataFrame, seats: pd.DataFrame) -> Finding | None:
    """The report in one line: the largest unfairness first. None if nothing can be judged.

    frame: see `_judged`; seats: see `_positions`.
    """
    entrants, first = _entrants_words(study, frame), _positions_words(study, seats)
    unfair = {"entrants": _farthest(frame[frame["unfair"]]), "seats": _farthest(seats[seats["unfair"]])}
    if not (entrants or first):
        return None
    ordered = [first, entrants] if unfair["seats"] > unfair["entrants"] else [entrants, first]
    words = "; ".join(filter(None, ordered))
    begin = "Not fair: " if max(unfair.values()) > 0 else ""
    return Finding(f"{begin}{words if begin else capital(words)}.", "verdict")


def _farthest(rows: pd.DataFrame) -> float:
    """The largest distance of rows; 0 without rows."""
    return float(rows["distance"].max()) if len(rows) else 0.0


def _judged(study: Study) -> pd.DataFrame:
    """Entrants, or parts of teams, with a fair share and enough games for a sentence.

    Columns: seats, name, estimate, n, fair, verdict; id in the card file, and those of `compared`.
    """
    frame = part_verdicts(study) if study.has_teams else entrant_rates(study)
    if frame.empty:
        return compared(no_rows("seats", "name", "id", "estimate", "n", "fair", "verdict"))
    frame = frame if "seats" in frame else frame.assign(seats=OF_TEAMS, fair=EVEN)
    ids = dict(zip(study.units, study.unit_ids, strict=True))
    return compared(frame.assign(id=frame["name"].map(ids)))


def strong_study(study: Study) -> Study:
    """The same report by the strong players, with the games that they have time for; see `Study.tester`."""
    assert study.tester
    budget = Budget.of(study.game, study.tester).scaled(study.scale)
    return replace(study, policy=study.tester, quick=False, budget=budget, answered=None)


def _tested(study: Study, frame: pd.DataFrame) -> pd.DataFrame:
    """Verdicts of quick players with those of the strong ones, see `with_test`; unchanged if strong players played.

    frame: see `_judged`.
    """
    if study.tester is None or frame.empty:
        return frame
    strong = study.memo("strong players", lambda: _judged(strong_study(study)))
    parts = [with_test(part, strong[strong["seats"] == seats]) for seats, part in frame.groupby("seats", sort=False)]
    return pd.concat(parts, ignore_index=True)


def _disagreement(study: Study, frame: pd.DataFrame) -> list[Finding]:
    """At which levels the verdicts of quick players hold at the fewest seats; nothing if strong players played."""
    if study.tester is None or "holds" not in frame:
        return []
    part = frame[frame["seats"] == min(frame["seats"])]
    games = strong_study(study).budget.games
    return [Finding(levels_words(part, games), "open", command(replace(study, policy=study.tester), "report"))]


def compared(frame: pd.DataFrame) -> pd.DataFrame:
    """Rates with enough games for a sentence, with their distance from the fair share and whether they are surely unfair.

    New columns: unfair, and distance, in multiples of the fair share.
    """
    enough = (frame["n"] >= SENTENCE_GAMES) & frame["estimate"].notna() & frame["fair"].notna()
    rates: pd.DataFrame = frame[enough]
    unfair = rates["verdict"].isin(verdicts.UNFAIR)
    return rates.assign(unfair=unfair, distance=(rates["estimate"] / rates["fair"] - 1).abs())


def _positions(study: Study) -> pd.DataFrame:
    """The turn position farthest from its fair share at each number of seats, with enough games for a sentence.

    Columns: seats, position (0: the first), estimate, low, high, fair, n, p_holm, sure (not the fair share), unfair (surely
    outside the fair band), distance as in `compared`. Empty if no seat goes first.
    """
    frame = places(study)
    if frame.empty:
        return no_rows("seats", "position", "estimate", "low", "high", "fair", "n", "p_holm", "sure", "unfair", "distance")
    frame = frame[frame["n"] >= SENTENCE_GAMES]
    low, high = verdicts.edges(frame["fair"])
    sure = frame["p_holm"] < SURE
    unfair = (frame["low"] > high) | (frame["high"] < low)
    frame = frame.assign(sure=sure, unfair=unfair, distance=(frame["estimate"] / frame["fair"] - 1).abs())
    order = ["unfair", "distance", "position"]
    frame = frame.sort_values(order, ascending=[False, False, True], kind="stable")
    return frame.groupby("seats", sort=True).head(1).sort_values("seats", ignore_index=True)


def no_rows(*names: str) -> pd.DataFrame:
    """A frame without rows."""
    kinds = {"sure": "bool", "unfair": "bool", "name": "str", "id": "str", "verdict": "str"}
    return pd.DataFrame({name: pd.Series(dtype=kinds.get(name, "float")) for name in names})


def _entrants_words(study: Study, frame: pd.DataFrame) -> str:
    """Clause on the numbers of entrants that are unfair, not decided and fair; empty without any."""
    if frame.empty:
        return ""
    counts = {verdict: frame.loc[frame["verdict"] == verdict, "name"].nunique() for verdict in UNFAIR}
    named = frame.loc[frame["unfair"], "name"].unique()
    fair = [name for name, part in frame.groupby("name", observed=True) if (part["verdict"] == verdicts.FAIR).all()]
    unsure = frame["name"].nunique() - len(named) - len(fair)
    if len(named):
        words = listed([f"{count(number)} {verdict}" for verdict, number in counts.items() if number])
        return f"{words}{f', {count(unsure)} not decided' if unsure else ''}"
    if unsure:
        some_fair = f", {count(len(fair))} of {count(len(fair) + unsure)} surely fair" if fair else ""
        return f"no {study.unit_word} is surely too strong or too weak{some_fair}"
    return f"every {study.unit_word} is within the fair band"


def _positions_words(study: Study, seats: pd.DataFrame) -> str:
    """Clause on the turn position that is farthest from fair; empty if no seat goes first."""
    if seats.empty:
        return ""
    unfair, sure = seats[seats["unfair"]], seats[seats["sure"]]
    if len(unfair):
        row = highest(unfair, "distance")
        return f"the {ORDER[int(row['position'])]} player wins {percent(row['estimate'])} {at_seats(row['seats'])}"
    if len(sure):
        row = highest(sure, "distance")
        gap = 100 * (row["estimate"] - row["fair"])
        more = f"{abs(gap):.1f} points {'more' if gap > 0 else 'less'} than its share"
        return f"the {ORDER[int(row['position'])]} player wins {more}{_where(study, row['seats'])}"
    where = _where(study, seats["seats"].iloc[0]) if len(seats) == 1 else " at any number of seats"
    return f"going first has no significant effect{where}"


def _where(study: Study, seats: float) -> str:
    """Words for a number of seats, after a space; empty if the game has only one."""
    return f" {at_seats(seats)}" if len(study.contests) > 1 else ""


def cures(sections: Sequence[Section]) -> pd.DataFrame:
    """Steps of a number that bring an entrant into the fair band in new games, of sections that re-test their best steps.

    Columns: those of `parameter_effects.retest`. Empty without any.
    """
    frames = [table.frame for section in sections for table in section.tables if "path" in table.frame and "fair" in table.frame]
    tested = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()
    if tested.empty:
        return tested
    chosen: pd.DataFrame = tested[(tested["verdict"] == verdicts.FAIR) & (tested["n"] >= SENTENCE_GAMES)]
    return chosen


def _unfair(study: Study, frame: pd.DataFrame, seats: pd.DataFrame, cured: pd.DataFrame) -> list[Finding]:
    """What is surely outside the fair band, the farthest from its fair share first: entrants and turn positions.

    cured: see `cures`; a step follows its entrant.
    """
    findings = [*_unfair_entrants(study, frame, cured), *_unfair_positions(study, seats)]
    return [finding for _, finding in sorted(findings, key=lambda one: one[0], reverse=True)]


def _unfair_entrants(study: Study, frame: pd.DataFrame, cured: pd.DataFrame) -> Iterator[tuple[float, Finding]]:
    """A finding for each entrant that is surely outside the band at some number of seats, and its cure, with its distance."""
    for name, part in frame[frame["unfair"]].groupby("name", sort=False, observed=True):
        farthest, rows = highest(part, "distance"), part.sort_values("seats", kind="stable")
        far, seats = float(farthest["distance"]), int(farthest["seats"])
        tones = {UNFAIR[verdict] for verdict in rows["verdict"]}
        words = " and ".join(dict.fromkeys(rows["verdict"]))
        where = [f"{percent(row['estimate'])}{_where(study, row['seats'])}" for _, row in rows.iterrows()]
        subject = f"{plural(study.game.entrant_word)} with it win" if study.has_teams else "it wins"
        what_to_do = command(study, "explain", str(farthest["id"]), *at(study, seats))
        tone = tones.pop() if len(tones) == 1 else "open"
        held = LEVELS.get(farthest["holds"], "") if "holds" in rows else ""
        yield far, Finding(f"{name} is {words}: {subject} {listed(where)}{held}.", tone, what_to_do)
        same = cured[(cured["name"] == name) & (cured["seats"] == seats)] if len(cured) else cured
        for _, row in same.iterrows():
            step = f"\u201c{row['field']}\u201d from {as_written(row['present'])} to {as_written(row['value'])}"
            text = f"{step} brings {name} to {percent(row['after'])}{_where(study, seats)}, within the fair band"
            change = command(study, "whatif", "--set", f"{row['path']}={as_written(row['value'])}", *at(study, seats))
            yield far, Finding(f"{text}.", "fair", change)


def _unfair_positions(study: Study, seats: pd.DataFrame) -> Iterator[tuple[float, Finding]]:
    """A finding for the worst turn position of each number of seats, if it is surely outside the band, with its distance."""
    for _, row in seats[seats["unfair"]].iterrows():
        strong = row["estimate"] > row["fair"]
        number = int(row["seats"])
        text = f"{capital(at_seats(number))} the {ORDER[int(row['position'])]} player wins {percent(row['estimate'])}"
        what_to_do = command(study, "seats", *at(study, number))
        finding = Finding(f"{text}; {percent(row['fair'])} is fair.", "strong" if strong else "weak", what_to_do)
        yield float(row["distance"]), finding


def _others(study: Study, frame: pd.DataFrame) -> Iterator[Finding]:
    """Entrants not decided, and entrants within the band at every number of seats."""
    undecided = frame[frame["verdict"] == verdicts.OPEN]
    if len(undecided):
        names = [f"{name}{_seats(study, part)}" for name, part in undecided.groupby("name", sort=False)]
        more = command(study, "winrates", "--precision", f"{PRECISION:g}", *at(study, int(undecided["seats"].iloc[0])))
        yield Finding(f"Not decided, more games are needed: {listed(names)}.", "open", more)
    fair = [str(name) for name, part in frame.groupby("name", sort=False) if (part["verdict"] == verdicts.FAIR).all()]
    tables = frame["seats"].unique()
    where = at_seats(tables[0]) if len(tables) == 1 else "at every number of seats"
    where += " from two on" if len(tables) > 1 and 1 in study.seats else ""
    everywhere = f"within the fair band {where}"
    if fair and len(fair) == frame["name"].nunique():
        yield Finding(f"Every {study.unit_word} is {everywhere}.", "fair")
    elif fair:
        yield Finding(f"{listed(fair)} {'is' if len(fair) == 1 else 'are'} {everywhere}.", "fair")


def _fair(study: Study, frame: pd.DataFrame) -> Finding | None:
    """The fair band in figures for every number of seats."""
    if frame.empty:
        return None
    if study.has_teams:
        team, part = study.game.entrant_word, study.unit_word
        wins = f"{article(team)} with the {part} instead of an average one wins {verdicts.band(EVEN)}"
        return Finding(f"Fair means: {wins} against one that is otherwise equal.")
    shares = frame.groupby("seats")["fair"].first()
    bands = [f"{verdicts.band(fair)} {at_seats(int(str(seats)))}" for seats, fair in shares.items()]
    return Finding(f"Fair means: within {verdicts.BAND_WORDS} of an equal share of the wins, that is {listed(bands)}.")


def _left_out(study: Study, frame: pd.DataFrame) -> Finding | None:
    """Numbers of seats without a rate from enough games for a sentence. frame: see `_judged`."""
    few = [] if study.has_teams else [seats for seats in study.contests if seats not in {*frame["seats"]}]
    if not few:
        return None
    where = listed([at_seats(seats) for seats in few])
    return Finding(f"Only in the tables: win rates {where}, from fewer than {SENTENCE_GAMES} games of each {study.unit_word}.")


def _alone(study: Study) -> Finding | None:
    """Success rate of games for one, and the entrants with the highest and lowest."""
    if 1 not in study.seats:
        return None
    rates = entrant_rates(study)
    rates = rates[rates["seats"] == 1].sort_values("estimate", ascending=False, kind="stable")
    if rates["n"].sum() < SENTENCE_GAMES:
        return None
    successes = proportion(float(rates["wins"].sum()), int(rates["n"].sum()))
    ended = " that come to an end" if (rates["truncated"] > 0).any() else ""
    enough = rates[rates["n"] >= SENTENCE_GAMES]
    named = [f"{row['name']} with {percent(row['estimate'])} {bounds_of(row)}" for _, row in enough.iterrows()]
    ends = f", most often {named[0]}, least often {named[-1]}" if len(named) > 1 else ""
    word = article(study.game.entrant_word)
    return Finding(
        f"Alone {word} succeeds in {percent(successes.estimate)} of the games{ended} {bounds_of(vars(successes))}{ends}."
    )


def _seats(study: Study, part: pd.DataFrame) -> str:
    """Numbers of seats of rows in brackets, after a space; empty if the game has only one."""
    if len(study.contests) < 2:
        return ""
    seats: list[str] = [number_word(number) for number in sorted(part["seats"].tolist())]
    return f" ({listed(seats)} seats)"


def _first_move(seats: pd.DataFrame) -> Iterator[Finding]:
    """The turn position farthest from fair at each number of seats. seats: see `_positions`."""
    parts = []
    for _, row in seats.iterrows():
        shift, low, high = (points(row[name] - row["fair"]) for name in ("estimate", "low", "high"))
        parts.append(f"{shift} points for the {ORDER[int(row['position'])]} player {at_seats(row['seats'])} ({low} to {high})")
    if parts:
        yield Finding(f"Turn order, farthest from the fair share: {'; '.join(parts)}.")


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
