"""Print rates and ratios of the benchmarks, which the table of times does not show."""

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the figures that each benchmark stores besides its time."""
    session = getattr(config, "_benchmarksession", None)
    measured = [benchmark for benchmark in getattr(session, "benchmarks", []) if benchmark.extra_info]
    if not measured:
        return
    terminalreporter.section("figures")
    for benchmark in measured:
        extra = {name: value if isinstance(value, str) else f"{value:,}" for name, value in benchmark.extra_info.items()}
        figures = ", ".join(f"{name} {value}" for name, value in extra.items())
        terminalreporter.write_line(f"{benchmark.name}: {figures}")
