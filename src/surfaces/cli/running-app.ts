import type { Catalog } from "../../catalog/catalog.ts";
import type { Runner } from "../../catalog/run.ts";

/** The server as the command line starts and stops it. */
export interface RunningApp {
  readonly catalog: Catalog;
  readonly runner: Runner;
  /** Reports whether any account exists yet. */
  hasAccounts(): boolean;
  listen(): Promise<{
    /** The base URL, without a trailing slash. */
    url: string;
    /** Reloads the certificate files and logs the result; no connection is dropped. */
    reload(): Promise<void>;
    /** Stops accepting connections, and lets running requests finish for at most `graceMs`. */
    close(graceMs: number): Promise<void>;
  }>;
  /** Flushes and closes the store; call it after the listener is closed. */
  close(): Promise<void>;
  /** Logs an uncaught error with its stack. */
  logFault(error: unknown): void;
}
