"""Health of the arena: signs of life, readiness, metrics, and the operations page."""
