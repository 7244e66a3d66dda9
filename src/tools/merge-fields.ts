import { z } from "zod";
import { ToolError } from "../catalog/errors.ts";
import { type Report, toReport } from "../catalog/report.ts";
import { type MergeConflict, mergeTexts } from "../lib/diff/merge.ts";
import { placesOf } from "../lib/places.ts";
import { toFindings } from "./findings.ts";

const label = z
  .string()
  .max(1024)
  // oxlint-disable-next-line no-control-regex
  .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, "Must not contain control characters.");

/** The fields of three-way-merger beside our version. */
export const mergeFields = {
  base: z.string().max(67_108_864).describe("The version that both began with, their common ancestor"),
  other: z.string().max(67_108_864).describe("Their version"),
  conflicts: z
    .enum(["markers", "error", "ours", "theirs", "union"])
    .default("markers")
    .describe(
      "What happens where both have changed the same lines: markers keeps both versions between markers, error refuses the call, ours, theirs and union take one version or both",
    ),
  style: z
    .enum(["merge", "diff3", "zdiff3"])
    .default("merge")
    .describe(
      "What stands between markers: merge has the two versions, diff3 and zdiff3 also the base; merge and zdiff3 move lines that both have out of the conflict",
    ),
  labels: z
    .array(label)
    .length(3)
    .default(["ours", "base", "theirs"])
    .describe("Names of our version, the base and their version after the markers"),
  markerSize: z.int().min(1).max(100).default(7).describe("Characters of a marker"),
};

type Merging = { [Name in keyof typeof mergeFields]: z.output<(typeof mergeFields)[Name]> };

/** Merges. @throws ToolError invalid_document for conflicts, if `conflicts` is error. */
export async function mergeOrRefuse(data: string, { base, other, ...options }: Merging): Promise<string> {
  const { result, conflicts } = await merge(data, { base, other, ...options });
  if (options.conflicts !== "error" || conflicts.length === 0) return result;
  const places = placesOf(data, startsOf(data, conflicts));
  const errors = conflicts.slice(0, maxShown).map((conflict, at) => ({
    message: describe(conflict),
    ...places[at],
  }));
  const [number, are] =
    conflicts.length === 1 ? ["one conflict", "is"] : [`${conflicts.length} conflicts`, "are"];
  const message = `There ${are} ${number}. To keep both versions, set conflicts to markers.`;
  throw new ToolError("invalid_document", message, { errors });
}

/** Conflicts reported at most. */
const maxShown = 100;

/** Reports each conflict at its place in our version. */
export async function reportConflicts(data: string, options: Merging): Promise<Report> {
  const { conflicts } = await merge(data, options);
  const starts = startsOf(data, conflicts);
  const shown = conflicts.slice(0, maxShown).map((conflict, at) => ({
    message: describe(conflict),
    rule: "conflict",
    ...starts[at],
  }));
  const rest = conflicts.length - shown.length;
  if (rest > 0) shown.push({ message: `There are ${rest} more conflicts.`, rule: "conflict", index: 0 });
  return toReport(toFindings(data, shown));
}

const merge = (data: string, { base, other, conflicts, ...options }: Merging) =>
  mergeTexts([data, base, other], {
    ...options,
    resolve: conflicts === "markers" || conflicts === "error" ? undefined : conflicts,
  });

const describe = ({ line, count }: MergeConflict): string => {
  if (count === 0) return `Both versions change the text before line ${line + 1} of ours.`;
  return count === 1
    ? `Both versions change line ${line + 1} of ours.`
    : `Both versions change lines ${line + 1} to ${line + count} of ours.`;
};

/** Returns where the lines of conflicts begin, in UTF-16 code units. */
function startsOf(data: string, conflicts: readonly MergeConflict[]): { index: number }[] {
  let [line, index] = [0, 0];
  return conflicts.map((conflict) => {
    for (; line < conflict.line; line++) index = data.indexOf("\n", index) + 1 || data.length;
    return { index };
  });
}
