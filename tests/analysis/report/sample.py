"""A sample page from synthetic data that covers every chart form: `python -m tests.analysis.report.sample OUTDIR`."""

import sys
from pathlib import Path

import pandas as pd

from analysis.answer.model import DrawnChart, Section
from analysis.answer.page import Fact, Finding, Page
from analysis.answer.tables import Table
from analysis.report.write import entry_of, write_index, write_report
from tests.analysis.report.frames import FORMS, FRAMES, NAMES

MARKUP = "<script>document.title='hit'</script> & \"$5 $word\""
QUESTIONS = {
    "forest": ("Who wins how often, and how sure is it?", "At two seats Amber Fox wins 63.6 % of its games, where 50 % is fair."),
    "heatmap": ("Who beats whom at two seats?", "The matchups are close to a ladder: strength decides most of them."),
    "grid": ("How often does a lone player reach each goal?", "The chest alone nine times in ten, with the golem rarely."),
    "matrix": ("Who beats whom in a duel?", "Amber Fox beats five of eleven opponents for certain."),
    "lines": ("How many friends does it take?", "Three of them with swords slay it in more than half of the fights."),
    "bars": ("What is going first worth?", "The first seat wins 12 % more often than its share at every table."),
    "stacked": ("What throws them out?", "Mostly knockback, and the weakest heroes are pushed in red."),
    "board": ("Where do they fall and stand?", "They fall from the rim in the south-east and stand in the middle."),
    "tornado": ("Which number should change?", "Move matters most: one step is worth 6 to 8 points."),
    "slope": ("How much do the variants of ambiguous rules matter?", "The variant of A09 costs Hollow Knight nine points."),
    "amounts": ("What kills, and how often?", "Amber Fox dies most, three times a game, mostly in traps."),
    "curves": ("When do things happen?", "At four seats half of the games have seen a shop by turn 1."),
    "gains": ("Which item is worth its price?", "Amber Fox pays most, and all of it at a low price."),
    "dumbbell": ("Who uses it, and does it pay?", "Amber Fox's is used more often by others than by Amber Fox."),
    "shares": ("Where does damage land?", "Two fifths of it on whom it faced, a third is blocked."),
    "bands": ("How does the life of both sides run?", "Winners are ahead from the third turn on."),
    "ranked": ("Which friend wins too often?", "Amber Fox does, less so under random play."),
    "terms": ("Who belongs together?", "Basalt and Ember are worth more together than each alone."),
    "twofold": ("Which card carries the deck?", "Amber Fox does: it is worth seven points."),
    "halves": ("What is going first worth in each pairing?", "Three points over all, most for Amber Fox against Basalt."),
    "choices": ("Which hero, stance and ability for which deck?", "Basalt does better with Eva than with its own hero."),
    "dots": ("What do players do in a game?", "Eva Starter blocks 3.5 times a game, Romin Starter 4.5 times."),
    "strips": ("How do ailments build up?", "Eva Starter holds most of them, over six from own turn 8 on."),
    "rungs": ("How far does skill go?", "Two clear steps, but not a third."),
    "levels": (
        "Do these conclusions hold for better players?",
        "Amber Fox is the strongest at the lowest level and the weakest at the highest.",
    ),
    "reliability": ("Can the evaluation be trusted?", "The fitted weights can; the baseline is overconfident."),
    "dice": ("Are the dice fair?", "Simulated and exact distributions agree: the largest z is 2.8."),
}
FORMATS = dict.fromkeys(("estimate", "low", "high", "fair", "share", "truncated", "exact", "simulated"), "percent")
LEAST_ROWS = 60


def table_of(form: str, frame: pd.DataFrame) -> Table:
    rows = tuple(tuple(row) for row in frame.head(LEAST_ROWS).astype(object).itertuples(index=False))
    return Table(f"{form}-numbers", tuple(map(str, frame.columns)), rows, "Numbers", FORMATS)


def page(title: str = "Sample game") -> Page:
    """A page with every chart form; the first name is hostile."""
    sections = []
    for form, chart in FORMS.items():
        frame = FRAMES[form]()
        for column in ("name", "group"):
            if column in frame.columns:
                frame[column] = frame[column].replace(NAMES[1], MARKUP)
        if "opponent_name" in frame.columns:
            frame["opponent_name"] = frame["opponent_name"].replace(NAMES[1], MARKUP)
        question, answer = QUESTIONS[form]
        figure = DrawnChart(form, chart(frame), "Invented data.", f"{question} {answer}")
        sections.append(Section(form, question, answer, (figure,), (table_of(form, frame),)))
    headline = (
        Finding("Amber Fox is too strong at two seats: it wins 63.6 % (62.1\u201365.0 %), and 50 % is fair.", "strong"),
        Finding("Hollow Knight is too weak at two seats: 36.6 % (35.2\u201338.1 %).", "weak"),
        Finding(f"Cinder Witch is within the fair band at two seats; {MARKUP} is not.", "fair"),
        Finding("Frost Giant is not decided: its interval crosses an end of the band.", "open"),
        Finding("0.4 % of the games reached the turn limit; 62 % of the numbers in the card file are assumed."),
    )
    facts = (
        Fact("Policies", "random in every seat"),
        Fact("Games", "12 600 per seat count, all line-ups, every seat equally often"),
        Fact("Seed", "1"),
        Fact("Command", "fairfight report sample --games 12600 --seats 2,3,4 --policy random --seed 1 --out reports", True),
    )
    sources = Table(
        "provenance",
        ("entrant", "number", "value", "source"),
        (
            *((name, "move", 2 + index % 3, "assumed" if index % 2 else "rulebook") for index, name in enumerate(NAMES)),
            (MARKUP, "=1+1", None, "-cmd"),
        ),
        "Where the numbers come from",
    )
    subtitle = "Balance of eight invented entrants at two to four seats"
    return Page(title, subtitle, "sample", headline, tuple(sections), (sources,), facts)


def write(folder: Path) -> Path:
    """Write the sample page and an index; returns the page."""
    sample = page()
    path = write_report(sample, folder)
    write_index(folder, [entry_of(sample, folder)])
    return path


if __name__ == "__main__":
    sys.stdout.write(f"{write(Path(sys.argv[1]))}\n")
