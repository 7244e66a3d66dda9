import { searchFor } from "../../lib/words.ts";
import type { AuditLog } from "../../storage/audit/audit-log.ts";
import { type AuditLine, parseAuditLine } from "../../storage/audit/line.ts";

/** An act as the operator sees it: its first and last line combined. */
export interface AuditView {
  /** Sequence number of the first line. */
  seq: number;
  at: string;
  actor: string;
  from: string;
  act: string;
  account: string | null;
  target: string | null;
  /** The changes; the requested arguments if the act was refused or not finished. */
  detail: Readonly<Record<string, unknown>>;
  /** `done`, the code of the refusal, or `unfinished` if the process ended during the act. */
  result: string;
}

export interface AuditQuery {
  /** Epoch milliseconds. */
  since?: number;
  account?: string;
  /** The whole actor. */
  actor?: string;
  /** Only acts before this sequence number. */
  before?: number;
  /** Words that actor, address, act, account or target contain, all of them. */
  search?: string;
  /** Acts returned at most; the newest are kept. */
  limit: number;
}

/** Returns the newest matching acts, oldest first. Skips damaged lines, which `verify` reports. */
export async function listAudit(
  trail: AuditLog,
  { since, account, actor, before, search = "", limit }: AuditQuery,
): Promise<AuditView[]> {
  const acts = new Map<number, AuditView>();
  const matches = searchFor(search);
  for await (const { bytes, torn } of trail.read()) {
    const line = torn ? undefined : parseAuditLine(Buffer.from(bytes).toString());
    if (line === undefined) continue;
    const begun = line.of === undefined ? undefined : acts.get(line.of);
    if (begun !== undefined) {
      finish(begun, line);
      continue;
    }
    if (line.of !== undefined || (since !== undefined && Date.parse(line.at) < since)) continue;
    // The first line of an act on an existing key names its account.
    if (account !== undefined && line.account !== account) continue;
    if (actor !== undefined && line.actor !== actor) continue;
    // Later lines may finish earlier acts.
    if (before !== undefined && line.seq >= before) continue;
    if (!matches(`${line.actor} ${line.from} ${line.act} ${line.account ?? ""} ${line.target ?? ""}`))
      continue;
    acts.set(line.seq, toView(line));
    if (acts.size > limit) acts.delete(acts.keys().next().value as number);
  }
  return [...acts.values()];
}

const toView = ({ seq, at, actor, from, act, account, target, detail, result }: AuditLine): AuditView => ({
  seq,
  at,
  actor,
  from,
  act,
  account: account ?? null,
  target: target ?? null,
  detail: detail ?? {},
  result: result === "begun" ? "unfinished" : result,
});

function finish(view: AuditView, { account, target, detail, result }: AuditLine): void {
  view.result = result;
  view.account ??= account ?? null;
  view.target ??= target ?? null;
  if (result === "done" || detail !== undefined) view.detail = detail ?? {};
}
