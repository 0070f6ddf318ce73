"""Actions on bots."""

from typing import Annotated

import msgspec
from msgspec import Meta

from arena.services.bots import actions as bots
from arena.services.bots.views import VersionRef
from arena.services.people.keys import Scope
from web.api import PREFIX
from web.api.operations import Resource
from web.api.types.actions import Uploaded
from web.limits import limit_uploads
from web.session import arena, member

resource = Resource("Bots", "Programs that play, and their versions.")

Name = Annotated[str, Meta(max_length=100, description="3 to 32 letters, digits, hyphens, dots or underscores.")]
File = Annotated[bytes, Meta(description="A Python file, or a zip with `bot.py`.")]


class NewBot(msgspec.Struct, forbid_unknown_fields=True):
    """A new bot."""

    name: Name
    file: File


@resource.post("/bots", Scope.UPLOAD, creates=True, limits=(limit_uploads,))
def create_bot(form: NewBot) -> Uploaded:
    """Upload a new bot.

    Its validation is queued. Then it plays its placement, if it passes.
    """
    return _uploaded(bots.upload(arena(), member(), form.name.strip(), form.file))


def _uploaded(ref: VersionRef) -> Uploaded:
    link = f"{PREFIX}/versions/{ref.version_id}"
    return Uploaded(ref.bot_id, ref.version_id, ref.number, link, f"/bots/{ref.bot_id}")
