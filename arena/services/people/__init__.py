"""People: accounts and their sessions, notices, quotas, groups, and invitations."""
