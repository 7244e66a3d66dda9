import { readlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { decodeFileName, encodeFileName } from "../lib/file-name.ts";

/** Links that one path may lead through, as Linux has it. */
const maxLinks = 40;

/**
 * Returns where a path leads after links, also if nothing is there: a link to nothing leads to its target. A path with too many
 * links is returned as it is.
 * @param path Absolute.
 * @param onStep Called with each name on the way, as an absolute path; it may throw.
 */
export function followLinks(path: string, onStep: (at: string) => void = () => undefined): string {
  let at = "/";
  const rest = split(path);
  for (let links = 0; rest.length > 0;) {
    const name = rest.pop() ?? "";
    const next = name === ".." ? dirname(at) : join(at, name);
    onStep(next);
    const target = name === ".." ? undefined : readLink(next);
    if (target === undefined) at = next;
    else {
      if (++links > maxLinks) return path;
      if (target.startsWith("/")) at = "/";
      rest.push(...split(target));
    }
  }
  return at;
}

/** The names of a path, the last first. */
const split = (path: string): string[] =>
  path
    .split("/")
    .filter((name) => name !== "" && name !== ".")
    .toReversed();

function readLink(path: string): string | undefined {
  try {
    return decodeFileName(readlinkSync(encodeFileName(path), "buffer"));
  } catch {
    // No link, nothing at all, or none of ours.
    return undefined;
  }
}
