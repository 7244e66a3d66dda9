import type { Principal, Ticket } from "../../catalog/principal.ts";
import type { NoteLimit } from "../events/limit-notes.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { UsageRecorder } from "../usage/recorder.ts";
import { type Admission, type Limits, quotaExceeded } from "./limits.ts";
import type { Runtime } from "../../runtime.ts";

/**
 * Counts that many requests against the quota of their caller, all of them or none. Returns a promise only if the store has
 * to be asked. @throws ToolError quota_exceeded, storage_unavailable.
 */
export type Admit = (principal: Principal, requests: number) => Ticket | Promise<Ticket>;

export interface AdmitDeps {
  limits: Pick<Limits, "consume">;
  metrics: Pick<Metrics, "limit">;
  usage: Pick<UsageRecorder, "limited">;
  noteLimit: NoteLimit;
  runtime: Runtime;
}

/** Creates the admission of every surface, which reports each decision to metrics, usage and limit events. */
export function createAdmit({ limits, metrics, usage, noteLimit, runtime }: AdmitDeps): Admit {
  function decide(principal: Principal, requests: number, { allowed, quota }: Admission): Ticket {
    metrics.limit(principal.plan ?? "free", allowed ? "allowed" : "refused", requests);
    if (!allowed) usage.limited(principal, requests);
    if (quota === undefined) return { principal };
    noteLimit(principal, quota, allowed);
    if (!allowed) throw quotaExceeded(quota, runtime.now(), requests);
    return { principal, quota };
  }

  return (principal, requests) => {
    const admission = limits.consume(principal, requests);
    return admission instanceof Promise
      ? admission.then((later) => decide(principal, requests, later))
      : decide(principal, requests, admission);
  };
}
