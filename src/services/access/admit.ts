import type { Principal, Ticket } from "../../catalog/principal.ts";
import type { NoteLimit } from "../events/limit-notes.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { UsageRecorder } from "../usage/recorder.ts";
import { type Limits, quotaExceeded } from "./limits.ts";
import type { Runtime } from "../../runtime.ts";

/**
 * Counts that many requests against the quota of their caller, all of them or none.
 * @throws ToolError quota_exceeded, storage_unavailable.
 */
export type Admit = (principal: Principal, requests: number) => Promise<Ticket>;

export interface AdmitDeps {
  limits: Pick<Limits, "consume">;
  metrics: Pick<Metrics, "limit">;
  usage: Pick<UsageRecorder, "limited">;
  noteLimit: NoteLimit;
  runtime: Runtime;
}

/** Creates the admission of every surface, which reports each decision to metrics, usage and limit events. */
export function createAdmit({ limits, metrics, usage, noteLimit, runtime }: AdmitDeps): Admit {
  return async (principal, requests) => {
    const { allowed, quota } = await limits.consume(principal, requests);
    metrics.limit(principal.plan ?? "free", allowed ? "allowed" : "refused", requests);
    if (!allowed) usage.limited(principal, requests);
    if (quota === undefined) return { principal };
    noteLimit(principal, quota, allowed);
    if (!allowed) throw quotaExceeded(quota, runtime.now(), requests);
    return { principal, quota };
  };
}
