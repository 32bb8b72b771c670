"""Screens of a report's pages, and words above the first chart of each section.

`python -m tests.analysis.report.measure FOLDER` prints a table of all pages of a folder that `fairfight report` wrote.
"""

import sys
from pathlib import Path
from typing import Any

from tests.analysis.chromium import chromium

WIDTH, HEIGHT = 1280, 800  # of a screen, in CSS pixels
SIZES = """
    const words = (text) => text.split(/\\s+/).filter((word) => word).length;
    const above = Array.from(document.querySelectorAll("main > section"), (section) => {
        const chart = section.querySelector("figure");
        if (!chart || !chart.checkVisibility()) return null;
        const answer = section.querySelector(".answer");
        return answer ? words(answer.textContent) : 0;
    }).filter((count) => count !== null);
    const visible = Array.from(document.querySelectorAll("figure")).filter((each) => each.checkVisibility());
    return {
        height: document.documentElement.scrollHeight,
        sections: document.querySelectorAll("main > section").length - 1,
        words: words(document.body.innerText),
        charts: visible.length,
        tables: document.querySelectorAll("main table").length,
        above: above.length ? Math.max(...above) : 0,
    };
"""


def sizes(browser: Any, path: Path, width: int = WIDTH, height: int = HEIGHT) -> dict[str, float]:
    """Screens, sections, visible words and charts, tables, and the most words above the first chart of a section of a page."""
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    )
    browser.get(path.resolve().as_uri())
    measured: dict[str, float] = browser.execute_script(SIZES)
    return {"screens": round(measured.pop("height") / height, 1), **measured}


def main(folder: Path) -> None:
    """Print the table of all pages below a folder."""
    with chromium() as browser:
        for path in sorted(folder.glob("*/**/index.html")):
            line = "  ".join(f"{name} {value:g}" for name, value in sizes(browser, path).items())
            sys.stdout.write(f"{path.parent.relative_to(folder)!s:32} {line}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
