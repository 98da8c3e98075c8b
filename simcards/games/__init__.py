"""Rule sets and compiled games, one package a family; called as ``simcards.games()`` it lists them."""

from simcards._callable import make_callable

make_callable(__name__, "simcards.api", "games")
