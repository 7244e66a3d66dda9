import { isDeepStrictEqual } from "node:util";
import { readCorpusFile } from "./corpus.ts";

/** The expected outcome of a call of `penknife run`: every member that is there must hold. */
export interface Expectation {
  /** Standard output, to the letter; one line end at its end is not compared. */
  stdout?: string;
  /** Texts in standard output or standard error: all of them, none of them, at least one of them. */
  contains?: string[];
  notContains?: string[];
  containsAny?: string[];
  /** The member `valid` of the report. */
  valid?: boolean;
  /** The exit status. */
  rc?: number;
  /** Objects hold these members, and lists hold these items, in any order. */
  jsonSubset?: unknown;
}

/** A call that somebody reported, most of them to another project. */
export interface Report {
  id: string;
  tool: string;
  args: string[];
  /** The document. A list is to be joined: a made-up secret, cut so that no scanner finds it in the file of cases. */
  input: string | string[];
  /** Files in the working folder, by name. */
  files?: Record<string, string>;
  verdict: "wrong" | "annoying" | "unsupported" | "ok";
  class: string;
  expect: Expectation | Expectation[];
}

/** The outcome of the call. */
export interface Answer {
  status: number;
  stdout: string;
  stderr: string;
}

/** Reads the cases. @throws Error if the file is missing. */
export const readReports = (): Report[] =>
  readCorpusFile("reports.jsonl")
    .toString()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Report);

/** Returns what differs from the expectation, or undefined. Of several expectations one has to hold. */
export function faultOf({ expect }: Report, answer: Answer): string | undefined {
  const faults = [expect].flat().map((one) => differences(one, answer).join("; "));
  return faults.includes("") ? undefined : faults.join(" | or ");
}

function differences(expect: Expectation, answer: Answer): string[] {
  const text = answer.stdout + answer.stderr;
  const has = (part: string): boolean => text.includes(part);
  const faults: string[] = [];
  const must = (holds: boolean, fault: string): unknown => holds || faults.push(fault);
  const { stdout, contains = [], notContains = [], containsAny, valid, rc, jsonSubset } = expect;
  if (stdout !== undefined)
    must(
      withoutLineEnd(answer.stdout) === withoutLineEnd(stdout),
      `not the output ${JSON.stringify(stdout)}`,
    );
  for (const part of contains) must(has(part), `lacks ${JSON.stringify(part)}`);
  for (const part of notContains) must(!has(part), `contains ${JSON.stringify(part)}`);
  if (containsAny !== undefined) must(containsAny.some(has), `has none of ${JSON.stringify(containsAny)}`);
  if (rc !== undefined) must(answer.status === rc, `exit status ${answer.status}, not ${rc}`);
  if (valid !== undefined)
    must(
      (toJson(answer.stdout) as { valid?: unknown } | undefined)?.valid === valid,
      `valid is not ${valid}`,
    );
  if (jsonSubset !== undefined)
    must(isWithin(jsonSubset, toJson(answer.stdout)), `does not hold ${JSON.stringify(jsonSubset)}`);
  return faults;
}

const withoutLineEnd = (text: string): string => text.replace(/\n$/, "");

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value holds all of another: members of objects, items of lists at any place. */
function isWithin(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part))
    return Array.isArray(whole) && part.every((item) => whole.some((one) => isWithin(item, one)));
  if (typeof part !== "object" || part === null) return isDeepStrictEqual(part, whole);
  if (typeof whole !== "object" || whole === null) return false;
  return Object.entries(part).every(([name, value]) =>
    isWithin(value, (whole as Record<string, unknown>)[name]),
  );
}
