"""Which currency a text speaks of, and what stands in its place."""

from __future__ import annotations

import pytest

from mathrag.language.currencies import codes_in_unit, named_in, only_currency

EXCHANGED = (
    ("15% of 260 euros", "EUR", "15% of 260 dollars"),
    ("€3,500 at 4%", "EUR", "$3,500 at 4%"),
    ("90 € and 70€", "EUR", "90 USD and 70 USD"),
    ("EUR 2.350,50 and 12,50 €", "EUR", "$2350.50 and 12.50 USD"),
    ("€1.459 per litre", "EUR", "$1.459 per litre"),
    ("£20 for 5 pounds of plums, 30p less", "GBP", "$20 for 5 pounds of plums, 30 cents less"),
    ("₹3,20,000 and ₹2 lakh", "INR", "$320000 and $200000"),
    ("A$70 with 40 Australian dollars", "AUD", "$70 with 40 dollars"),
    ("a loan of 900 CHF", "CHF", "a loan of 900 USD"),
)


@pytest.mark.parametrize(("text", "code", "exchanged"), EXCHANGED)
def test_dollars_stand_in_the_place_of_the_one_currency(text: str, code: str, exchanged: str) -> None:
    currency = only_currency(text)

    assert currency is not None
    assert currency.code == code
    assert currency.exchanged(text).text == exchanged


@pytest.mark.parametrize(
    "text",
    [
        "70 dollars in euros",
        "5 EUR to USD",
        "€5 or £4",
        "1.250 € at 5%",  # a thousand, or one and a quarter
        "a current of 2 A in Rs 50 ohm",
        "INR 2.5 at 80 kg",
        "3p electrons",
        "5 pounds of plums",
        "what is a euro?",
    ],
)
def test_what_is_of_two_currencies_or_of_none_stays_as_it_is(text: str) -> None:
    assert only_currency(text) is None


def test_every_place_leads_back_to_what_was_typed() -> None:
    text = "It costs €40, then 1.250,50 € in June."
    currency = only_currency(text)
    assert currency is not None
    exchanged = currency.exchanged(text)

    for dollars, typed in (("$40", "€40"), ("1250.50 USD", "1.250,50 €"), ("June", "June")):
        start = exchanged.text.index(dollars)
        first, last = exchanged.place(start, start + len(dollars))
        assert text[first:last] == typed


def test_names_and_units_tell_their_currencies() -> None:
    assert named_in("$5, 3 euros and 2 yen") == ("USD", "EUR", "JPY")
    assert codes_in_unit("EUR/kWh") == {"EUR"}
    assert codes_in_unit("USD/kWh") == frozenset()
