/** Reproduces every vector with samekey.ts. */

import { readFileSync } from "node:fs";

import * as samekey from "./samekey.js";

type Content = any;
type Named = [string, Content][];

let compared = 0;
let wrong = 0;

function compare(name: string, what: string, found: string, expected: string): void {
  compared += 1;
  if (found !== expected) {
    wrong += 1;
    console.error(`${name}: ${what} is ${found}, not ${expected}`);
  }
}

function value(vector: Content): samekey.Value {
  const [[kind, content]] = Object.entries(vector) as [[string, Content]];
  switch (kind) {
    case "boolean":
      return samekey.boolean(content);
    case "integer":
      return samekey.integer(BigInt(content));
    case "text":
      return samekey.text(content);
    case "bytes":
      return samekey.bytes(Buffer.from(content, "hex"));
    case "none":
      return samekey.none();
    case "some":
      return samekey.some(value(content));
    case "list":
      return samekey.list(content.map(value));
    case "set":
      return samekey.set(content.map(value));
    case "map":
      return samekey.map(content.map(([key, item]: [Content, Content]) => [value(key), value(item)]));
    case "record":
      return samekey.record(fields(content));
    case "variant":
      return samekey.variant(content[0], fields(content[1]));
    case "decimal":
      return samekey.decimal(content);
    case "date":
      return samekey.date(content[0], content[1], content[2]);
    case "instant":
      return samekey.instant(BigInt(content.unix_nanos), content.precision);
    case "uuid":
      return samekey.uuid(content);
    case "ulid":
      return samekey.ulid(content);
    default:
      throw new Error(`unknown kind ${kind}`);
  }
}

function fields(named: Named): samekey.Fields {
  const fields = new samekey.Fields();
  for (const [name, content] of named) {
    fields.field(name, value(content));
  }
  return fields;
}

function outcome(run: () => string): string {
  try {
    return run();
  } catch (error) {
    if (error instanceof samekey.RefusedValue) {
      return error.code;
    }
    throw error;
  }
}

function checkKey(vector: Content): void {
  const intent = new samekey.Intent(vector.namespace, vector.operation, vector.version);
  for (const [name, content] of vector.fields as Named) {
    intent.field(name, value(content));
  }
  const secret = vector.secret
    ? new samekey.Secret(vector.secret.id, Buffer.from(vector.secret.bytes, "hex"))
    : undefined;
  const key = intent.key(secret);
  const check = (what: string, found: string) => compare(vector.name, what, found, vector[what]);
  check("encoded", intent.encoded(secret).toString("hex"));
  check("hex32", key.hex32());
  check("hex64", key.hex64());
  check("base64url22", key.base64url22());
  check("base64url43", key.base64url43());
  check("uuid_v4", key.uuidV4());
  check("uuid_v5", key.uuidV5());
  check("uuid_v8", key.uuidV8());
  compare(vector.name, "uuid_v7", key.uuidV7(vector.uuid_v7.unix_millis), vector.uuid_v7.text);
}

function checkTemplate(vector: Content): void {
  const values = new Map((vector.values as Named).map(([name, content]) => [name, value(content)]));
  const found = outcome(() => samekey.liveKey(vector.template, vector.digest, values));
  compare(vector.name, "live key", found, vector.key ?? vector.error);
}

function checkRefused(vector: Content): void {
  const found = outcome(() => {
    samekey.instant(BigInt(vector.unix_nanos), vector.precision);
    return "accepted";
  });
  compare(vector.unix_nanos, "instant", found, "finer_than_stored");
}

const vectors = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
vectors.keys.forEach(checkKey);
vectors.templates.forEach(checkTemplate);
vectors.refused_instants.forEach(checkRefused);
console.log(`typescript: ${compared} values compared, ${wrong} differ`);
process.exit(wrong === 0 && compared > 0 ? 0 : 1);
