import type { Catalog } from "../../catalog/catalog.ts";
import type { Answer, Call } from "../../catalog/execute.ts";
import type { Isolation } from "../../catalog/tool.ts";
import type { PipelineFolder } from "../../catalog/pipelines.ts";
import type { RunningApp } from "./running-app.ts";

/** Where text and bytes go to. `write` resolves when they have left, and rejects with EPIPE when nobody reads any more. */
export interface Output {
  readonly isTTY: boolean;
  /** Width of the terminal. */
  readonly columns?: number;
  write(chunk: string | Uint8Array): Promise<void>;
}

export interface Input {
  readonly isTTY: boolean;
  /** Reads up to the end. @throws TooManyBytesError beyond `most` bytes. */
  readAll(most: number): Promise<Uint8Array>;
  /** The same in pieces, for what may be larger than memory. */
  chunks(): AsyncIterable<Uint8Array>;
}

export interface Files {
  /** The folder that relative paths start from, absolute. */
  readonly cwd: string;
  /** The text of a file, undefined where there is none. */
  readText(path: string): string | undefined;
  /** @throws TooManyBytesError where the file has more than `most` bytes. */
  readBytes(path: string, most: number): Promise<Uint8Array>;
  /** Replaces the content of a file by these pieces, one after the other. */
  writeBytes(path: string, pieces: readonly (string | Uint8Array)[]): Promise<void>;
  /** The names in a folder, undefined where there is none. */
  list(path: string): string[] | undefined;
  /**
   * Describes a path; undefined if nothing is there. `owner` is a user id; `regular` is false for pipes, devices and
   * the like.
   */
  stat(path: string): { kind: "file" | "folder"; owner: number; regular: boolean } | undefined;
  /** Lists a folder. @throws the error of the operating system */
  entries(path: string): { name: string; kind: "file" | "folder" | "link" | "other" }[];
  /** Returns the absolute path without links, or the path itself if there is no such file. */
  realPath(path: string): string;
}

export type SignalName = "SIGINT" | "SIGTERM" | "SIGHUP";

/** The parts of the configuration that the commands themselves read. */
export interface Settings {
  readonly server: {
    readonly host: string;
    readonly port: number;
    readonly allowedHosts: readonly string[];
    readonly basePath: string;
    readonly trustedProxies: readonly string[];
    readonly proxyHeader: string;
    readonly maxConcurrency: number;
    readonly tlsCert: string;
    readonly tlsKey: string;
  };
  readonly auth: { readonly anonymous: boolean; readonly maxKeyDays: number };
  readonly storage: {
    readonly driver: "file" | "memory" | "redis";
    readonly path: string;
    readonly url: string;
    readonly prefix: string;
    readonly encryptionKey: string;
    readonly minFreeMb: number;
  };
  readonly webhooks: {
    readonly enabled: boolean;
    readonly allowCidrs: readonly string[];
    readonly perEndpoint: number;
  };
  readonly graphql: { readonly enabled: boolean; readonly maxConnections: number };
  readonly limits: { readonly onStoreError: "share" | "open" | "closed" };
  readonly tools: {
    readonly deadlineMs: number;
    readonly memoryMb: number;
    readonly workers: number;
    readonly disabled: readonly string[];
  };
  readonly metrics: { readonly enabled: boolean; readonly token: string };
}

export interface LoadedSettings<Config extends Settings = Settings> {
  config: Config;
  /** Where each value came from, by `section.name`. */
  origins: ReadonlyMap<string, string>;
  /** The configuration file that was read. */
  file?: string;
}

export interface SettingsSources {
  flags: readonly { option: string; flag: string; value: string | undefined }[];
  file?: string;
  env: Readonly<Record<string, string | undefined>>;
  readText(path: string): string | undefined;
}

export interface PoolOptions {
  workers: number;
  deadlineMs: number;
  memoryMb: number;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
}

export interface Pool {
  run(call: Call, place: Isolation): Promise<Answer>;
  close(): Promise<void>;
}

/** What stands behind the commands; each part is loaded when a command first asks for it. */
export interface Program {
  loadConfig(sources: SettingsSources): Promise<LoadedSettings>;
  /** The file that `loadConfig` would read, if any. @throws ToolError where one is named that is not there. */
  findConfigFile(sources: Omit<SettingsSources, "flags">): Promise<string | undefined>;
  secretOptions(): Promise<ReadonlySet<string>>;
  /** @throws ToolError for a pipeline whose file has a name that it cannot have; faults of its content come from `get`. */
  catalog(disabled: readonly string[], pipelines?: PipelineFolder): Promise<Catalog>;
  /** SDL of what these tools, and the account, are over GraphQL. */
  schema(catalog: Catalog): Promise<string>;
  /** Workers for tools that must be stoppable; none is started before it is needed. */
  createPool(options: PoolOptions): Promise<Pool>;
  /** Tests names against a glob without slashes, in which wildcards match a dot too. @throws ToolError invalid_input */
  matcher(glob: string): Promise<(name: string) => boolean>;
  createApp(settings: LoadedSettings, host: Host): Promise<RunningApp>;
  /** `commit` is empty where it is not known. */
  build(): Promise<{ version: string; commit: string }>;
  /** Undefined in a source tree: the build gathers them. */
  licenses(): Promise<string | undefined>;
}

/** The process as the commands see it, so that they run in a test as they run on a terminal. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** This program as a shell finds it from the current folder: `penknife`, `./penknife`, `dist/penknife`. */
  readonly self: string;
  /** The words of the line that is carried out; `runCli` adds them. */
  readonly line?: readonly string[];
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly files: Files;
  readonly program: Program;
  readonly pid: number;
  readonly uid?: number;
  /** Who types, for the audit trail: the name of the user, or the number where it has none. */
  userName(): string;
  hostName(): string;
  /** Whether this is what a container was started for, not a command typed inside one. */
  readonly entryPoint: boolean;
  /** Processors that may be used. */
  readonly processors: number;
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  /** Milliseconds of processor time that this process has used. */
  cpu(): number;
  random(size: number): Uint8Array;
  /** Calls back at every arrival of the signal; the returned function ends that. */
  onSignal(name: SignalName, handler: () => void): () => void;
  /** Sends the process a signal, which ends it where nobody listens: a shell can tell that from an exit status of 130. */
  raise(name: SignalName): void;
  /** Who is told of an error that nobody caught, before the process ends. */
  onFault(handler: (error: unknown) => void): void;
}
