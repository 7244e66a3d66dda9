import { z } from "zod";
import { type ErrorPlace, ToolError } from "../catalog/errors.ts";
import { invalidField } from "../catalog/input.ts";
import { type AppliedHunk, type ApplyOptions, applyHunks } from "../lib/diff/apply-patch.ts";
import { type FilePatch, parsePatch, type PatchHunk } from "../lib/diff/parse-patch.ts";
import { placesOf } from "../lib/places.ts";
import { refusing } from "./refusing.ts";

/** The fields of patch-applier beside the text. */
export const patchFields = {
  patch: z
    .string()
    .max(67_108_864)
    .describe("The patch, in the unified format of diff -u and git diff; text around it is ignored"),
  path: z
    .string()
    .max(4096)
    .optional()
    .describe("Path of the file whose part of the patch is applied; required if the patch changes several"),
  reverse: z.boolean().default(false).describe("Remove the patch from a text to which it was applied"),
  fuzz: z
    .int()
    .min(0)
    .max(3)
    .default(0)
    .describe("Lines of context at each end of a hunk that may differ if it is found nowhere else"),
  ignoreWhitespace: z
    .boolean()
    .default(false)
    .describe("Find hunks whose white space differs; lines that the patch does not change keep theirs"),
  rejects: z
    .enum(["error", "skip"])
    .default("error")
    .describe("What happens if a hunk is not found: error refuses the call, skip applies the others"),
  output: z
    .enum(["text", "report"])
    .default("text")
    .describe("Result: the patched text, or where each hunk was found as JSON"),
};

/** Reads the hunks for one file from a patch. @throws ToolError */
export function readHunks(patch: string, path: string | undefined): PatchHunk[] {
  const files = refusing(patch, () => parsePatch(patch), "patch");
  if (path !== undefined) {
    const found = files.filter((one) => isNamed(one, path));
    if (found.length === 0)
      throw invalidField("path", `The patch does not change ${path}. It changes ${listNames(files)}.`);
    return found.flatMap(({ hunks }) => hunks);
  }
  if (new Set(files.map(nameOf)).size > 1)
    throw invalidField("path", `Name one file: the patch changes ${listNames(files)}.`);
  return files.flatMap(({ hunks }) => hunks);
}

/** A name matches as it is, and without its first folder, which Git makes `a/` and `b/`. */
const isNamed = ({ oldName, newName }: FilePatch, path: string): boolean =>
  [oldName, newName].some((name) => name === path || name?.replace(/^[^/]*\//, "") === path);

const nameOf = ({ oldName, newName }: FilePatch): string => newName ?? oldName ?? "a file without a name";

function listNames(files: readonly FilePatch[]): string {
  const names = [...new Set(files.map(nameOf))];
  const shown = names.slice(0, 5).join(", ");
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}

/** Applies hunks. @throws ToolError invalid_document, unless `rejects` is skip, with the place of each rejected hunk in the patch. */
export function applyPatch(
  data: string,
  patch: string,
  hunks: readonly PatchHunk[],
  { rejects, ...options }: ApplyOptions & { rejects: "error" | "skip" },
): { result: string; hunks: AppliedHunk[] } {
  const applied = refusing(data, () => applyHunks(data, hunks, options));
  const failed = applied.hunks.filter((one) => !one.applied);
  if (failed.length === 0 || rejects === "skip") return applied;
  const places = placesOf(
    patch,
    failed.map(({ hunk }) => ({ index: hunks[hunk - 1]?.index ?? 0 })),
  );
  const errors = failed.map(({ hunk, line }, at): ErrorPlace => {
    const message = `Hunk ${hunk} does not match the document near line ${line}.`;
    return { message, field: "patch", ...places[at] };
  });
  const advice = isApplied(data, hunks, options)
    ? options.reverse
      ? "The patch has not been applied to it: leave out reverse."
      : "The patch has been applied to it already; reverse removes it."
    : "A higher fuzz ignores context, and rejects: skip applies the other hunks.";
  const message = `patch: ${failed.length} of ${hunks.length} hunks ${failed.length === 1 ? "does" : "do"} not match. ${advice}`;
  throw new ToolError("invalid_document", message, { errors });
}

const isApplied = (data: string, hunks: readonly PatchHunk[], options: ApplyOptions): boolean =>
  refusing(data, () =>
    applyHunks(data, hunks, { ...options, fuzz: 0, reverse: !options.reverse }),
  ).hunks.every(({ applied }) => applied);

/** Writes where each hunk was applied as JSON. */
export const writeApplied = (applied: readonly AppliedHunk[]): string => {
  const count = applied.filter((one) => one.applied).length;
  return JSON.stringify({ applied: count, rejected: applied.length - count, hunks: applied }, null, 2);
};
