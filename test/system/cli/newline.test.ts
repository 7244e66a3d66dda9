import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { tools } from "../../../src/tools/index.ts";
import { type Given, makeFolder, penknife, type Ran, shareWorkers } from "./host.ts";

const all = await createCatalog(tools).all();
const program = shareWorkers();

/** The tools whose results get no newline, because they are bytes of a document; the results of all others end with one. */
const exact = `
  ansi-stripper base64-decoder base64-encoder case-converter hex-decoder hex-encoder html-entity-decoder
  html-entity-encoder json-canonicalizer json-editor json-redactor line-filter line-sorter patch-applier
  string-escaper string-unescaper template-renderer text-redactor text-replacer three-way-merger toml-editor
  url-decoder url-encoder whitespace-normalizer yaml-editor
`
  .trim()
  .split(/\s+/);

test("no other tool is exact", () => {
  const found = all.filter((tool) => tool.exact).map(({ slug }) => slug);
  expect(found.toSorted()).toEqual(exact);
});

describe("an encoder followed by its decoder gives the bytes back", () => {
  const bytes = fc.uint8Array({ maxLength: 200 });
  // UTF-8 cannot encode a lone surrogate, so it cannot be on standard input.
  const text = fc.string({ unit: "grapheme", maxLength: 200 }).map((value) => Buffer.from(value));
  const [binary, characters] = [Buffer.of(0, 0xff, 0x80, 0x0a, 0xc3), Buffer.from("é\n👋")];
  const endings = ["", "\n", "\n\n", "\r\n", " "];

  describe.each([
    { encode: ["base64-encoder"], decode: ["base64-decoder"], documents: bytes, sample: binary },
    { encode: ["hex-encoder"], decode: ["hex-decoder"], documents: bytes, sample: binary },
    { encode: ["url-encoder"], decode: ["url-decoder"], documents: text, sample: characters },
    { encode: ["html-entity-encoder"], decode: ["html-entity-decoder"], documents: text, sample: characters },
    {
      encode: ["string-escaper", "--language", "json"],
      decode: ["string-unescaper", "--language", "json"],
      documents: text,
      sample: characters,
    },
  ])("$encode", ({ encode, decode, documents, sample }) => {
    async function pass(stdin: Uint8Array, given: Pick<Given, "program"> = {}): Promise<Ran> {
      const { status, bytes: encoded } = await penknife(["run", ...encode], { ...given, stdin });
      expect(status).toBe(0);
      return penknife(["run", ...decode], { ...given, stdin: encoded });
    }

    test("of any document, in this process", async () => {
      const inputs = fc
        .tuple(documents, fc.constantFrom(...endings))
        .map(([document, ending]) => Buffer.concat([document, Buffer.from(ending)]));
      await fc.assert(
        fc.asyncProperty(inputs, async (stdin) => {
          expect(await pass(stdin, { program })).toMatchObject({ status: 0, bytes: stdin });
        }),
        { numRuns: 40 },
      );
    });

    test.each(endings)("of a document that ends with %j", async (ending) => {
      const stdin = Buffer.concat([sample, Buffer.from(ending)]);
      expect(await pass(stdin)).toMatchObject({ status: 0, bytes: stdin });
    });
  });
});

test("two generated values are two lines", async () => {
  const { stdout } = await penknife(["run", "uuid-generator"]);
  expect(stdout).toMatch(/^[\da-f-]{36}\n$/);
});

test.each([
  ["json-minifier", " 1 ", "1\n", "1"],
  ["json-to-yaml", '"a\\n\\n"', "|+\n a\n\n", "|+\n a\n\n"],
  ["cidr-matcher", "", "", ""],
])("%s of %j", async (slug, stdin, expected, without) => {
  const options = slug === "cidr-matcher" ? ["--ranges", "10.0.0.0/8"] : [];
  expect(await penknife(["run", slug, ...options], { stdin })).toMatchObject({ stdout: expected });
  expect(await penknife(["run", slug, ...options, "--no-newline"], { stdin })).toMatchObject({
    stdout: without,
  });
});

test("a terminal gets a newline after an exact result, unless there is --no-newline", async () => {
  const run = (words: string[], stdout: boolean) =>
    penknife(["run", "hex-encoder", ...words], { stdin: "a", tty: { stdout } });
  expect((await run([], false)).stdout).toBe("61");
  expect((await run([], true)).stdout).toBe("61\n");
  expect((await run(["--no-newline"], true)).stdout).toBe("61");
});

test("a file formatted in place keeps its last newline", async () => {
  const cwd = makeFolder({ "a.json": '{\n  "a": 1\n}\n' });
  for (const _ of [1, 2]) {
    expect((await penknife(["run", "json-formatter", "--out", "a.json", "a.json"], { cwd })).status).toBe(0);
    expect(readFileSync(join(cwd, "a.json"), "utf8")).toBe('{\n  "a": 1\n}\n');
  }
});

test("a pipeline ends like its last step; nothing is added between steps", async () => {
  const cwd = makeFolder();
  const run = async (first: string, last: string, stdin: string) => {
    writeFileSync(join(cwd, "p.yaml"), `steps: [{tool: ${first}}, {tool: ${last}}]`);
    return (await penknife(["run", "-p", "p.yaml"], { cwd, stdin })).stdout;
  };
  expect(await run("json-minifier", "hex-encoder", "[ 1 ]")).toBe("5b315d");
  expect(await run("hex-decoder", "json-minifier", "5b315d")).toBe("[1]\n");
});
