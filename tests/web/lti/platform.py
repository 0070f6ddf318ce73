"""A platform for learning, beside the tests: the other side of LTI 1.3, with real keys, on this machine."""

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import requests
from flask import Flask, abort, jsonify, request
from flask.typing import ResponseReturnValue
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey
from werkzeug.serving import make_server

from arena.services.lti import rosters
from arena.services.lti.messages import CLAIM, GRADES, INSTRUCTOR
from arena.services.lti.platforms import Terms
from arena.services.lti.scores import SCOPE, SCORE
from tests.web.conftest import Person

LEARNER: Final = "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"
CLIENT: Final = "arena-client"
DEPLOYMENT: Final = "1"
SITE: Final = "http://localhost"
TEACHER: Final = {"sub": "t-1", "name": "Grace Hopper", "email": "grace@school.example"}
PUPIL: Final = {"sub": "p-1", "name": "Ada Lovelace", "email": "ada.l@school.example"}


class Platform:
    """A platform with one course."""

    def __init__(self) -> None:
        self.key = RSAKey.generate_key(2048, {"use": "sig", "alg": "RS256"}, auto_kid=True)
        self.keys_given = 0
        """Number of requests for its keys."""
        self.url = ""
        self.arena: Flask
        """The arena's app, which has its keys."""
        self.app = Flask("platform")
        self.app.add_url_rule("/auth", view_func=self._auth)
        self.app.add_url_rule("/keys", view_func=self._keys)
        self.app.add_url_rule("/members", view_func=self._members)
        self.people: list[dict[str, Any]] = []
        self.elsewhere = ""
        """Another site at which the list of members goes on."""
        self.app.add_url_rule("/token", view_func=self._token, methods=["POST"])
        self.app.add_url_rule("/lineitems/1/scores", view_func=self._take, methods=["POST"])
        self.tokens: dict[str, str] = {}
        """Scopes by the tokens that were given for them."""
        self.assertions: set[str] = set()
        self.scores: list[dict[str, Any]] = []
        self.out_of_order = False

    @property
    def terms(self) -> Terms:
        """Return its properties as an administrator enters them."""
        url = self.url
        return Terms("Our Moodle", url, CLIENT, f"{url}/auth", f"{url}/token", f"{url}/keys", (DEPLOYMENT,))

    def log_in(self, person: Person, **more: str) -> dict[str, str]:
        """Send a person's browser to the arena's login, and return the parameters with which it comes back."""
        asked = {"iss": self.url, "login_hint": "7", "target_link_uri": f"{SITE}/lti/launch", "client_id": CLIENT}
        response = person.client.get("/lti/login", query_string={**asked, **more})
        assert response.status_code == 302, response.text
        assert response.location.startswith(f"{self.url}/auth?")
        requests.get(response.location, timeout=10).raise_for_status()
        return {name: values[0] for name, values in parse_qs(urlsplit(response.location).query).items()}

    def claims(self, who: dict[str, str], nonce: str, teaches: bool = False, **more: Any) -> dict[str, Any]:
        """Return the claims of a launch."""
        now = int(time.time())
        return {
            "iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce, **who,
            f"{CLAIM}version": "1.3.0", f"{CLAIM}message_type": "LtiResourceLinkRequest",
            f"{CLAIM}deployment_id": DEPLOYMENT, f"{CLAIM}roles": [INSTRUCTOR if teaches else LEARNER],
            f"{CLAIM}context": {"id": "c-1", "title": "Computing 7b"},
            f"{CLAIM}resource_link": {"id": "r-1", "title": "Cards"}, f"{CLAIM}target_link_uri": f"{SITE}/lti/launch",
            **more,
        }  # fmt: skip

    def signed(self, claims: dict[str, Any], key: RSAKey | None = None) -> str:
        """Return claims as a signed token."""
        return jwt.encode({"alg": "RS256", "kid": self.key.kid}, claims, key or self.key, algorithms=["RS256"])

    def launch(self, person: Person, who: dict[str, str], teaches: bool = False, status: int = 200, **more: Any) -> str:
        """Launch the activity in a person's browser, and return the page that follows."""
        asked = self.log_in(person)
        token = self.signed(self.claims(who, asked["nonce"], teaches) | more)
        return person.send("/lti/launch", status, id_token=token, state=asked["state"])

    def roster(self) -> dict[str, Any]:
        """Return the claim with the list of members."""
        service = {"context_memberships_url": f"{self.url}/members", "service_versions": ["2.0"]}
        return {"https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice": service}

    def grades(self, *scopes: str) -> dict[str, Any]:
        """Return the claims of an activity that is assignment 1 and has a column of grades."""
        endpoint = {
            "scope": list(scopes),
            "lineitem": f"{self.url}/lineitems/1?type=2",
            "lineitems": f"{self.url}/lineitems",
        }
        return {f"{GRADES}claim/endpoint": endpoint, f"{CLAIM}custom": {"assignment": "1"}}

    def _token(self) -> ResponseReturnValue:
        """Give a token for one assertion that the arena signed."""
        form = request.form
        ours = KeySet.import_key_set(Person(self.arena).client.get("/lti/keys").get_json())
        claims = jwt.decode(form["client_assertion"], ours, algorithms=["RS256"]).claims
        now = time.time()
        if (
            form["grant_type"] != "client_credentials"
            or form["client_assertion_type"] != "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
            or claims["iss"] != CLIENT
            or claims["sub"] != CLIENT
            or claims["aud"] != f"{self.url}/token"
            or not now - 60 < claims["iat"] <= now - 10 < claims["exp"] <= now + 600  # its clock may be behind
            or claims["jti"] in self.assertions
        ):
            abort(400)
        self.assertions.add(claims["jti"])
        token = secrets.token_urlsafe(16)
        self.tokens[token] = form["scope"]
        return jsonify(access_token=token, token_type="Bearer", expires_in=3600, scope=form["scope"])

    def _check(self, scope: str) -> None:
        """Refuse a request without a token for the scope."""
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if self.tokens.get(token) != scope:
            abort(401)

    def _members(self) -> ResponseReturnValue:
        """List the members, one a page."""
        self._check(rosters.SCOPE)
        if request.headers["Accept"] != rosters.ACCEPT or request.args["limit"] != "50":
            abort(400)
        page = int(request.args.get("page", "0"))
        response = jsonify(id="x", context={"id": "c-1"}, members=self.people[page : page + 1])
        if page + 1 < len(self.people):
            following = f"{self.elsewhere or self.url}/members?limit=50&page={page + 1}"
            response.headers["Link"] = f'<{following}>; rel="next", <{self.url}/members>; rel="first"'
        return response

    def _take(self) -> ResponseReturnValue:
        """Take a score."""
        self._check(SCOPE)
        if self.out_of_order:
            abort(503)
        if request.content_type != SCORE or request.query_string != b"type=2":
            abort(400)
        self.scores.append(request.get_json(force=True))
        return "", 204

    def _auth(self) -> ResponseReturnValue:
        """Refuse what a login must not ask for."""
        fixed = {"scope": "openid", "response_type": "id_token", "response_mode": "form_post", "prompt": "none"}
        fixed |= {"client_id": CLIENT, "redirect_uri": f"{SITE}/lti/launch", "login_hint": "7"}
        if any(request.args.get(name) != value for name, value in fixed.items()):
            abort(400)
        return "" if request.args["state"] and request.args["nonce"] else abort(400)

    def _keys(self) -> ResponseReturnValue:
        self.keys_given += 1
        unknown = {"kty": "EC", "crv": "P-999", "kid": "other", "x": "", "y": ""}  # for others than the arena
        return jsonify({"keys": [unknown, self.key.as_dict(private=False)]})


@contextmanager
def running() -> Iterator[Platform]:
    """Run a platform on this machine."""
    platform = Platform()
    server = make_server("127.0.0.1", 0, platform.app, threaded=True)
    platform.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield platform
    finally:
        server.shutdown()
        thread.join(10)
