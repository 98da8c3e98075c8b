"""Monte Carlo analysis and simulation of classic card games."""

__version__ = "0.1.0"
