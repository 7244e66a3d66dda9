import type { z } from "zod";
import { ToolError } from "../catalog/errors.ts";
import type { Operation } from "./operation.ts";

/**
 * Every operation by its name, in the order of the commands and the documents. Each is loaded by the first call that needs it,
 * because it has schemas of zod: no start of a server waits for them, and a command loads its own.
 */
const operations = {
  "accounts.create": async () => (await import("./accounts/create.ts")).createAccount,
  "accounts.list": async () => (await import("./accounts/list.ts")).listAccounts,
  "accounts.page": async () => (await import("./accounts/page.ts")).pageAccounts,
  "accounts.show": async () => (await import("./accounts/show.ts")).showAccount,
  "accounts.set": async () => (await import("./accounts/set.ts")).setAccount,
  "accounts.disable": async () => (await import("./accounts/disable.ts")).disableAccount,
  "accounts.enable": async () => (await import("./accounts/enable.ts")).enableAccount,
  "accounts.delete": async () => (await import("./accounts/delete.ts")).deleteAccount,
  "keys.issue": async () => (await import("./keys/issue.ts")).issueKey,
  "keys.list": async () => (await import("./keys/list.ts")).listKeys,
  "keys.show": async () => (await import("./keys/show.ts")).showKey,
  "keys.rotate": async () => (await import("./keys/rotate.ts")).rotateKey,
  "keys.revoke": async () => (await import("./keys/revoke.ts")).revokeKey,
  "keys.revokeAll": async () => (await import("./keys/revoke-all.ts")).revokeAllKeys,
  "keys.check": async () => (await import("./keys/check.ts")).checkKey,
  login: async () => (await import("./sessions/login.ts")).login,
  "sessions.check": async () => (await import("./sessions/check.ts")).checkCode,
  "sessions.begin": async () => (await import("./sessions/begin.ts")).beginSession,
  "sessions.open": async () => (await import("./sessions/open.ts")).openSession,
  "sessions.list": async () => (await import("./sessions/list.ts")).listSessions,
  "sessions.show": async () => (await import("./sessions/show.ts")).showSession,
  "sessions.revoke": async () => (await import("./sessions/revoke.ts")).revokeSession,
  "sessions.revokeAll": async () => (await import("./sessions/revoke-all.ts")).revokeAllSessions,
  "limits.reset": async () => (await import("./limits/reset.ts")).resetLimits,
  "webhooks.add": async () => (await import("./webhooks/add.ts")).addEndpoint,
  "webhooks.list": async () => (await import("./webhooks/list.ts")).listEndpoints,
  "webhooks.show": async () => (await import("./webhooks/show.ts")).showEndpoint,
  "webhooks.remove": async () => (await import("./webhooks/remove.ts")).removeEndpoint,
  "webhooks.pause": async () => (await import("./webhooks/pause.ts")).pauseEndpoint,
  "webhooks.resume": async () => (await import("./webhooks/resume.ts")).resumeEndpoint,
  "webhooks.rotate": async () => (await import("./webhooks/rotate.ts")).rotateSecret,
  "webhooks.test": async () => (await import("./webhooks/test.ts")).testEndpoint,
  "webhooks.deliveries": async () => (await import("./webhooks/deliveries.ts")).listDeliveries,
  "webhooks.delivery": async () => (await import("./webhooks/delivery.ts")).showDelivery,
  "webhooks.redeliver": async () => (await import("./webhooks/redeliver.ts")).redeliver,
  "webhooks.recover": async () => (await import("./webhooks/recover.ts")).recoverDeliveries,
  usage: async () => (await import("./usage/now.ts")).showUsage,
  "usage.history": async () => (await import("./usage/history.ts")).showHistory,
  "usage.reports": async () => (await import("./usage/reports.ts")).showReports,
  "audit.list": async () => (await import("./audit/list.ts")).listActs,
  "audit.verify": async () => (await import("./audit/verify.ts")).verifyTrail,
  "backup.begin": async () => (await import("./backup/begin.ts")).beginBackup,
  "backup.next": async () => (await import("./backup/next.ts")).readBackup,
  "backup.end": async () => (await import("./backup/end.ts")).endBackup,
};

export type OperationName = keyof typeof operations;
export type Named<Name extends OperationName> = Awaited<ReturnType<(typeof operations)[Name]>>;
export type InputOf<Name extends OperationName> = z.input<Named<Name>["input"]>;
export type OutputOf<Name extends OperationName> = z.output<Named<Name>["output"]>;

/** Loads the operation of a name; undefined if there is none. */
export const findOperation = async (name: string): Promise<Operation | undefined> =>
  Object.hasOwn(operations, name) ? operations[name as OperationName]() : undefined;

/** Refuses a name that no operation has. */
export const unknownOperation = (): ToolError =>
  new ToolError(
    "invalid_input",
    "Unknown operation: the command and the running server are of different releases. Restart the server with the executable of the command.",
  );

/** Loads the operation of a name. */
export const loadOperation = (name: OperationName): Promise<Operation> => operations[name]();

/** Loads all operations, or those of a subject. */
export const loadOperations = (subject?: string): Promise<Named<OperationName>[]> =>
  Promise.all(
    Object.entries(operations)
      .filter(([name]) => subject === undefined || name.startsWith(`${subject}.`))
      .map(([, load]) => load()),
  );
