import type { Catalog } from "../../catalog/catalog.ts";
import type { Runner } from "../../catalog/run.ts";

/** The server as the command line starts and stops it. */
export interface RunningApp {
  readonly catalog: Catalog;
  readonly runner: Runner;
  /** Whether any account exists yet. */
  hasAccounts(): boolean;
  listen(): Promise<{
    /** Of the first page, without a slash at its end. */
    url: string;
    /** Reads the certificate files again and logs what came of it; no connection is dropped. */
    reload(): Promise<void>;
    /** Stops accepting, lets what runs finish for `graceMs` at most. */
    close(graceMs: number): Promise<void>;
  }>;
  /** Writes what is pending and gives the store back; after `listen` was closed. */
  close(): Promise<void>;
  /** A bug that nobody caught, with its stack, into the log. */
  logFault(error: unknown): void;
}
