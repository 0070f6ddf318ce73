"""Random playouts of trick play, in C if the compiled module is there, otherwise in Python; both give the same sums.

`arena.games.playouts` describes the tables that drive them, and `arena.sdk.search` what bots use.
"""
