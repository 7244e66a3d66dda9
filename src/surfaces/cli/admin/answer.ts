import type { KeyView } from "../../../services/access/key-view.ts";
import type { AccountView, ListView, UsageView } from "../../../services/admin/admin.ts";
import type { Host } from "../host.ts";
import { writeJson } from "../json.ts";
import { renderRecord, renderTable } from "../table.ts";
import { visible } from "../visible.ts";

/** The columns of one kind of record in a table. */
export interface Shape<View> {
  headings: readonly string[];
  toRow(view: View): readonly string[];
}

export const accountShape: Shape<AccountView> = {
  headings: ["ACCOUNT", "PLAN", "LIMIT/H", "STATE", "CREATED"],
  toRow: ({ name, plan, limit, disabled, createdAt }) => [
    name,
    plan,
    String(limit),
    disabled ? "disabled" : "enabled",
    createdAt,
  ],
};

export const keyShape: Shape<KeyView> = {
  headings: ["KEY", "BEGINS WITH", "ACCOUNT", "NAME", "STATE", "CREATED", "EXPIRES", "LAST USED"],
  toRow: ({ id, start, account, name, state, createdAt, expiresAt, lastUsedAt }) => [
    id,
    `${start}…`,
    account,
    name ?? "-",
    state,
    createdAt,
    expiresAt ?? "never",
    // A server of an older release does not report it.
    lastUsedAt ?? "-",
  ],
};

export const usageShape: Shape<UsageView> = {
  headings: ["ACCOUNT", "PLAN", "USED", "LIMIT/H", "REMAINING", "RESETS"],
  toRow: ({ account, plan, used, limit, remaining, resetAt }) => [
    account,
    plan,
    String(used),
    String(limit),
    String(remaining),
    resetAt ?? "-",
  ],
};

/** Prints a list. Returns exit status 3 if records are damaged, so that a script does not take the list for complete. */
export async function writeList<View>(
  { items, damaged = [] }: ListView<View>,
  shape: Shape<View>,
  json: boolean | undefined,
  host: Host,
): Promise<0 | 3> {
  if (json === true) await writeJson(host, { items });
  else await host.stdout.write(renderTable(shape.headings, items.map(shape.toRow), host.stdout));
  for (const reason of damaged) await host.stderr.write(`penknife: ${visible(reason)}\n`);
  return damaged.length === 0 ? 0 : 3;
}

/** Prints one record with all of its fields. */
export async function writeOne(view: object, json: boolean | undefined, host: Host): Promise<void> {
  if (json === true) return writeJson(host, view);
  const fields = Object.entries(view).map(([name, value]) => [name, value === null ? "-" : String(value)]);
  await host.stdout.write(renderRecord(Object.fromEntries(fields) as Record<string, string>, host.stdout));
}
