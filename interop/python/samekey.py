"""Idempotency keys of samekey key format 1, byte by byte as docs/key-format.md says.

Standard library only, Python 3.9 or later.

    import samekey

    key = samekey.key("billing", "charge.monthly", {
        "customer_id": "cust_123",
        "billing_period": "2026-08",
    })
    key.hex32()

Values: bool, int, str, bytes, None, decimal.Decimal, datetime.date, uuid.UUID,
list and tuple (order counts), set and frozenset (it does not), dict (a map), and
Some, Record, Variant, Set, Map, Instant and Ulid of this module. Floats are refused.
"""

import base64
import datetime
import decimal
import hashlib
import hmac
import re
import struct
import uuid as _uuid

MAX_ENCODED_BYTES = 1 << 20
MAX_NAME_BYTES = 128

_NANOS = {
    "second": 1_000_000_000,
    "millisecond": 1_000_000,
    "microsecond": 1_000,
    "nanosecond": 1,
}
_ULID_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class RefusedValue(ValueError):
    """A value that has no key. `code` names the reason."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Some:
    """A present optional value; an absent one is None."""

    def __init__(self, value):
        self.value = value


class Record:
    """Named values, such as a nested struct."""

    def __init__(self, fields):
        self.fields = fields


class Set:
    """Values whose order does not count, for those that a set cannot hold."""

    def __init__(self, values):
        self.values = values


class Map:
    """Pairs whose order does not count, for keys that a dict cannot hold."""

    def __init__(self, pairs):
        self.pairs = pairs


class Variant:
    """A variant of an enum with its named values."""

    def __init__(self, name, fields=()):
        self.name = name
        self.fields = fields


class Instant:
    """A stored point in time, at the precision of its store."""

    def __init__(self, unix_nanos, precision):
        if unix_nanos % _NANOS[precision] != 0:
            raise RefusedValue("finer_than_stored", f"finer than a {precision}")
        self.unix_nanos = unix_nanos

    @classmethod
    def of(cls, moment, precision):
        """Takes an aware datetime that was read from its store."""
        if moment.tzinfo is None:
            raise TypeError("a datetime without an offset names no point in time")
        epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
        micros = (moment - epoch) // datetime.timedelta(microseconds=1)
        return cls(micros * 1_000, precision)


class Ulid:
    """A stored ULID, given as its 26 characters."""

    def __init__(self, text):
        if len(text) != 26 or any(digit not in _ULID_DIGITS for digit in text.upper()):
            raise RefusedValue("ulid", f"{text!r} is no ULID")
        value = 0
        for digit in text.upper():
            value = value << 5 | _ULID_DIGITS.index(digit)
        if value >> 128:
            raise RefusedValue("ulid", f"{text!r} is no ULID")
        self.bytes = value.to_bytes(16, "big")
        self.text = text.upper()


class Secret:
    """An HMAC secret and the id under which it is rotated."""

    def __init__(self, id, secret):
        _check_name("the id of a secret", id)
        if len(secret) < 16:
            raise RefusedValue("secret", "a secret has at least 16 bytes")
        self.id = id
        self.secret = bytes(secret)

    def __repr__(self):
        return "Secret(<hidden>)"


class Key:
    """A derived key. Ask for the shape that the provider takes."""

    def __init__(self, digest):
        self.digest = digest

    def hex32(self):
        return self.digest[:16].hex()

    def hex64(self):
        return self.digest.hex()

    def base64url22(self):
        return _base64url(self.digest[:16])

    def base64url43(self):
        return _base64url(self.digest)

    def uuid_v4(self):
        return _uuid_text(self.digest[:16], 4)

    def uuid_v5(self):
        return _uuid_text(self.digest[:16], 5)

    def uuid_v8(self):
        return _uuid_text(self.digest[:16], 8)

    def uuid_v7(self, unix_millis):
        """Takes a business instant, never the clock."""
        if not 0 <= unix_millis < 1 << 48:
            raise RefusedValue("instant_out_of_range", "outside of 1970 to 10889")
        return _uuid_text(unix_millis.to_bytes(6, "big") + self.digest[6:16], 7)


def key(namespace, operation, fields, version=1, secret=None):
    """The key of an intent. `fields` is a dict or a list of pairs."""
    message = encode(namespace, operation, fields, version, secret)
    if secret is None:
        return Key(hashlib.sha256(message).digest())
    return Key(hmac.new(secret.secret, message, hashlib.sha256).digest())


def encode(namespace, operation, fields, version=1, secret=None):
    """The bytes that are hashed."""
    _check_name("the namespace", namespace)
    _check_name("the operation", operation)
    if not 1 <= version < 1 << 32:
        raise RefusedValue("version", "the version counts from 1 to 4294967295")
    mode = b"\x00" if secret is None else b"\x01" + _sized(secret.id.encode("ascii"))
    message = b"".join([
        b"samekey\x01",
        mode,
        _sized(namespace.encode("ascii")),
        _sized(operation.encode("ascii")),
        struct.pack(">I", version),
        _record(fields),
    ])
    if len(message) > MAX_ENCODED_BYTES:
        raise RefusedValue("too_large", f"the identity has {len(message)} bytes")
    return message


def live_key(template, digest, values):
    """The key of a template such as "{customer_id}:{billing_period}:monthly".

    `digest` is "none", "sha256/N" or "uuid5(namespace)".
    """
    literals, names = _parse_template(template)
    separators = literals[1:-1]
    texts = [_template_text(name, values[name], separators) for name in names]
    joined = literals[0]
    for text, literal in zip(texts, literals[1:]):
        joined += text + literal
    rest = joined[len(literals[0]):]
    for name, text, separator in zip(names, texts, separators):
        cut, found, rest = rest.partition(separator)
        if not found or cut != text:
            raise RefusedValue("ambiguous", f"{name} could be read in two ways")
    return _digest_template(digest, joined)


def _value(value):
    if value is None:
        return b"\x05"
    if isinstance(value, bool):
        return b"\x01" + bytes([value])
    if isinstance(value, int):
        return b"\x02" + _integer(value)
    if isinstance(value, str):
        return b"\x03" + _sized(value.encode("utf-8"))
    if isinstance(value, (bytes, bytearray)):
        return b"\x04" + _sized(bytes(value))
    if isinstance(value, Some):
        return b"\x06" + _value(value.value)
    if isinstance(value, (list, tuple)):
        return b"\x07" + _all([_value(item) for item in value])
    if isinstance(value, (set, frozenset)):
        value = Set(value)
    if isinstance(value, Set):
        return b"\x08" + _all(sorted(_value(item) for item in value.values))
    if isinstance(value, dict):
        value = Map(value.items())
    if isinstance(value, Map):
        pairs = sorted((_value(name), _value(item)) for name, item in value.pairs)
        return b"\x09" + _all([name + item for name, item in pairs])
    if isinstance(value, Record):
        return b"\x0a" + _record(value.fields)
    if isinstance(value, Variant):
        _check_name("a variant", value.name)
        return b"\x0b" + _sized(value.name.encode("ascii")) + _record(value.fields)
    if isinstance(value, decimal.Decimal):
        return b"\x0c" + _decimal(value)
    if isinstance(value, datetime.datetime):
        raise TypeError("use Instant.of(moment, precision): a store rounds")
    if isinstance(value, datetime.date):
        return date(value.year, value.month, value.day)._encoded
    if isinstance(value, _Encoded):
        return value._encoded
    if isinstance(value, Instant):
        return b"\x0e" + _integer(value.unix_nanos)
    if isinstance(value, _uuid.UUID):
        return b"\x0f" + value.bytes
    if isinstance(value, Ulid):
        return b"\x10" + value.bytes
    raise TypeError(f"{type(value).__name__} is no business identity")


class _Encoded:
    def __init__(self, encoded, text):
        self._encoded = encoded
        self._text = text


def date(year, month, day):
    """A day, also outside of the years that datetime.date holds."""
    text = f"{year:04}-{month:02}-{day:02}" if 0 <= year <= 9999 else None
    return _Encoded(b"\x0d" + struct.pack(">iBB", year, month, day), text)


def _record(fields):
    pairs = fields.items() if isinstance(fields, dict) else fields
    encoded = []
    for name, value in pairs:
        _check_name("a field", name)
        encoded.append((name.encode("ascii"), _value(value)))
    encoded.sort()
    if len({name for name, _ in encoded}) != len(encoded):
        raise RefusedValue("duplicate_name", "a field name is given twice")
    return _all([_sized(name) + value for name, value in encoded])


def _all(encoded):
    return struct.pack(">Q", len(encoded)) + b"".join(encoded)


def _sized(data):
    return struct.pack(">Q", len(data)) + data


def _integer(value):
    magnitude = abs(value)
    if not -(1 << 127) <= value < 1 << 128:
        # Only an instant can be larger in theory, and none is in practice.
        raise RefusedValue("too_large", "an integer has at most 128 bits")
    return bytes([value < 0]) + _sized(magnitude.to_bytes((magnitude.bit_length() + 7) // 8, "big"))


def _decimal(value):
    if not value.is_finite():
        raise RefusedValue("decimal", "a decimal is finite")
    sign, digits, exponent = value.as_tuple()
    mantissa = int("".join(map(str, digits)))
    if exponent > 0:
        mantissa, exponent = mantissa * 10**exponent, 0
    scale = -exponent
    while scale > 0 and mantissa % 10 == 0:
        mantissa, scale = mantissa // 10, scale - 1
    if mantissa == 0:
        scale = 0
    return _integer(-mantissa if sign else mantissa) + struct.pack(">I", scale)


def _check_name(what, name):
    if not re.fullmatch("[!-~]{1,%d}" % MAX_NAME_BYTES, name):
        raise RefusedValue("name", f"{what} has 1 to {MAX_NAME_BYTES} printable ASCII characters")


def _base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _uuid_text(data, version):
    value = int.from_bytes(data, "big")
    value = value & ~(0xF << 76) | version << 76
    value = value & ~(0b11 << 62) | 0b10 << 62
    return str(_uuid.UUID(int=value))


def _only_text(value):
    """The text of a value that has exactly one."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return value
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return value.isoformat()
    if isinstance(value, _Encoded):
        return value._text
    if isinstance(value, _uuid.UUID):
        return str(value)
    if isinstance(value, Ulid):
        return value.text
    if isinstance(value, Variant) and not value.fields:
        return value.name
    return None


def _template_text(name, value, separators):
    text = _only_text(value)
    if text is None:
        raise RefusedValue("no_text", f"{name} has no single text")
    if not text:
        raise RefusedValue("empty_value", f"{name} is empty")
    if any(separator in text for separator in separators):
        raise RefusedValue("contains_separator", f"{name} contains a separator")
    return text


def _parse_template(template):
    literals, names, rest = [""], [], template
    while rest:
        doubled = re.match(r"\{\{|\}\}", rest)
        placeholder = re.match(r"\{([^{}: ]+)\}", rest)
        if doubled:
            literals[-1] += rest[0]
            rest = rest[2:]
        elif placeholder:
            names.append(placeholder[1])
            literals.append("")
            rest = rest[placeholder.end():]
        elif rest[0] in "{}":
            raise RefusedValue("template", "a brace stands alone")
        else:
            literals[-1] += rest[0]
            rest = rest[1:]
    if not names or "" in literals[1:-1]:
        raise RefusedValue("template", "nothing separates two values")
    return literals, names


def _digest_template(digest, text):
    if digest == "none":
        return text
    if digest.startswith("sha256/"):
        return hashlib.sha256(text.encode("utf-8")).hexdigest()[: int(digest[7:])]
    named = re.fullmatch(r"uuid5\((.+)\)", digest)
    if named:
        namespace = getattr(_uuid, "NAMESPACE_" + named[1].upper(), None) or _uuid.UUID(named[1])
        return str(_uuid.uuid5(namespace, text))
    raise RefusedValue("digest", f"there is no digest {digest!r}")
