"""The sample page in a real browser: no console output, no requests, readable at two widths, sortable."""

import shutil
import tempfile
from pathlib import Path

import pytest

from analysis.charts import FORMS
from tests.analysis.report import sample

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="no headless Chromium: apt-get install chromium chromium-driver"
)
WIDTHS = (1280, 390)
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> Path:
    return sample.write(tmp_path_factory.mktemp("reports"))


@pytest.fixture(scope="module")
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options.add_argument(f"--user-data-dir={profile}")
        driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        yield driver
        driver.quit()


def show(browser, path: Path, width: int = 1280) -> None:
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.get(path.as_uri())


@pytest.mark.parametrize("width", WIDTHS)
def test_the_console_is_empty_and_nothing_is_requested_from_outside(browser, report, width):
    for path in (report, report.parent.parent / "index.html"):
        show(browser, path, width)
        assert browser.get_log("browser") == []
        asked = browser.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
        assert [name for name in asked if not name.startswith("data:")] == []


def test_the_security_policy_of_the_page_blocks_outside_requests(browser, report):
    show(browser, report)
    refused = browser.execute_async_script("""
        const done = arguments[0];
        document.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective), {once: true});
        const image = document.createElement("img");
        image.src = "https://example.invalid/x.png";
        document.body.append(image);
        setTimeout(() => done("nothing refused"), 3000);
    """)
    assert refused == "img-src"
    browser.get_log("browser")  # the refusal that this test provoked is logged


@pytest.mark.parametrize("width", WIDTHS)
def test_every_chart_is_visible_named_and_large_enough_to_read(browser, report, width):
    show(browser, report, width)
    charts = browser.execute_script("""
        return Array.from(document.querySelectorAll("figure svg"), (svg) => {
            const box = svg.getBoundingClientRect(), marks = svg.querySelectorAll("path, use").length;
            const said = svg.getAttribute("aria-labelledby").split(" ").map((id) => document.getElementById(id));
            const name = said.map((e) => e && e.textContent).join(" ");
            return [box.width, box.height, svg.viewBox.baseVal.width, marks, svg.getAttribute("role"), name];
        });
    """)
    assert len(charts) == len(FORMS)
    for wide, high, points, marks, role, name in charts:
        assert high > 100
        assert marks > 20
        assert wide / points >= 1.2  # CSS pixels per point: letters of 7.5 points are at least 9 pixels high
        assert role == "img"
        assert len(name) > 20


@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_does_not_scroll_sideways_even_with_every_table_open(browser, report, width):
    for path in (report, report.parent.parent / "index.html"):
        show(browser, path, width)
        browser.execute_script("document.querySelectorAll('details').forEach((each) => (each.open = true))")
        page, room = browser.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
        assert page <= room == width


def test_wide_charts_scroll_inside_their_own_box_on_a_phone(browser, report):
    show(browser, report, 390)
    boxes = browser.execute_script(
        "return Array.from(document.querySelectorAll('.card'), (box) => [box.scrollWidth, box.clientWidth])"
    )
    assert all(inner > outer for inner, outer in boxes)
    assert all(outer <= 390 for _, outer in boxes)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_hint_shows_sideways_scrolling_until_the_end_is_reached(browser, report, width):
    show(browser, report, width)
    hints = "return Array.from(document.querySelectorAll('figure .sideways'), (hint) => hint.offsetHeight > 0)"
    fades = "return Array.from(document.querySelectorAll('figure .scroller'), (each) => each.classList.contains('more'))"
    assert set(browser.execute_script(hints)) == set(browser.execute_script(fades)) == {width < 640}
    browser.execute_script("document.querySelectorAll('.card').forEach((box) => (box.scrollLeft = 9999))")
    browser.execute_async_script("requestAnimationFrame(() => setTimeout(arguments[0], 100))")
    assert set(browser.execute_script(fades)) == {False}


def test_ids_are_unique_and_every_reference_has_a_target(browser, report):
    show(browser, report)
    double, unmet = browser.execute_script("""
        const ids = Array.from(document.querySelectorAll("[id]"), (each) => each.id);
        const uses = Array.from(document.querySelectorAll("use"), (use) => use.href.baseVal.slice(1));
        const clips = Array.from(document.querySelectorAll("[clip-path]"), (each) =>
            each.getAttribute("clip-path").slice(5, -1));
        const known = new Set(ids);
        return [ids.filter((id, at) => ids.indexOf(id) !== at), [...uses, ...clips].filter((id) => !known.has(id))];
    """)
    assert double == []
    assert unmet == []


def column(browser, number: int) -> list[str]:
    return browser.execute_script(
        "return Array.from(document.querySelectorAll('#table-forest-numbers tbody tr'), "
        "(row) => row.cells[arguments[0]].dataset.value ?? row.cells[arguments[0]].textContent)",
        number,
    )


def heading(browser, number: int):
    browser.execute_script("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    element = browser.find_elements("css selector", "#table-forest-numbers th")[number]
    browser.execute_script("arguments[0].scrollIntoView({behavior: 'instant', block: 'center'})", element)
    return element


def test_tables_sort_by_click_numbers_by_size_and_words_by_letter(browser, report):
    show(browser, report)
    estimate = heading(browser, 2)
    assert estimate.get_attribute("aria-sort") == "none"
    estimate.find_element("tag name", "button").click()
    assert estimate.get_attribute("aria-sort") == "descending"
    assert [float(value) for value in column(browser, 2)] == sorted(map(float, column(browser, 2)), reverse=True)
    estimate.find_element("tag name", "button").click()
    assert estimate.get_attribute("aria-sort") == "ascending"
    assert [float(value) for value in column(browser, 2)] == sorted(map(float, column(browser, 2)))
    name = heading(browser, 1)
    name.find_element("tag name", "button").click()
    assert name.get_attribute("aria-sort") == "ascending"
    assert estimate.get_attribute("aria-sort") == "none"
    names = [value for value in column(browser, 1) if value != sample.MARKUP]
    assert names == sorted(names)


def test_tables_sort_by_keyboard(browser, report):
    show(browser, report)
    estimate = heading(browser, 2)
    button = estimate.find_element("tag name", "button")
    browser.execute_script("arguments[0].focus()", button)
    button.send_keys(Keys.ENTER)
    assert estimate.get_attribute("aria-sort") == "descending"
    button.send_keys(Keys.SPACE)
    assert estimate.get_attribute("aria-sort") == "ascending"
    assert [float(value) for value in column(browser, 2)] == sorted(map(float, column(browser, 2)))


def test_names_with_markup_are_shown_as_text(browser, report):
    show(browser, report)
    heading(browser, 1)
    assert browser.title == "Sample game \u00b7 fairfight"  # the name would have changed the title
    assert sample.MARKUP in column(browser, 1)
    assert sample.MARKUP in browser.find_element("tag name", "header").text
    assert browser.execute_script("return document.querySelectorAll('script').length") == 1


def test_the_contents_link_to_every_question_and_stay_visible(browser, report):
    show(browser, report)
    links = browser.find_elements("css selector", ".contents a")
    targets = [link.get_attribute("href").rpartition("#")[2] for link in links]
    assert targets == [*FORMS, "about"]
    browser.execute_script("document.getElementById('tornado').scrollIntoView({behavior: 'instant'})")
    top = browser.execute_script("return document.querySelector('.contents').getBoundingClientRect().top")
    assert top == 0


def test_dark_mode_has_dark_charts_too(browser, report):
    media = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    try:
        show(browser, report)
        colours = browser.execute_script(
            "return ['body', '.card'].map((s) => getComputedStyle(document.querySelector(s)).backgroundColor)"
        )
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert colours == ["rgb(20, 24, 29)", "rgb(26, 26, 26)"]


def test_the_page_stays_small(report):
    assert report.stat().st_size < 6_000_000
