import { fileURLToPath } from "node:url";
import { isObject } from "../../lib/is-object.ts";
import { codes, objectAt, type Params, RequestError, textAt } from "./message.ts";
import type { Encoding } from "./text-document.ts";

/** The agreement of client and server in `initialize`. */
export interface Session {
  encoding: Encoding;
  /** Absolute paths of the folders of the workspace. */
  folders: readonly string[];
  /** Whether the client reports changes of files if it is asked to. */
  watches: boolean;
}

/** Most folders of a workspace. */
export const maxFolders = 100;

const encodings: readonly Encoding[] = ["utf-8", "utf-16", "utf-32"];

/** Reads the parameters of `initialize`. @throws RequestError */
export function readInitialize(params: Params): Session {
  const capabilities = isObject(params["capabilities"]) ? params["capabilities"] : {};
  const { general, workspace } = capabilities as Params;
  const offered =
    isObject(general) && Array.isArray(general["positionEncodings"]) ? general["positionEncodings"] : [];
  const watching = isObject(workspace) ? workspace["didChangeWatchedFiles"] : undefined;
  return {
    encoding:
      ((offered as readonly unknown[]).find((one) => encodings.includes(one as Encoding)) as Encoding) ??
      "utf-16",
    folders: readFolders(params),
    watches: isObject(watching) && watching["dynamicRegistration"] === true,
  };
}

/** The folders of the workspace; clients from before these name one root. */
function readFolders({ workspaceFolders, rootUri, rootPath }: Params): readonly string[] {
  if (Array.isArray(workspaceFolders)) return toPaths(workspaceFolders);
  const root = typeof rootUri === "string" ? toPath(rootUri) : undefined;
  if (root !== undefined) return [root];
  return typeof rootPath === "string" && rootPath.startsWith("/") ? [rootPath] : [];
}

/** Returns the paths of folders of the workspace, without those that are no files. */
export const toPaths = (folders: unknown): readonly string[] =>
  (Array.isArray(folders) ? folders : [])
    .slice(0, maxFolders)
    .flatMap((one) => (isObject(one) && typeof one["uri"] === "string" ? (toPath(one["uri"]) ?? []) : []));

/** Returns the path of a URI; undefined if it names no file of this machine, as untitled documents do not. */
export function toPath(uri: string): string | undefined {
  if (!/^file:/i.test(uri) || uri.length > 10_000) return undefined;
  try {
    const path = fileURLToPath(uri);
    return path.includes("\0") ? undefined : path;
  } catch {
    return undefined;
  }
}

/** The capabilities of the server: checks, formatting and fixes, and nothing else. */
export const toCapabilities = (encoding: Encoding): object => ({
  positionEncoding: encoding,
  textDocumentSync: { openClose: true, change: 2, save: { includeText: false } },
  documentFormattingProvider: true,
  codeActionProvider: { codeActionKinds: ["quickfix", fixAllKind] },
  workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
});

/** The parameters by which a client is asked to report changes of lists of checks. */
export const watching: object = {
  registrations: [
    {
      id: "penknife-lists",
      method: "workspace/didChangeWatchedFiles",
      registerOptions: { watchers: [{ globPattern: "**/{penknife.checks.yaml,.editorconfig}" }] },
    },
  ],
};

/** The kind of the action that an editor may run whenever it saves a file. */
export const fixAllKind = "source.fixAll.penknife";

/** The URI of the document of a request. @throws RequestError */
export function uriOf(params: Params): string {
  const uri = textAt(objectAt(params, "textDocument"), "uri");
  if (uri.length > 10_000) throw new RequestError(codes.invalidParams, "A URI is too long.");
  return uri;
}
