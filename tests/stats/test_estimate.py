"""Rows of results and their rounding."""

import math
import subprocess
import sys
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simcards.errors import UsageError
from simcards.stats import (
    Estimate,
    exact,
    mean,
    mean_sequence,
    proportion,
    proportion_sequence,
    round_to_error,
)

CONTRACT = ["quantity", "n", "estimate", "se", "ci_low", "ci_high", "method"]


@pytest.mark.parametrize(
    ("estimate", "se", "shown"),
    [
        (1234.567, 12.3, ("1235", "12")),
        (0.012345, 0.00067, ("0.01234", "0.00067")),
        (-0.012345, 0.00067, ("-0.01234", "0.00067")),
        (5, 0.0996, ("5.00", "0.10")),  # the error grows a digit as it is rounded
        (5, 0.0994, ("5.000", "0.099")),
        (999.99, 0.96, ("999.99", "0.96")),
        (1e6, 123456, ("1000000", "120000")),
        (-0.0001, 0.12, ("0.00", "0.12")),  # no minus zero
        (0, 1.5, ("0.0", "1.5")),
        (7, 0, ("7", "0")),
        (1 / 3, 0, ("0.333333", "0")),
        (1234567, 0, ("1234567", "0")),
        (7.25, math.nan, ("7.25", "nan")),
        (math.nan, 1.0, ("nan", "1.0")),
        (2.0, math.inf, ("2", "inf")),
        (-math.inf, 1.0, ("-inf", "1.0")),
        (1.5e300, 2e298, ("1.500e300", "0.020e300")),
        (1.234e-12, 3.4e-14, ("1.234e-12", "0.034e-12")),
        (0, 1e-9, ("0.0e-9", "1.0e-9")),
        (1e300, 1e-300, ("1e+300", "1.0e-300")),
        (1e-300, 1e300, ("0.0e300", "1.0e300")),
        (0.0, 0.0, ("0", "0")),
    ],
)
def test_rounding_examples(estimate, se, shown):
    assert round_to_error(estimate, se) == shown


magnitudes = st.tuples(st.floats(1.0, 9.999), st.integers(-300, 300)).map(lambda t: t[0] * 10.0 ** t[1])


@settings(deadline=None)
@given(
    st.floats(allow_nan=False, allow_infinity=False),
    st.one_of(magnitudes, st.floats(min_value=1e-6, max_value=1e9)),
)
def test_rounding_follows_the_error(estimate, se):
    value, error = round_to_error(estimate, se)
    # The error keeps two significant digits: rounded to within half a unit of the second one.
    unit = Decimal(10) ** (Decimal(f"{se:.1e}").adjusted() - 1)
    assert abs(Decimal(error) - Decimal(repr(se))) <= unit / 2
    if Decimal(repr(abs(estimate))) < unit * Decimal(10) ** 15:
        # The estimate is rounded at the same place, and both are written to the same place.
        assert abs(Decimal(value) - Decimal(repr(estimate))) <= unit / 2
        assert Decimal(value) % unit == 0
        assert Decimal(value).as_tuple().exponent == Decimal(error).as_tuple().exponent
    else:
        assert float(value) == pytest.approx(estimate, rel=1e-5)
    assert not (value.startswith("-") and float(value) == 0.0)
    assert len(value) < 40
    assert len(error) < 40


@settings(deadline=None)
@given(st.floats(), st.one_of(st.floats(min_value=0.0), st.just(math.nan)))
def test_anything_can_be_written_and_read_back(estimate, se):
    value, error = round_to_error(estimate, se)
    float(value), float(error)


def test_a_negative_error_is_refused():
    with pytest.raises(UsageError, match="negative"):
        round_to_error(1.0, -0.1)


def test_record_has_the_columns_of_the_contract_first():
    plain = proportion(30, 100, quantity="win")
    assert list(plain.as_record()) == CONTRACT
    labelled = proportion(30, 100, quantity="win", seat="dealer", strategy="basic")
    assert list(labelled.as_record()) == [*CONTRACT, "seat", "strategy"]
    assert labelled.as_record()["seat"] == "dealer"


def test_exact_record_keeps_every_digit():
    top, bottom = 3**80, 7**80
    record = exact(top, bottom, quantity="run of five").as_record()
    assert list(record) == [*CONTRACT, "numerator", "denominator"]
    assert record["numerator"] == str(top)
    assert record["denominator"] == str(bottom)
    assert record["estimate"] == top / bottom == record["ci_low"] == record["ci_high"]
    assert (record["n"], record["se"], record["method"]) == (0, 0.0, "exact")


@pytest.mark.parametrize(
    ("estimate", "shown"),
    [
        (exact(1, 3), "0.333333"),
        (exact(12), "12"),
        (proportion(200, 1000), "0.200 ± 0.013"),
        (proportion(0, 1000), "0.0000 (0.0000 to 0.0037)"),
        (proportion(1, 1000), "0.0010 (0.0000 to 0.0056)"),
        (proportion(999, 1000), "0.9990 (0.9944 to 1.0000)"),
        (proportion(0, 0), "nan"),
        (mean(1, 5, 25), "5 ± ?"),
        (mean(0, 0, 0), "nan"),
        (mean(3, 15, 75), "5 ± 0"),
        (mean(2000, 20_000, 300_000), "10.00 ± 0.16"),
        (mean_sequence(1000, 0, 0), "0 (-inf to inf)"),
        (proportion_sequence(0, 1000), "0.0000 (0.0000 to 0.0073)"),
    ],
)
def test_text(estimate, shown):
    assert estimate.text() == shown


def test_half_width_is_the_farther_bound():
    assert Estimate("x", 10, 1.0, 0.5, 0.5, 3.0, "bootstrap").half_width == 2.0
    assert Estimate("x", 10, 1.0, 0.5, -5.0, 3.0, "bootstrap").half_width == 6.0


def test_importing_is_cheap():
    program = (
        "import sys, simcards; before = set(sys.modules); import simcards.stats;"
        "print(*sorted({m.partition('.')[0] for m in set(sys.modules) - before}))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not {"scipy", "pandas", "numba", "matplotlib"} & set(run.stdout.split())
