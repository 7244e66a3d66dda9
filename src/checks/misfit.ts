import type { CatalogTool } from "../catalog/catalog.ts";
import { isJsonLines } from "../lib/ndjson/recognize.ts";
import { placesOf } from "../lib/places.ts";
import { findTemplateMark } from "../lib/template/recognize.ts";
import type { Check } from "./check-files.ts";
import { applyLevels, passes } from "./severity.ts";
import type { CheckedFile, FileFinding } from "./verdict.ts";

/** The kind of a document whose name says another one. */
interface Misfit extends Pick<FileFinding, "rule" | "line" | "column"> {
  /** `This is a Go template` */
  message: string;
}

/**
 * Replaces the findings of a document that is a template, or has a document on each line, by one that says so: the findings of
 * each tool that reads it would say nothing else. Tools of text keep theirs.
 * @param checks The checks of the verdicts, in their order.
 */
export function replaceMisfits(
  verdicts: readonly CheckedFile[],
  checks: readonly Check[],
  bytes: Uint8Array,
): readonly CheckedFile[] {
  const isRefusing = ({ tool, errors, failed, unread }: CheckedFile): boolean =>
    tool !== undefined && readsDocument(tool) && failed !== true && unread !== true && !passes(errors);
  const at = verdicts.findIndex(isRefusing);
  const refusing = verdicts[at];
  const check = checks[at];
  // Nearly every document ends here.
  if (refusing?.tool === undefined || check === undefined || bytes.length > maxBytes) return verdicts;
  const misfit = findMisfit(
    refusing.tool,
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(),
  );
  if (misfit === undefined) return verdicts;
  const found: FileFinding = { ...misfit, message: explain(misfit, refusing.errors), severity: "error" };
  const errors = applyLevels([found], check);
  const one: CheckedFile = { ...refusing, valid: passes(errors), errors };
  return verdicts.flatMap((verdict, index) => {
    if (index === at) return [one];
    return verdict.tool !== undefined && readsDocument(verdict.tool) && verdict.failed !== true
      ? []
      : [verdict];
  });
}

/** Larger documents are data. */
const maxBytes = 4 * 1024 * 1024;

/** Reports whether a tool parses its document, so that a template is nothing for it. */
const readsDocument = ({ accepts = "", steps }: CatalogTool): boolean =>
  steps === undefined &&
  /\b(?:JSON|YAML|TOML|XML|CSV|SQL|GraphQL|OpenAPI|Kubernetes|Compose|dotenv|workflow|Dockerfile)\b/i.test(
    accepts,
  );

/** Finds out whether a document that a tool refuses is a template, or one document on each line. */
export function findMisfit({ accepts = "" }: Pick<CatalogTool, "accepts">, text: string): Misfit | undefined {
  const mark = findTemplateMark(text, /SQL|Dockerfile/.test(accepts));
  if (mark !== undefined) {
    const [place] = placesOf(text, [{ index: mark.index }]);
    return {
      message: `This is ${mark.language}, to be filled in before it is checked: exclude it, or check what it renders to`,
      rule: "template",
      ...(place && { line: place.line, column: place.column }),
    };
  }
  if (!/\bJSON\b/.test(accepts) || /NDJSON/.test(accepts) || !isJsonLines(text)) return undefined;
  return {
    message: "Each line of this file is a JSON document: check it with ndjson-validator, and exclude it here",
    rule: "json-lines",
    line: 1,
    column: 1,
  };
}

/** Adds the first fault of the document as its name has it: the guess may be wrong. */
function explain({ message }: Misfit, errors: readonly FileFinding[]): string {
  const [first] = errors;
  if (first === undefined) return `${message}.`;
  const where = first.line === undefined ? "" : ` in line ${first.line}`;
  return `${message}. As it is${where}: ${first.message}`;
}
