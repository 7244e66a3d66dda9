import type * as promClient from "prom-client";
import type { Histogram } from "./histogram.ts";
import type { DiskRoom } from "../../storage/space.ts";
import type { StoreStatus } from "../../storage/storage.ts";
import type { PoolStats } from "../workers/pool.ts";

export type PromClient = typeof promClient;

export interface MetricsOptions {
  version: string;
  commit: string;
  load(): Promise<PromClient>;
  pool?(): PoolStats;
  /** Undefined for a store that is not shared by nodes. */
  store?(): StoreStatus | undefined;
  /** Undefined for a store that is not on a disk of this machine. */
  disk?(): DiskRoom | undefined;
  /** Revocations that are in effect in the memory of this server only. */
  unwritten?(): number;
  /** Requests in progress. */
  inFlight?(): number;
  logDropped?(): number;
  /** Undefined while it is unknown. */
  webhooks?(): Promise<WebhookStatus | undefined>;
  /** Open connections of the surfaces that have any: WebSockets and event streams. */
  connections?: Readonly<Partial<Record<OperationSurface, () => number>>>;
}

/** Deliveries that wait; in a shared store, those of all nodes. */
export interface WebhookStatus {
  deliveries: number;
  /** Seconds since the oldest of them was accepted. */
  oldestSeconds: number;
  /** Seconds since the first deliverable one was due; it grows if no server sends. */
  lateSeconds: number;
}

/** The surfaces whose operations are counted, because one path takes several, as in `penknife_graphql_operations_total`. */
export const operationSurfaces = { graphql: "GraphQL", mcp: "MCP" } as const;

export type OperationSurface = keyof typeof operationSurfaces;

/** Counts by two labels without building a key for each request. */
export type Counts = Map<string, Map<string, number>>;

export interface Numbers {
  /** Counts by route, then by method and status in one number: see `requestLabels`. */
  requests: Map<string, Map<number, number>>;
  requestSeconds: Map<string, Histogram>;
  runs: Counts;
  runSeconds: Map<string, Histogram>;
  limits: Counts;
  auth: Map<string, number>;
  degraded: Map<string, number>;
  storageErrors: Map<string, number>;
  workers: Counts;
  webhookAttempts: Map<string, number>;
  webhookEvents: Map<string, number>;
  /** Counts by surface, then by kind and outcome. */
  operations: Record<OperationSurface, Counts>;
  stalls: Map<string, Histogram>;
  connectionsClosed: Map<string, number>;
}

/** Any token is a valid method (RFC 9110 §9.1), and Node's parser knows some thirty; a label needs a short list. */
const methods = ["other", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

export const requestNumber = (method: string, status: number): number =>
  status * methods.length + Math.max(0, methods.indexOf(method));

export const requestLabels = (number: number): { method: string; status: number } => ({
  method: methods[number % methods.length] ?? "other",
  status: Math.floor(number / methods.length),
});
