"""Compiled building blocks: random streams, dealing, the protocol of games and the driver that plays them."""
