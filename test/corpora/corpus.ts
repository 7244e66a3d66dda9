import { existsSync, readdirSync, readFileSync } from "node:fs";

/** A test case that nobody of this project wrote. */
export interface Row {
  case: string;
  slug: string;
  also?: string[];
  input: Record<string, unknown>;
  expect: Record<string, unknown>;
  disputed_by?: unknown;
  tags?: string[];
  /** Of toml-test: the versions of TOML that the case is about. */
  toml?: string[];
  /** Of xml-conformance: whether the document has a DTD. */
  tier?: string;
}

/** The suites lie beside the project, not in it. */
export const corpora: URL = new URL("../../../shared/corpora/", import.meta.url);

/** The names of the suites that are at hand: none in a clone that stands alone, which one line tells. */
export function suitesAtHand(): string[] {
  if (existsSync(corpora)) {
    return readdirSync(corpora).flatMap((file) => (file.endsWith(".jsonl") ? [file.slice(0, -6)] : []));
  }
  if (process.env["CI"]) throw new Error(`the test suites are missing: ${corpora.pathname}`);
  process.stdout.write(`The third-party suites were not run: there is no ${corpora.pathname}\n`);
  return [];
}

/**
 * Returns the cases of a suite, or undefined, with a line on stderr, where the suites are not at hand. A CI
 * without them would be green for nothing: there it throws.
 */
export function readCorpus(name: string): Row[] | undefined {
  const text = readCorpusFile(`${name}.jsonl`);
  return text
    ?.toString()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
}

/** As `readCorpus`, for any file among the suites. */
export function readCorpusFile(path: string): Buffer | undefined {
  const file = new URL(path, corpora);
  if (existsSync(file)) return readFileSync(file);
  if (process.env["CI"]) throw new Error(`the test suites are missing: ${file.pathname}`);
  process.stderr.write(`skipped: ${file.pathname} is missing\n`);
  return undefined;
}
