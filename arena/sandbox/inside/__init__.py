"""Code that runs in the zygote and, after the fork, around the bot.

It imports the standard library only, because everything it imports is visible to bots.
"""
