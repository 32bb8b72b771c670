"""The workbench in a real browser: edit, wait, read the numbers, undo, save, export; several pages; a closed page."""

import csv
import tomllib
import zipfile
from copy import deepcopy

import pytest

pytest.importorskip("panel", reason="the extra workbench is not installed")
from analysis.workbench import bench as model
from sim.experiments.experiment import Experiment
from tests.analysis.chromium import chromium, needs_chromium
from tests.analysis.workbench.browser import Screen, repeated, serving, until
from tests.every_game.dice_duel import GAME as DUEL

pytestmark = [
    needs_chromium,
    pytest.mark.soak,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning"),  # of Panel and Bokeh
]


@pytest.fixture
def workbench(dice_duel, monkeypatch):
    monkeypatch.setattr(model, "MOST", 20_000)
    with serving(Experiment(DUEL.name, DUEL.load(None), 2, ("random",), 1)) as served:
        yield served


@pytest.fixture(scope="module")
def downloads(tmp_path_factory):
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def browser(downloads):
    with chromium(downloads) as driver:
        driver.set_window_size(1440, 1000)
        yield driver


def downloaded(folder, name):
    """A file that the browser has finished writing."""
    return until(lambda: [path for path in folder.glob(name) if path.stat().st_size and not [*folder.glob("*.crdownload")]])[0]


def test_a_designer_edits_reads_undoes_saves_and_exports(workbench, browser, downloads):
    screen = Screen(browser, workbench.url)
    bench = next(iter(workbench.pages)).bench
    assert len(screen.cells("after")) == 8
    assert screen.cells("change") == []
    screen.search("dragon", 0)
    until(lambda: "No number matches the search." in screen.texts(".tabulator-placeholder"))
    screen.search("knight health", 1)
    screen.edit(0, "60")
    until(lambda: len(screen.cells("change")) == 8)
    assert bench.edits == {"fighter.knight.health": 60}
    until(lambda: screen.cells("mark")[0] == "▲ certain")
    until(lambda: not bench.standing().playing)
    rates = bench.standing().rates
    until(lambda: screen.cells("after")[0].startswith(f"{100 * rates['after'][0]:.1f}"))
    until(lambda: screen.cells("before")[0].startswith(f"{100 * rates['before'][0]:.1f}"))
    until(lambda: screen.cells("change")[0].startswith(f"+{100 * rates['change'][0]:.1f} ±"))
    assert screen.tile("games").startswith("settled")

    screen.edit(0, "999")
    until(lambda: screen.texts(".tabulator-row .refused"))
    assert screen.texts(".refused") == ["999: is too large; must be a whole number from 10 to 90"]
    until(lambda: screen.values() == ["60"])
    assert bench.edits == {"fighter.knight.health": 60}

    name = screen.all('input[placeholder^="name of"]')[0]
    name.send_keys("strong <b>knight</b>")
    screen.press("Save variant")
    until(lambda: "strong <b>knight</b>" in screen.texts("b"))
    screen.press("Card file")
    with zipfile.ZipFile(downloaded(downloads, "*.zip")) as packed:
        document = tomllib.loads(packed.read("dice_duel-workbench/cards.toml").decode())
    assert document["fighter"][0]["health"] == 60
    screen.press("Table")
    lines = [*csv.DictReader(downloaded(downloads, "*.csv").read_text("utf-8-sig").splitlines())]
    assert float(lines[0]["change"]) == pytest.approx(rates["change"][0])
    screen.press("Report")
    report = downloaded(downloads, "*.html").read_text()
    assert "fighter.knight.health" in report
    assert "<script" not in report

    screen.press("Undo")
    until(lambda: screen.cells("change") == [])
    assert screen.values() == ["45"]
    screen.press("Redo")
    until(lambda: screen.values() == ["60"])
    screen.press("Take all back")
    until(lambda: screen.values() == ["45"])
    screen.press("Open")
    until(lambda: screen.values() == ["60"])


def test_a_page_that_is_loaded_again_goes_on_and_a_copy_of_it_goes_its_own_way(workbench, browser):
    screen = Screen(browser, workbench.url)
    screen.search("knight health", 1)
    screen.edit(0, "60")
    until(lambda: screen.values() == ["60"])
    screen.all('input[placeholder^="name of"]')[0].send_keys("sixty")
    screen.press("Save variant")
    until(lambda: "sixty" in screen.texts("b"))
    screen.edit(0, "70")
    until(lambda: next(iter(workbench.pages)).bench.edits == {"fighter.knight.health": 70})
    address = until(lambda: browser.current_url if "&page=" in browser.current_url else "")

    again = Screen(browser, address)
    assert browser.current_url == address
    again.search("knight health", 1)
    assert again.values() == ["70"]
    assert "sixty" in again.texts("b")
    again.press("Undo")
    until(lambda: again.values() == ["60"])

    window = browser.current_window_handle
    browser.switch_to.new_window("tab")
    copy = Screen(browser, address)
    until(lambda: "&page=" in browser.current_url and browser.current_url != address)
    copy.search("knight health", 1)
    copy.edit(0, "80")
    until(lambda: copy.values() == ["80"])
    browser.close()
    browser.switch_to.window(window)
    assert again.values() == ["60"]
    assert Screen(browser, address).cells("change")


def test_a_designer_steps_numbers_explains_a_fighter_and_makes_one_of_its_steps(workbench, browser):
    screen = Screen(browser, workbench.url)
    page = next(iter(workbench.pages))
    first = [text for text in screen.texts(".tabulator-group") if "Knight" in text or "Rules" in text]
    assert "Knight" in first[0]
    until(lambda: screen.cells("verdict")[:2] == ["too strong", "too weak"])
    assert len(screen.all(".fair-band")) == 8
    assert screen.all(".verdict.strong")[0].value_of_css_property("color") == screen.all(".dot.strong")[0].value_of_css_property(
        "background-color"
    )

    screen.search("knight health", 1)
    screen.click('.tabulator-cell[tabulator-field="down"]', "\u2212")
    until(lambda: screen.values() == ["44"])
    screen.click('.tabulator-cell[tabulator-field="up"]', "+")
    until(lambda: screen.values() == ["45"])
    assert page.bench.edits == {}

    screen.press("quick players")
    until(lambda: "greedy:4" in screen.texts(".masthead p")[0])
    assert page.bench.base.policy_words == "greedy:4"
    screen.press("random players")
    until(lambda: screen.texts(".masthead p")[0].find("random") >= 0)

    link, asked = '.rates a[href="#explain-0"]', lambda: screen.texts(".said p")
    repeated(lambda: screen.click(link, "Knight"), asked)
    until(lambda: any(text.startswith("Knight is too strong") for text in asked()))
    assert any(text.startswith("Wins most against:") for text in asked())
    repeated(lambda: screen.press("Try all its steps"), lambda: not any(text.startswith("Knight is") for text in asked()))
    apply = '.tabulator-cell[tabulator-field="apply"]'
    until(lambda: len(screen.texts(apply)) == 10)
    assert screen.texts('.tabulator-cell[tabulator-field="step"]')[0] == "health 45 to 44"
    repeated(lambda: screen.click(apply, "Apply"), lambda: page.bench.edits == {"fighter.knight.health": 44})
    assert [line["message"] for line in browser.get_log("browser") if line["level"] == "SEVERE"] == []


HOSTILE = "<img src=x onerror=document.title='PWN'>"
IS_CUT = "return arguments[0].scrollWidth > arguments[0].clientWidth"


@pytest.fixture
def hostile(dice_duel, monkeypatch):
    """A workbench of nine fighters whose names, like the title of their set, are scripts to a page that reads markup."""
    monkeypatch.setattr(model, "MOST", 200)
    document = deepcopy(dict(dice_duel.load(None).document)) | {"title": HOSTILE}
    document["fighter"].append(document["fighter"][0] | {"id": "ninth"})
    for number, fighter in enumerate(document["fighter"]):
        fighter["name"] = f"{HOSTILE} {number}"
    with serving(Experiment(dice_duel.name, dice_duel.from_document(document), 2, ("random",), 1)) as served:
        yield served


def test_text_of_a_card_file_or_a_user_is_never_read_as_markup(hostile, browser):
    screen = Screen(browser, hostile.url)
    screen.search("9 health", 0)
    screen.search("8 health", 1)
    screen.edit(0, HOSTILE)
    until(lambda: any(HOSTILE in text for text in screen.texts(".refused")))
    screen.edit(0, "60")
    until(lambda: screen.values() == ["60"])
    screen.all('input[placeholder^="name of"]')[0].send_keys(HOSTILE)
    screen.press("Save variant")
    places = {"title": ".masthead p", "heading": ".tabulator-group", "choice": "option", "variant": "b"}
    places |= {"rate": ".rates td.name", "row": ".matrix tbody th", "column": ".matrix thead th"}
    for place, selector in places.items():
        assert until(lambda selector=selector: any(HOSTILE in text for text in screen.texts(selector))), place
    assert screen.all("img") == []
    assert browser.title == "Dice duel · fairfight workbench"


@pytest.mark.parametrize("width", [1400, 390])
def test_a_page_fits_its_window_and_no_column_is_cut_off_on_a_wide_one(hostile, browser, width):
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        screen = Screen(browser, hostile.url)
        until(lambda: len(screen.all(".matrix td")) == 81)
        inner, page = browser.execute_script("return [innerWidth, document.documentElement.scrollWidth]")
        assert page <= inner == width
        cut = [browser.execute_script(IS_CUT, box) for box in screen.all(".scroll")]
        assert not any(cut) or width < 500
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_nothing_is_loaded_from_elsewhere_and_the_console_has_no_errors(workbench, browser):
    browser.get_log("browser")
    screen = Screen(browser, workbench.url)
    asked = screen.driver.execute_script("return performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert [name for name in asked if not name.startswith((f"http://127.0.0.1:{workbench.port}/", "data:", "blob:"))] == []
    assert [line["message"] for line in browser.get_log("browser") if line["level"] == "SEVERE"] == []


def test_pages_do_not_disturb_each_other_and_a_closed_one_stops_its_games(workbench, browser):
    first = Screen(browser, workbench.url)
    first.search("knight health", 1)
    first.edit(0, "60")
    until(lambda: len(first.cells("change")) == 8)
    window = browser.current_window_handle
    browser.switch_to.new_window("tab")
    second = Screen(browser, workbench.url)
    assert second.cells("change") == []
    ours, theirs = (page.bench for page in workbench.pages)
    assert (ours.edits, theirs.edits) == ({"fighter.knight.health": 60}, {})
    browser.close()
    browser.switch_to.window(window)
    until(lambda: theirs._paused or theirs.is_closed)
    assert theirs.job() is None
    assert not ours._paused
    assert len(first.cells("change")) == 8


COLOURS = """  // of an element's text and of what is behind it
let node = arguments[0];
const text = getComputedStyle(node).color;
while (node) {
  const back = getComputedStyle(node).backgroundColor;
  if (back !== "rgba(0, 0, 0, 0)") return [text, back];
  node = node.assignedSlot || node.parentNode && (node.parentNode.host || node.parentNode);
  if (node === document) return [text, getComputedStyle(document.documentElement).backgroundColor];
}
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_contrasts_with_the_page_in_both_schemes(workbench, browser, scheme):
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    screen = Screen(browser, workbench.url)
    for selector in (".masthead p", ".rates td.name", ".tiles dt", ".note", ".tabulator-cell"):
        colours = until(lambda selector=selector: browser.execute_script(COLOURS, screen.all(selector)[0]))
        assert contrast(*colours) >= 4.5, (selector, colours)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def contrast(text: str, back: str) -> float:
    """WCAG contrast of two colours such as rgb(1, 2, 3)."""

    def luminance(colour: str) -> float:
        parts = [float(part) / 255 for part in colour.partition("(")[2].rstrip(")").split(",")[:3]]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(text), luminance(back)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
