import type { App } from "../../app.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { FileAccess } from "../../checks/files.ts";
import type { ConfigSearch, ConfigSources, FoundFile, LoadedSettings } from "../../config.ts";
import type { PipelineFolder } from "../../catalog/pipelines.ts";
import type { Runtime } from "../../runtime.ts";
import type { Limits } from "../../services/workers/limits.ts";
import type { Pool } from "../../services/workers/pool.ts";
import type { EditorDeps } from "../lsp/serve-editor.ts";
import type { AgentDeps } from "../mcp/stdio/serve-agent.ts";

/** An output stream. `write` resolves when the chunk is flushed, and rejects with EPIPE when the reader is gone. */
export interface Output {
  readonly isTTY: boolean;
  /** Width of the terminal; undefined or 0 if unknown. */
  readonly columns?: number;
  write(chunk: string | Uint8Array): Promise<void>;
}

export interface Input {
  readonly isTTY: boolean;
  /** Reads to the end. @throws TooManyBytesError beyond `max` bytes. */
  readAll(max: number): Promise<Uint8Array>;
  /** Reads to the end if there are at most `max` bytes, and returns the chunks of more. */
  readOrStream(max: number): Promise<Uint8Array | AsyncIterable<Uint8Array>>;
  /** Reads in chunks, for input that may be larger than memory. */
  chunks(): AsyncIterable<Uint8Array>;
}

export interface Files extends FileAccess {
  /** Reads a file that nobody has named; undefined if there is none. @param uid The user of this process. */
  readFound(path: string, uid: number | undefined): Promise<FoundFile | undefined>;
  /** @throws TooManyBytesError if the file has more than `max` bytes. */
  readBytes(path: string, max: number): Promise<Uint8Array>;
  /** Reads a file of at most `max` bytes to its end, and returns the chunks of a larger one. */
  readOrStream(path: string, max: number): Promise<Uint8Array | AsyncIterable<Uint8Array>>;
  /** Returns the names in a folder; undefined if there is none. */
  list(path: string): string[] | undefined;
  /**
   * Describes a path; undefined if nothing is there. `owner` is a user id; `regular` is false for pipes, devices and
   * the like.
   */
  stat(path: string): { kind: "file" | "folder"; owner: number; regular: boolean } | undefined;
}

export type SignalName = "SIGINT" | "SIGTERM" | "SIGHUP";

export type SettingsSources = Omit<ConfigSources, "slugs">;

export interface PoolOptions extends Limits {
  workers: number;
  runtime: Runtime;
}

/** The permissions of an agent on this machine. */
export type AgentOptions = Pick<
  AgentDeps,
  "catalog" | "runner" | "root" | "allowWrite" | "selection" | "disabled"
>;

/** The tools that an editor is served with, and their runner. */
export type EditorOptions = Pick<EditorDeps, "catalog" | "runner" | "disabled">;

/** The implementation behind the commands; each part is loaded on first use. */
export interface Program {
  loadConfig(sources: SettingsSources): Promise<LoadedSettings>;
  /** Reads the file that `loadConfig` uses, if any. @throws ToolError if a named file is missing. */
  findConfigFile(sources: Omit<SettingsSources, "flags" | "found">): Promise<ConfigSearch>;
  /** Reports whether the value of an option, as `section.name`, is never shown. */
  isSecret(option: string): Promise<boolean>;
  /** @throws ToolError for a pipeline file with an invalid name; faults in its content are thrown by `get`. */
  catalog(disabled: readonly string[], pipelines?: PipelineFolder): Promise<Catalog>;
  /** The GraphQL schema of these tools and the account, as SDL. */
  schema(catalog: Catalog): Promise<string>;
  /** Creates workers for tools that must be stoppable; each is started on first use. */
  createPool(options: PoolOptions): Promise<Pick<Pool, "run" | "close">>;
  /** Tests names against a glob without slashes, in which wildcards match a dot too. @throws ToolError invalid_input */
  matcher(glob: string): Promise<(name: string) => boolean>;
  createApp(settings: LoadedSettings, host: Host): Promise<App>;
  /** Serves an agent over standard input and output until the input ends. @throws ToolError, if the folder cannot be opened. */
  serveAgent(options: AgentOptions, host: Host): Promise<void>;
  /** Serves an editor over standard input and output, and returns the exit status. */
  serveEditor(options: EditorOptions, host: Host): Promise<number>;
  /** `commit` is empty if unknown. */
  build(): Promise<{ version: string; commit: string }>;
  /** Undefined in a source tree: the build collects them. */
  licenses(): Promise<string | undefined>;
}

/** The process as commands see it; tests substitute their own. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The word by which a shell in the current folder runs this program: `penknife`, `./penknife`, `dist/penknife`. */
  readonly self: string;
  /** The arguments of the command line; `runCli` sets them. */
  readonly line?: readonly string[];
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly files: Files;
  readonly program: Program;
  readonly pid: number;
  readonly uid?: number;
  /** The user for the audit trail: a name, or the user id if it has none. */
  userName(): string;
  hostName(): string;
  /** Whether this process is the entry point of a container, and not a command typed inside one. */
  readonly entryPoint: boolean;
  /** The version of Node inside, such as `26.10.0`. */
  readonly node: string;
  /** Operating system and processor, such as `linux-x64`. */
  readonly platform: string;
  /** Available processors. */
  readonly processors: number;
  runtime: Runtime;
  /** Milliseconds of CPU time that this process has used. */
  cpu(): number;
  /** Calls the handler on each arrival of the signal; returns a function that removes it. */
  onSignal(name: SignalName, handler: () => void): () => void;
  /** Sends this process a signal. Without a handler it ends the process, which a shell sees as exit status 130. */
  raise(name: SignalName): void;
  /** Sets the handler for uncaught errors, which is called before the process ends. */
  onFault(handler: (error: unknown) => void): void;
}
