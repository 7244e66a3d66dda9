import { expect, test } from "vitest";
import { ToolError } from "../../../src/catalog/errors.ts";
import { beginningOf } from "../../../src/lib/detect/beginning.ts";
import { rankTools } from "../../../src/tools/rank-detected.ts";
import { startCost } from "../../cost/start-cost.ts";
import { call, pathsOf, rank, refusalOf, runSteps } from "../../unit/tools/detected-steps.ts";
import { readLabelled } from "../../unit/tools/labelled-inputs.ts";

test("every step that is offered for the labelled inputs runs", async () => {
  const labelled = ["inputs.json", "second/inputs.json"].flatMap((file) => readLabelled(file));
  const { refused, steps } = await runSteps(labelled.map(({ name, input = "" }) => [name, input] as const));
  expect(refused).toEqual([]);
  expect(steps).toBeGreaterThan(2500);
});

test.each([
  ["Mon..Fri *-*-* 08..18:00/15", "cron-parser", { dialect: "systemd" }],
  ["id;name;price\n1;Ann;1,50\n2;Bob;2,75\n", "csv-to-json", { delimiter: "auto" }],
  [
    "git.example.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f",
    "ssh-key-parser",
    {},
  ],
  ["Wed Oct 21 2015 07:28:00 GMT+0000 (Coordinated Universal Time)", "timestamp-converter", {}],
  ["2026-01-02 03:04:05.678 +0100 CET m=+0.001", "timestamp-converter", {}],
  ["2025-03-10 14:00 America/New_York", "timezone-converter", { from: "America/New_York" }],
  ["select a::int from t where id = $1", "sql-formatter", { dialect: "postgresql" }],
  ["Resources:\n  A: !Ref B\n", "yaml-to-json", { tags: "keep" }],
  [`${"caf\\u00e9 ".repeat(1000)}\\u{1f600}`, "string-unescaper", { language: "js" }],
  ["A=1\nA=2\nB=3\n", "env-to-json", { duplicateKeys: "last" }],
  ["$.store.book[?(@.price<10)].title", "json-query", { language: "jsonpath" }],
  ["xn--bcher-kva.example", "text-replacer > url-parser", {}],
  ["/a/b?x=1&y=2", "url-parser", { base: "http://localhost" }],
  ["10.0.0.0/24, 10.0.1.0/24, 10.0.2.0/23", "text-replacer > ip-range-to-cidr", {}],
])("%.90j is offered %s with the options that it needs", async (text, path, options) => {
  const ranked = await rank(text);
  expect(pathsOf(ranked)).toContain(path);
  expect(ranked[pathsOf(ranked).indexOf(path)]?.steps.at(-1)?.with).toEqual(options);
});

test.each([
  ["f81d4fae-7dec-41d0-a765-00a0c91e6bf6", "timestamp-converter"],
  ["#ff8800", "number-base-converter"],
  ["4111 1111 1111 1111", "byte-size-converter"],
  ["4111 1111 1111 1111", "timestamp-converter"],
  ["port: 80\nhost: x\nport: 8080\n", "yaml-formatter"],
])("%j is not offered %s, which refuses it", async (text, path) => {
  expect(pathsOf(await rank(text))).not.toContain(path);
  expect(await rank(text)).not.toEqual([]);
});

const record = (id: number): string => `{"id":${id},"name":"Zoë [${id}]","tags":["a","}\\""]}`;
const repeat = (count: number, part: (id: number) => string, separator = ""): string =>
  Array.from({ length: count }, (_, id) => part(id)).join(separator);
const json = `[${repeat(2000, record, ",")}]`;

test.each([
  ["JSON", json, "json-to-csv"],
  ["an object", `{"a":{"b":{"list":${json}}}}`, "json-formatter"],
  ["indented JSON", JSON.stringify(JSON.parse(json), null, 4), "json-formatter"],
  ["JSONC", `{ // a\n"list": [ /* [ */\n${repeat(900, record, ",\n")}\n]}`, "json-formatter"],
  ["YAML", repeat(2000, (id) => `name${id}:\n  - "a: ${id}"\n  - |\n    text\n    b: c\n`), "yaml-formatter"],
  ["YAML with one key", `root:\n${repeat(2000, (id) => `  - id: ${id}\n    text: a\n`)}`, "yaml-to-json"],
  ["YAML in documents", repeat(900, (id) => `---\nkind: A\nid: ${id}\nlist: [a, b]\n`), "yaml-to-json"],
  ["TOML", repeat(1500, (id) => `[[item]]\nid = ${id}\nlist = [\n  1,\n  2\n]\n`), "toml-to-json"],
  [
    "XML",
    `<?xml version="1.0"?>\n<list>${repeat(2000, (id) => `<a b='>${id}'><!-- > --><c/>x</a>`)}</list>`,
    "xml-formatter",
  ],
  ["SQL", repeat(1500, (id) => `insert into t (a, b)\n  values (${id}, 'x');\n`), "sql-formatter"],
  ["CSV", `id;name\n${repeat(3000, (id) => `${id};Ann ${id}\n`)}`, "csv-to-json"],
  ["NDJSON", repeat(2000, record, "\n"), "ndjson-to-json"],
  ["dotenv", repeat(2000, (id) => `NAME_${id}="a ${id}"\n`), "env-to-json"],
  ["base64 of JSON", Buffer.from(json).toString("base64"), "base64-decoder > json-formatter"],
  ["base64 in lines", Buffer.from(json).toString("base64").replaceAll(/.{76}/g, "$&\n"), "base64-decoder"],
  ["hexadecimal JSON", Buffer.from(json).toString("hex"), "hex-decoder > json-formatter"],
  ["percent-encoded JSON", encodeURIComponent(json), "url-decoder > json-formatter"],
  ["prose", repeat(900, (id) => `The ${id}th sentence is as long as the others.\n`), "hash-generator"],
])("steps for a long document are tried on its beginning: %s", async (_, text, path) => {
  expect(text.length).toBeGreaterThan(16_384);
  const tried: number[] = [];
  const ranked = await rankTools(Buffer.from(text), 10, (slug, data, fields) => {
    tried.push(data?.length ?? 0);
    return call(slug, data, fields);
  });
  expect(pathsOf(ranked)).toContain(path);
  for (const entry of ranked) {
    if (entry.field === null || entry.needs.length > 0) continue;
    expect([pathsOf([entry]), await refusalOf(Buffer.from(text), entry)]).toEqual([
      pathsOf([entry]),
      undefined,
    ]);
  }
  // A whole document is tried if a tool refuses its beginning, up to 256 KiB in all.
  expect(tried.filter((length) => length > 16_384).length).toBeLessThanOrEqual(12);
  expect(tried.length).toBeGreaterThan(2);
});

test("what refuses a long document is not offered", async () => {
  const paths = pathsOf(await rank(`id;name\n${repeat(3000, (id) => `${id};Ann ${id}\n`)}`));
  expect(paths).not.toContain("data-converter");
  // A QR code holds some three thousand bytes.
  expect(pathsOf(await rank(repeat(2000, record, " ")))).not.toContain("qr-code-generator");
});

test("a long document with a fault is tried as a whole, because its beginning has none", async () => {
  const broken = `${json.slice(0, -1)},]`;
  const paths = pathsOf(await rank(broken));
  expect(paths).toContain("json-validator");
  const twice = `{${repeat(3000, (id) => `"a${id}":1`, ",")},"a0":2}`;
  for (const entry of await rank(twice))
    if (entry.field !== null && entry.needs.length === 0)
      expect(await refusalOf(Buffer.from(twice), entry)).toBeUndefined();
});

test.each(["<!--", "<a b='", '{"a":', "/*", "'", "[", "<", "a: 'b\n", "\n".repeat(3)])(
  "the beginning of a mebibyte of %j is found in linear time",
  (part) => {
    const document = Buffer.from(part.repeat(Math.ceil(262_144 / part.length)));
    const cost = startCost();
    for (const kind of ["json", "xml", "yaml", "toml", "sql", "hex", "base64", "text"] as const)
      expect(beginningOf(document, kind, 200_000).length).toBeLessThan(1_300_000);
    expect(cost()).toBeLessThan(60);
  },
);

test("a tool that does not run here is offered as it is", async () => {
  const unknown = (slug: string): Promise<never> => Promise.reject(new ToolError("unknown_tool", slug));
  expect(pathsOf(await rankTools(Buffer.from('{"a":1}'), 1, unknown))).toEqual(["json-formatter"]);
});

test("a fault of this program in a tool is not taken for a refusal", async () => {
  const broken = (): Promise<never> => Promise.reject(new TypeError("broken"));
  await expect(rankTools(Buffer.from('{"a":1}'), 1, broken)).rejects.toThrow("broken");
});
