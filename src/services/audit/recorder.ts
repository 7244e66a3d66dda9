import { ToolError } from "../../catalog/errors.ts";
import type { AuditLog } from "../storage/audit/audit-log.ts";
import type { AuditEntry } from "../storage/audit/line.ts";
import { StoreError } from "../storage/errors.ts";
import type { Store } from "../storage/storage.ts";
import { toUnavailable } from "../storage/unavailable.ts";
import { issuedIn, looking, readSubject, readTarget, type Services, toChanges, toRequest } from "./acts.ts";
import type { Caller } from "./caller.ts";
import { type CloseInMemory, closing, faultOf, toUnwritten } from "./closing.ts";

export interface AuditRecorder {
  /**
   * Carries out `work`, between a line that says it begins and a line that says what came of it. The first is on the disk
   * before anything is done and the second before anybody hears that it was done: whatever happens in between, no change
   * is without a line. @throws what `work` throws; storage_unavailable where the trail cannot be written.
   */
  record<T>(operation: string, args: unknown, caller: Caller, work: () => Promise<T>): Promise<T>;
}

type Fields = Readonly<Record<string, unknown>>;

/** The line that ended an act, for the log: kept elsewhere, number and hash are an anchor of the trail. */
export interface AuditNews {
  act: string;
  account?: string;
  target?: string;
  result: string;
  actor: string;
  seq: number;
  hash: string;
}

export interface AuditRecorderDeps extends Services {
  audit(): Promise<AuditLog>;
  onAct?: ((news: AuditNews) => void) | undefined;
  /** Carries out what closes access, also on a full disk: see `Store`. */
  urgently?: Store["urgently"] | undefined;
  /** Undefined outside a server. */
  closeInMemory?: CloseInMemory | undefined;
}

export function createAuditRecorder(deps: AuditRecorderDeps): AuditRecorder {
  return {
    async record(operation, args, caller, work) {
      if (looking.has(operation)) return work();
      const fields = (args ?? {}) as Fields;
      const act = () => carryOut(operation, fields, caller, work);
      if (!closing.has(operation)) return act();
      try {
        return await (deps.urgently?.(act) ?? act());
      } catch (error) {
        const fault = faultOf(error);
        if (fault === undefined) throw error;
        const what = await deps.closeInMemory?.(operation, fields).catch(() => undefined);
        throw what === undefined ? error : toUnwritten(fault, what);
      }
    },
  };

  async function carryOut<T>(
    operation: string,
    fields: Fields,
    caller: Caller,
    work: () => Promise<T>,
  ): Promise<T> {
    const trail = await deps.audit();
    const { state: before, ...subject } = await readSubject(operation, fields, deps);
    const about = { ...caller, act: operation, ...subject };
    const begun = await trail.append({
      ...about,
      ...withDetail(toRequest(operation, fields)),
      result: "begun",
    });

    async function end(result: string, issued?: string): Promise<void> {
      const { state: after } = await readSubject(operation, fields, deps);
      const isNew = issued !== undefined && issued !== subject.target;
      const news = isNew ? await toNews(issued, subject.target) : {};
      const detail = { ...toChanges(before, after), ...news.detail };
      const line = { ...about, ...news, result, of: begun.seq };
      const head = await trail.append({ ...line, ...withDetail(detail) });
      const { act, account, target, actor } = line;
      deps.onAct?.({ act, ...(account && { account }), ...(target && { target }), result, actor, ...head });
    }

    /** The target of the act is the new key, or the old one if the new key replaces it. */
    async function toNews(
      issued: string,
      replaced: string | undefined,
    ): Promise<Pick<AuditEntry, "account" | "target" | "detail">> {
      const { state, account } = await readTarget(issued, deps);
      return replaced === undefined
        ? { target: issued, ...(account !== undefined && { account }), detail: toChanges({}, state) }
        : { detail: { issued: { id: issued, ...state } } };
    }

    let result;
    try {
      result = await work();
    } catch (error) {
      // The operator needs this error; if its line cannot be written either, the act is shown as unfinished.
      await end(error instanceof ToolError ? error.code : "internal").catch(() => {});
      throw error;
    }
    const issued = issuedIn(result);
    try {
      await end("done", issued);
    } catch (error) {
      throw unfinished(operation, begun.seq, error, issued);
    }
    return result;
  }
}

const withDetail = (detail: Fields): Pick<AuditEntry, "detail"> =>
  Object.keys(detail).length === 0 ? {} : { detail };

function unfinished(operation: string, seq: number, error: unknown, issued: string | undefined): unknown {
  const cause = faultOf(error);
  if (cause === undefined) return error;
  const unseen =
    issued === undefined
      ? ""
      : issued.startsWith("key_")
        ? ` The key ${issued}, which was made, has been shown to nobody: revoke it, and issue another.`
        : /^(?:ses|login)_/.test(issued)
          ? ` What was made, ${issued}, has been shown to nobody, and ends by itself: begin again.`
          : ` The secret of ${issued}, which was made, has been shown to nobody: rotate it.`;
  return toUnavailable(
    new StoreError(
      "write",
      `${operation} was carried out, but the audit trail could not be told (its line ${seq} has begun it): ${cause.reason}${unseen}`,
      cause,
    ),
  );
}
