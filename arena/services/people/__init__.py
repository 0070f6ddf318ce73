"""People: accounts, notices to them, and quotas on their uploads."""
