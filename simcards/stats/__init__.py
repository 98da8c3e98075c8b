"""Numbers with honest errors: intervals, sequences that allow looking, paired comparisons, ratings."""

from simcards.stats.compare import Comparison, family, holm, paired
from simcards.stats.controls import Controlled, control_variates
from simcards.stats.estimate import Estimate, round_to_error
from simcards.stats.intervals import (
    bootstrap,
    clustered_proportion,
    exact,
    mean,
    proportion,
    quantile_from_histogram,
    ratio,
    z_score,
)
from simcards.stats.ratings import Rating, Ratings, bradley_terry
from simcards.stats.sequence import half_width, looks, mean_sequence, proportion_sequence

__all__ = [
    "Comparison",
    "Controlled",
    "Estimate",
    "Rating",
    "Ratings",
    "bootstrap",
    "bradley_terry",
    "clustered_proportion",
    "control_variates",
    "exact",
    "family",
    "half_width",
    "holm",
    "looks",
    "mean",
    "mean_sequence",
    "paired",
    "proportion",
    "proportion_sequence",
    "quantile_from_histogram",
    "ratio",
    "round_to_error",
    "z_score",
]
