"""Write the kept OpenAPI document and the table of verbs from the present API: ``python -m tests.web.api``."""

from tests.web.api import verbs
from tests.web.api.kept import FILE, text

FILE.write_text(text(), encoding="utf-8")
verbs.renew()
print(f"wrote {FILE} and {verbs.PAGE}")
