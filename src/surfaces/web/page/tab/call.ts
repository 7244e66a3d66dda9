// The shapes of catalog/execute.ts and catalog/errors.ts that pages use; test/unit/surfaces/web/tab-types.test.ts keeps them equal.

/** The input of a call: values of fields, or a document as bytes with options. */
export type Body =
  | { kind: "input"; input: Record<string, unknown> }
  | { kind: "raw"; bytes: Uint8Array; text: boolean; options: Readonly<Record<string, unknown>> };

export interface Call {
  slug: string;
  body: Body;
  /** The result as it is, text or bytes. */
  form: "bytes";
  /** Check mode: the result is a report. */
  check: boolean;
}

export interface Answer {
  body: string | Uint8Array;
  /** Set if the body is the text of a report. */
  valid?: boolean;
}

export interface Report {
  valid: boolean;
  errors: readonly Finding[];
}

export interface Finding {
  message: string;
  severity: "error" | "warning";
  rule: string;
  /** From 1. */
  line: number;
  /** From 1, in code points. */
  column: number;
  /** In bytes. */
  offset: number;
  pointer: string;
}

/** Returns the report whose text this is; undefined if it is something else. */
export function readReport(text: string): Report | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const found = JSON.parse(text) as Partial<Report> | null;
    return typeof found?.valid === "boolean" && Array.isArray(found.errors) ? (found as Report) : undefined;
  } catch {
    return undefined;
  }
}

export interface ErrorPlace {
  message: string;
  field?: string;
  pointer?: string;
  line?: number;
  column?: number;
  offset?: number;
}

/** Why a tool gave no result. */
export class Refusal extends Error {
  readonly code: string;
  readonly places: readonly ErrorPlace[];

  constructor(code: string, message: string, places: readonly ErrorPlace[] = []) {
    super(message);
    this.code = code;
    this.places = places;
  }
}
