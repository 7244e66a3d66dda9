import { afterAll, beforeAll, expect, test } from "vitest";
import { grow, growths, sendGrowth } from "../../attacks/growth.ts";
import { maxBytes } from "../../attacks/siege.ts";
import { watch } from "../../attacks/watch.ts";
import { cases, isLong, maxSeconds } from "../../support/cases.ts";
import { emptyFolder, issueKey, serve, type Server } from "./harness.ts";

// V8 ends the whole process if a thread requests a single string, table or zone that is too large. Tools that run on threads must not cause
// that: these are the worst documents for it, which test/long/growth.test.ts searches for, at 10 MB each.

const folder = emptyFolder();
let server: Server;
let key: string;

beforeAll(async () => {
  server = await serve(folder.path, { PENKNIFE_LOG_LEVEL: "warn" });
  key = await issueKey(folder.path, "ci", "team");
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

type Worst = readonly (readonly [path: string, growth: string, accept?: string])[];

/** Documents of different kinds of work. `make test-long` sends those below as well. */
const worst: Worst = [
  ["csv-validator?header=false&maxErrors=1000", "JSON numbers"],
  ["json-canonicalizer", "JSON exponents"],
  ["ndjson-to-json?indent=10", "NDJSON"],
  ["json-sorter?arrays=sort&indent=10", "empty JSON strings"],
  ["secret-scanner", "passwords"],
  ["xml-formatter?indent=10", "empty elements"],
  ["xml-validator?namespaces=true", "elements of two-byte names"],
  ["x509-parser", "certificates"],
  ["string-escaper?language=json", "control characters in two-byte text", "application/json"],
  ["html-entity-encoder?mode=named", "references"],
  ["url-encoder", "two-byte letters"],
  ["line-sorter?natural=true", "short two-byte lines", "application/json"],
  ["case-converter?to=snake", "camel case"],
  ["toml-validator", "TOML tables of an array"],
  ["json-formatter?indent=10", "closed brackets"],
];

const alike: Worst = [
  ["csv-validator?maxErrors=1000", "ragged CSV"],
  ["json-canonicalizer", "empty JSON objects"],
  ["json-canonicalizer", "JSON members"],
  ["ndjson-to-json", "open brackets"],
  ["ndjson-validator?maxErrors=1000", "broken NDJSON"],
  ["secret-scanner", "open certificates"],
  ["xml-formatter?indent=10", "closed elements"],
  ["xml-formatter?attributesPerLine=true", "attributes"],
  ["qr-code-generator", "two-byte letters"],
  ["html-entity-encoder?mode=numeric", "ampersands in two-byte text"],
  ["html-entity-encoder?mode=hex&all=true", "control characters", "application/json"],
  ["html-entity-decoder", "named references"],
  ["string-unescaper?language=json&quotes=false", "long escapes", "application/json"],
  ["string-escaper?language=regex", "control characters in two-byte text"],
  ["whitespace-normalizer", "line feeds in two-byte text", "application/json"],
  ["unicode-linter", "soft hyphens and overrides, a line each"],
  ["commit-message-linter", "short two-byte lines"],
  ["commit-message-linter?maxHeader=1000", "a JSON number of many digits"],
  ["json-to-toml", "empty JSON objects"],
  ["query-to-json", "query parameters of lists"],
  ["json-to-ndjson", "control characters", "application/json"],
  ["hex-encoder", "two-byte letters"],
];

test("survives the worst documents for tools on threads, and stays within its memory", async () => {
  const watching = await watch(server.child.pid ?? 0, server.url);
  const chosen = [...cases(worst, maxSeconds), ...(isLong() ? alike : [])];
  const bodies = new Map(
    [...new Set(chosen.map(([, name]) => name))].map((name) => {
      const growth = growths.find((one) => one.name === name);
      if (growth === undefined) throw new Error(`no growth has the name ${name}`);
      return [name, Buffer.from(grow(growth, 10_000_000))];
    }),
  );
  const answers: string[] = [];
  // Two at a time: as many threads as there are workers on two cores.
  const calls = chosen.values();
  const lane = async (): Promise<void> => {
    for (const [path, growth, accept = "text/plain"] of calls) {
      const { status, text } = await sendGrowth(server, key, {
        slug: path,
        growth,
        path: `/api/tools/${path}`,
        type: "text/plain",
        accept,
        body: bodies.get(growth) as Buffer,
      });
      answers.push([status, ...(status === 200 ? [] : [codeOf(text)]), path, growth].join(" "));
    }
  };
  await Promise.all([lane(), lane()]);
  const { highestBytes, failed } = await watching.stop();
  process.stdout.write(`threads: ${Math.round(highestBytes / 1_048_576)} MiB\n`);
  // A busy machine may also answer overloaded or deadline_exceeded.
  const expected = /^(200|422 (invalid_document|memory_exceeded)|503 overloaded|504 deadline_exceeded) /;
  expect(answers.filter((answer) => !expected.test(answer))).toEqual([]);
  // An ordinary document of HTML, with a reference in every four characters.
  expect(
    answers.filter((answer) => answer.startsWith("422 memory_exceeded html-entity-encoder?mode=named")),
  ).toEqual([]);
  expect(answers).toHaveLength(chosen.length);
  expect(server.child.exitCode ?? server.child.signalCode).toBeNull();
  expect(failed).toBe(0);
  expect(highestBytes).toBeLessThan(maxBytes);
}, 300_000);

const codeOf = (text: string): string => (JSON.parse(text) as { code: string }).code;
