"""Say in words what the benchmarks measured: rates and ratios, which the table of times does not hold."""

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the figures that each benchmark keeps beside its time."""
    session = getattr(config, "_benchmarksession", None)
    measured = [one for one in getattr(session, "benchmarks", []) if one.extra_info]
    if not measured:
        return
    terminalreporter.section("figures")
    for one in measured:
        told = {name: value if isinstance(value, str) else f"{value:,}" for name, value in one.extra_info.items()}
        figures = ", ".join(f"{name} {value}" for name, value in told.items())
        terminalreporter.write_line(f"{one.name}: {figures}")
