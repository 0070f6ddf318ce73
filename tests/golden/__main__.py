"""Write golden records of new variants: ``python -m tests.golden VARIANT...``."""

import argparse

from arena.games.registry import VARIANTS
from arena.match.record import parse
from tests.golden import COMMAND, observations, path, record


def main() -> None:
    """Write the records; refuse to overwrite one."""
    parser = argparse.ArgumentParser(COMMAND, description="Write the golden records of variants.")
    parser.add_argument("variants", nargs="+", choices=VARIANTS, metavar="VARIANT")
    given = parser.parse_args()
    existing = [variant for variant in given.variants if path(variant).exists()]
    if existing:
        parser.error(f"{', '.join(existing)}: recorded already; golden records never change")
    for variant in given.variants:
        path(variant).write_bytes(record(variant))
        path(variant).with_suffix(".observations").write_text(observations(parse(record(variant))))
        print(f"wrote {path(variant)}")


if __name__ == "__main__":
    main()
