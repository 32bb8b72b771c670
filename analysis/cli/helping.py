"""Help of a command: its own options first, then those that it shares with other commands, by their panels."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

from analysis.output import terminal

OWN_PANEL = "Options"
PLAYED_PANEL, CARDS_PANEL, OUTPUT_PANEL = "Games and players", "Cards and decks", "Output"  # panels of shared options
PANELS = (OWN_PANEL, PLAYED_PANEL, CARDS_PANEL, OUTPUT_PANEL)


class GroupedCommand(TyperCommand):
    """A command whose help has a section for each panel of options (`rich_help_panel`), in plain text.

    Its messages name arguments as they are typed: see `terminal.typed`.
    """

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        with terminal.naming(self.options), terminal.clear_messages():
            return super().invoke(ctx)

    @property
    def options(self) -> dict[str, str]:
        """Options by the names of the arguments, and by their own names with underscores."""
        options: dict[str, str] = {}
        for parameter in self.params:
            if parameter.param_type_name == "option":
                long = max(parameter.opts, key=len)
                options |= {str(parameter.name): long, long.strip("-").replace("-", "_"): long}
        return options

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options of each panel."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], **{panel: [] for panel in PANELS}}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            is_argument = parameter.param_type_name == "argument"
            panel = "Arguments" if is_argument else getattr(parameter, "rich_help_panel", None) or OWN_PANEL
            if record is not None:
                sections[OUTPUT_PANEL if parameter.name == "help" else panel].append(record)
        for title, records in sections.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)
