import { dirname, join, resolve } from "node:path";
import { decodeFileName, showFileName } from "../../lib/file-name.ts";
import type { FileAccess } from "../files.ts";
import { isInside } from "../inside.ts";
import { parseConfigText } from "./config-text.ts";
import { GitError } from "./run-git.ts";

export interface OwnSettingsDeps {
  /** The folder that has the entry `.git`, absolute. */
  root: string;
  gitDir: string;
  commonDir: string;
  files: Pick<FileAccess, "readRegular" | "realPath">;
}

/**
 * Reads the settings that the repository brings itself, the last of each name. Git cannot be kept from reading what its
 * configuration includes, so a file outside of the repository must not be included.
 * @throws GitError
 */
export function readOwnSettings({ root, gitDir, commonDir, files }: OwnSettingsDeps): Map<string, string> {
  const settings = new Map<string, string>();
  const seen = new Set<string>();
  const allowed = [root, gitDir, commonDir].map((folder) => files.realPath(folder));
  const isAllowed = (real: string): boolean => allowed.some((folder) => isInside(folder, real));

  function readConfig(path: string): void {
    // Files that include one another in turn would be read without end.
    if (seen.has(path)) return;
    seen.add(path);
    const text = readText(path);
    if (text === undefined) return;
    for (const { name, value = "true" } of parse(text, path)) {
      settings.set(name, value);
      if (/^include(?:if\..*)?\.path$/s.test(name)) include(value, path);
    }
  }

  /** A condition of the inclusion is taken for true: Git knows more of them than we do. */
  function include(value: string, from: string): void {
    const path = resolve(dirname(from), toPath(value));
    const real = files.realPath(path);
    if (!isPlainPath(value) || !isAllowed(real))
      throw new GitError(
        `The configuration of ${showFileName(root)} includes ${showFileName(toPath(value))}, which is outside of it, and Git would read that. Include it from your own configuration: git config --global`,
        { usage: true },
      );
    readConfig(real);
  }

  /** Returns a file as bytes, one a character; undefined if there is none. */
  function readText(path: string): string | undefined {
    const real = files.realPath(path);
    const found = isAllowed(real) ? files.readRegular(real, maxBytes) : "link";
    if (found === "missing") return undefined;
    if (typeof found === "object" && "bytes" in found) return Buffer.from(found.bytes).toString("latin1");
    throw new GitError(`${showFileName(path)} is no configuration of Git that can be read.`, { usage: true });
  }

  readConfig(join(commonDir, "config"));
  // Whether Git reads this one depends on a setting of the other.
  readConfig(join(gitDir, "config.worktree"));
  return settings;
}

/** Reports whether a setting is true, as Git reads it. */
export const isTrue = (value: string | undefined): boolean =>
  value !== undefined && /^(?:true|yes|on|0*[1-9]\d*)$/i.test(value);

/** Returns the path in a setting, relative to the folder that Git runs in. */
export const toPath = (value: string): string => decodeFileName(Buffer.from(value, "latin1"));

/** Reports whether a setting names a regular file of the repository itself. */
export function namesOwnFile(
  value: string,
  { root, files }: Pick<OwnSettingsDeps, "root" | "files">,
): boolean {
  if (!isPlainPath(value)) return false;
  const real = files.realPath(resolve(root, toPath(value)));
  return isInside(files.realPath(root), real) && typeof files.readRegular(real, 0) === "object";
}

/** Git expands ~ and %(prefix), and its versions differ about spaces other than the plain one. */
const isPlainPath = (value: string): boolean =>
  value !== "" && !/^[~%]/.test(value) && !Array.from(value).some((character) => character < " ");

/** Largest configuration, in bytes. */
const maxBytes = 4 * 1024 * 1024;

function parse(text: string, path: string): ReturnType<typeof parseConfigText> {
  try {
    return parseConfigText(text);
  } catch (error) {
    throw new GitError(`${showFileName(path)}: ${(error as Error).message}`, { usage: true });
  }
}
