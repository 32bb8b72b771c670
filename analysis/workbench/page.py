"""The page of the workbench, built on Panel, which shows the same in a browser and in a notebook.

A page has a `Bench` of its own, so that pages do not disturb each other; the threads that play belong to all of them. A callback
looks for new results several times a second. Estimates are computed in another thread, so that the page answers meanwhile.
"""

from __future__ import annotations

import asyncio
import html
import io
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

import pandas as pd
import panel as pn
from panel.viewable import Viewer

from analysis.answer.cards import as_written
from analysis.answer.numbers import count, percent_range
from analysis.data.names import policy_of
from analysis.data.players import QUICK, player_words, strong_player
from analysis.questions.explain import explain
from analysis.variants.variant import unit_names
from analysis.workbench import drawing
from analysis.workbench.bench import Bench, Crew, Standing, Work
from analysis.workbench.inquiry import Inquiry, all_steps
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment

REFRESH_MS = 250
COLUMNS = ("shown", "down", "value", "up", "before", "source")  # of the table of numbers
DOWN, UP = "\u2212", "+"  # what a whole number has beside its value
STEP_COLUMNS = ("step", "leads", "change", "apply")  # of the table of steps
STEPS_HEIGHT, LINE_HEIGHT = 320, 32  # pixels, of the table at most, and of a line
EVERY = "all cards"
NUMBERS_HEIGHT = 620  # pixels
SIDE_WIDTH = 430
ICON = (  # of a download; icons by name would be loaded from another server
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" '
    'stroke-linecap="round" stroke-linejoin="round"><path d="M12 4v11m0 0 4-4m-4 4-4-4M5 20h14"/></svg>'
)


@cache
def crew(workers: int | None = None) -> Crew:
    """The threads that play for all pages of this process."""
    return Crew(workers)


@cache
def sheets() -> list[str]:
    """Style sheets of every component: each has a tree of its own in the page, which other sheets do not reach."""
    return [drawing.style(), drawing.style("widgets.css")]


def open_in_notebook() -> None:
    """Load what pages need into the notebook; it has no effect elsewhere."""
    pn.extension("tabulator", raw_css=[drawing.style()])


class Page(Viewer):
    """The workbench for one card set: numbers to edit, what they do to the games, variants and files.

    base: seats, policies, seed and the unchanged cards; jobs: threads that play, all cores if None; work: of an earlier page
    for the same cards, to go on with; table: win rates in games that people played, of a `Bench`. In a notebook the object shows
    itself; `close` stops its games.
    """

    def __init__(
        self,
        base: Experiment,
        jobs: int | None = None,
        work: Work | None = None,
        table: pd.DataFrame | None = None,
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self.bench = Bench(base, crew(jobs), work=work, table=table)
        self._refused: dict[str, str] = {}  # path -> why its last value was refused
        self._seen: tuple[Any, ...] = ()  # what is drawn
        self._shown = pd.DataFrame()  # numbers in the table
        self._was_open = False  # in a browser, so far
        self._jobs = jobs
        self._inquiry: Inquiry | None = None  # what is asked about an entrant
        self._steps = pd.DataFrame()  # of the last answer
        self._parts = {name: self._html() for name in ("masthead", "tiles", "rates", "matrix", "length")}
        self._build_players(base)
        self._build_numbers()
        self._build_actions()
        self._build_inquiry()
        self._build_variants()
        self._build_files()
        self._view = self._layout()
        self._show_masthead()
        self._show_numbers()
        self._show_variants()
        self._draw(None)
        self._document = pn.state.curdoc
        self._callback = pn.state.add_periodic_callback(self._refresh, period=REFRESH_MS)  # type: ignore[arg-type]

    def __panel__(self) -> Any:
        """What Panel shows."""
        return self._view

    def close(self) -> None:
        """Stop the games of this page."""
        if self._inquiry:
            self._inquiry.abandon()
        if self._callback.running:
            self._callback.stop()
        self.bench.close()

    # ---- building

    @staticmethod
    def _html(text: str = "") -> Any:
        return pn.pane.HTML(text, sizing_mode="stretch_width", margin=0, stylesheets=sheets())

    def _button(self, name: str, does: Callable[[], None], **options: Any) -> Any:
        button = pn.widgets.Button(label=name, stylesheets=sheets(), margin=(0, 6, 0, 0), **options)
        button.on_click(lambda _: does())
        return button

    def _build_players(self, base: Experiment) -> None:
        """The switch between players: those of the command, the strong and the quick ones. base: of the command."""
        game = base.game
        choices = [base.policies, (strong_player(game),), (policy_of(QUICK),)]
        options = {player_words(game, players): players for players in dict.fromkeys(choices)}
        self.players = pn.widgets.RadioButtonGroup(
            options=options, value=self.bench.base.policies, visible=len(options) > 1, stylesheets=sheets(), margin=(10, 0, 8, 0)
        )
        self.players.param.watch(lambda event: self.choose_players(event.new), "value")

    def _build_numbers(self) -> None:
        """The table of numbers, and what chooses its lines."""
        numbers = self.bench.numbers()
        cards = {EVERY: "", **{self._card_name(card): card for card in dict.fromkeys(numbers["card"])}}
        self.card = pn.widgets.Select(options=cards, value="", stylesheets=sheets(), margin=0, sizing_mode="stretch_width")
        self.search = pn.widgets.TextInput(
            placeholder="search, such as move", stylesheets=sheets(), margin=(0, 0, 0, 8), sizing_mode="stretch_width"
        )
        self.only_changed = pn.widgets.Checkbox(label="only changed numbers", stylesheets=sheets(), margin=(6, 0, 6, 2))
        for widget in (self.card, self.search, self.only_changed):
            widget.param.watch(lambda _: self._show_numbers(), "value")
        self.table = pn.widgets.Tabulator(
            pd.DataFrame(columns=[*COLUMNS, "card"]),
            show_index=False,
            theme="simple",
            layout="fit_columns",
            groupby=["card"],
            hidden_columns=["card"],
            titles={"shown": "number", "down": "", "value": "value", "up": "", "before": "before", "source": "source"},
            widths={"down": 26, "value": 58, "up": 26, "before": 60, "source": 76},
            editors={**dict.fromkeys((*COLUMNS, "card")), "value": {"type": "input", "selectContents": True}},
            formatters={"shown": "html"},
            text_align={"down": "center", "value": "right", "up": "center", "before": "right"},
            header_align={"value": "right", "before": "right"},
            sortable=False,
            selectable=False,
            pagination=None,  # pages of rows of different heights would be half empty
            height=NUMBERS_HEIGHT,
            configuration={"placeholder": "No number matches the search."},
            sizing_mode="stretch_width",
            margin=0,
            stylesheets=sheets(),
        )
        self.table.on_edit(self._edited)
        for column in ("down", "up"):
            self.table.on_click(self._stepped, column=column)
        self.problem = self._html()

    def _build_actions(self) -> None:
        """Undo, redo, and back to the unchanged set."""
        self.undo = self._button("↶ Undo", lambda: self._act(self.bench.undo))
        self.redo = self._button("↷ Redo", lambda: self._act(self.bench.redo))
        self.reset = self._button("Take all back", lambda: self._act(self.bench.reset))

    def _build_inquiry(self) -> None:
        """What explains an entrant, and tries its steps."""
        units = dict(zip(unit_names(self.bench.base), self._unit_ids, strict=True))
        self.entrant = pn.widgets.Select(options=units, stylesheets=sheets(), margin=(0, 8, 0, 0), width=200)
        self.explain = self._button("Explain", lambda: self.ask(str(self.entrant.value)), color="primary")
        self.try_steps = self._button("Try all its steps", lambda: self.ask(str(self.entrant.value), steps=True))
        self.said = self._html()
        self.steps = pn.widgets.Tabulator(
            pd.DataFrame(columns=[*STEP_COLUMNS]),
            show_index=False,
            theme="simple",
            layout="fit_columns",
            titles={"step": "step", "leads": "leads to", "change": "change, points", "apply": ""},
            widths={"leads": 90, "change": 130, "apply": 70},
            editors=dict.fromkeys(STEP_COLUMNS),
            text_align={"leads": "right", "change": "right", "apply": "center"},
            header_align={"leads": "right", "change": "right"},
            sortable=False,
            selectable=False,
            pagination=None,
            height=2 * LINE_HEIGHT + 4,
            configuration={"placeholder": "No steps yet."},
            sizing_mode="stretch_width",
            margin=(8, 0, 0, 0),
            stylesheets=sheets(),
        )
        self.steps.on_click(self._applied, column="apply")
        if pn.state.location is not None:
            pn.state.location.param.watch(self._hash_changed, "hash")

    @property
    def _unit_ids(self) -> tuple[str, ...]:
        """Ids of the rows of win rates."""
        base = self.bench.base
        return base.teams.ids if base.teams else base.cards.ids

    def _build_variants(self) -> None:
        """Saved variants."""
        self.variant_name = pn.widgets.TextInput(
            placeholder="name of this variant", stylesheets=sheets(), margin=(0, 8, 0, 0), sizing_mode="stretch_width"
        )
        self.save = self._button("Save variant", self._save, color="primary")
        self.variants = pn.Column(sizing_mode="stretch_width", margin=(8, 0, 0, 0))
        self.variant_problem = self._html()

    def _build_files(self) -> None:
        """Downloads, made when they are asked for."""
        made = {
            "Card file": ("zip", drawing.card_folder),
            "Table": ("csv", drawing.table),
            "Report": ("html", drawing.report_file),
        }
        name = f"{self.bench.base.game.name}-workbench"
        self.files = [
            pn.widgets.FileDownload(
                label=f"{label} (.{kind})",
                filename=f"{name}.{kind}",
                callback=partial(self._file, make),
                embed=False,
                auto=True,
                icon=ICON,
                stylesheets=sheets(),
                margin=(0, 6, 6, 0),
            )
            for label, (kind, make) in made.items()
        ]

    def _layout(self) -> Any:
        """Numbers on the left, games on the right; one below the other where the page is narrow."""
        wide = {"sizing_mode": "stretch_width", "margin": 0}
        side = pn.Column(
            self.players,
            pn.Row(self.card, self.search, **wide),
            self.only_changed,
            self.problem,
            self.table,
            pn.Row(self.undo, self.redo, self.reset, margin=(10, 0, 14, 0)),
            self._html("<h2>Variants</h2>"),
            pn.Row(self.variant_name, self.save, sizing_mode="stretch_width", margin=(6, 0, 0, 0)),
            self.variant_problem,
            self.variants,
            self._html("<h2>Export</h2>"),
            pn.FlexBox(*self.files, margin=(6, 0, 0, 0)),
            min_width=320,
            max_width=SIDE_WIDTH,
            styles={"flex": f"1 1 {SIDE_WIDTH - 40}px"},
            margin=(0, 20, 20, 0),
        )
        small = {"min_width": 300, "styles": {"flex": "1 1 300px"}}
        for name in ("matrix", "length"):
            self._parts[name].param.update(margin=(0, 14, 14, 0), **small)
        self._parts["matrix"].styles = {"flex": f"2 1 {drawing.matrix_width(self.bench)}"}
        main = pn.Column(
            self._parts["tiles"],
            self._parts["rates"],
            pn.Column(
                pn.FlexBox(self.entrant, self.explain, self.try_steps, margin=0, sizing_mode="stretch_width"),
                self.said,
                self.steps,
                sizing_mode="stretch_width",
                margin=0,
            ),
            pn.FlexBox(
                self._parts["matrix"], self._parts["length"], align_items="stretch", margin=0, sizing_mode="stretch_width"
            ),
            min_width=340,
            styles={"flex": "3 1 620px", "gap": "14px"},
            margin=0,
        )
        body = pn.FlexBox(side, main, align_items="flex-start", margin=0, sizing_mode="stretch_width")
        return pn.Column(self._parts["masthead"], body, sizing_mode="stretch_width", margin=0)

    def _card_name(self, card: str) -> str:
        """`hero.rhino_guy` as it is called in the card file."""
        kind, _, name = card.partition(".")
        entry = next(
            (
                entry
                for entry in self.bench.base.cards.document.get(kind) or ()
                if isinstance(entry, dict) and entry.get("id") == name
            ),
            {},
        )
        words = str(entry.get("name") or name).replace("_", " ")
        return f"{words} ({kind.replace('_', ' ')})" if name else kind.replace("_", " ").capitalize()

    # ---- numbers

    def _lines(self) -> pd.DataFrame:
        """The numbers that are wanted, as the table shows them."""
        numbers = self.bench.numbers()
        kept = numbers["path"].str.len() > 0
        if self.card.value:
            kept &= numbers["card"] == self.card.value
        wanted = str(self.search.value_input or self.search.value or "")
        for word in wanted.lower().replace("_", " ").split():
            text = (numbers["path"] + " " + numbers["card"].map(self._card_name)).str.lower().str.replace("_", " ")
            kept &= text.str.contains(word, regex=False)
        if self.only_changed.value:
            kept &= numbers["edited"] | numbers["path"].isin(self._refused)
        chosen = numbers[kept].reset_index(drop=True)
        lines = {
            "shown": [self._field(*line) for line in zip(chosen["path"], chosen["field"], chosen["edited"], strict=True)],
            "down": chosen["stepped"].map({True: DOWN, False: ""}),
            "value": chosen["value"],
            "up": chosen["stepped"].map({True: UP, False: ""}),
            "before": chosen["before"],
            "source": chosen["source"],
            "card": chosen["card"].map(lambda card: html.escape(self._card_name(card))),  # headings of groups are HTML
            "path": chosen["path"],
        }
        return pd.DataFrame(lines)

    def _field(self, path: str, field: str, edited: bool) -> str:
        """Name of a number, marked if it is changed, with the message if its last value was refused."""
        words = html.escape(field.removeprefix("ability.").replace("_", " ").replace(".", " · "))
        marked = f"<mark>{words}</mark>" if edited else words
        if path not in self._refused:
            return marked
        message = self._refused[path].removeprefix(path).lstrip(" =")  # the number is named already
        return f'{marked}<span class="refused" role="alert">{html.escape(message)}</span>'

    def _show_numbers(self) -> None:
        """Bring the table up to date, cell by cell where its lines stay the same."""
        lines, before = self._lines(), self._shown
        self._shown = lines
        if list(lines["path"]) != list(before.get("path", ())):
            self.table.value = lines.drop(columns="path")
        else:
            patches = {}
            for column in COLUMNS:
                current = self.table.value[column]
                changed = [(row, new) for row, (new, old) in enumerate(zip(lines[column], current, strict=True)) if new != old]
                if changed:
                    patches[column] = changed
            if patches:
                self.table.patch(patches, as_index=False)
        self.undo.disabled, self.redo.disabled = not self.bench.can_undo, not self.bench.can_redo
        self.reset.disabled = not self.bench.edits
        self._show_problem()

    def _show_problem(self) -> None:
        """Show the message of a refused value above the table if its number is not in the table."""
        shown = set(self._shown["path"])
        said = "; ".join(message for path, message in self._refused.items() if path not in shown)
        self.problem.object = f'<p class="refused" role="alert">{html.escape(said)}</p>' if said else ""

    def _edited(self, event: Any) -> None:
        """A value was typed into the table."""
        if event.column != "value" or not 0 <= event.row < len(self._shown):
            return
        self.change(str(self._shown["path"].iloc[event.row]), "" if event.value is None else str(event.value))

    def _stepped(self, event: Any) -> None:
        """The sign beside a whole number was clicked."""
        if not 0 <= event.row < len(self._shown) or not self._shown[event.column].iloc[event.row]:
            return
        path, by = str(self._shown["path"].iloc[event.row]), -1 if event.column == "down" else 1
        self._change(path, lambda: self.bench.step(path, by))

    def change(self, path: str, text: str) -> bool:
        """Edit a number as if its value had been typed; returns whether it was accepted. The message of a refusal is shown."""
        return self._change(path, lambda: self.bench.edit(path, text))

    def _change(self, path: str, does: Callable[[], None]) -> bool:
        """Change a number; returns whether it was accepted."""
        try:
            does()
        except ValueError as error:
            self._refused = {path: str(error)}
        else:
            self._refused = {}
        self._show_numbers()
        return not self._refused

    def _act(self, does: Callable[[], Any]) -> None:
        """Do something that changes the present edits."""
        does()
        self._refused = {}
        self._show_numbers()

    # ---- players and questions

    def choose_players(self, policies: tuple[PolicySpec, ...]) -> None:
        """Play the present edits with other players."""
        before = self.bench
        if policies == before.base.policies:
            return
        self.bench = Bench(before.base, crew(self._jobs), work=replace(before.work, policies=policies), table=before.table)
        before.close()
        self._seen = ()
        self._show_masthead()
        self._show_variants()
        self._draw(None)

    def _show_masthead(self) -> None:
        """Name the game, the set and the players."""
        self._parts["masthead"].object = drawing.drawn("masthead", drawing.masthead(self.bench))

    def ask(self, entrant: str, steps: bool = False) -> None:
        """Explain an entrant, or try all of its steps; the answer is shown once it is there. entrant: an id."""
        if entrant not in self._unit_ids:
            return
        if self._inquiry:
            self._inquiry.abandon()
        self.entrant.value = entrant
        asks = partial(all_steps, entrant=entrant) if steps else partial(explain.answer, entrant=entrant)
        self._inquiry = Inquiry(self.bench.base, self.bench.cards, asks, self._jobs)
        self._show_steps(pd.DataFrame())
        self._show_inquiry()

    def _hash_changed(self, event: Any) -> None:
        """A name in the win rates was clicked: its link changes the address, `#explain-3` for the fourth row."""
        kind, _, row = str(event.new).removeprefix("#").partition("-")
        if kind == "explain" and row.isdecimal() and int(row) < len(self._unit_ids):
            self.ask(self._unit_ids[int(row)])

    def _show_inquiry(self) -> None:
        """How far the question is, or its answer, once."""
        asked = self._inquiry
        if asked is None:
            return
        if asked.error:
            self.said.object = drawing.drawn("explanation", {"lines": [asked.error], "is_waiting": False})
        elif not asked.is_done:
            self.said.object = drawing.drawn("explanation", {"lines": [asked.progress or "first games"], "is_waiting": True})
        elif isinstance(asked.answer, pd.DataFrame):
            words = ["Every number one step down and up, played by quick players: test what you choose with strong ones."]
            self.said.object = drawing.drawn("explanation", {"lines": words, "is_waiting": False})
            self._show_steps(asked.answer)
        else:
            self.said.object = drawing.drawn("explanation", drawing.explanation(asked.answer))
            self._show_steps(asked.answer.frames["steps"])
        if asked.is_done:
            self._inquiry = None

    def _show_steps(self, steps: pd.DataFrame) -> None:
        """Steps of an entrant, each with a click that makes it."""
        self._steps = steps
        lines = [(*line, "Apply") for line in drawing.steps(steps)]
        self.steps.height = min(STEPS_HEIGHT, LINE_HEIGHT * (max(1, len(lines)) + 1) + 4)
        self.steps.value = pd.DataFrame(lines, columns=[*STEP_COLUMNS])

    def _applied(self, event: Any) -> None:
        """A step was clicked."""
        if 0 <= event.row < len(self._steps):
            line = self._steps.iloc[event.row]
            self.change(str(line["path"]), as_written(line["after"]))

    # ---- variants and files

    def _save(self) -> None:
        self._try(lambda: self.bench.save(str(self.variant_name.value_input or self.variant_name.value or "")))
        if not self.variant_problem.object:
            self.variant_name.value = self.variant_name.value_input = ""

    def _try(self, does: Callable[[], Any]) -> None:
        """Do something with variants; a refusal is shown below the name."""
        try:
            does()
        except ValueError as error:
            self.variant_problem.object = f'<p class="refused" role="alert">{html.escape(str(error))}</p>'
        else:
            self.variant_problem.object = ""
            self._refused = {}
            self._show_numbers()
        self._show_variants()

    def _show_variants(self) -> None:
        """The list of saved variants, each with what it changes and the range of its win rates so far."""
        rows = []
        for name, edits in self.bench.variants.items():
            words = ", ".join(f"{path.rpartition('.')[2].replace('_', ' ')} {as_written(value)}" for path, value in edits.items())
            known = self.bench.known_range(name)
            found = f" · win rates {percent_range(*known)}" if known else ""
            said = f"{count(len(edits))} changed: {html.escape(words)}{found}"
            text = f"<b>{html.escape(name)}</b><br><span class='quiet'>{said}</span>"
            rows.append(
                pn.Row(
                    self._html(text),
                    self._button("Open", partial(self._try, partial(self.bench.open, name)), align="center"),
                    self._button("Remove", partial(self._try, partial(self.bench.remove, name)), align="center"),
                    sizing_mode="stretch_width",
                    margin=(0, 0, 6, 0),
                )
            )
        self.variants.objects = rows

    def _file(self, make: Callable[[Bench], bytes]) -> io.BytesIO:
        return io.BytesIO(make(self.bench))

    # ---- games

    async def _refresh(self) -> None:
        """Draw what has been played since the last time; play only while the page is looked at and asks nothing else."""
        self._watch_connection()
        self._show_inquiry()
        bench = self.bench
        standing = await asyncio.to_thread(bench.standing)
        if bench is self.bench:
            self._draw(standing)

    @property
    def is_open(self) -> bool | None:
        """Whether a browser shows the page; None in a notebook, which does not say."""
        context = getattr(self._document, "session_context", None)
        session = getattr(context, "session", None)
        return None if session is None else session.connection_count > 0

    def _watch_connection(self) -> None:
        """Pause while the browser is gone; `on_session_destroyed` follows if it does not come back."""
        is_open = self.is_open
        self._was_open = self._was_open or bool(is_open)
        is_gone = self._was_open and not is_open
        self.bench.pause(is_gone or self._inquiry is not None)

    def _draw(self, standing: Standing | None) -> None:
        """Draw all parts, unless they show this already."""
        now = (standing, tuple(self.bench.edits.items()), self.bench.error)
        if self._seen and now[0] is self._seen[0] and now[1:] == self._seen[1:]:
            return
        self._seen = now
        self._parts["tiles"].object = drawing.drawn("tiles", drawing.tiles(self.bench, standing))
        more = {"rates": {"linked": pn.state.location is not None}}
        if standing is not None:
            for name in ("rates", "matrix", "length"):
                self._parts[name].object = drawing.drawn(name, getattr(drawing, name)(self.bench, standing, **more.get(name, {})))
