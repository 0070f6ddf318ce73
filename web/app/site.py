"""Write the docs as a folder of files: ``python -m web.app.site FOLDER``, or `make site`."""

import sys
from functools import partial
from pathlib import Path

from web.api.document import document
from web.app.resources import RESOURCES
from web.docs.site import Site


def write(folder: Path) -> int:
    """Write the site into a folder, and return the number of files."""
    site = Site(partial(document, RESOURCES))
    for name in site.names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(site.file(name))
    return len(site.names)


if __name__ == "__main__":
    to = Path(sys.argv[1])
    print(f"Wrote {write(to)} files. Open {to / 'index.html'}, or let any web server serve {to}.")
