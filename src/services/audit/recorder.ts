import { ToolError } from "../../catalog/errors.ts";
import type { AuditLog } from "../../storage/audit/audit-log.ts";
import type { AuditEntry } from "../../storage/audit/line.ts";
import { StoreError } from "../../storage/errors.ts";
import type { Store } from "../../storage/storage.ts";
import { toUnavailable } from "../../storage/unavailable.ts";
import type { Act, Found, SubjectKind } from "./act.ts";
import type { Caller } from "./caller.ts";
import {
  issuedIn,
  readIssued,
  readSubject,
  type Services,
  stateIn,
  toChanges,
  toRequest,
} from "./subjects.ts";

export interface AuditRecorder {
  /**
   * Runs `work` between two lines of the trail: the first is on disk before the work begins, the second before its
   * result is returned. A crash at any point leaves no change without a line. An act that only reads has no lines.
   * @param closeInMemory Carries out an act that closes access, and that could not be written, in the memory of this server
   * only. It returns a text that says what is now refused.
   * @throws Whatever `work` throws; storage_unavailable if the trail cannot be written.
   */
  record<T>(
    act: Act,
    args: Fields,
    caller: Caller,
    work: (found: Found) => Promise<T>,
    closeInMemory?: () => Promise<string | undefined>,
  ): Promise<T>;
}

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
}

export function createAuditRecorder(deps: AuditRecorderDeps): AuditRecorder {
  return {
    async record(act, args, caller, work, closeInMemory) {
      if (act.kind === "reads") return work(ownerIn(caller));
      const run = () => carryOut(act, args, caller, work);
      if (act.kind === "changes") return run();
      try {
        return await (deps.urgently?.(run) ?? run());
      } catch (error) {
        const fault = faultOf(error);
        if (fault === undefined) throw error;
        const what = await closeInMemory?.().catch(() => undefined);
        throw what === undefined ? error : toUnwritten(fault, what);
      }
    },
  };

  async function carryOut<T>(
    act: Act,
    args: Fields,
    caller: Caller,
    work: (found: Found) => Promise<T>,
  ): Promise<T> {
    const trail = await deps.audit();
    const { state: before, key, ...subject } = await readSubject(act, args, deps);
    const { owner: _owner, ...who } = caller;
    const about = { ...who, act: act.name, ...subject };
    const begun = await trail.append({
      ...about,
      ...withDetail(toRequest(act, args)),
      result: "begun",
    });

    async function end(result: string, issued?: string, known?: Fields): Promise<void> {
      const after = known ?? (await readSubject(act, args, deps)).state;
      const isNew = issued !== undefined && issued !== subject.target;
      const news = isNew ? await toNews(issued, subject.target) : {};
      const detail = { ...toChanges(before, after), ...news.detail };
      const line = { ...about, ...news, result, of: begun.seq };
      const head = await trail.append({ ...line, ...withDetail(detail) });
      const { account, target, actor } = line;
      deps.onAct?.({
        act: act.name,
        ...(account && { account }),
        ...(target && { target }),
        result,
        actor,
        ...head,
      });
    }

    /** Names a new key as the target of the act, or in the detail if it replaces the target. */
    async function toNews(
      issued: string,
      replaced: string | undefined,
    ): Promise<Pick<AuditEntry, "account" | "target" | "detail">> {
      const { state, account } = await readIssued(act.issues as SubjectKind, issued, deps);
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
    const issued = issuedIn(act, result);
    try {
      await end("done", issued, stateIn(act, result));
    } catch (error) {
      throw unfinished(act, begun.seq, error, issued);
    }
    return result;
  }
}

const ownerIn = ({ owner }: Caller): Pick<Found, "owner"> => (owner === undefined ? {} : { owner });

const withDetail = (detail: Fields): Pick<AuditEntry, "detail"> =>
  Object.keys(detail).length === 0 ? {} : { detail };

function unfinished(act: Act, seq: number, error: unknown, issued: string | undefined): unknown {
  const cause = faultOf(error);
  if (cause === undefined) return error;
  const unseen = issued === undefined ? "" : unseenOf(act.issues as SubjectKind, issued);
  return toUnavailable(
    new StoreError(
      "write",
      `${act.name} was carried out, but its end could not be written to the audit trail (line ${seq} has its beginning): ${cause.reason}${unseen}`,
      cause,
    ),
  );
}

function unseenOf(kind: SubjectKind, id: string): string {
  if (kind === "key") return ` The new key ${id} was not shown to anybody: revoke it and issue another.`;
  return kind === "session" || kind === "code"
    ? ` The new ${id} was not shown to anybody and expires by itself: start again.`
    : ` The new secret of ${id} was not shown to anybody: rotate it.`;
}

/** Returns the fault of the store that caused a refusal, if there is one. */
function faultOf(error: unknown): StoreError | undefined {
  const cause = error instanceof ToolError ? error.cause : error;
  return cause instanceof StoreError ? cause : undefined;
}

/** Makes the error for an act that took effect in memory but could not be written. */
function toUnwritten(fault: StoreError, what: string): ToolError {
  const { verb, pronoun } = /^\d/.test(what)
    ? { verb: "are", pronoun: "they" }
    : { verb: "is", pronoun: "it" };
  const so = `${what} ${verb} refused by this server from now on, but ${pronoun} could not be written: after a restart ${pronoun} would work again. Repeat this when the store can be written.`;
  const refusal = toUnavailable(new StoreError(fault.operation, `${fault.reason} ${so}`, fault));
  refusal.message = so;
  return refusal;
}
