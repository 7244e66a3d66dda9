import { readdirSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { ToolError } from "../../../src/catalog/errors.ts";
import { createPool, type Pool } from "../../../src/services/workers/pool.ts";
import { adapter, keyOf } from "../../unit/corpora/adapter.ts";
import {
  atHand,
  casesOf,
  corpora,
  otherFiles,
  readCorpus,
  type Row,
  suites,
} from "../../unit/corpora/corpus.ts";
import { known } from "./known.ts";
import { describeSuite, runSuite } from "../../unit/corpora/suite.ts";
import { cases, maxSeconds } from "../../support/cases.ts";
import { workerCommand } from "../../support/worker-command.ts";
import { workerSource } from "../../support/worker-source.ts";
import { testRuntime } from "../../support/runtime.ts";

/** The share of a suite that has to pass, of the rows that have a tool and are undisputed. */
const rates: Readonly<Record<string, number>> = {
  "commonmark-spec": 0.95,
  "cron-robfig": 0.95,
  cronstrue: 0.95,
  "css-colors": 0.95,
  "csv-spectrum": 0.95,
  cyberchef: 0.95,
  devtoys: 0.95,
  "es-toolkit": 0.95,
  "graphql-docs": 0.95,
  "html-entities": 1,
  "ip-address": 0.95,
  "jcs-rfc8785": 1,
  "jq-tests": 0.98,
  jsdiff: 0.95,
  "json-checker": 0.95,
  "json-patch-tests": 1,
  "json-schema-test-suite": 0.95,
  "json-test-suite": 1,
  "jsonpath-cts": 1,
  "nist-hash-vectors": 1,
  "node-semver": 0.95,
  "papaparse-tests": 0.95,
  "postcss-cases": 0.95,
  redos: 0.95,
  "rfc-vectors": 1,
  rfc4648: 1,
  "test262-parser": 0.95,
  "toml-test": 1,
  "uuid-ulid": 1,
  "wpt-url": 0.95,
  wycheproof: 1,
  "xml-conformance": 0.95,
  "yaml-test-suite": 0.97,
};

/** Parts of a suite of which every row must pass. */
const whole: Readonly<Record<string, (row: Row) => boolean>> = {
  "json-schema-test-suite": ({ case: name }) =>
    /^draft(?:2020-12|2019-09|7)\//.test(name) && !name.includes("/optional/"),
  "xml-conformance": ({ tier }) => tier === "no-dtd",
};

const pools: Pool[] = [];
const openPool = (deadlineMs: number): Pool => {
  const monotonic = (): number => performance.now();
  const pool = createPool({
    source: workerSource(),
    process: workerCommand(128),
    size: 2,
    deadlineMs,
    // On a loaded machine a replacement starts long after a deadline as short as that of hostile patterns.
    maxWaitMs: 110_000,
    memoryMb: 128,
    runtime: testRuntime({ monotonic }),
  });
  pools.push(pool);
  return pool;
};

/** For all suites: each of its threads loads a tool once. */
const patient = openPool(60_000);

afterAll(() => Promise.all(pools.map((pool) => pool.close())));

describe("third-party suites", () => {
  test("each suite has a rate and a number of cases", () => {
    expect(Object.keys(suites).toSorted()).toEqual(Object.keys(rates).toSorted());
    expect(Object.keys(known).filter((name) => rates[name] === undefined)).toEqual([]);
  });

  test.skipIf(!atHand)("the folder contains these suites, with as many cases", () => {
    const files = readdirSync(corpora).filter((file) => file.endsWith(".jsonl"));
    const counts = files
      .map((file) => file.slice(0, -".jsonl".length))
      .filter((name) => !otherFiles.includes(name))
      .map((name) => [name, readCorpus(name).length]);
    expect(Object.fromEntries(counts)).toEqual(suites);
  });

  test.skipIf(!atHand)("each entry of the adapter is used by a row", () => {
    const asked = new Set(
      Object.keys(suites).flatMap((suite) =>
        readCorpus(suite).flatMap(({ slug, also = [] }) => [slug, ...also].map((one) => keyOf(suite, one))),
      ),
    );
    expect(Object.keys(adapter).filter((key) => !asked.has(key))).toEqual([]);
  });

  describe.each(Object.entries(rates))("%s", (name, rate) => {
    test.skipIf(!atHand)(
      `passes at its rate (${casesOf(name)})`,
      async () => {
        const result = await runSuite(name, readCorpus(name), (call) => patient.run(call, "thread"));
        process.stdout.write(`${describeSuite(result)}\n`);
        const expected = new Set((known[name] ?? []).flatMap((one) => one.cases));
        const failing = new Map(result.failures.map(({ id, fault }) => [id, fault.slice(0, 1000)]));
        expect({
          unexpected: [...failing].filter(([id]) => !expected.has(id)),
          stale: [...expected].filter((id) => !failing.has(id)),
        }).toEqual({ unexpected: [], stale: [] });
        expect(result.passed.length).toBeGreaterThanOrEqual(result.required.length * rate);
        const part = whole[name] ?? (() => false);
        expect(result.passed.filter(part).length).toBe(result.required.filter(part).length);
      },
      120_000,
    );
  });

  // With a backtracking engine each of these runs for ever: the deadline ends it, and the event loop keeps turning.
  test.skipIf(!atHand)(
    `hostile patterns end at the deadline, and the event loop keeps turning (some of ${casesOf("redos")})`,
    async () => {
      const all = readCorpus("redos").filter(({ expect: { maxMs } }) => maxMs !== undefined);
      const hostile = cases(all, maxSeconds);
      const pool = openPool(300);
      const outcomes: string[] = [];
      const line = hostile.values();
      const worker = async (): Promise<void> => {
        for (const { input } of line) {
          let turned = false;
          setImmediate(() => (turned = true));
          const outcome = await runJs(pool, input);
          outcomes.push(turned ? outcome : `${outcome} before the event loop turned`);
        }
      };
      await Promise.all([worker(), worker()]);
      expect(outcomes.filter((outcome) => !/^(?:answered|deadline_exceeded)$/.test(outcome))).toEqual([]);
      expect(outcomes).toHaveLength(hostile.length);
    },
    120_000,
  );
});

async function runJs(pool: Pool, input: Record<string, unknown>): Promise<string> {
  const body = { kind: "input" as const, input: { ...input, engine: "js" } };
  try {
    await pool.run({ slug: "regex-tester", body, form: "text", check: false }, "thread");
    return "answered";
  } catch (error) {
    return error instanceof ToolError ? error.code : String(error);
  }
}
