import type * as promClient from "prom-client";
import type { Histogram } from "./histogram.ts";
import type { DiskRoom } from "../storage/space.ts";
import type { StoreStatus } from "../storage/storage.ts";
import type { PoolStats } from "../workers/pool.ts";

export type PromClient = typeof promClient;

export interface MetricsOptions {
  version: string;
  commit: string;
  load(): Promise<PromClient>;
  pool?(): PoolStats;
  /** Undefined for a store that no other node shares. */
  store?(): StoreStatus | undefined;
  /** Undefined for a store that is on no disk of this machine. */
  disk?(): DiskRoom | undefined;
  /** Revocations that took effect in the memory of this server alone. */
  unwritten?(): number;
  /** Requests that are being served. */
  inFlight?(): number;
  logDropped?(): number;
  /** Undefined while nothing can be said of it. */
  webhooks?(): Promise<WebhookStatus | undefined>;
  /** Connections that a surface holds open: WebSockets and event streams. */
  connections?: Readonly<Record<OperationSurface, () => number>>;
}

/** What waits to be delivered; where nodes share a store, all that waits in it. */
export interface WebhookStatus {
  deliveries: number;
  /** Since the oldest of them was accepted. */
  oldestSeconds: number;
  /** Since that was due which could be sent now: it grows where nobody sends. */
  lateSeconds: number;
}

/** The surfaces whose operations and connections are counted, as in `penknife_graphql_operations_total`. */
export const operationSurfaces = { graphql: "GraphQL" } as const;

export type OperationSurface = keyof typeof operationSurfaces;

/** Counts by two labels, so that no key has to be put together on the way of a request. */
export type Counts = Map<string, Map<string, number>>;

export interface Numbers {
  /** By route, then by method and status in one number: see `requestLabels`. */
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
  /** By surface, then by kind and outcome. */
  operations: Record<OperationSurface, Counts>;
  stalls: Map<string, Histogram>;
  connectionsClosed: Map<string, number>;
}

/** Any token is a method (RFC 9110 §9.1), and Node's parser knows some thirty: a label has to come from a short list. */
const methods = ["other", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

export const requestNumber = (method: string, status: number): number =>
  status * methods.length + Math.max(0, methods.indexOf(method));

export const requestLabels = (number: number): { method: string; status: number } => ({
  method: methods[number % methods.length] ?? "other",
  status: Math.floor(number / methods.length),
});
