"""A mock arena with troubles, at which clients show that they cope: ``arena connect --check``."""
