"""Environments and data for bots that learn, at home: many deals side by side, PettingZoo, records as examples.

Needs numpy; the environments need Gymnasium or PettingZoo, too: ``pip install 'suit-arena[learn]'``. In the cage a bot
makes the same arrays with `arena.sdk.Encoder`.
"""
