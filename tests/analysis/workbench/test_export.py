"""Files of the workbench: a card folder that plays the same games, a table, a report; and drawings without a browser."""

import csv
import io
import tomllib
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import pytest

from analysis.playtests.reading import read_playtests
from analysis.workbench import bench as model
from analysis.workbench import drawing
from analysis.workbench.at_table import rates_at_table
from analysis.workbench.bench import Bench
from sim.experiments.experiment import Experiment
from sim.registry import GAMES
from sim.weights import loaded


def bench_of(name: str, **edits: str) -> Bench:
    bench = Bench(Experiment(name, GAMES[name].load(None), 2, ("random",), 1), most=200, goal=0)
    for path, text in edits.items():
        bench.edit(path, text)
    return bench


def played(bench: Bench) -> Bench:
    while (job := bench.job()) is not None:
        job()
    return bench


def unpacked(bench: Bench, folder: Path) -> Path:
    with zipfile.ZipFile(io.BytesIO(drawing.card_folder(bench))) as packed:
        packed.extractall(folder)
    return next(folder.iterdir())


@pytest.mark.parametrize(
    ("name", "edits"),
    [
        ("arena", {"hero.rhino_guy.move": "3", "rules.tokens": "11"}),
        ("arena", {"rules.board": "large", "hero.rhino_guy.move": "3"}),
        ("cardrogue", {"rules.goals": "chest, debt"}),
        ("rookling", {"rules.start_life": "5"}),
        ("riftborn", {"rules.start_life": "40"}),
        ("runeslingers", {"rules.start_power": "6"}),
        ("runeslingers", {}),
    ],
)
@pytest.mark.slow
def test_the_exported_set_plays_the_same_games(name, edits, tmp_path):
    bench = bench_of(name, **edits)
    again = loaded(GAMES[name], unpacked(bench, tmp_path))
    assert again.record.tobytes() == bench.cards.record.tobytes()
    if edits:
        assert again.title == f"{bench.base.cards.title}, changed"


def test_comments_stay_if_whole_numbers_change(tmp_path):
    text = drawing.card_text(bench_of("arena", **{"hero.rhino_guy.move": "3"}))
    reference = GAMES["arena"].reference.read_text()
    changed = [(old, new) for old, new in zip(reference.splitlines(), text.splitlines(), strict=True) if old != new]
    assert len(changed) == 2  # the title and the number
    assert tomllib.loads(text)["hero"]


@pytest.mark.slow
def test_the_table_is_that_of_the_page(dice_duel):
    bench = played(bench_of("dice_duel", **{"fighter.knight.health": "60"}))
    lines = [*csv.DictReader(io.StringIO(drawing.table(bench).decode("utf-8-sig")))]
    rates = bench.standing().rates
    assert [line["id"] for line in lines] == list(rates["id"])
    assert [float(line["change low"]) for line in lines] == pytest.approx(list(rates["low"]))
    assert [float(line["win rate now"]) for line in lines] == pytest.approx(list(rates["after"]))


def test_before_the_first_games_there_is_a_table_without_lines_and_no_report(dice_duel):
    bench = bench_of("dice_duel")
    assert len(drawing.table(bench).decode().splitlines()) == 1
    with pytest.raises(ValueError, match="no games are played yet"):
        drawing.report_file(bench)


class Tags(HTMLParser):
    """Tags and texts of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags, self.texts, self.open = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.append(data.strip())


def test_the_report_is_one_file_and_shows_names_with_markup_as_text(coin_duel):
    bench = played(bench_of("coin_duel", **{"rules.goal": "9"}))
    page = Tags(drawing.report_file(bench).decode())
    assert {tag for tag, _ in page.tags} & {"script", "link", "img", "iframe"} == set()
    assert [value for _, attributes in page.tags for key, value in attributes.items() if key in {"src", "href"}] == []
    assert "Needle & <b>Thread</b>" in page.texts
    assert any("fairfight whatif coin_duel" in text and "--set rules.goal=9" in text for text in page.texts)
    assert "rules.goal" in page.texts


def test_the_command_repeats_a_negative_number_and_a_list():
    bench = bench_of("arena", **{"board.standard.starts[0][1]": "-2"})
    assert "'board.standard.starts[0][1]==-2'" in drawing.command(bench)
    assert "rules.goals=chest+debt" in drawing.command(bench_of("cardrogue", **{"rules.goals": "chest, debt"}))
    assert drawing.command(bench_of("arena")) == ""


def test_changes_that_never_reach_play_are_called_so():
    bench = bench_of("arena", **{"hero.rhino_guy.printed_energy": "3"})
    assert "never reach play" in drawing.tiles(bench, None)["warnings"][0]


def test_many_games_without_a_result_are_a_warning(coin_duel):
    bench = bench_of("coin_duel", **{"rules.turn_cap": "1"})
    warnings = drawing.tiles(bench, played(bench).standing())["warnings"]
    assert any("stopped at a limit" in warning for warning in warnings)


@pytest.mark.parametrize("fixture", ["lone_climb", "relay_teams", "deck_race"])
@pytest.mark.slow
def test_every_kind_of_game_is_drawn(fixture, request):
    game = request.getfixturevalue(fixture)
    bench = Bench(Experiment(game.name, game.load(None), min(game.seats), ("random",), 1), most=100, goal=0)
    standing = played(bench).standing()
    page = Tags(drawing.report(bench, standing))
    shown = [attributes["data-entrant"] for _, attributes in page.tags if "data-entrant" in attributes]
    assert shown == list(standing.rates["id"])
    assert "nan" not in " ".join(page.texts).split()


def test_large_sets_have_a_note_in_place_of_matchups(dice_duel, monkeypatch):
    monkeypatch.setattr(model, "CELLS_UNITS", 7)
    bench = played(bench_of("dice_duel"))
    assert drawing.matrix(bench, bench.standing())["words"] == "not counted for 8 fighters"


LOG = "game,hero,won\n" + "".join(
    f"{game},Rhino Guy,{'yes' if game % 3 else 'no'}\n{game},bow master,{'no' if game % 3 else 'yes'}\n" for game in range(9)
)


def log_in(folder: Path, text: str = LOG):
    file = folder / "log.csv"
    file.write_text(text, encoding="utf-8")
    return read_playtests(file)


@pytest.mark.slow
def test_games_at_the_table_are_a_column_only_if_they_are_given(tmp_path):
    bench = played(bench_of("arena"))
    assert 'data-is="table"' not in drawing.report(bench, bench.standing())
    assert "at the table" not in drawing.table(bench).decode()
    bench.table = rates_at_table(log_in(tmp_path), bench.base)
    lines = {line["id"]: line for line in csv.DictReader(io.StringIO(drawing.table(bench).decode("utf-8-sig")))}
    assert lines["rhino_guy"]["table games"] == "9.0"
    assert (
        float(lines["rhino_guy"]["table low"])
        < float(lines["rhino_guy"]["at the table"])
        < float(lines["rhino_guy"]["table high"])
    )
    assert lines["valasca"]["at the table"] in {"", "nan"}  # never played
    page = drawing.report(bench, bench.standing())
    assert page.count('data-is="table"') == 8
    assert "Valasca is not in the log" in page
    assert "At the table: 9 games that people played" in page


def test_a_log_without_games_of_these_seats_or_of_a_game_of_teams_is_refused(tmp_path):
    log = log_in(tmp_path)
    with pytest.raises(ValueError, match=r"seats=3: .*log.csv has games of 2 players"):
        rates_at_table(log, Experiment("arena", GAMES["arena"].load(None), 3, ("random",), 1))
    with pytest.raises(ValueError, match="compares parts of teams"):
        rates_at_table(log, Experiment("rookling", GAMES["rookling"].load(None), 2, ("random",), 1))
