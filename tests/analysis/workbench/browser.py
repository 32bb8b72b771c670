"""A workbench served by a thread of the tests, and how the tests read and use its page in headless Chromium."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from analysis.workbench.server import Workbench
from sim.experiments.experiment import Experiment
from sim.stopping import asked

SECONDS = 120  # longest wait: machines are shared
FIND = """
const found = [];
const walk = (node) => {
  found.push(...node.querySelectorAll(arguments[0]));
  for (const inner of node.querySelectorAll("*")) if (inner.shadowRoot) walk(inner.shadowRoot);
};
walk(document);
"""


@contextmanager
def serving(base: Experiment) -> Iterator[Workbench]:
    """A workbench that serves until the end of the block."""
    made: list[Workbench] = []
    ready, failed = threading.Event(), list[BaseException]()

    def serve() -> None:
        asyncio.set_event_loop(asyncio.new_event_loop())
        try:
            made.append(Workbench(base, jobs=2))
            made[0].run(browser=False, started=ready.set)
        except BaseException as error:
            failed.append(error)
            ready.set()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    assert ready.wait(SECONDS)
    assert not failed, failed
    try:
        yield made[0]
    finally:
        asked.set()
        thread.join(SECONDS)
        asked.clear()
    assert not thread.is_alive()
    assert not failed, failed


def until(wanted: Callable[[], Any], seconds: float = SECONDS) -> Any:
    """Wait until `wanted` returns something true, and return it. Elements that the page redraws meanwhile are searched again."""
    end, last = time.monotonic() + seconds, None
    while time.monotonic() < end:
        try:
            if result := wanted():
                return result
        except (WebDriverException, IndexError, StopIteration) as error:
            last = error
        time.sleep(0.1)
    raise AssertionError(f"not within {seconds} s: {last}")


def repeated(does: Callable[[], Any], wanted: Callable[[], Any]) -> None:
    """Do something until `wanted` is true: a click on what is drawn again in the same moment is lost."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        with suppress(AssertionError, WebDriverException):
            does()
            until(wanted, 10)
            return
    raise AssertionError(f"not within {SECONDS} s")


class Screen:
    """The page in the browser, as a user sees it; its components have trees of their own, which `all` and `texts` search too."""

    def __init__(self, driver: Any, url: str) -> None:
        self.driver = driver
        driver.get(url)
        until(lambda: self.texts(".rates tbody tr"))
        until(lambda: self.texts(".tabulator-row"))

    def all(self, selector: str) -> list[Any]:
        """Elements of a selector."""
        return self.driver.execute_script(f"{FIND} return found", selector)

    def texts(self, selector: str) -> list[str]:
        """Texts of a selector."""
        return self.driver.execute_script(f"{FIND} return found.map((one) => one.textContent.trim())", selector)

    def cells(self, name: str) -> list[str]:
        """A column of the win rates: before, after, change or mark."""
        return self.texts(f'[data-is="{name}"]')

    def tile(self, name: str) -> str:
        """One of the figures on top."""
        return next(iter(self.texts(f'[data-tile="{name}"]')), "")

    def search(self, words: str, lines: int) -> None:
        """Type into the search field, and wait for this number of lines."""
        ActionChains(self.driver).click(self.all('input[placeholder^="search"]')[0]).perform()
        self.type(words)
        until(lambda: len(self.texts(".tabulator-row:not(.tabulator-group)")) == lines)

    def edit(self, line: int, text: str) -> None:
        """Type a value into a line of the table."""

        def click() -> bool:
            cell = self.all('.tabulator-cell[tabulator-field="value"]')[line]
            ActionChains(self.driver).move_to_element(cell).click().perform()
            return True

        until(click)  # again if the table is redrawn meanwhile
        until(lambda: [one for one in self.all(".tabulator-editing input") if one.is_displayed()])
        self.type(text)

    def type(self, text: str) -> None:
        """Replace the text of the field that has the focus."""
        keys = ActionChains(self.driver).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL)
        keys.send_keys(Keys.BACKSPACE).send_keys(text + Keys.ENTER).perform()

    def values(self) -> list[str]:
        """Values in the table."""
        return self.texts('.tabulator-cell[tabulator-field="value"]')

    def click(self, selector: str, words: str) -> None:
        """Click the first element of a selector with this text."""

        def click() -> bool:
            element = next(one for one in self.all(selector) if one.text.strip() == words)
            ActionChains(self.driver).move_to_element(element).click().perform()
            return True

        until(click)  # again if the table is redrawn meanwhile

    def press(self, words: str) -> None:
        """Press a button or a download by its label."""
        until(lambda: [one for one in self.all("button, a.bk-btn") if words in one.text])[0].click()
