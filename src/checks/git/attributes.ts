import { join, relative } from "node:path";
import { encodeFileName } from "../../lib/file-name.ts";
import type { Repository } from "./environment.ts";
import { requireRegular } from "./ignore-rules.ts";
import { runGit, splitNul, startGit } from "./run-git.ts";

const names = ["text", "crlf", "eol", "filter", "ident", "working-tree-encoding"] as const;
type Attributes = Partial<Record<(typeof names)[number], string>>;

/** A file that is a blob if Git converts its line ends, and whether Git would take it for binary. */
export interface Candidate {
  path: string;
  isBinary: boolean;
}

/**
 * Returns those of the files whose line ends Git converts when it stores them, and of which it converts nothing else
 * (gitattributes(5); `convert_attrs` and `crlf_to_git` in convert.c). Git reads the attributes, and runs nothing for that.
 * @throws GitError
 */
export async function findConverted(
  repository: Repository,
  folder: string,
  candidates: readonly Candidate[],
): Promise<Set<string>> {
  if (candidates.length === 0) return new Set();
  const known = new Set<string>();
  const inside = relative(repository.root, folder);
  for (const { path } of candidates)
    requireRegular(repository.root, join(inside, path), ".gitattributes", known);
  const [all, autocrlf] = await Promise.all([
    readAttributes(
      repository,
      folder,
      candidates.map(({ path }) => path),
    ),
    readAutocrlf(repository, folder),
  ]);
  const converted = candidates.filter(({ isBinary }, at) => isConverted(all[at] ?? {}, autocrlf, isBinary));
  return new Set(converted.map(({ path }) => path));
}

async function readAttributes(
  repository: Repository,
  folder: string,
  paths: readonly string[],
): Promise<Attributes[]> {
  const git = startGit(repository, folder, ["check-attr", "--stdin", "-z", ...names]);
  for (const path of paths) git.write(Buffer.concat([Buffer.from(encodeFileName(path)), Uint8Array.of(0)]));
  git.end();
  const pieces: Uint8Array[] = [];
  for await (const piece of git.output) pieces.push(piece);
  const fields = [...splitNul(Buffer.concat(pieces))].map((field) => field.toString("latin1"));
  // Path, name and value, for each name of each path.
  return paths.map((_, path) =>
    Object.fromEntries(names.map((name, at) => [name, fields[(path * names.length + at) * 3 + 2]])),
  );
}

async function readAutocrlf(repository: Repository, folder: string): Promise<boolean> {
  let value = "";
  for (const setting of splitNul(await runGit(repository, folder, ["config", "-z", "--list"]))) {
    const [, found] = /^core\.autocrlf\n(.*)$/s.exec(setting.toString("latin1")) ?? [];
    if (found !== undefined) value = found;
    else if (setting.toString("latin1") === "core.autocrlf") value = "true";
  }
  return /^(?:input|true|yes|on|[1-9]\d*)$/i.test(value);
}

/** "auto" if what the file looks like decides. */
type Kind = "text" | "binary" | "auto" | undefined;

function isConverted(attributes: Attributes, autocrlf: boolean, isBinary: boolean): boolean {
  const { text, crlf, eol, filter, ident, "working-tree-encoding": encoding } = attributes;
  if (isGiven(filter) || isGiven(encoding) || ident === "set") return false;
  let kind = kindOf(text) ?? kindOf(crlf);
  if (kind !== "binary" && (eol === "lf" || eol === "crlf")) kind ??= "text";
  kind ??= autocrlf ? "auto" : "binary";
  return kind === "text" || (kind === "auto" && !isBinary);
}

const isGiven = (value = "unspecified"): boolean => value !== "unspecified" && value !== "unset";

const kindOf = (value: string | undefined): Kind => kinds.get(value);

const kinds: ReadonlyMap<string | undefined, Kind> = new Map<string | undefined, Kind>([
  ["set", "text"],
  ["unset", "binary"],
  ["input", "text"],
  ["auto", "auto"],
]);
