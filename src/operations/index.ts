import { createAccount } from "./accounts/create.ts";
import { deleteAccount } from "./accounts/delete.ts";
import { disableAccount } from "./accounts/disable.ts";
import { enableAccount } from "./accounts/enable.ts";
import { listAccounts } from "./accounts/list.ts";
import { setAccount } from "./accounts/set.ts";
import { showAccount } from "./accounts/show.ts";
import { listActs } from "./audit/list.ts";
import { verifyTrail } from "./audit/verify.ts";
import { beginBackup } from "./backup/begin.ts";
import { endBackup } from "./backup/end.ts";
import { readBackup } from "./backup/next.ts";
import { checkKey } from "./keys/check.ts";
import { issueKey } from "./keys/issue.ts";
import { listKeys } from "./keys/list.ts";
import { revokeKey } from "./keys/revoke.ts";
import { revokeAllKeys } from "./keys/revoke-all.ts";
import { rotateKey } from "./keys/rotate.ts";
import { showKey } from "./keys/show.ts";
import { resetLimits } from "./limits/reset.ts";
import { beginSession } from "./sessions/begin.ts";
import { checkCode } from "./sessions/check.ts";
import { listSessions } from "./sessions/list.ts";
import { login } from "./sessions/login.ts";
import { openSession } from "./sessions/open.ts";
import { revokeSession } from "./sessions/revoke.ts";
import { revokeAllSessions } from "./sessions/revoke-all.ts";
import { showSession } from "./sessions/show.ts";
import { showHistory } from "./usage/history.ts";
import { showUsage } from "./usage/now.ts";
import { showReports } from "./usage/reports.ts";
import { addEndpoint } from "./webhooks/add.ts";
import { listDeliveries } from "./webhooks/deliveries.ts";
import { showDelivery } from "./webhooks/delivery.ts";
import { listEndpoints } from "./webhooks/list.ts";
import { pauseEndpoint } from "./webhooks/pause.ts";
import { recoverDeliveries } from "./webhooks/recover.ts";
import { redeliver } from "./webhooks/redeliver.ts";
import { removeEndpoint } from "./webhooks/remove.ts";
import { resumeEndpoint } from "./webhooks/resume.ts";
import { rotateSecret } from "./webhooks/rotate.ts";
import { showEndpoint } from "./webhooks/show.ts";
import { testEndpoint } from "./webhooks/test.ts";
import type { Operation } from "./operation.ts";
import type { z } from "zod";

/**
 * Every operation, in the order of the commands and the documents. It is loaded by the first administrative call, because each has
 * schemas of zod, which no start of a server waits for.
 */
export const operations = [
  createAccount,
  listAccounts,
  showAccount,
  setAccount,
  disableAccount,
  enableAccount,
  deleteAccount,
  issueKey,
  listKeys,
  showKey,
  rotateKey,
  revokeKey,
  revokeAllKeys,
  checkKey,
  login,
  checkCode,
  beginSession,
  openSession,
  listSessions,
  showSession,
  revokeSession,
  revokeAllSessions,
  resetLimits,
  addEndpoint,
  listEndpoints,
  showEndpoint,
  removeEndpoint,
  pauseEndpoint,
  resumeEndpoint,
  rotateSecret,
  testEndpoint,
  listDeliveries,
  showDelivery,
  redeliver,
  recoverDeliveries,
  showUsage,
  showHistory,
  showReports,
  listActs,
  verifyTrail,
  beginBackup,
  readBackup,
  endBackup,
] as const;

type Listed = (typeof operations)[number];

export type OperationName = Listed["name"];
/** Returns the operation of a name. */
export const operationOf = (name: OperationName): Operation =>
  operations.find((operation) => operation.name === name) as Operation;

export type Named<Name extends OperationName> = Extract<Listed, { name: Name }>;
export type InputOf<Name extends OperationName> = z.input<Named<Name>["input"]>;
export type OutputOf<Name extends OperationName> = z.output<Named<Name>["output"]>;
