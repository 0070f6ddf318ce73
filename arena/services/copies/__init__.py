"""Report of bots that are alike, for organisers."""
