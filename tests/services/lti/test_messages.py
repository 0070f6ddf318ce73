"""Messages, keys and lists of members in the forms of real platforms.

Those of Open edX are what `lti-consumer-xblock` 11.4 makes; those of Moodle 5, Canvas and Sakai follow their sources.
"""

import time
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

from arena.services.lti import messages, rosters
from arena.services.lti.messages import LONGEST
from arena.services.lti.scores import SCOPE
from arena.services.webhooks.addresses import check_url

LTI = "https://purl.imsglobal.org/spec/lti/claim"
GRADES = "https://purl.imsglobal.org/spec/lti-ags"
MEMBERS = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
DEEP = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"
LIS = "http://purl.imsglobal.org/vocab/lis/v2"

EDX_SITE = "https://edx.example/api/lti_consumer/v1/lti/1"
EDX: dict[str, Any] = {
    "iss": "https://edx.example", "aud": "59936662-c61b-48bb-a257-d97aed4dba81", "nonce": "IoGwaWJgMdoZ_dHdbPUv",
    "azp": "59936662-c61b-48bb-a257-d97aed4dba81", "sub": "f101b6c8-d6ed-5610-b53a-0ab0180a6998", "iat": 1, "exp": 3601,
    f"{LTI}/message_type": "LtiResourceLinkRequest", f"{LTI}/version": "1.3.0", f"{LTI}/deployment_id": "1",
    f"{LTI}/target_link_uri": "https://arena.example/lti/launch",
    f"{LTI}/roles": [
        f"{LIS}/membership#Administrator", f"{LIS}/membership#Instructor", f"{LIS}/institution/person#None",
        f"{LIS}/system/person#None",
    ],
    f"{LTI}/resource_link": {"id": "block-v1:Open+Cards+2026+type@lti_consumer+block@0123456789abcdef"},
    f"{LTI}/context": {
        "id": "course-v1:Open+Cards+2026", "type": [f"{LIS}/course#CourseOffering"], "title": "Card games - Open",
        "label": "course-v1:Open+Cards+2026",
    },
    f"{LTI}/launch_presentation": {"document_target": "iframe"},
    f"{LTI}/tool_platform": {"guid": "db76bb3c-05ea-5251-b5df-3565106870fe", "name": "Open edX"},
    f"{LTI}/custom": {"assignment": "2"},
    f"{GRADES}/claim/endpoint": {
        "scope": [f"{GRADES}/scope/lineitem.readonly", f"{GRADES}/scope/result.readonly", f"{GRADES}/scope/score"],
        "lineitems": f"{EDX_SITE}/lti-ags", "lineitem": f"{EDX_SITE}/lti-ags/1",
    },
    MEMBERS: {"context_memberships_url": f"{EDX_SITE}/memberships", "service_versions": ["2.0"]},
}  # fmt: skip

MOODLE_SITE = "https://moodle.example/mod/lti"
MOODLE: dict[str, Any] = {
    "nonce": "x", "iat": 1, "exp": 61, "iss": "https://moodle.example", "aud": "q3Zk8WvFeXnLr1c", "sub": "4",
    f"{LTI}/deployment_id": "2", f"{LTI}/target_link_uri": "https://arena.example/lti/launch",
    f"{LTI}/lis": {"person_sourcedid": "", "course_section_sourcedid": ""},
    f"{LTI}/roles": [
        f"{LIS}/institution/person#Administrator", f"{LIS}/membership#Instructor", f"{LIS}/system/person#Administrator",
    ],
    f"{LTI}/context": {"id": "3", "label": "cards", "title": "Card games", "type": ["CourseSection"]},
    f"{LTI}/message_type": "LtiResourceLinkRequest",
    f"{LTI}/resource_link": {"title": "Beat it", "description": "", "id": "7"},
    "https://purl.imsglobal.org/spec/lti-bo/claim/basicoutcome": {
        "lis_result_sourcedid": '{"data":{"instanceid":"7"}}', "lis_outcome_service_url": f"{MOODLE_SITE}/service.php",
    },
    "given_name": "Grace", "family_name": "Hopper", "name": "Grace Hopper", "email": "grace@school.example",
    f"{LTI}/ext": {"user_username": "grace", "lms": "moodle-2"}, f"{LTI}/version": "1.3.0",
    f"{LTI}/launch_presentation": {
        "locale": "en", "document_target": "window", "return_url": f"{MOODLE_SITE}/return.php",
    },
    f"{LTI}/tool_platform": {
        "product_family_code": "moodle", "version": "2025041400", "guid": "moodle.example", "name": "school",
        "description": "Our school",
    },
    f"{LTI}/custom": {"assignment": "2"},
    f"{GRADES}/claim/endpoint": {
        "scope": [f"{GRADES}/scope/lineitem", f"{GRADES}/scope/result.readonly", f"{GRADES}/scope/score"],
        "lineitems": f"{MOODLE_SITE}/services.php/3/lineitems?type_id=2",
        "lineitem": f"{MOODLE_SITE}/services.php/3/lineitems/9/lineitem?type_id=2",
    },
    MEMBERS: {
        "context_memberships_url": f"{MOODLE_SITE}/services.php/CourseSection/3/bindings/2/memberships",
        "service_versions": ["1.0", "2.0"],
    },
}  # fmt: skip

CANVAS_SITE = "https://canvas.example/api/lti/courses/3"
CANVAS: dict[str, Any] = {
    f"{LTI}/message_type": "LtiResourceLinkRequest", f"{LTI}/version": "1.3.0",
    f"{LTI}/resource_link": {"id": "0b2a641d-2f1e-4a7c-9d3b-6f0e5f1c7a11", "description": None, "title": None},
    f"{GRADES}/claim/endpoint": {
        "lineitem": f"{CANVAS_SITE}/line_items/1", "scope": [f"{GRADES}/scope/score"],
        "lineitems": f"{CANVAS_SITE}/line_items",
    },
    "aud": "10000000000002", "azp": "10000000000002", "iss": "https://canvas.instructure.com", "nonce": "x", "iat": 1,
    "exp": 3601, f"{LTI}/deployment_id": "7:0123456789abcdef0123456789abcdef01234567",
    "sub": "1f9c0a52-77f4-4be8-8a2b-0c6e3f0d9b21", f"{LTI}/target_link_uri": "https://arena.example/lti/launch",
    "picture": "https://canvas.example/avatar.png", "email": "grace@school.example", "name": "Grace Hopper",
    "given_name": "Grace", "family_name": "Hopper",
    f"{LTI}/lis": {"person_sourcedid": "$Person.sourcedId", "course_offering_sourcedid": "$CourseSection.sourcedId"},
    f"{LTI}/context": {
        "id": "89abcdef0123456789abcdef0123456789abcdef", "label": "CARDS", "title": "Card games",
        "type": [f"{LIS}/course#CourseOffering"],
    },
    f"{LTI}/tool_platform": {
        "guid": "g:canvas-lms", "name": "School", "version": "cloud", "product_family_code": "canvas",
    },
    f"{LTI}/launch_presentation": {"document_target": "iframe", "return_url": "https://canvas.example", "locale": "en"},
    "locale": "en", f"{LTI}/custom": {"assignment": 2}, f"{LTI}/lti11_legacy_user_id": "fedcba",
    f"{LTI}/roles": [
        f"{LIS}/institution/person#Instructor", f"{LIS}/membership#Instructor", f"{LIS}/system/person#User",
    ],
    MEMBERS: {"context_memberships_url": f"{CANVAS_SITE}/names_and_roles", "service_versions": ["2.0"]},
    f"{LTI}/lti1p1": {"resource_link_id": "c0ffee", "user_id": "fedcba"}, "https://www.instructure.com/placement": None,
}  # fmt: skip

EDX_DEEP = {
    "accept_types": ["ltiResourceLink", "link", "html", "image"], "accept_multiple": True, "auto_create": True,
    "accept_presentation_document_targets": ["iframe", "window", "embed"], "title": "", "text": "",
    "deep_link_return_url": f"{EDX_SITE}/lti-dl/response",
}  # fmt: skip
MOODLE_DEEP = {
    "accept_types": ["ltiResourceLink"], "accept_presentation_document_targets": ["frame", "iframe", "window"],
    "accept_copy_advice": False, "accept_multiple": True, "accept_unsigned": False, "auto_create": False,
    "can_confirm": False, "title": "Suit Arena", "text": "",
    "deep_link_return_url": f"{MOODLE_SITE}/contentitem_return.php?course=3&id=2&sesskey=aB3dE5gH7j",
}  # fmt: skip
CANVAS_DEEP = {
    "deep_link_return_url": f"https://canvas.example/courses/3/deep_linking_response?data=eyJ0eXAiOiJKV1Qi.{'e' * 500}",
    "accept_types": ["ltiResourceLink"], "accept_presentation_document_targets": ["iframe", "window"],
    "accept_media_types": "application/vnd.ims.lti.v1.ltilink", "auto_create": False, "accept_multiple": False,
}  # fmt: skip
SAKAI_DEEP = {
    "accept_types": ["ltiResourceLink"], "accept_presentation_document_targets": ["iframe", "window"],
    "accept_media_types": None, "auto_create": True, "accept_multiple": False, "data": '{"remember":"a towel"}',
    "deep_link_return_url": "https://sakai.school.example/portal/tool/0f0f0f0f-07f9-445b-a973-0123456789ab/"
    "sakai.basiclti.admin.helper.helper?eventSubmit_doContentItemResponse=Save&sakai.session=01234567-60f3-45fd-b8db-"
    "0123456789ab.server-7.school.example&returnUrl=https%3A%2F%2Fsakai.school.example%2Fportal%2Fsite%2F01234567-1c60-"
    "486c-97ae-0123456789ab%2Ftool%2F01234567-119a-4c39-9e05-0123456789ab%2FBltiPicker%3F3%26itemId%3D-1%26addBefore%3D"
    "&panel=PostContentItem&tool_id=13&sakai_csrf_token=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
}  # fmt: skip


@pytest.mark.parametrize("claims", [EDX, MOODLE, CANVAS])
def test_launches_of_real_platforms_are_read(claims: dict[str, Any]) -> None:
    """Each says who teaches which course, which assignment it is, and where grades and members are."""
    message = messages.read(claims)

    assert message.teaches
    assert (message.sub, message.course.id) == (claims["sub"], claims[f"{LTI}/context"]["id"])
    assert message.custom
    assert str(message.custom.assignment) == "2"
    assert message.grades
    assert message.grades.lineitem == claims[f"{GRADES}/claim/endpoint"]["lineitem"]
    assert SCOPE in message.grades.scope
    assert message.roster
    assert message.roster.context_memberships_url == claims[MEMBERS]["context_memberships_url"]


@pytest.mark.parametrize(
    ("claims", "settings"), [(EDX, EDX_DEEP), (MOODLE, MOODLE_DEEP), (CANVAS, CANVAS_DEEP), (MOODLE, SAKAI_DEEP)]
)
def test_wishes_of_real_platforms_are_read(claims: dict[str, Any], settings: dict[str, Any]) -> None:
    """The address to answer may be long: it carries sessions, tokens and other addresses."""
    wish = {**claims, f"{LTI}/message_type": "LtiDeepLinkingRequest", DEEP: settings}
    del wish[f"{LTI}/resource_link"]
    message = messages.read(wish)

    assert message.deep
    assert message.deep.deep_link_return_url == settings["deep_link_return_url"]
    assert check_url(message.deep.deep_link_return_url, (), LONGEST) == settings["deep_link_return_url"]
    assert message.deep.data == settings.get("data")


@pytest.mark.parametrize(
    "form",
    [
        {"key_ops": ["verify"]},  # Open edX
        {"alg": "RS256", "use": "sig"},  # Moodle, Canvas
        {},
    ],
)
def test_keys_of_real_platforms_are_read(form: dict[str, Any]) -> None:
    """A key need not say its use or algorithm."""
    key = RSAKey.generate_key(2048)
    public = {**key.as_dict(private=False), "kid": "k"}
    claims = {**EDX, "iat": int(time.time()), "exp": int(time.time()) + 60}
    token = jwt.encode({"alg": "RS256", "kid": "k"}, claims, key, algorithms=["RS256"])

    keys = KeySet.import_key_set({"keys": [{name: public[name] for name in ("kty", "n", "e", "kid")} | form]})
    assert messages.verified(token, lambda _: keys, EDX["iss"], EDX["aud"], EDX["nonce"]) == claims


@pytest.mark.parametrize(
    "member",
    [
        {
            "status": "Active", "user_id": "f101b6c8-d6ed-5610-b53a-0ab0180a6998", "name": "Grace Hopper",
            "roles": [f"{LIS}/membership#Administrator", f"{LIS}/membership#Instructor"], "email": "g@school.example",
        },  # Open edX
        {"status": "Active", "user_id": "4", "roles": ["Instructor"], "name": "Grace Hopper", "email": ""},
        {"status": "Active", "user_id": "1f9c0a52", "roles": [f"{LIS}/membership#Instructor"], "name": "Grace Hopper",
         "picture": "https://canvas.example/avatar.png", "lti11_legacy_user_id": "fedcba"},
    ],
)  # fmt: skip
def test_members_of_real_platforms_are_read(member: dict[str, Any]) -> None:
    """Moodle sends short roles, and others full ones."""
    page = {"id": "https://school.example/members?limit=50", "context": {"id": "3"}, "members": [member]}
    (found,) = rosters._members(page)

    assert messages.teaches(found.roles)
    assert (found.user_id, found.name) == (member["user_id"], "Grace Hopper")
