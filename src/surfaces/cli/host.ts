import type { Catalog } from "../../catalog/catalog.ts";
import type { FileAccess } from "../../checks/files.ts";
import type { Answer, Call } from "../../catalog/execute.ts";
import type { Isolation } from "../../catalog/tool.ts";
import type { Config } from "../../options.ts";
import type { Runner } from "../../catalog/run.ts";
import type { PipelineFolder } from "../../catalog/pipelines.ts";
import type { RunningApp } from "./running-app.ts";
import type { Runtime } from "../../runtime.ts";

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
  /** Reads in chunks, for input that may be larger than memory. */
  chunks(): AsyncIterable<Uint8Array>;
}

/** The text of a file that nobody has named, or why it is not trusted. */
export type FoundFile = { text: string } | { distrust: string };

export interface Files extends FileAccess {
  /** Reads a file that nobody has named; undefined if there is none. @param uid The user of this process. */
  readFound(path: string, uid: number | undefined): Promise<FoundFile | undefined>;
  /** @throws TooManyBytesError if the file has more than `max` bytes. */
  readBytes(path: string, max: number): Promise<Uint8Array>;
  /** Returns the names in a folder; undefined if there is none. */
  list(path: string): string[] | undefined;
  /**
   * Describes a path; undefined if nothing is there. `owner` is a user id; `regular` is false for pipes, devices and
   * the like.
   */
  stat(path: string): { kind: "file" | "folder"; owner: number; regular: boolean } | undefined;
}

export type SignalName = "SIGINT" | "SIGTERM" | "SIGHUP";

export interface LoadedSettings {
  config: Config;
  /** The origin of each value, by `section.name`. */
  origins: ReadonlyMap<string, string>;
  /** The configuration file that was read. */
  file?: string;
  /** Whether the file was found by searching; otherwise it was named. */
  searched: boolean;
  /** Files that were found by searching, and are not trusted. */
  ignored: readonly IgnoredFile[];
}

export interface ConfigFile {
  path: string;
  text: string;
}

export interface IgnoredFile {
  path: string;
  /** Why it is not trusted: the rest of a sentence. */
  reason: string;
}

/** The outcome of looking for the configuration file. */
export interface ConfigSearch {
  file: ConfigFile | undefined;
  searched: boolean;
  ignored: readonly IgnoredFile[];
}

export interface SettingsSources {
  /** The configuration file if it was looked for already. */
  found?: ConfigSearch;
  flags: readonly { option: string; flag: string; value: string | undefined }[];
  file?: string;
  env: Readonly<Record<string, string | undefined>>;
  readText(path: string): string | undefined;
  readFound(path: string): Promise<FoundFile | undefined>;
}

export interface PoolOptions {
  workers: number;
  deadlineMs: number;
  memoryMb: number;
  runtime: Runtime;
}

export interface Pool {
  run(call: Call, place: Isolation, signal?: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

/** What an agent may do at this machine. */
export interface AgentOptions {
  catalog: Catalog;
  runner: Pick<Runner, "admit" | "run" | "runPipeline" | "inlineLimit">;
  /** Files below this folder, an absolute path, may be read. */
  root: string;
  /** Whether files below it may be written. */
  allowWrite: boolean;
  /** Categories and slugs that become tools of their own; undefined for the tools that stand for all. */
  selection: string | undefined;
  /** Slugs that the configuration switches off. */
  disabled: readonly string[];
}

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
  createPool(options: PoolOptions): Promise<Pool>;
  /** Tests names against a glob without slashes, in which wildcards match a dot too. @throws ToolError invalid_input */
  matcher(glob: string): Promise<(name: string) => boolean>;
  createApp(settings: LoadedSettings, host: Host): Promise<RunningApp>;
  /** Serves an agent over standard input and output until the input ends. @throws ToolError, if the folder cannot be opened. */
  serveAgent(options: AgentOptions, host: Host): Promise<void>;
  /** `commit` is empty if unknown. */
  build(): Promise<{ version: string; commit: string }>;
  /** Undefined in a source tree: the build collects them. */
  licenses(): Promise<string | undefined>;
}

/** The process as commands see it; tests substitute their own. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How a shell in the current folder runs this program: `penknife`, `./penknife`, `dist/penknife`. */
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
