import { ToolError } from "../../catalog/errors.ts";
import type { AuditLog } from "../../storage/audit/audit-log.ts";
import type { AuditEntry } from "../../storage/audit/line.ts";
import { StoreError } from "../../storage/errors.ts";
import type { Store } from "../../storage/storage.ts";
import { toUnavailable } from "../../storage/unavailable.ts";
import {
  type Found,
  issuedIn,
  readOnly,
  readSubject,
  readTarget,
  type Services,
  stateIn,
  toChanges,
  toRequest,
} from "./acts.ts";
import type { Caller } from "./caller.ts";
import { type CloseInMemory, closing, faultOf, toUnwritten } from "./closing.ts";

export interface AuditRecorder {
  /**
   * Runs `work` between two lines of the trail: the first is on disk before the work begins, the second before its
   * result is returned. A crash at any point leaves no change without a line.
   * @throws Whatever `work` throws; storage_unavailable if the trail cannot be written.
   */
  record<T>(operation: string, args: unknown, caller: Caller, work: Work<T>): Promise<T>;
}

export type Work<T> = (found: Found) => Promise<T>;

type Fields = Readonly<Record<string, unknown>>;

/** The last line of an act, for the log. Its number and hash anchor the trail if the log is kept elsewhere. */
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
  /** Runs acts that close access, with the space reserved for them on a full disk; see `Store`. */
  urgently?: Store["urgently"] | undefined;
  /** Undefined outside a server. */
  closeInMemory?: CloseInMemory | undefined;
}

export function createAuditRecorder(deps: AuditRecorderDeps): AuditRecorder {
  return {
    async record(operation, args, caller, work) {
      if (readOnly.has(operation)) return work(ownerIn(caller));
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

  async function carryOut<T>(operation: string, fields: Fields, caller: Caller, work: Work<T>): Promise<T> {
    const trail = await deps.audit();
    const { state: before, key, ...subject } = await readSubject(operation, fields, deps);
    const { owner: _owner, ...who } = caller;
    const about = { ...who, act: operation, ...subject };
    const begun = await trail.append({
      ...about,
      ...withDetail(toRequest(operation, fields)),
      result: "begun",
    });

    async function end(result: string, issued?: string, known?: Fields): Promise<void> {
      const after = known ?? (await readSubject(operation, fields, deps)).state;
      const isNew = issued !== undefined && issued !== subject.target;
      const news = isNew ? await toNews(issued, subject.target) : {};
      const detail = { ...toChanges(before, after), ...news.detail };
      const line = { ...about, ...news, result, of: begun.seq };
      const head = await trail.append({ ...line, ...withDetail(detail) });
      const { act, account, target, actor } = line;
      deps.onAct?.({ act, ...(account && { account }), ...(target && { target }), result, actor, ...head });
    }

    /** Names a new key as the target of the act, or in the detail if it replaces the target. */
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
      result = await work({ ...ownerIn(caller), ...(key !== undefined && { key }) });
    } catch (error) {
      // The operator needs this error; if its line cannot be written either, the act is shown as unfinished.
      await end(error instanceof ToolError ? error.code : "internal").catch(() => {});
      throw error;
    }
    const issued = issuedIn(result);
    try {
      await end("done", issued, stateIn(operation, result));
    } catch (error) {
      throw unfinished(operation, begun.seq, error, issued);
    }
    return result;
  }
}

const ownerIn = ({ owner }: Caller): Pick<Found, "owner"> => (owner === undefined ? {} : { owner });

const withDetail = (detail: Fields): Pick<AuditEntry, "detail"> =>
  Object.keys(detail).length === 0 ? {} : { detail };

function unfinished(operation: string, seq: number, error: unknown, issued: string | undefined): unknown {
  const cause = faultOf(error);
  if (cause === undefined) return error;
  const unseen =
    issued === undefined
      ? ""
      : issued.startsWith("key_")
        ? ` The new key ${issued} was not shown to anybody: revoke it and issue another.`
        : /^(?:ses|login)_/.test(issued)
          ? ` The new ${issued} was not shown to anybody and expires by itself: start again.`
          : ` The new secret of ${issued} was not shown to anybody: rotate it.`;
  return toUnavailable(
    new StoreError(
      "write",
      `${operation} was carried out, but its end could not be written to the audit trail (line ${seq} has its beginning): ${cause.reason}${unseen}`,
      cause,
    ),
  );
}
