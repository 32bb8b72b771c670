"""The sections of the page: the ladder, the conclusions level by level, and the game itself."""

from __future__ import annotations

from analysis import level_words
from analysis.ladder import STEP
from analysis.report.answers.prose import at_seats
from analysis.report.model import Chart, Section, Table
from analysis.skill import Skill
from analysis.skill_charts import ladder_chart, levels_chart
from analysis.skill_tables import SkillTables
from analysis.verdicts import MEANING
from analysis.wording import percent

LADDER, CONCLUSIONS, COURSE = "ladder", "conclusions", "course"
ENDS = 15  # lines of a long table that stand on the page from each end

IN_PAIRS = (
    "Two levels meet in pairs of games: the same line-up and dice twice, the policies on the other seats the second time, so "
    "that entrants and seats fall out. A pair is one observation (Tango's interval). Ratings are fitted after Bradley and Terry. "
    f"The steps count the longest chain of levels of whom each wins {percent(STEP, 0)} or more of the games against the one "
    "before (Cauwet et al. 2015); luck in the rules makes them fewer, and so does a judgement that looking ahead cannot help. "
)
JUDGED = (
    f"All levels play the same line-ups with the same dice. {MEANING} Rows are those of all levels. p (Holm) of a change is "
    "adjusted over all changes. Flips: surely above the fair share at one level and surely below at the other (p_fair, adjusted "
    "over all levels); holds: surely on one side at both, or fair at both; moves: the change is sure, but not both sides. "
    "Kendall's tau is that of the true orders: what errors take from it is put back. "
)


def ladder(found: Skill) -> Section | None:
    """Ratings and steps; None where two levels never met in a game that somebody won."""
    made, tables = found.ladder, SkillTables(found)
    figure = ladder_chart(made) if made else None
    if made is None or figure is None:
        return None
    answer = level_words.steps(made)
    caption = "Rating of every level, the highest on top, and how often each beats the one below it, at two seats."
    chart = Chart(LADDER, figure, caption, f"Dots by level on a scale of Elo points. {answer}")
    shown = [table for table in (tables.meetings(), tables.ratings()) if table is not None]
    return Section(LADDER, "How far does skill go?", answer, (chart,), tuple(shown), IN_PAIRS + level_words.CAVEAT)


def conclusions(found: Skill, policy: str) -> Section:
    """Win rates level by level, and what becomes of what the report says. policy: of the report."""
    tables, balance = SkillTables(found), found.balance
    top = balance.names[-1]
    first = policy if policy in balance.names[:-1] else balance.names[max(0, len(balance.names) - 2)]
    said = [level_words.strongest(balance)]
    said += [level_words.between(balance, first, top)] if first != top else []
    answer = " ".join(said)
    word = found.plan.game.entrants_word if found.plan.teams is None else found.plan.teams.words
    caption = f"Win rates of all {word} {at_seats(balance.seats)} with one level of play in every seat, the lowest on the left."
    chart = Chart(CONCLUSIONS, levels_chart(balance), caption, f"A line per entrant over the levels. {answer}")
    shown = [tables.side_by_side(), _cut(tables.changes()), tables.orders(), _cut(tables.rates())]
    note = JUDGED + level_words.CAVEAT + f" More games and levels: fairfight skill {found.plan.game.name}."
    kept = tuple(table for table in shown if table is not None)
    return Section(CONCLUSIONS, "Do these conclusions hold for better players?", answer, (chart,), kept, note)


def course(found: Skill) -> Section:
    """The game itself at each level."""
    note = "First wins: of finished games, p against the fair share. A stopped game counts with its turns until then. The spread "
    note += "of the win rates is what is left when chance is taken out (jackknife over games)."
    answer = level_words.course(found.balance)
    return Section(
        COURSE, "How does the game change with its players?", answer, (), (SkillTables(found).whole(),), note
    )


def _cut(table: Table) -> Table:
    """The same with a long middle left out on the page."""
    ends = ENDS if len(table.rows) > 2 * ENDS else 0
    return Table(f"level-{table.id}", table.columns, table.rows, table.caption, table.formats, ends)
