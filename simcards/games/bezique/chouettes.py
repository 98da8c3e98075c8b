"""Chouettes of the games of the family in which a deal is a game with a settlement of its own."""

from __future__ import annotations

from simcards.games.bezique import CHOUETTES, rubicon, six_packs
from simcards.games.chouette import chouette

_PLAYED = {game.ruleset.id: game for game in (*rubicon.GAMES, *six_packs.GAMES)}
GAMES = tuple(chouette(_PLAYED[base.id], ruleset) for base, ruleset in CHOUETTES)
