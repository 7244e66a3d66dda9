import type { Table } from "../../../operations/command.ts";
import type { Host } from "../host.ts";
import { writeJson } from "../json.ts";
import { renderRecord, renderTable } from "../table.ts";
import { visible } from "../visible.ts";

/** Prints a list. Returns exit status 3 if records are damaged, so that a script does not take the list for complete. */
export async function writeList<View>(
  { items, damaged = [] }: { items: readonly View[]; damaged?: readonly string[] | undefined },
  table: Table<View>,
  json: boolean | undefined,
  host: Host,
): Promise<0 | 3> {
  if (json === true) await writeJson(host, { items });
  else await host.stdout.write(renderTable(table.headings, items.map(table.toRow), host.stdout));
  for (const reason of damaged) await host.stderr.write(`penknife: ${visible(reason)}\n`);
  return damaged.length === 0 ? 0 : 3;
}

/** Prints one record with all of its fields. */
export async function writeOne(view: object, json: boolean | undefined, host: Host): Promise<void> {
  if (json === true) return writeJson(host, view);
  const fields = Object.entries(view).map(([name, value]) => [name, value === null ? "-" : String(value)]);
  await host.stdout.write(renderRecord(Object.fromEntries(fields) as Record<string, string>, host.stdout));
}
