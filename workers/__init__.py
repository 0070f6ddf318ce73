"""Celery: thin tasks that call services, and the bell that publishes doorbells."""
