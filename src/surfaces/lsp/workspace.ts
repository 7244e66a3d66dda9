import { ToolError } from "../../catalog/errors.ts";
import type { Runner } from "../../catalog/run.ts";
import type { Check } from "../../checks/check-files.ts";
import { checkDocument, type CheckDeps, type Diagnostic, fixDocument, fixersOf } from "./check-document.ts";
import { createDocuments, type Documents, type OpenDocument } from "./documents.ts";
import { type FileChecks, type Folder, type FolderDeps, openFolder } from "./folder.ts";
import { codes, objectAt, type Params, RequestError } from "./message.ts";
import { fixAllKind, maxFolders, type Session, toPath, uriOf } from "./session.ts";
import { toEdit } from "./text-document.ts";

export interface WorkspaceDeps extends Omit<FolderDeps, "onMistake"> {
  runner: Pick<Runner, "admit" | "run">;
  /** Resolves after that many milliseconds. */
  sleep(ms: number): Promise<void>;
  notify(method: string, params: object): Promise<void>;
}

/** The folders of the workspace, and the documents that are open in it. */
export interface Workspace {
  readonly documents: Documents;
  /** Checks a document, unless it changes meanwhile, and publishes the diagnostics. */
  check(document: OpenDocument): Promise<void>;
  publish(uri: string, version: number | null, diagnostics: readonly Diagnostic[]): Promise<void>;
  /** Has the lists of checks read again; the documents are to be checked again. */
  forget(): void;
  /** Reports whether a document is one that a list of checks consists of. */
  isSource(uri: string): boolean;
  changeFolders(added: readonly string[], removed: readonly string[]): void;
  /** The edits that format a document. @throws RequestError */
  format(uri: string, signal: AbortSignal): Promise<object[]>;
  /** The actions that fix a document. @throws RequestError */
  actions(params: Params, signal: AbortSignal): Promise<object[]>;
  close(): void;
}

/** Milliseconds without a change before a document is checked. */
const quietMs = 120;

export function createWorkspace(session: Session, deps: WorkspaceDeps): Workspace {
  const { notify, sleep } = deps;
  const documents = createDocuments(session.encoding);
  const showMistake = (message: string): Promise<void> =>
    notify("window/showMessage", { type: 1, message: `penknife: ${message.slice(0, 2000)}` });
  const openFolders = (paths: readonly string[]): Folder[] =>
    paths.map((path) => openFolder(path, { ...deps, onMistake: (message) => void showMistake(message) }));
  let folders = openFolders(session.folders);

  const checking: CheckDeps = {
    catalog: deps.catalog,
    run: async (call, signal) => deps.runner.run(call, await deps.runner.admit({ kind: "local" }), signal),
  };

  /** Returns the checks of a document: those of the innermost folder that has it. */
  async function checksOf(uri: string): Promise<FileChecks | undefined> {
    const path = toPath(uri);
    const found = folders.flatMap((folder) => {
      const located = path === undefined ? undefined : folder.locate(path);
      return located === undefined ? [] : [{ folder, located }];
    });
    const [inner] = found.toSorted((a, b) => b.folder.path.length - a.folder.path.length);
    return inner?.folder.checksOf(inner.located);
  }

  const publish: Workspace["publish"] = (uri, version, diagnostics) =>
    notify("textDocument/publishDiagnostics", { uri, ...(version !== null && { version }), diagnostics });

  async function check({ uri, version, document, control: { signal } }: OpenDocument): Promise<void> {
    await sleep(quietMs);
    if (signal.aborted) return;
    let diagnostics: readonly Diagnostic[] = [];
    try {
      const found = await checksOf(uri);
      if (found !== undefined && found.checks.length > 0)
        diagnostics =
          document === undefined ? [notKept] : await checkDocument({ ...found, document }, checking, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ToolError)) throw error;
      await showMistake(error.message);
    }
    if (!signal.aborted) await publish(uri, version, diagnostics);
  }

  async function edit(uri: string, signal: AbortSignal, only?: Check): Promise<object[]> {
    const open = documents.get(uri);
    if (open === undefined) throw new RequestError(codes.invalidParams, "The document is not open.");
    const found = await checksOf(uri);
    if (open.document === undefined || found === undefined) return [];
    const checks = only === undefined ? found.checks : [only];
    const one = { ...found, checks, document: open.document };
    const text = await fixDocument(one, checking, signal);
    if (documents.get(uri) !== open)
      throw new RequestError(codes.contentModified, "The document has changed.");
    const change = toEdit(open.document, text);
    return change === undefined ? [] : [change];
  }

  return {
    documents,
    check,
    publish,
    format: (uri, signal) => edit(uri, signal),
    forget() {
      for (const folder of folders) folder.forget();
    },
    isSource(uri) {
      const path = toPath(uri);
      return path !== undefined && folders.some((folder) => folder.isSource(path));
    },
    changeFolders(added, removed) {
      const gone = new Set(removed);
      const left = folders.map(({ path }) => path).filter((path) => !gone.has(path));
      folders = openFolders([...new Set([...left, ...added])].slice(0, maxFolders));
    },
    async actions(params, signal) {
      const uri = uriOf(params);
      const { only } = objectAt(params, "context");
      const wants = (kind: string): boolean =>
        !Array.isArray(only) || only.some((one) => kind === one || kind.startsWith(`${String(one)}.`));
      const fixers = fixersOf((await checksOf(uri))?.checks ?? []);
      const made: object[] = [];
      const add = async (title: string, kind: string, one?: Check): Promise<void> => {
        const edits = await edit(uri, signal, one);
        if (edits.length > 0) made.push({ title, kind, edit: { changes: { [uri]: edits } } });
      };
      if (wants("quickfix"))
        for (const one of fixers) await add(`Fix with ${one.tool.slug}`, "quickfix", one);
      if (wants(fixAllKind) && fixers.length > 0) await add("Fix all that penknife can fix", fixAllKind);
      return made;
    },
    close() {
      for (const { control } of documents.all()) control.abort();
    },
  };
}

const notKept: Diagnostic = {
  range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
  severity: 2,
  code: "penknife/not-kept",
  source: "penknife",
  message:
    "The document is too large to be checked here, or changed too much at once. penknife check reads it from its file.",
};
