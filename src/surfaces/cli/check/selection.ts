import type { Changes } from "../../../checks/git/changes.ts";
import type { FileRequest } from "../../../checks/select-files.ts";
import { decodeFileName } from "../../../lib/file-name.ts";
import type { Host } from "../host.ts";
import { readDocument } from "../read-document.ts";
import { usageError } from "../usage-error.ts";

/** The options that choose files, with a tool and without. */
export const selectionArgs = {
  "files-from": {
    type: "string",
    valueHint: "FILE",
    description: "Read the names of the files from FILE, one a line or separated by NUL; - is standard input",
  },
  null: { type: "boolean", description: "The names of --files-from are separated by NUL, even a single one" },
  staged: {
    type: "boolean",
    description: "Check what the next commit changes, as it is in the index of Git",
  },
  changed: { type: "boolean", description: "Check what differs from the last commit, and untracked files" },
  since: { type: "string", valueHint: "REF", description: "Check what changed since this branch left REF" },
  lines: {
    type: "boolean",
    description: "With --since, --changed or --staged: report findings on changed lines only",
  },
  "include-ignored": { type: "boolean", description: "Check files that Git ignores, too" },
  against: {
    type: "string",
    valueHint: "REF",
    description:
      "Compare with the files of this commit, with tools that compare versions, such as openapi-differ",
  },
} as const;

export interface SelectionLine {
  "files-from"?: string;
  null?: boolean;
  staged?: boolean;
  changed?: boolean;
  since?: string;
  lines?: boolean;
  "include-ignored"?: boolean;
  against?: string;
  /** Names, folders and patterns. */
  _: string[];
}

/** @throws ToolError if two options contradict each other, or the list of names cannot be read. */
export async function readSelection(line: SelectionLine, host: Host): Promise<FileRequest> {
  const { staged, changed, since, null: byNul, "files-from": list } = line;
  const given = [
    staged === true && "--staged",
    changed === true && "--changed",
    since !== undefined && "--since",
    list !== undefined && "--files-from",
  ].filter((flag) => flag !== false);
  if (given.length > 1) throw usageError(`Give ${given[0]} or ${given[1]}, not both.`);
  if (byNul === true && list === undefined)
    throw usageError("--null is about --files-from; add --files-from FILE.");
  if (line.lines === true && staged !== true && changed !== true && since === undefined)
    throw usageError("--lines is about changes; add --since REF, --changed or --staged.");
  const changes: Changes | undefined =
    staged === true
      ? { kind: "staged" }
      : changed === true
        ? { kind: "changed" }
        : since === undefined
          ? undefined
          : { kind: "since", revision: since };
  return {
    words: line._,
    ...(list !== undefined && { names: await readNames(list, byNul === true, host) }),
    ...(changes && { changes }),
  };
}

/**
 * Reads a list of names, as `git diff --name-only -z`, `find -print0` and `ls` write it. A NUL in the list separates its
 * names, which may then contain line breaks.
 */
async function readNames(file: string, byNul: boolean, host: Host): Promise<string[]> {
  const document = await readDocument(file, host);
  const bytes = Buffer.from(document.bytes.buffer, document.bytes.byteOffset, document.bytes.length);
  const separator = byNul || bytes.includes(0) ? 0 : 10;
  const names: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(separator, at);
    const stop = end === -1 ? bytes.length : end;
    const name = bytes.subarray(at, separator === 10 && bytes[stop - 1] === 13 ? stop - 1 : stop);
    if (name.length > 0) names.push(decodeFileName(name));
    at = stop + 1;
  }
  return names;
}
