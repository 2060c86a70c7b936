"""
Puts the customer's own ids and values in the place of the document's, and a new key in that of its key. And two checks,
which are closer than the fuzzer's own where fuzzer/config.ts lets more statuses pass.
"""

import json
import os
import re
import uuid

import schemathesis

# {"examples": [...], "known": {"path.endUserId": [...]}, "knownTo": {"closeEndUser": {...}}}
GIVEN = json.loads(os.environ["FUZZER_GIVEN"])
EXAMPLES = set(GIVEN["examples"])
KEY = "idempotency-key"


def real(case, place, value):
    """The customer's own value for an example of the document; any other value as it is."""
    if not isinstance(value, str) or not (value in EXAMPLES or value.endswith(GIVEN["exampleId"])):
        return value
    own = GIVEN["knownTo"].get(case.operation.definition.raw.get("operationId"), {})
    known = own.get(place) or GIVEN["known"].get(place)
    return known[0] if known else value


def real_body(case, body):
    if isinstance(body, list):
        return [real_body(case, item) for item in body]
    if not isinstance(body, dict):
        return body
    return {
        name: real_body(case, value) if isinstance(value, (dict, list)) else real(case, f"body.{name}", value)
        for name, value in body.items()
    }


@schemathesis.hook
def before_call(context, case, kwargs):
    for place, values in (("path", case.path_parameters), ("query", case.query)):
        for name, value in list((values or {}).items()):
            values[name] = real(case, f"{place}.{name}", value)
    if isinstance(case.body, (dict, list)):
        case.body = real_body(case, case.body)
    if (case.headers or {}).get(KEY) in EXAMPLES:
        case.headers[KEY] = str(uuid.uuid4())
    if (case.headers or {}).get("if-match") in EXAMPLES:
        case.headers["if-match"] = "*"


# The two codes of what does not fit the document. Rules that no schema can state have codes of their own, but for these
# places: days and moments, how many bytes in all, what an address leads to, what goes with what.
OF_THE_DOCUMENT = {"validation_failed", "invalid_parameter"}
BEYOND_SCHEMAS = re.compile(
    r"/(query|path)/(date|from|to|at|type|format|createdAfter|createdBefore)|/(scheduledFor|from|to|types|url)"
    r"|/metadata(/.*)?|/header/if-match"
)


def is_beyond_schemas(detail):
    # A text that PostgreSQL cannot hold: JSON has it, and schemas have no word for it.
    return BEYOND_SCHEMAS.fullmatch(detail["path"]) or re.search("NUL|__proto__", detail["message"])


@schemathesis.check
def what_fits_the_document_is_not_refused_as_if_it_did_not(ctx, response, case):
    if case.meta is None or case.meta.generation.mode.value != "positive" or response.status_code != 400:
        return
    details = response.json()["details"]
    wrong = [one for one in details if one["code"] in OF_THE_DOCUMENT and not is_beyond_schemas(one)]
    assert not wrong, f"the document lets this through: {wrong}"


@schemathesis.check
def a_batch_that_is_taken_fits_but_for_its_items(ctx, response, case):
    if case.operation.definition.raw.get("operationId") != "createPaymentBatch" or response.status_code != 201:
        return
    items = case.body.get("items") if isinstance(case.body, dict) else None
    assert isinstance(items, list) and 1 <= len(items) <= 1000, "these are no items of a batch"
    assert set(case.body) == {"items"}, f"a batch has no such members: {set(case.body)}"
