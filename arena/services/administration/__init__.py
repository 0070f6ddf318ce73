"""Administration: members, bots, announcements, and the pages of organisers and administrators."""
