"""Reproduces every vector of a file, by default ../vectors.json, with samekey.py."""

import decimal
import json
import pathlib
import sys
import uuid

import samekey

VECTORS = pathlib.Path(sys.argv[1] if sys.argv[1:] else pathlib.Path(__file__).parent.parent / "vectors.json")


def value(vector):
    ((kind, content),) = vector.items()
    read = {
        "boolean": bool,
        "integer": int,
        "text": str,
        "bytes": bytes.fromhex,
        "none": lambda _: None,
        "some": lambda inner: samekey.Some(value(inner)),
        "list": lambda items: [value(item) for item in items],
        "set": lambda items: samekey.Set([value(item) for item in items]),
        "map": lambda pairs: samekey.Map([(value(name), value(item)) for name, item in pairs]),
        "record": lambda pairs: samekey.Record(fields(pairs)),
        "variant": lambda pair: samekey.Variant(pair[0], fields(pair[1])),
        "decimal": decimal.Decimal,
        "date": lambda parts: samekey.date(*parts),
        "instant": lambda parts: samekey.Instant(int(parts["unix_nanos"]), parts["precision"]),
        "uuid": uuid.UUID,
        "ulid": samekey.Ulid,
    }
    return read[kind](content)


def fields(pairs):
    return [(name, value(content)) for name, content in pairs]


def check_key(vector):
    secret = vector.get("secret")
    if secret:
        secret = samekey.Secret(secret["id"], bytes.fromhex(secret["bytes"]))
    arguments = (
        vector["namespace"], vector["operation"], fields(vector["fields"]), vector["version"], secret,
    )
    yield "encoded", samekey.encode(*arguments).hex(), vector["encoded"]
    key = samekey.key(*arguments)
    shapes = ["hex32", "hex64", "base64url22", "base64url43", "uuid_v4", "uuid_v5", "uuid_v8"]
    for shape in shapes:
        yield shape, getattr(key, shape)(), vector[shape]
    time_ordered = vector["uuid_v7"]
    yield "uuid_v7", key.uuid_v7(time_ordered["unix_millis"]), time_ordered["text"]


def check_template(vector):
    try:
        result = samekey.live_key(vector["template"], vector["digest"], dict(fields(vector["values"])))
    except samekey.RefusedValue as error:
        result = error.code
    yield "live key", result, vector.get("key", vector.get("error"))


def check_refused(vector):
    try:
        samekey.Instant(int(vector["unix_nanos"]), vector["precision"])
        result = "accepted"
    except samekey.RefusedValue as error:
        result = error.code
    yield "instant", result, "finer_than_stored"


def main():
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))
    checks = [("keys", check_key), ("templates", check_template), ("refused_instants", check_refused)]
    compared = wrong = 0
    for group, check in checks:
        for vector in vectors[group]:
            for what, found, expected in check(vector):
                compared += 1
                if found != expected:
                    wrong += 1
                    print(f"{vector.get('name', vector)}: {what} is {found}, not {expected}", file=sys.stderr)
    print(f"python: {compared} values compared, {wrong} differ")
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
