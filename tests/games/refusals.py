"""Messages about card files that are refused."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from sim.engine.cardfiles.paths import address, locate, shown
from sim.engine.cards import CardError, CardFormat, changed


class Refusals:
    """What the checks of a game's card files refuse. Documents are changes of the reference set."""

    def __init__(self, card_format: CardFormat) -> None:
        self.card_format, self.reference = card_format, card_format.load()

    def copied(self) -> dict[str, Any]:
        """A copy of the reference set."""
        return copy.deepcopy(dict(self.reference.document))

    def refusal(self, document: dict[str, Any]) -> str:
        """The message about a document."""
        with pytest.raises(CardError) as error:
            self.card_format.from_document(document, "cards.toml")
        return str(error.value)

    def edited(self, edit: Callable[[dict[str, Any]], object]) -> str:
        """The message after an edit."""
        document = self.copied()
        edit(document)
        return self.refusal(document)

    def check_value(self, path: str, value: Any, message: str) -> None:
        """Check that a value is refused with its field, and that the message begins so."""
        document = changed(self.reference.document, path, value)
        field = address(document, locate(self.reference.document, path), by_name=False)
        assert f"cards.toml: {field} = {shown(value)}: {message}" in self.refusal(dict(document))
