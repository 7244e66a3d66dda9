import { validate } from "../catalog/issues.ts";
import { ToolError } from "../catalog/errors.ts";
import { createMutex } from "../lib/mutex.ts";
import { createKeyedMutex } from "../lib/keyed-mutex.ts";
import { type Caller, unknownCaller } from "../services/audit/caller.ts";
import { type AuditNews, createAuditRecorder } from "../services/audit/recorder.ts";
import type { Context } from "./context.ts";
import { findOperation, type InputOf, type OperationName, type OutputOf, unknownOperation } from "./index.ts";
import type { Operation } from "./operation.ts";

/** The operations of one store, with their lines in its audit trail. */
export interface Admin {
  /** Calls an operation. `caller` is recorded in the audit trail. */
  call<Name extends OperationName>(name: Name, args: InputOf<Name>, caller?: Caller): Promise<OutputOf<Name>>;
  /** Calls an operation whose name and arguments came as JSON, and returns what its output describes. */
  perform(name: string, args: unknown, caller?: Caller): Promise<unknown>;
  /**
   * Runs an act on an inbox, which is no operation, with its lines in the audit trail. `args` are recorded, so they must not
   * contain secrets.
   */
  trace<T>(
    act: string,
    args: Readonly<Record<string, unknown>>,
    caller: Caller,
    work: () => Promise<T>,
  ): Promise<T>;
}

export interface AdminDeps extends Context {
  /** Whether this process serves requests: access that cannot be closed in the store is then closed in its memory. */
  serves?: boolean;
  /** Called with each finished act, for the log. */
  onAct?: (news: AuditNews) => void;
  /** Called with each answer. */
  onAnswer?: (operation: Operation, answer: unknown) => void;
  /** Finds the operation of a name; among those of this release unless given. */
  find?: (name: string) => Promise<Operation | undefined>;
}

export function createAdmin(deps: AdminDeps): Admin {
  const { serves = false, onAct, onAnswer, find = findOperation, ...context } = deps;
  const { audit, urgently } = context.store;
  const trail = createAuditRecorder({
    ...context,
    endpoints: context.outbox.endpoints,
    audit,
    urgently,
    onAct,
  });

  // Changes of one subject run in the order of the calls, so that their lines in the trail show what each has changed. The
  // store makes them exclude one another in all processes.
  const inTurn = createKeyedMutex();
  const changes = new Set<Promise<unknown>>();

  // Loading one operation takes longer than loading another, and must not change the order of the calls.
  const inOrder = createMutex();

  /** A backup contains every change that was requested earlier. */
  async function afterChanges<T>(work: () => Promise<T>): Promise<T> {
    await Promise.allSettled(changes);
    return work();
  }

  async function change(subject: string, act: () => Promise<unknown>): Promise<unknown> {
    const changing = inTurn(subject, act);
    changes.add(changing);
    try {
      return await changing;
    } finally {
      changes.delete(changing);
    }
  }

  async function perform(name: string, args: unknown, caller: Caller = unknownCaller): Promise<unknown> {
    const operation = await inOrder(() => find(name));
    if (operation === undefined) throw unknownOperation();
    if (operation.callers === "operator" && caller.owner !== undefined)
      throw new ToolError("forbidden", "Only the operator can do this.");
    const given = validate(operation.input, args ?? {});
    const closeInMemory = async () => operation.closeInMemory?.(context, given);
    const act = async (): Promise<unknown> => {
      const answer = await trail.record(
        operation,
        given,
        caller,
        (found) => operation.run(context, given, found),
        serves ? closeInMemory : undefined,
      );
      onAnswer?.(operation, answer);
      return answer;
    };
    if (operation.waits === true) return afterChanges(act);
    return operation.kind === "reads" ? act() : change(queueOf(operation, given), act);
  }

  const admin: Admin = {
    perform,
    call: ((...call: Parameters<typeof perform>) => admin.perform(...call)) as Admin["call"],
    trace: (act, args, caller, work) =>
      trail.record({ name: act, kind: "changes", subject: inboxById, issues: "inbox" }, args, caller, work),
  };
  return admin;
}

const inboxById = { kind: "inbox", field: "id" } as const;

/** Returns the queue of a change: the account that it names, or else its subject. */
function queueOf({ name, subject }: Operation, given: Readonly<Record<string, unknown>>): string {
  const named = given["account"] ?? given[subject?.field ?? ""];
  return typeof named === "string" ? named : name;
}
