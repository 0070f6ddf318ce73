"""Tables."""

from arena.services.tables import pages
from web.api.operations import Resource
from web.api.types.tables import TableDetail, table_detail
from web.serving.session import arena

resource = Resource("Tables", "Units of play: the same boards in every seating.")


@resource.get("/tables/{table_id}")
def get_table(table_id: int) -> TableDetail:
    """Return a table: places, matches and attempts."""
    return table_detail(pages.table_page(arena(), table_id))
