"""What runs in the zygote and, after the fork, around the bot. Standard library only; the engine imports none of it."""
