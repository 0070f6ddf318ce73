"""Comparisons: tests whether one version is better than another, and the pages about them."""
