"""Times on the command line."""

from datetime import UTC, datetime
from typing import Any

import click


class Timestamp(click.ParamType[datetime]):
    """An ISO 8601 date and time, in UTC if it has no offset."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Parse the time, or fail with a usage error."""
        try:
            time = datetime.fromisoformat(value)
            return time if time.tzinfo else time.replace(tzinfo=UTC)
        except (ValueError, OverflowError):
            self.fail(f"{value!r} is not a time such as 2030-01-31T18:00+01:00", param, ctx)
