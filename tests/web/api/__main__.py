"""Write the OpenAPI document of the present API to its file: ``python -m tests.web.api``."""

from tests.web.api.kept import FILE, text

FILE.write_text(text(), encoding="utf-8")
print(f"wrote {FILE}")
