"""Platforms for learning, such as Moodle and Canvas, connected by LTI 1.3: launches, accounts, courses."""
