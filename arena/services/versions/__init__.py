"""Two versions of a bot side by side: results, sources, and decisions on equal views."""
