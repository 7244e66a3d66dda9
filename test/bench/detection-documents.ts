import { documentOf } from "./document.ts";
import { csvOf, textsOf, xmlOf } from "./tool-documents.ts";

const mebibyte = 1024 * 1024;

const fill = (part: string): string =>
  part.repeat(Math.ceil(mebibyte / Buffer.byteLength(part))).slice(0, mebibyte);

/** Texts that are repeated until they are a mebibyte: each is what a pattern or a parser of the detector is worst at. */
const repeated = {
  brackets: "[",
  members: '{"a":',
  pairs: "a=",
  "parameters of a query": "a=b&c=%41&",
  letters: "a",
  digits: "7",
  "line ends": "x\n\n\n\n",
  "white space": "a \t \t",
  "names and dots": "a.b-c_D",
  "words of two scripts": "p\u0430yp\u0430l ",
  "words and commas": "a b, c; d: e = 'f' ",
  YAML: "key: value\nlist:\n  - a: {b: [c, d]}\n    e: 'f'\n",
  "YAML in brackets": "- [a, {b: c}]\n",
  TOML: '[a]\nb = "c"\n[[d]]\ne = [1, 2]\n',
  "lines of gron": 'json.a[0].b = "c";\n',
  dotenv: "A_B=${C}\n",
  "tags of XML": "<a>",
  "comments of XML": "<!--",
  HTML: "<div class=a><p>x</div>",
  GraphQL: "type A { b(c: D!): [E!]! }\n",
  "selections of GraphQL": "{a",
  "rules of CSS": "a:b(c){d:e;}",
  "source code": "const a = 1;\nif (a) {\n",
  "tags of templates": "{{a",
  references: "${A:-",
  "starts of tokens": "eyJhbGciOiJIUzI1NiJ9.",
  "starts of certificates": "-----BEGIN CERTIFICATE-----\n",
  "hexadecimal bytes": "ab ",
  "a dump": "00000000: 7b22 6964 223a 312c 226f 6b22 3a74 7275  {\n",
  "a log": "2025-01-15 10:30:00 ERROR x password=abcd1234efgh jane@example.com 10.0.0.1\n",
  addresses: "10.0.0.0/8, ",
  "card numbers": "4111 1111 1111 1111 ",
  "key of a password": "password: ",
  "entities of HTML": "&amp;",
  escapes: "\\u0041\\n",
  quotes: "'\\\"",
  "groups of an expression": "(a+)+",
  globs: "*a",
  "sequences of terminals": "\u001b[31ma\u001b[0m",
  crontab: "*/5 * * * * a\n",
};

/** Inputs of one mebibyte, ordinary and hostile ones, by name. */
export function detectionInputs(): Map<string, Uint8Array> {
  const inputs = new Map<string, Uint8Array>();
  for (const [name, part] of Object.entries(repeated)) inputs.set(name, Buffer.from(fill(part)));
  const json = JSON.stringify(JSON.parse(documentOf(mebibyte * 0.75)));
  inputs.set("base64 of JSON", Buffer.from(Buffer.from(json).toString("base64")));
  inputs.set(
    "base64 of bytes",
    Buffer.from(Buffer.alloc(mebibyte, 0xa7).toString("base64").slice(0, mebibyte)),
  );
  inputs.set("a string of JSON", Buffer.from(JSON.stringify(fill('{"a":"b"}\n')).slice(0, mebibyte)));
  inputs.set("SQL", Buffer.from(`select ${fill("(a,'b'),")}`));
  inputs.set("JSON", Buffer.from(documentOf(mebibyte)));
  inputs.set("JSON that fits", Buffer.from(json));
  inputs.set("CSV", Buffer.from(csvOf(mebibyte)));
  inputs.set("XML", Buffer.from(xmlOf(mebibyte)));
  inputs.set("text", Buffer.from(textsOf(mebibyte).before));
  inputs.set("zeros", new Uint8Array(mebibyte));
  return inputs;
}
