"""Questions that the units of their values solve, and those that only look like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.reason.direct.cancelling_units import answer_by_units


@pytest.mark.parametrize(
    ("question", "number", "unit"),
    [
        ("How many minutes until a 90 litre barrel is full if the hose gives 15 litres a minute?", 6, "min"),
        ("4000 strides at 80 cm a stride = km?", 3.2, "km"),
        ("500 mL over 4 hours with a set of 15 drops/mL. How many drops per minute?", 31.25, "1/min"),
        ("30 mg/kg/day in 2 doses a day for a child of 12 kg - how many mg each dose?", 180, "mg"),
        ("4 mcg/kg/min for 60 kg, 200 mg in 100 mL. What rate in mL/h?", 7.2, "mL/h"),
        ("Tiles cost $25 the square metre. The floor is 3 by 4 m. What will I pay?", 300, "USD"),
        ("drove 300 miles on 12 gallons, mpg?", 25, "mi/gal"),
        ("3 tablets of 200 mg, how many mg?", 600, "mg"),
        ("A heater of 2 kW runs for 5 h at $0.30 per kWh, what does it cost?", 3, "USD"),
        ("12 kWh per 100 km, battery 48 kWh, how many km?", 400, "km"),
        ("Infuse 600 mL over 5 hours through three lines. What is the rate in mL/h per line?", 40, "mL/h"),
        ("A leak drips 40 drops per minute, 20 drops per mL. How many litres in a day?", 2.88, "L"),
        ("A job pays $18 per hour for 6 hours a day. What does it pay for 10 days?", 1080, "USD"),
    ],
)
def test_one_way_to_cancel_is_the_answer(question: str, number: float, unit: str) -> None:
    found = answer_by_units(question)
    assert found is not None
    assert (float(found.quantity.value), found.quantity.unit.text) == (pytest.approx(number), unit)


@pytest.mark.parametrize(
    "question",
    [
        # Speeds may be those of a moment.
        "A train reaches 30 m/s within 900 m. How many seconds does that take?",
        # Nothing is said to be so much per so much.
        "A box weighs 4 kg and a bag weighs 6 kg. How many kg?",
        # Something changes on the way.
        "A tap gives 10 litres a minute and 20 % is spilt. How many litres in 5 minutes?",
        "A pump moves 3 litres a minute for 20 minutes, then 5 litres remain. How many litres did it move?",
        # A condition that no value tells of, and days on which nothing happens.
        "A hose gives 9 litres per minute. How long does it take to fill a 180 L tub when the plug is out?",
        "A nurse walks 5 km per hour and 3 hours per day. How many km per week if she does not walk on Sunday?",
        "A lamp of 60 W burns 5 hours per day at $0.30 per kWh. What does it cost a week if it isn't lit on weekends?",
        # What each of several has.
        "Heparin 4 mcg/kg/min for 60 kg; two bags of 300 mg are added to 100 mL each. What rate in mL/h?",
        # More than one amount of a kind.
        "Apples at $2 per kg and pears at $3 per kg, 4 kg of apples and 5 kg of pears: what do I pay?",
        # A plain number of nothing.
        "A tap gives 12 litres a minute, times 7, for 3 minutes. How many litres?",
        # Forces and angles are not told by their units.
        "A spring of 200 N/m is stretched by 3 cm. What is the force in N?",
    ],
)
def test_what_units_do_not_tell_is_left_to_others(question: str) -> None:
    assert answer_by_units(question) is None


@given(st.integers(1, 999), st.integers(1, 999), st.sampled_from(["minutes", "hours", "days"]))
def test_the_amount_is_the_rate_times_the_time(rate: int, time: int, unit: str) -> None:
    found = answer_by_units(
        f"A tap gives {rate} litres per {unit[:-1]}. How many litres flow out during {time} {unit}?"
    )
    assert found is not None
    assert found.quantity.value == rate * time
