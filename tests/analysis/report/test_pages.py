"""The sample page in a real browser: no console output, no requests, readable on every screen and on paper, sortable."""

from base64 import b64decode
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from matplotlib import image

from analysis.answer.page import FINDINGS, Finding, Link
from analysis.answer.tables import Table
from analysis.report.write import write_report
from tests.analysis.chromium import Keys, WebDriverWait, chromium, needs_chromium
from tests.analysis.report import sample
from tests.analysis.report.frames import FORMS

pytestmark = [needs_chromium, pytest.mark.soak]
WIDTHS = (1280, 360)


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> Path:
    return sample.write(tmp_path_factory.mktemp("reports"))


@pytest.fixture(scope="module")
def browser():
    with chromium() as driver:
        yield driver


def show(browser, path: Path, width: int = 1280, height: int = 900) -> None:
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.execute_script("window.old = true")
    browser.get(path.as_uri())
    WebDriverWait(browser, 60).until(is_loaded)  # `get` of the same page again may return while it is being read


def is_loaded(browser) -> bool:
    return browser.execute_script("return !window.old && document.readyState === 'complete'")


@contextmanager
def media(browser, scheme: str = "light", kind: str = "screen"):
    """Context in which the browser prefers a colour scheme, and shows pages as on a screen or as printed."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": kind, "features": features})
    try:
        yield
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


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


def test_a_png_of_a_chart_is_made_when_it_is_asked_for(browser, report):
    show(browser, report)
    name, data = browser.execute_async_script("""
        const done = arguments[0];
        HTMLAnchorElement.prototype.click = function () { done([this.download, this.href]); };
        document.querySelector("button.png").click();
    """)
    assert name == browser.find_element("css selector", "button.png").get_attribute("data-name")
    head, _, content = data.partition(",")
    assert head == "data:image/png;base64"
    picture = image.imread(BytesIO(b64decode(content)))
    points = browser.execute_script("return document.querySelector('figure .scroller svg').viewBox.baseVal.width")
    assert picture.shape[1] == round(3 * points)
    dark = (picture[..., :3].sum(axis=2) < 1).mean()  # letters
    assert 0.002 < dark < 0.2
    assert browser.get_log("browser") == []


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
    show(browser, report, 360)
    boxes = browser.execute_script(
        "return Array.from(document.querySelectorAll('.card'), (box) => [box.scrollWidth, box.clientWidth])"
    )
    assert all(inner > outer for inner, outer in boxes)
    assert all(outer <= 360 for _, outer in boxes)


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
        "(row) => row.cells[arguments[0]].dataset.value || row.cells[arguments[0]].textContent)",
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
    with media(browser, "dark"):
        show(browser, report)
        colours = browser.execute_script(
            "return ['body', '.card'].map((s) => getComputedStyle(document.querySelector(s)).backgroundColor)"
        )
    assert colours == ["rgb(20, 24, 29)", "rgb(26, 26, 26)"]


CONTRAST = """
    const parse = (text) => {
        const [r, g, b, a] = text.match(/[\\d.]+/g).map(Number);
        return [r / 255, g / 255, b / 255, a ?? 1];
    };
    const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
    const luminance = (colour) => colour.slice(0, 3)
        .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const ratio = (a, b) => {
        const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
        return (high + 0.05) / (low + 0.05);
    };
    const ground = (element) => {
        const style = element ? parse(getComputedStyle(element).backgroundColor) : [1, 1, 1, 1];
        return style[3] === 1 ? style : over(style, ground(element.parentElement));
    };
    const wrong = [];
    const check = (text, ink, paper) => {
        const found = ratio(over(ink, paper), paper);
        if (found < 4.5) wrong.push([text.trim().slice(0, 30), Number(found.toFixed(2))]);
    };
"""
TEXTS = """
    document.querySelectorAll("details").forEach((each) => (each.open = true));
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let number = 0;
    while (texts.nextNode()) {
        const owner = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || owner.closest("svg, script, style") || !owner.getClientRects().length) continue;
        check(texts.currentNode.data, parse(getComputedStyle(owner).color), ground(owner));
        number += 1;
    }
    return [number, wrong];
"""
LETTERS = """
    const fill = (element) => {
        const style = getComputedStyle(element);
        if (style.fill === "none") return null;
        const colour = parse(style.fill);
        colour[3] *= Number(style.fillOpacity) * Number(style.opacity);
        return colour;
    };
    const isLetter = (each) => each.tagName === "use" && each.href.baseVal.startsWith("#l-");
    let number = 0;
    for (const line of document.querySelectorAll("figure svg g")) {
        const first = Array.from(line.children).find(isLetter);
        if (!first) continue;
        const box = first.getBoundingClientRect(), svg = line.closest("svg");
        const below = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2)
            .filter((each) => svg.contains(each) && each !== svg && !isLetter(each)).map(fill).filter((each) => each);
        const paper = below.reduceRight((sum, colour) => over(colour, sum), [1, 1, 1, 1]);
        check(svg.id, fill(line), paper);
        number += 1;
    }
    return [number, wrong];
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_the_contrast_of_wcag_aa(browser, report, scheme):
    with media(browser, scheme):
        show(browser, report)
        number, wrong = browser.execute_script(CONTRAST + TEXTS)
    assert number > 1000
    assert wrong == []


def test_text_in_charts_has_the_contrast_of_wcag_aa(browser, report):
    with media(browser, "light"):
        show(browser, report, height=40_000)  # only what is in the window has a position
        number, wrong = browser.execute_script(CONTRAST + LETTERS)
    assert number > 500
    assert wrong == []


def test_what_to_act_on_fits_the_first_screen(browser, tmp_path):
    strong = [
        Finding(f"Hero {number} is too strong: it wins 63.6 % at two seats (62.1 to 65.0 %).", "strong") for number in range(4)
    ]
    weak = [
        Finding(f"Hero {number} is too weak: it wins 36.6 % at two seats (35.2 to 38.1 %).", "weak") for number in range(4, 8)
    ]
    notes = [Finding(f"Note {number}: {'words on how to read these results ' * 4}.") for number in range(5)]
    named = "not fair: 4 too strong and 4 too weak; 2 not decided; going first is worth +3.1 points at two seats."
    findings = [Finding(named, "verdict"), notes[0], *strong, *weak, Finding("Not decided: Hero 8.", "open"), *notes[1:]]
    links = (Link("How it plays", ""), Link("What to change", "what-to-change/index.html"))
    whole = sample.page()
    lead = replace(whole.sections[0].figures[0], id="verdict")
    page = replace(whole, headline=tuple(findings), sections=whole.sections[-1:], links=links, lead=lead)
    path = write_report(page, tmp_path)
    show(browser, path, 1280, 720)
    bottoms = browser.execute_script("""
        const parts = document.querySelectorAll(".pages a, .lead > .findings li, .lead figure");
        return Array.from(parts, (each) => [each.textContent, each.getBoundingClientRect().bottom]);
    """)
    assert len(bottoms) == 1 + (1 + FINDINGS) + 1, "a link, the verdict with its findings, the chart"
    assert all(bottom <= 720 for _, bottom in bottoms)
    remarks = browser.execute_script("return Array.from(document.querySelectorAll('.remarks li'), (each) => each.textContent)")
    assert len(remarks) == len(findings) - 1 - FINDINGS, "nothing is lost"


def test_a_printed_page_is_black_on_white_with_its_short_tables(browser, tmp_path):
    rows = tuple((f"row {number}", number) for number in range(60))
    tables = tuple(Table(f"t{count}", ("name", "n"), rows[:count], "Numbers") for count in (5, 60))
    whole = sample.page()
    page = replace(whole, sections=(replace(whole.sections[0], tables=tables),), provenance=())
    path = write_report(page, tmp_path)
    with media(browser, "dark", "print"):
        show(browser, path, 760)
        browser.execute_script("dispatchEvent(new Event('beforeprint'))")
        opened, unfolded, hidden, colours = browser.execute_script("""
            const style = (s) => getComputedStyle(document.querySelector(s));
            return [Array.from(document.querySelectorAll("main details.numbers"), (each) => each.open),
                Array.from(document.querySelectorAll("main details.fold"), (each) => each.open),
                [".contents", ".files", ".sideways", ".skip"].map((s) => style(s).display),
                [style("body").backgroundColor, style("h2").color, style(".card").backgroundColor, style(".drawing svg").filter]];
        """)
        browser.execute_script("dispatchEvent(new Event('afterprint'))")
        closed = browser.execute_script("return Array.from(document.querySelectorAll('main details'), (each) => each.open)")
    assert opened == [True, False]
    assert unfolded == [True, True]
    assert closed == [False] * 4
    assert set(hidden) == {"none"}
    assert colours == ["rgb(255, 255, 255)", "rgb(0, 0, 0)", "rgb(255, 255, 255)", "none"]
    printed = browser.execute_cdp_cmd("Page.printToPDF", {})
    assert len(printed["data"]) > 10_000


CHART_BYTES = 42_000  # of a chart and its table, on average: 30 of them, more than a report has, stay below 1.5 MB


def test_the_page_stays_small(report):
    assert report.stat().st_size < CHART_BYTES * len(FORMS)
