"""Write golden records of new variants: ``python -m tests.golden VARIANT... [--replace]``."""

import argparse

from arena.games.registry import VARIANTS
from tests.golden import COMMAND, path, record


def main() -> None:
    """Write the records, and refuse to overwrite one without ``--replace``."""
    parser = argparse.ArgumentParser(COMMAND, description="Write the golden records of variants.")
    parser.add_argument("variants", nargs="+", choices=VARIANTS, metavar="VARIANT")
    parser.add_argument("--replace", action="store_true", help="overwrite records: the rules have changed on purpose")
    given = parser.parse_args()
    existing = [variant for variant in given.variants if path(variant).exists()]
    if existing and not given.replace:
        parser.error(f"{', '.join(existing)}: recorded already; --replace overwrites it")
    for variant in given.variants:
        path(variant).write_bytes(record(variant))
        print(f"wrote {path(variant)}")


if __name__ == "__main__":
    main()
