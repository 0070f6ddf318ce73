"""Tests of the mock arena."""
