import { basename, relative, resolve } from "node:path";
import type { Catalog } from "../../catalog/catalog.ts";
import { ToolError } from "../../catalog/errors.ts";
import type { Check } from "../../checks/check-files.ts";
import type { FileAccess } from "../../checks/files.ts";
import { GitError } from "../../checks/git/run-git.ts";
import { isInside } from "../../checks/inside.ts";
import { createLeftOutCount } from "../../checks/left-out.ts";
import { type OpenedChecks, openChecks } from "../../checks/open-checks.ts";
import { planChecks } from "../../checks/plan.ts";
import { createSettingsReader, type ReadSettings } from "../../checks/settings-above.ts";
import { isInDotGit } from "../../lib/dot-git.ts";

export interface FolderDeps {
  catalog: Catalog;
  /** Slugs that the configuration switches off. */
  disabled: readonly string[];
  /** The environment of this process, for Git. */
  env: Readonly<Record<string, string | undefined>>;
  /** Returns the files of this machine, with a folder as the current one. */
  openFiles(folder: string): FileAccess;
  /** Called with the mistakes of a list of checks, once for each state of it. */
  onMistake(message: string): void;
}

/** The checks of a file, and what they need. */
export interface FileChecks {
  /** For messages, and relative to the folder. */
  name: string;
  checks: readonly Check[];
  readSettings: ReadSettings;
}

/** A folder of the editor's workspace, with its list of checks. */
export interface Folder {
  /** As the client named it, absolute. */
  readonly path: string;
  /** Returns the path without links of a file in the folder; undefined if it leads out of it, or into `.git`. */
  locate(path: string): string | undefined;
  /** Returns the checks of a file by its located path, and its name in messages; none if nothing checks it. */
  checksOf(located: string): Promise<FileChecks>;
  /** Reports whether a path is that of a list, of settings, or of a document that the list names. */
  isSource(path: string): boolean;
  /** Has the list read again before the next check. */
  forget(): void;
}

/**
 * Opens a folder. Only the list of checks and the documents that it names are read there, by the rules of `penknife check`: nothing
 * out of the repository, through no link, and none of its programs runs.
 */
export function openFolder(path: string, deps: FolderDeps): Folder {
  const files = deps.openFiles(path);
  let opening: Promise<OpenedChecks | undefined> | undefined;
  let known: OpenedChecks | undefined;
  let told: string | undefined;

  async function open(): Promise<OpenedChecks | undefined> {
    try {
      known = await openChecks(undefined, { ...deps, files });
      told = undefined;
      return known;
    } catch (error) {
      if (!(error instanceof ToolError || error instanceof GitError)) throw error;
      known = undefined;
      if (error.message !== told) deps.onMistake(error.message);
      told = error.message;
      return undefined;
    }
  }

  return {
    path,
    locate(named) {
      const root = files.realPath(path);
      const located = files.realPath(named);
      return isInside(root, located) && located !== root && !isInDotGit(relative(root, located))
        ? located
        : undefined;
    },
    async checksOf(located) {
      const opened = await (opening ??= open());
      const name = relative(files.realPath(path), located);
      // Settings are small, and may have changed since the last check.
      const readSettings = createSettingsReader(files);
      if (opened === undefined) return { name, checks: [], readSettings };
      const inList = relative(files.realPath(opened.folder), located);
      const source = {
        paths: [inList],
        ignored: new Set<string>(),
        read: async () => "skipped" as const,
        close: () => undefined,
      };
      const { file } = opened;
      const [found] = planChecks({
        file,
        entries: file.entries,
        source,
        toName: () => name,
        leftOut: createLeftOutCount(),
        named: false,
      }).files;
      return { name, checks: found?.checks ?? [], readSettings };
    },
    isSource: (changed) =>
      /^(?:penknife\.checks\.yaml|\.editorconfig)$/.test(basename(changed)) ||
      (known?.sources.has(resolve(changed)) ?? false),
    forget() {
      opening = undefined;
    },
  };
}
