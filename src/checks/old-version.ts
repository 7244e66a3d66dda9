import { isUtf8 } from "node:buffer";
import { describeError, ToolError } from "../catalog/errors.ts";
import { maxText } from "../catalog/tool.ts";
import { sizeText } from "../lib/size-text.ts";
import type { Check } from "./check-files.ts";
import type { CheckedFile } from "./verdict.ts";

/** Where the old versions of files come from. */
export interface OldVersions {
  /** The commit, as the caller named it. */
  revision: string;
  /** Returns the bytes of a file as it was; its size if they are too many; undefined if there was none. @param name See `CheckedFile.name`. */
  read(name: string): Promise<Uint8Array | { size: number } | undefined>;
}

/** A check with the old version of a file as its other document, or the verdict if there is nothing to compare. */
export async function prepareComparison(
  name: string,
  check: Check,
  { revision, read }: OldVersions,
  bytes: Uint8Array,
): Promise<Check | { verdict: CheckedFile }> {
  const { tool, options } = check;
  const verdict = (compared: CheckedFile["compared"]): { verdict: CheckedFile } => ({
    verdict: { name, tool, valid: true, errors: [], ...(compared && { compared }) },
  });
  const found = await read(name);
  if (found === undefined) return verdict("new");
  if (!(found instanceof Uint8Array))
    return {
      verdict: toUncompared(
        name,
        check,
        revision,
        `it has ${sizeText(found.size)}, and the most is ${sizeText(maxText)}`,
      ),
    };
  const old = Buffer.from(found.buffer, found.byteOffset, found.length);
  if (old.equals(bytes)) return verdict("same");
  if (!isUtf8(old)) return { verdict: toUncompared(name, check, revision, "it is not UTF-8") };
  const other = old.toString().replace(/^\ufeff/, "");
  const given = Array.isArray(options) ? Object.fromEntries(options) : options;
  return {
    ...check,
    options: Array.isArray(options)
      ? [
          ...options.filter(([field]) => field !== "other" && !(field in (tool.against ?? {}))),
          ["other", other],
          ...Object.entries(tool.against ?? {}).map(([field, value]): [string, string] => [
            field,
            String(value),
          ]),
        ]
      : { ...given, ...tool.against, other },
    toRefusal(error) {
      const [place] = error.details.errors ?? [];
      const field = place?.field ?? place?.pointer?.split("/")[1];
      if (field !== "other") return check.toRefusal(error);
      return new OldVersionFault(
        describeError(new ToolError("invalid_document", place?.message ?? error.message, error.details)),
      );
    },
  };
}

/** The old version of a file is no document that the tool takes; the file itself may be one. */
export class OldVersionFault extends ToolError {
  constructor(message: string) {
    super("invalid_document", message);
  }
}

/** A file that cannot be compared is not wrong: the change may be what mends it. */
export const toUncompared = (
  name: string,
  { tool }: Check,
  revision: string,
  reason: string,
): CheckedFile => ({
  name,
  tool,
  valid: true,
  errors: [
    {
      message: `The version of ${revision} cannot be compared: ${reason.replace(/\.$/, "")}.`,
      severity: "warning",
      rule: "old-version",
    },
  ],
  compared: "changed",
});

/** The verdict about a file that a commit has and the work tree has not. */
export function toRemoved(name: string, { tool, severity, options }: Check, revision: string): CheckedFile {
  const given = Array.isArray(options) ? Object.fromEntries(options) : options;
  const level = severity ?? (given["failOn"] === "never" ? "warning" : "error");
  return {
    name,
    tool,
    valid: level !== "error",
    errors: [{ message: `The file was removed; ${revision} has it.`, severity: level, rule: "file-removed" }],
    compared: "removed",
  };
}
