"""What must agree between the fields of a card file: needs, only, unique, known, and their messages."""

from enum import IntEnum
from typing import Annotated, Any, ClassVar, Literal

import pytest
from pydantic import ConfigDict, Field

from sim.engine.cardfiles.agreement import check_rows, steps_of
from sim.engine.cardfiles.columns import Word
from sim.engine.cards import (
    Agreement,
    CardError,
    CardFile,
    CardModel,
    Identifier,
    Known,
    Needs,
    Only,
    OnlyOn,
    Text,
    Unique,
    effect_model,
    one_of,
    validate,
)

Mode = IntEnum("Mode", "OPEN DRAFT", start=0)
Small = Annotated[int, Field(ge=0, le=9)]
BURN = effect_model("burn", "Hurts.", ("spell",), rune=Identifier, agreement=(Known("rune", "runes[]", noun="rune"),))
GUARD = effect_model("guard", "Protects.", ("relic", "boon"))


class Rules(CardModel):
    mode: Annotated[Mode, Word()] = Mode.OPEN
    drafter: Literal["none", "first", "second"] = "none"

    AGREEMENT: ClassVar[Agreement] = (Only("drafter", ("first", "second"), mode="draft"),)


class Static(CardModel):
    stat: Literal["block", "shield", "no_pass"]
    n: Small = 1
    if_: Literal["always", "owned"] = Field("always", alias="if")

    AGREEMENT: ClassVar[Agreement] = (
        Needs("n", stat=("block", "shield")),
        Only("n", stat=("block", "shield"), why="a flag has no number"),
    )


class Entry(CardModel):
    id: Identifier
    name: Text = ""

    @property
    def title(self) -> str:
        return self.name or self.id.title()


class Card(Entry):
    type: Literal["spell", "relic", "boon"]
    defence: Small = 0
    keywords: list[str] = Field(default_factory=list)
    tokens: Annotated[int, Field(ge=1, le=9)] = 1
    fixed: bool = False
    effects: list[one_of((BURN, GUARD))] = Field(default_factory=list)  # type: ignore[valid-type]
    bullets: list[list[Static]] = Field(default_factory=list)
    statics: list[Static] = Field(default_factory=list)

    AGREEMENT: ClassVar[Agreement] = (
        Unique("keywords[]"),
        Only("keywords[]", "token", type=("relic", "boon")),
        Only("tokens", keywords="token"),
        Needs("tokens", keywords="token"),
        Needs("defence", type=("relic", "boon")),
        Only("defence", type=("relic", "boon")),
        Only("bullets", effects=False),
        Only("fixed", statics=True),
        Only("defence", fixed=False),
        Only("keywords[]", "rare", fixed=True, type="relic"),
        Known("statics[].if_", ("always",), why="spells have no owner"),
        OnlyOn("effects[].op", by="type", noun="cards of type {}"),
    )


class DeckCards(CardModel):
    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Small]


class Deck(Entry):
    ally: Identifier = ""
    cards: DeckCards
    spares: dict[str, Identifier] = Field(default_factory=dict)

    AGREEMENT: ClassVar[Agreement] = (
        Known("cards{}", "card[].id"),
        Known("ally", lambda file: [card.id for card in file.card if card.type == "boon"], also=("none",), noun="boon"),
        Known("spares{}", "card[].id"),
        Known("spares[]", "card[].id"),
        Unique("spares[]"),
    )


class File(CardFile):
    ENTRANTS: ClassVar[str] = "deck"

    game: Literal["duel"]
    rules: Rules = Rules()
    runes: list[Identifier] = Field(default_factory=lambda: ["fire"])
    card: list[Card]
    deck: list[Deck]

    AGREEMENT: ClassVar[Agreement] = (
        Unique("card[].id", "runes[]", reserved=("source",), noun="card and rune"),
        Unique("card[].name"),
    )


def document(card: dict[str, Any] | None = None, deck: dict[str, Any] | None = None, **tables: Any) -> dict[str, Any]:
    """A valid file, with other fields of its spell `bolt`, its deck or the whole file."""
    cards = [{"id": "bolt", "type": "spell"} | (card or {}), {"id": "ward", "type": "boon", "defence": 2}]
    decks = [{"id": "fire", "cards": {"bolt": 2}} | (deck or {})]
    return {"game": "duel", "format": 1, "fixed": [], "source": "assumed", "card": cards, "deck": decks, **tables}


class Sourced(File):
    """The file, with one source for all its numbers."""

    source: str


def problems(**changes: Any) -> list[str]:
    """What is refused, a line each without the name of the file."""
    try:
        validate(Sourced, document(**changes), "f")
    except CardError as error:
        return [line.removeprefix("f: ") for line in str(error).splitlines()]
    return []


RELIC = {"type": "relic", "defence": 1}
REFUSED = [  # changes, the only line of the message
    # needs
    ({"card": {"type": "relic"}}, 'card.bolt.defence: is missing; is needed with type = "relic"'),
    ({"card": {"type": "relic", "defence": 0}}, 'card.bolt.defence = 0: counts as missing; is needed with type = "relic"'),
    ({"card": {**RELIC, "keywords": ["token"]}}, 'card.bolt.tokens: is missing; is needed with "token" in keywords'),
    ({"card": {"statics": [{"stat": "block"}]}}, 'card.bolt.statics[0].n: is missing; is needed with stat = "block"'),
    # only
    ({"card": {"defence": 3}}, 'card.bolt.defence = 3: does not go with type = "spell"; needs type = "relic" or "boon"'),
    ({"card": {"tokens": 1}}, 'card.bolt.tokens = 1: does not go with keywords = []; needs "token" in keywords'),
    (
        {"card": {"bullets": [[{"stat": "no_pass", "n": 0}]]}},
        'card.bolt.bullets[0][0].n = 0: does not go with stat = "no_pass"; needs stat = "block" or "shield" (a flag has',
    ),
    (
        {"card": {"bullets": [[]], "effects": [{"op": "burn", "rune": "fire"}]}},
        "card.bolt.bullets = [[]]: does not go with effects; is only without effects",
    ),
    ({"card": {"fixed": True}}, "card.bolt.fixed = true: does not go without statics; needs statics"),
    (
        {"card": {**RELIC, "fixed": True, "statics": [{"stat": "no_pass"}]}},
        "card.bolt.defence = 1: does not go with fixed = true; needs fixed = false",
    ),
    ({"rules": {"drafter": "first"}}, 'rules.drafter = "first": does not go with mode = "open"; needs mode = "draft"'),
    (
        {"card": {"effects": [{"op": "guard"}]}},
        'card.bolt.effects[0].op = "guard": is not for cards of type spell; is only for cards of type relic and boon',
    ),
    (
        {"card": {**RELIC, "keywords": ["rare"]}},
        'card.bolt.keywords[0] = "rare": does not go with fixed = false; needs fixed = true',
    ),
    # unique
    ({"card": {"keywords": ["fast", "slow", "fast"]}}, 'card.bolt.keywords[2] = "fast": is used more than once; each value can'),
    (
        {"card": {"id": "source"}, "deck": {"cards": {}}},
        'card.source.id = "source": is a reserved word; must not be one of source',
    ),
    ({"card": {"name": " WARD"}}, 'card.bolt.name = " WARD": is used more than once; every card needs a name of its own'),
    (
        {"deck": {"spares": {"bolt": "ward", "ward": "ward"}}},
        'deck.fire.spares.bolt = "ward": is used more than once; each value can occur once',
    ),
    # known
    ({"deck": {"cards": {"bolr": 1}}}, 'deck.fire.cards.bolr = 1: is no card of this file; did you mean "bolt"?'),
    ({"deck": {"ally": "bolt"}}, 'deck.fire.ally = "bolt": is no boon of this file; known here: ward, none'),
    ({"deck": {"spares": {"ward": "x"}}}, 'deck.fire.spares.ward = "x": is no card of this file; known here: bolt, ward'),
    (
        {"card": {"effects": [{"op": "burn", "rune": "fir"}]}},
        'card.bolt.effects[0].rune = "fir": is no rune of this file; did you mean "fire"?',
    ),
    (
        {"card": {"statics": [{"stat": "no_pass", "if": "owned"}]}},
        'card.bolt.statics[0].if = "owned": is not one of the choices; must be "always" (spells have no owner)',
    ),
]


@pytest.mark.parametrize(("changes", "message"), REFUSED)
def test_a_disagreement_is_refused_with_its_field_its_value_and_what_would_be_right(changes, message):
    lines = problems(**changes)
    assert any(line.startswith(message) for line in lines), lines


ACCEPTED = [
    {},
    {"card": {"defence": 0, "fixed": False, "bullets": []}},  # the same as leaving them out
    {"card": {**RELIC, "keywords": ["token"], "tokens": 1}},
    {"card": {"statics": [{"stat": "no_pass", "if": "always"}]}},
    {"rules": {"drafter": "none"}},
    {"rules": {"drafter": "second", "mode": "draft"}},
    {"deck": {"ally": "none"}},
    {"deck": {"ally": "ward", "spares": {"bolt": "ward", "ward": "bolt"}}},
    {"card": {"effects": [{"op": "burn", "rune": "fire"}]}, "runes": ["fire", "ice"]},
]


@pytest.mark.parametrize("changes", ACCEPTED)
def test_fields_that_agree_are_accepted(changes):
    assert not problems(**changes)


def test_of_many_ids_only_a_near_one_is_shown():
    cards = [{"id": f"card_{number}", "type": "spell"} for number in range(21)]
    deck = {"id": "fire", "cards": {"card_5": 1, "card_5x": 1, "zzz": 1}}
    with pytest.raises(CardError) as error:
        validate(Sourced, document() | {"card": cards, "deck": [deck]}, "f")
    near, far = str(error.value).splitlines()
    assert near == 'f: deck.fire.cards.card_5x = 1: is no card of this file; did you mean "card_5"?'
    assert far == "f: deck.fire.cards.zzz = 1: is no card of this file; must be the id of a [[card]]"


def test_ids_that_are_equal_are_all_named():
    lines = problems(card={"id": "ward"}, runes=["ward", "fire"], deck={"cards": {}})
    own = "is used more than once; every card and rune needs an id of its own"
    assert lines == [f'card[0].id = "ward": {own}', f'card[1].id = "ward": {own}', f'runes[0] = "ward": {own}']


def test_a_name_that_is_made_from_the_id_is_reported_there():
    (second, first) = problems(card={"name": "Ward"})
    assert first == 'card.ward.id = "ward": is shown as "Ward", like another card; every card needs a name of its own'
    assert second.startswith('card.bolt.name = "Ward": is used more than once')


def test_entrants_have_ids_of_their_own_although_no_row_says_so():
    deck = document()["deck"][0]
    assert problems(deck={}, card={}) == []
    with pytest.raises(CardError, match=r'deck\[1\]\.id = "fire": is used more than once; every deck needs an id of its own'):
        validate(Sourced, document() | {"deck": [deck, deck]}, "f")


def test_a_field_has_one_message_for_all_rows():
    lines = problems(card={"defence": 3, "fixed": True, "statics": [{"stat": "no_pass"}]})
    assert [line.split(":")[0] for line in lines] == ["card.bolt.defence = 3"]


@pytest.mark.parametrize("path", ["card[0].id", "card..id", "card[].", ""])
def test_a_path_that_cannot_be_read_is_an_error_of_the_game(path):
    with pytest.raises(ValueError, match="must be names of fields"):
        steps_of(path)
    with pytest.raises(ValueError, match="must be names of fields"):
        Unique(path)


def without_a_slip(**more: Any) -> type[CardFile]:
    """A schema with one more table, whose AGREEMENT is given."""
    runner = type(
        "Runner",
        (CardModel,),
        {
            "__annotations__": {"keywords": list[Literal["token", "fast"]], "tokens": Small, "AGREEMENT": ClassVar[Agreement]},
            "__module__": __name__,
            **more,
        },
    )
    return type("Slip", (File,), {"__annotations__": {"runner": list[runner]}, "__module__": __name__})


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (Unique("slots[]"), "there is no field 'slots'; known here: keywords, tokens"),
        (Needs("token", keywords="token"), "there is no field 'token'; did you mean \"tokens\"?"),
        (Needs("tokens", keyword="token"), "there is no field 'keyword'; did you mean \"keywords\"?"),
        (Only("tokens", keywords="tken"), '\'keywords\' cannot be "tken"; did you mean "token"?'),
        (Only("keywords[]", "fats", tokens=True), '\'keywords\' cannot be "fats"; did you mean "fast"?'),
        (Known("keywords[]", "card[].name_"), "'card[].name_': there is no field 'name_' in Card; did you mean \"name\"?"),
        (Known("keywords[]", "card.id"), "'card.id': 'card' is a list; write card[]"),
        (Known("tokens{}", "card[].id"), "'tokens' is neither a list nor a table; write tokens"),
    ],
)
def test_a_row_that_names_what_a_table_cannot_have_is_refused_when_the_game_is_made(row, message):
    with pytest.raises(ValueError, match="AGREEMENT") as caught:
        check_rows(without_a_slip(AGREEMENT=(row,)))
    assert str(caught.value) == f"Runner.AGREEMENT: {message}"


def test_rows_that_name_fields_properties_and_words_are_accepted():
    check_rows(without_a_slip(AGREEMENT=(Needs("tokens", keywords="token"), Unique("keywords[]"))))
    check_rows(File)
