import { basename, dirname, join, relative, resolve } from "node:path";
import type { CatalogTool } from "../../../catalog/catalog.ts";
import { ToolError } from "../../../catalog/errors.ts";
import { invalidField } from "../../../catalog/input.ts";
import { applyIgnores } from "../../../checks/apply-ignores.ts";
import { createBaseline, readBaseline } from "../../../checks/baseline.ts";
import { checkFiles, type FileToCheck } from "../../../checks/check-files.ts";
import type { FileAccess } from "../../../checks/files.ts";
import { openRepository } from "../../../checks/git/open-repository.ts";
import { GitError } from "../../../checks/git/run-git.ts";
import { createLeftOutCount, type LeftOutCount } from "../../../checks/left-out.ts";
import { addContext } from "../../../checks/finding-context.ts";
import { followLinks } from "../../../checks/follow-links.ts";
import { isInside } from "../../../checks/inside.ts";
import { openChecks } from "../../../checks/open-checks.ts";
import { limitOf, planChecks } from "../../../checks/plan.ts";
import { type SelectDeps, selectFiles, type SelectedFiles } from "../../../checks/select-files.ts";
import { createSettingsReader } from "../../../checks/settings-above.ts";
import { toSeverityWord } from "../../../checks/severity.ts";
import type { CheckedFile, FileFinding } from "../../../checks/verdict.ts";
import { counted } from "../../../lib/counted.ts";
import { showFileName } from "../../../lib/file-name.ts";
import { isDotGit, isInDotGit } from "../../../lib/dot-git.ts";
import { mustBe } from "../../../lib/must.ts";
import { findBySlug, requireKnown, type RunDeps } from "../compact-tools.ts";
import type { Params } from "../protocol/message.ts";
import { type CallResult, toPlainResult } from "../results.ts";
import type { AgentTool } from "../tool.ts";

export interface CheckDeps extends RunDeps {
  /** The file system, whose current folder is the root. */
  files: FileAccess;
  /** The environment of this process, for Git. */
  env: Readonly<Record<string, string | undefined>>;
  /** Slugs that the configuration switches off. */
  disabled: readonly string[];
  /** Files that are checked at once. */
  width: number;
}

/** Most findings that are shown; a model mends some, and checks again. */
const maxShown = 100;
/** Most patterns of one call. */
const maxWords = 100;

/** `check_files`: the checks of `penknife.checks.yaml`, or of one tool, over files below the root. */
export const checkFilesTool = (deps: CheckDeps): AgentTool => ({
  definition: {
    name: "check_files",
    title: "Check files",
    description:
      "Check files by penknife.checks.yaml, or with one validator or formatter. Lists findings with their places; changes nothing.",
    inputSchema: {
      type: "object",
      properties: {
        files: {
          type: "array",
          items: { type: "string" },
          description: "Names, folders or patterns such as src/**/*.json; all if left out",
        },
        tool: { type: "string", description: "The slug of a tool, in place of penknife.checks.yaml" },
      },
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  async run({ arguments: given }, ticket, { caller }) {
    requireKnown(given, ["files", "tool"]);
    const { catalog, runner, width } = deps;
    const words = readWords(given, deps.files);
    const { tool: slug } = given;
    if (slug !== undefined && typeof slug !== "string")
      throw invalidField("tool", mustBe("the slug of a tool", slug));
    const leftOut = createLeftOutCount();
    const files = confine(deps.files, leftOut);
    const found = await (
      slug === undefined
        ? planList(words, files, leftOut, deps)
        : planOne(await findBySlug(catalog, slug), words, files, leftOut, deps)
    ).catch(fromGit);
    try {
      const tickets = [ticket];
      const verdicts: CheckedFile[] = [...found.unread];
      const checked = checkFiles({
        files: found.files,
        width,
        finish(file, ended, bytes) {
          const left = applyIgnores(ended, bytes, catalog.has);
          return found.withoutKnown?.(left, file.name, bytes) ?? left;
        },
        onBinary: (name) => leftOut.add("binary", name),
        readSettings: createSettingsReader(files),
        run: async (call) => runner.run(call, tickets.pop() ?? (await caller.admit()), caller.signal),
      });
      for await (const one of checked) {
        caller.signal.throwIfAborted();
        verdicts.push(one);
      }
      return toSummary(verdicts, leftOut);
    } finally {
      found.close();
    }
  },
});

interface Plan {
  files: readonly FileToCheck[];
  unread: readonly CheckedFile[];
  /** Moves the findings that the baseline of the list has to the suppressed ones. */
  withoutKnown?(verdicts: readonly CheckedFile[], name: string, bytes: Uint8Array): readonly CheckedFile[];
  close(): void;
}

async function planList(
  words: readonly string[],
  files: FileAccess,
  leftOut: LeftOutCount,
  { catalog, disabled, env, files: everywhere }: CheckDeps,
): Promise<Plan> {
  // The list of checks, and the schemas that it names, may lie above the root, up to that of the repository.
  const opened = await openChecks(undefined, { catalog, disabled, files: everywhere, env });
  const enterIgnored = opened.file.entries.some(({ includeIgnored }) => includeIgnored);
  const { source, unread, named } = await select(words, { ...opened, enterIgnored }, files, leftOut);
  const toName = (path: string): string => relative(files.cwd, join(opened.folder, path));
  const { file } = opened;
  const plan = planChecks({ file, entries: file.entries, source, toName, leftOut, named });
  const { baseline } = opened;
  if (baseline === undefined) return { files: plan.files, unread, close: source.close };
  const { apply } = createBaseline(
    readBaseline(everywhere.readText(everywhere.realPath(baseline)) ?? "", showFileName(file.baseline ?? "")),
    false,
  );
  const root = opened.repository?.root ?? opened.folder;
  return {
    // A file of known findings is no document of its own.
    files: plan.files.filter(({ name }) => resolve(files.cwd, name) !== baseline),
    unread,
    withoutKnown(verdicts, name, bytes) {
      const path = relative(root, resolve(files.cwd, name));
      return verdicts.map((one) => apply(addContext(one, path, bytes), path));
    },
    close: source.close,
  };
}

async function planOne(
  tool: CatalogTool,
  words: readonly string[],
  files: FileAccess,
  leftOut: LeftOutCount,
  { env, files: everywhere }: CheckDeps,
): Promise<Plan> {
  if (tool.check === undefined)
    throw invalidField("tool", `${tool.slug} neither validates nor formats a document.`);
  if (words.length === 0) throw invalidField("files", "Is required with tool.");
  const folder = files.cwd;
  const repository = await openRepository(folder, { files: everywhere, env });
  const { source, unread } = await select(words, { folder, repository, enterIgnored: false }, files, leftOut);
  const checks = [{ tool, options: [], toRefusal: (error: ToolError) => error }];
  const limit = limitOf(checks);
  const chosen = source.paths
    .filter((path) => !source.ignored.has(path))
    .map((path) => ({
      name: path,
      checks,
      read: async () => source.read(path, limit),
    }));
  return { files: chosen, unread, close: source.close };
}

/** Selects files below the root only: an agent has no access to others of the same repository. */
async function select(
  words: readonly string[],
  tree: Pick<SelectDeps, "folder" | "repository" | "enterIgnored">,
  files: FileAccess,
  leftOut: LeftOutCount,
): Promise<SelectedFiles> {
  const chosen = words.length === 0 && tree.folder !== files.cwd ? ["."] : words;
  return selectFiles({ words: chosen }, { ...tree, files, leftOut, warn: async () => undefined });
}

/** @throws ToolError for a name that leads out of the root. */
function readWords({ files: given = [] }: Params, { cwd }: FileAccess): readonly string[] {
  if (!Array.isArray(given) || given.some((word) => typeof word !== "string"))
    throw invalidField("files", mustBe("a list of names, folders or patterns", given));
  if (given.length > maxWords)
    throw invalidField("files", `Must have at most ${maxWords} entries, got ${given.length}.`);
  for (const word of given as readonly string[])
    if (word === "" || word === "-" || word.includes("\0") || !isInside(cwd, resolve(cwd, word)))
      throw notBelow(word);
  return given as readonly string[];
}

const notBelow = (word: string): ToolError =>
  invalidField(
    "files",
    `${JSON.stringify(word.slice(0, 200))} is no name or pattern below the folder that this server was started for.`,
  );

/** Nothing out of the root is there, whatever a link says, and neither is `.git`. */
function confine(files: FileAccess, leftOut: LeftOutCount): FileAccess {
  const root = files.realPath(files.cwd);
  const isBelow = (path: string): boolean => {
    const found = followLinks(resolve(files.cwd, path));
    return isInside(root, found) && !isInDotGit(relative(root, found));
  };
  return {
    ...files,
    stat: (path) => (isBelow(path) ? files.stat(path) : undefined),
    readRegular(path, max) {
      if (isBelow(dirname(path)) && !isDotGit(basename(path))) return files.readRegular(path, max);
      leftOut.add("link", path);
      return "missing";
    },
  };
}

function fromGit(error: unknown): never {
  if (error instanceof GitError) throw new ToolError("invalid_input", error.message);
  throw error;
}

function toSummary(verdicts: readonly CheckedFile[], leftOut: LeftOutCount): CallResult {
  const names = new Set(verdicts.map(({ name }) => name));
  const findings = verdicts.flatMap(({ name, tool, errors }) =>
    errors.map((finding) => toLine(name, tool, finding)),
  );
  const shown = findings.slice(0, maxShown);
  if (findings.length > shown.length) shown.push(`… and ${findings.length - shown.length} more findings.`);
  const omitted = leftOut.all().map(({ reason, files }) => `${files} (${reason})`);
  const hidden = verdicts.flatMap(({ suppressed = [] }) => suppressed);
  const byComment = hidden.filter(({ by }) => by === "comment").length;
  const ignored =
    (byComment === 0 ? "" : `, ${byComment} ignored by comments`) +
    (hidden.length === byComment ? "" : `, ${hidden.length - byComment} in the baseline`);
  const counts = `${counted(names.size, "file")} checked, ${counted(findings.length, "finding")}${ignored}.`;
  const rest = omitted.length === 0 ? "" : ` Left out: ${omitted.join(", ")}.`;
  return toPlainResult([...shown, `${counts}${rest}`].join("\n"));
}

function toLine(name: string, tool: CatalogTool | undefined, finding: FileFinding): string {
  const { line, column, message, rule } = finding;
  const place = [showFileName(name), line, column].filter((part) => part !== undefined).join(":");
  const by = tool === undefined || rule === tool.slug ? rule : `${tool.slug}/${rule}`;
  return `${place}: ${toSeverityWord("human", finding)}${message} (${by})`;
}
