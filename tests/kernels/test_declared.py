"""What follows from declaring facts and positions once, for every game that does."""

import pytest

from sim.engine.contract import Game
from sim.engine.facts import documented, held, measures_of
from sim.registry import GAMES
from tests.conftest import BUILT_IN, ROOT


def lines_of_readme(game: Game) -> list[str]:
    return (ROOT / "sim/games" / game.name / "README.md").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_readme_has_the_tables_of_what_is_declared(name: str):
    game = GAMES[name]
    document = getattr(game.words, "POSITION", None)
    for table in (documented(game.facts) if game.facts else [], document.documented() if document else []):
        lines = lines_of_readme(game)
        begin = lines.index(table[2]) - 2 if table and table[2] in lines else 0
        assert lines[begin : begin + len(table)] == table


def test_facts_are_all_of_the_outcome_and_have_the_measures_of_the_game(any_game: Game):
    if any_game.facts:
        assert [fact.name for fact in any_game.facts] == list(any_game.outcome.names)
        assert any_game.measures == measures_of(any_game.facts)
        assert {name for name, _, _ in held(any_game.facts)} <= {*any_game.state.names}
