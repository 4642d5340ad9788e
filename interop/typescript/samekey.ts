/**
 * Idempotency keys of samekey key format 1, byte by byte as docs/key-format.md says.
 *
 * Node 18 or later, no dependency:
 *
 *     const key = new Intent("billing", "charge.monthly")
 *       .field("customer_id", text("cust_123"))
 *       .field("billing_period", text("2026-08"))
 *       .key();
 *     key.hex32();
 */

import { createHash, createHmac } from "node:crypto";

/** Largest encoded identity, in bytes. */
export const MAX_ENCODED_BYTES = 1 << 20;

const NAME = /^[!-~]{1,128}$/;
const LONE_SURROGATE = /\p{Surrogate}/u;
const ULID_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const NANOS = {
  second: 1_000_000_000n,
  millisecond: 1_000_000n,
  microsecond: 1_000n,
  nanosecond: 1n,
} as const;

const UUID_NAMESPACES: Record<string, string> = {
  dns: "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
  url: "6ba7b811-9dad-11d1-80b4-00c04fd430c8",
  oid: "6ba7b812-9dad-11d1-80b4-00c04fd430c8",
  x500: "6ba7b814-9dad-11d1-80b4-00c04fd430c8",
};

/** A precision of a store. */
export type Precision = keyof typeof NANOS;

/** A value that has no key; `code` names the reason. */
export class RefusedValue extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "RefusedValue";
    this.code = code;
  }
}

/** One encoded value, and its text in a template where there is exactly one. */
export class Value {
  readonly encoded: Buffer;
  readonly templateText: string | undefined;

  constructor(encoded: Buffer, templateText?: string) {
    this.encoded = encoded;
    this.templateText = templateText;
  }
}

/** A truth value. */
export function boolean(value: boolean): Value {
  return new Value(tagged(0x01, Buffer.from([value ? 1 : 0])), String(value));
}

/** An integer of at most 128 bits; a number must be exact. */
export function integer(value: bigint | number): Value {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new RefusedValue("integer", `${value} is not exact: pass a bigint`);
  }
  const exact = BigInt(value);
  return new Value(tagged(0x02, magnitude(exact)), exact.toString());
}

/** Text, without any normalisation. */
export function text(value: string): Value {
  return new Value(tagged(0x03, sized(utf8(value))), value);
}

/** Raw bytes. */
export function bytes(value: Uint8Array): Value {
  return new Value(tagged(0x04, sized(Buffer.from(value))));
}

/** An absent optional value. */
export function none(): Value {
  return new Value(tagged(0x05));
}

/** A present optional value. */
export function some(value: Value): Value {
  return new Value(tagged(0x06, value.encoded));
}

/** Values whose order counts. */
export function list(values: readonly Value[]): Value {
  return new Value(tagged(0x07, all(values.map((value) => value.encoded))));
}

/** Values whose order does not count. */
export function set(values: readonly Value[]): Value {
  const encoded = values.map((value) => value.encoded).sort(Buffer.compare);
  return new Value(tagged(0x08, all(encoded)));
}

/** Pairs of a key and a value, whose order does not count. */
export function map(pairs: readonly (readonly [Value, Value])[]): Value {
  const encoded = pairs
    .map(([key, value]) => [key.encoded, value.encoded] as const)
    .sort((left, right) => Buffer.compare(left[0], right[0]) || Buffer.compare(left[1], right[1]))
    .map((pair) => Buffer.concat(pair));
  return new Value(tagged(0x09, all(encoded)));
}

/** Named values, such as a nested struct. */
export function record(fields: Fields): Value {
  return new Value(tagged(0x0a, fields.encoded()));
}

/** A variant of an enum with its named values. */
export function variant(name: string, fields: Fields = new Fields()): Value {
  checkName("a variant", name);
  const encoded = fields.encoded();
  // A count of zero: nothing but the name.
  const text = encoded.every((byte) => byte === 0) ? name : undefined;
  return new Value(tagged(0x0b, sized(utf8(name)), encoded), text);
}

/** A decimal number as text; "1.5" and "1.50" are the same. */
export function decimal(value: string): Value {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value);
  if (!parts) {
    throw new RefusedValue("decimal", `${value} is no decimal number`);
  }
  const [, sign, whole = "", written = ""] = parts;
  const fraction = written.replace(/0+$/, "");
  const digits = BigInt(whole + fraction);
  const scale = Buffer.alloc(4);
  scale.writeUInt32BE(fraction.length);
  return new Value(tagged(0x0c, magnitude(sign ? -digits : digits), scale));
}

/** A day; months count from 1. */
export function date(year: number, month: number, day: number): Value {
  const body = Buffer.alloc(6);
  body.writeInt32BE(year, 0);
  body.writeUInt8(month, 4);
  body.writeUInt8(day, 5);
  const digits = (number: number, width: number) => String(number).padStart(width, "0");
  const text = `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
  return new Value(tagged(0x0d, body), year >= 0 && year <= 9999 ? text : undefined);
}

/** A stored point in time in nanoseconds since 1970 in UTC, at the precision of its store. */
export function instant(unixNanos: bigint, precision: Precision): Value {
  if (unixNanos % NANOS[precision] !== 0n) {
    throw new RefusedValue("finer_than_stored", `finer than a ${precision}`);
  }
  return new Value(tagged(0x0e, magnitude(unixNanos)));
}

/** A stored UUID. */
export function uuid(value: string): Value {
  return new Value(tagged(0x0f, uuidBytes(value)), value.toLowerCase());
}

/** A stored ULID, given as its 26 characters. */
export function ulid(value: string): Value {
  let number = 0n;
  for (const digit of value.toUpperCase()) {
    const index = ULID_DIGITS.indexOf(digit);
    if (index < 0) {
      throw new RefusedValue("ulid", `${value} is no ULID`);
    }
    number = (number << 5n) | BigInt(index);
  }
  if (value.length !== 26 || number >> 128n) {
    throw new RefusedValue("ulid", `${value} is no ULID`);
  }
  return new Value(tagged(0x10, bigEndian(number, 16)), value.toUpperCase());
}

/** Named values; the order of the calls leaves no trace. */
export class Fields {
  private readonly values = new Map<string, Value>();

  /** Adds one named value. */
  field(name: string, value: Value): this {
    checkName("a field", name);
    if (this.values.has(name)) {
      throw new RefusedValue("duplicate_name", `${name} is given twice`);
    }
    this.values.set(name, value);
    return this;
  }

  /** The number of fields, then each name and value in the order of the names. */
  encoded(): Buffer {
    const fields = [...this.values].map(([name, value]) => [utf8(name), value.encoded] as const);
    fields.sort((left, right) => Buffer.compare(left[0], right[0]));
    return all(fields.map(([name, value]) => Buffer.concat([sized(name), value])));
  }
}

/** An HMAC secret and the id under which it is rotated. */
export class Secret {
  readonly id: string;
  readonly #bytes: Buffer;

  constructor(id: string, secret: Uint8Array) {
    checkName("the id of a secret", id);
    if (secret.length < 16) {
      throw new RefusedValue("secret", "a secret has at least 16 bytes");
    }
    this.id = id;
    this.#bytes = Buffer.from(secret);
  }

  /** The HMAC-SHA-256 of a message. */
  sign(message: Buffer): Buffer {
    return createHmac("sha256", this.#bytes).update(message).digest();
  }
}

/** One business operation that must happen once. */
export class Intent {
  private readonly fields = new Fields();
  private readonly namespace: string;
  private readonly operation: string;
  private readonly version: number;

  constructor(namespace: string, operation: string, version = 1) {
    checkName("the namespace", namespace);
    checkName("the operation", operation);
    if (!Number.isInteger(version) || version < 1 || version > 0xffffffff) {
      throw new RefusedValue("version", "the version counts from 1 to 4294967295");
    }
    this.namespace = namespace;
    this.operation = operation;
    this.version = version;
  }

  /** Adds one field of the identity. */
  field(name: string, value: Value): this {
    this.fields.field(name, value);
    return this;
  }

  /** The bytes that are hashed. */
  encoded(secret?: Secret): Buffer {
    const version = Buffer.alloc(4);
    version.writeUInt32BE(this.version);
    const message = Buffer.concat([
      Buffer.from("samekey", "ascii"),
      Buffer.from([1, secret ? 1 : 0]),
      secret ? sized(utf8(secret.id)) : Buffer.alloc(0),
      sized(utf8(this.namespace)),
      sized(utf8(this.operation)),
      version,
      this.fields.encoded(),
    ]);
    if (message.length > MAX_ENCODED_BYTES) {
      throw new RefusedValue("too_large", `the identity has ${message.length} bytes`);
    }
    return message;
  }

  /** The key; a secret keeps others from guessing the identity behind it. */
  key(secret?: Secret): Key {
    const message = this.encoded(secret);
    return new Key(secret ? secret.sign(message) : createHash("sha256").update(message).digest());
  }
}

/** A derived key. Ask for the shape that the provider takes. */
export class Key {
  private readonly digest: Buffer;

  constructor(digest: Buffer) {
    this.digest = digest;
  }

  hex32(): string {
    return this.digest.toString("hex", 0, 16);
  }

  hex64(): string {
    return this.digest.toString("hex");
  }

  base64url22(): string {
    return this.digest.toString("base64url", 0, 16);
  }

  base64url43(): string {
    return this.digest.toString("base64url");
  }

  uuidV4(): string {
    return uuidText(this.digest, 4);
  }

  uuidV5(): string {
    return uuidText(this.digest, 5);
  }

  uuidV8(): string {
    return uuidText(this.digest, 8);
  }

  /** Takes a business instant, never the clock. */
  uuidV7(unixMillis: number): string {
    if (!Number.isInteger(unixMillis) || unixMillis < 0 || unixMillis >= 2 ** 48) {
      throw new RefusedValue("instant_out_of_range", "outside of 1970 to 10889");
    }
    const bytes = Buffer.from(this.digest);
    bytes.writeUIntBE(unixMillis, 0, 6);
    return uuidText(bytes, 7);
  }
}

/**
 * The key of a template such as `{customer_id}:{billing_period}:monthly`; the digest is `none`,
 * `sha256/N` or `uuid5(namespace)`.
 */
export function liveKey(
  template: string,
  digest: string,
  values: ReadonlyMap<string, Value>,
): string {
  const { literals, names } = parseTemplate(template);
  const separators = literals.slice(1, -1);
  const texts = names.map((name) => templateText(name, values.get(name), separators));
  const joined = literals.map((literal, index) => literal + (texts[index] ?? "")).join("");
  let start = literals[0]?.length ?? 0;
  separators.forEach((separator, index) => {
    const cut = joined.indexOf(separator, start);
    if (cut < 0 || joined.slice(start, cut) !== texts[index]) {
      throw new RefusedValue("ambiguous", `${names[index]} could be read in two ways`);
    }
    start = cut + separator.length;
  });
  return digestTemplate(digest, joined);
}

function parseTemplate(template: string): { literals: string[]; names: string[] } {
  const literals = [""];
  const names: string[] = [];
  const push = (part: string) => literals.push((literals.pop() ?? "") + part);
  for (const part of template.match(/\{\{|\}\}|\{[^{}: ]+\}|[^{}]+|[{}]/gu) ?? []) {
    if (part === "{{" || part === "}}") {
      push(part.slice(1));
    } else if (part === "{" || part === "}") {
      throw new RefusedValue("template", "a brace stands alone");
    } else if (part.startsWith("{")) {
      names.push(part.slice(1, -1));
      literals.push("");
    } else {
      push(part);
    }
  }
  if (names.length === 0 || literals.slice(1, -1).includes("")) {
    throw new RefusedValue("template", "nothing separates two values");
  }
  return { literals, names };
}

function templateText(
  name: string,
  value: Value | undefined,
  separators: readonly string[],
): string {
  const found = value?.templateText;
  if (found === undefined) {
    throw new RefusedValue("no_text", `${name} has no single text`);
  }
  if (found === "") {
    throw new RefusedValue("empty_value", `${name} is empty`);
  }
  if (separators.some((separator) => found.includes(separator))) {
    throw new RefusedValue("contains_separator", `${name} contains a separator`);
  }
  return found;
}

function digestTemplate(digest: string, joined: string): string {
  if (digest === "none") {
    return joined;
  }
  const digits = /^sha256\/(\d+)$/.exec(digest)?.[1];
  if (digits !== undefined) {
    return createHash("sha256").update(utf8(joined)).digest("hex").slice(0, Number(digits));
  }
  const namespace = /^uuid5\((.+)\)$/.exec(digest)?.[1];
  if (namespace !== undefined) {
    const prefix = uuidBytes(UUID_NAMESPACES[namespace] ?? namespace);
    return uuidText(createHash("sha1").update(prefix).update(utf8(joined)).digest(), 5);
  }
  throw new RefusedValue("digest", `there is no digest ${digest}`);
}

function uuidBytes(value: string): Buffer {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) {
    throw new RefusedValue("uuid", `${value} is no UUID`);
  }
  return Buffer.from(value.replaceAll("-", ""), "hex");
}

function uuidText(hash: Buffer, version: number): string {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes.writeUInt8((version << 4) | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function magnitude(value: bigint): Buffer {
  if (value < -(1n << 127n) || value >= 1n << 128n) {
    throw new RefusedValue("too_large", "an integer has at most 128 bits");
  }
  const absolute = value < 0n ? -value : value;
  const length = absolute === 0n ? 0 : Math.ceil(absolute.toString(16).length / 2);
  return Buffer.concat([Buffer.from([value < 0n ? 1 : 0]), sized(bigEndian(absolute, length))]);
}

function bigEndian(value: bigint, length: number): Buffer {
  return length === 0
    ? Buffer.alloc(0)
    : Buffer.from(value.toString(16).padStart(length * 2, "0"), "hex");
}

function utf8(value: string): Buffer {
  if (LONE_SURROGATE.test(value)) {
    throw new RefusedValue("text", "half of a surrogate pair is no text");
  }
  return Buffer.from(value, "utf8");
}

function checkName(what: string, name: string): void {
  if (!NAME.test(name)) {
    throw new RefusedValue("name", `${what} has 1 to 128 printable ASCII characters`);
  }
}

function tagged(tag: number, ...parts: Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([tag]), ...parts]);
}

function all(encoded: readonly Buffer[]): Buffer {
  return Buffer.concat([count(encoded.length), ...encoded]);
}

function sized(data: Buffer): Buffer {
  return Buffer.concat([count(data.length), data]);
}

function count(length: number): Buffer {
  const encoded = Buffer.alloc(8);
  encoded.writeBigUInt64BE(BigInt(length));
  return encoded;
}
