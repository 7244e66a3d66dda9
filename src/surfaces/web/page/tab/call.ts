import type { ErrorPlace } from "../../../../catalog/errors.ts";
import type { Report } from "../../../../catalog/report.ts";

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

/** The reason why a tool returned no result. */
export class Refusal extends Error {
  readonly code: string;
  readonly places: readonly ErrorPlace[];

  constructor(code: string, message: string, places: readonly ErrorPlace[] = []) {
    super(message);
    this.code = code;
    this.places = places;
  }
}
