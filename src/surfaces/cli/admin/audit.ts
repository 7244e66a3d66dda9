import { counted } from "../../../lib/counted.ts";
import type { Table } from "../../../operations/command.ts";
import { listActs } from "../../../operations/audit/list.ts";
import type { AuditView } from "../../../services/audit/list.ts";
import { defineLeaf, jsonArg } from "../command.ts";
import type { Host } from "../host.ts";
import { writeJson } from "../json.ts";
import type { SettingsArgs } from "../load-settings.ts";
import { usageError } from "../usage-error.ts";
import { visible, visibleLine } from "../visible.ts";
import { writeList } from "./answer.ts";
import { callAdmin } from "./connect.ts";
import { argsOf, toFields } from "./derived.ts";

export const auditCommand = defineLeaf({
  description: "Show who changed what, when and from where, or verify that the audit trail is unchanged.",
  args: {
    verify: {
      type: "boolean",
      description:
        "Verify the whole hash chain; exit status 1 if a line was changed, removed, added or moved",
    },
    anchor: {
      type: "string",
      valueHint: "N:HASH",
      description: "With --verify: a head noted earlier, which must still be in the chain",
    },
    ...argsOf(listActs),
    ...jsonArg,
  },
  examples: [
    "penknife admin audit --since 7d",
    "penknife admin audit --account ci --json",
    "penknife admin audit --verify",
  ],
  async run({ verify, anchor, ...args }, host) {
    const filters = await toFields(listActs, args, host);
    if (verify === true) {
      if (Object.keys(filters).length > 0) {
        throw usageError(
          "--verify reads the whole trail; leave out --since, --account, --actor and --limit.",
        );
      }
      return runVerify(anchor, args, host);
    }
    if (anchor !== undefined) throw usageError("--anchor needs --verify.");
    const view = await callAdmin("audit.list", filters, args, host);
    return writeList(view, auditTable, args.json, host);
  },
});

const auditTable: Table<AuditView> = {
  headings: ["NO", "WHEN", "WHO", "FROM", "ACT", "ACCOUNT", "TARGET", "RESULT", "DETAIL"],
  toRow: ({ seq, at, actor, from, act, account, target, result, detail }) => [
    String(seq),
    at,
    actor,
    from,
    act,
    account ?? "-",
    target ?? "-",
    result,
    renderDetail(detail),
  ],
};

async function runVerify(
  anchor: string | undefined,
  args: SettingsArgs & { json?: boolean | undefined },
  host: Host,
): Promise<0 | 1> {
  const fields = anchor === undefined ? {} : { anchor: toAnchor(anchor) };
  const found = await callAdmin("audit.verify", fields, args, host);
  const { lines, head, faults, faultCount, notices } = found;
  const valid = faultCount === 0;
  if (args.json === true) {
    await writeJson(host, { valid, ...found });
    return valid ? 0 : 1;
  }
  for (const { place, message } of faults) await host.stdout.write(`${visibleLine(`${place} ${message}`)}\n`);
  for (const notice of notices) await host.stderr.write(`penknife: ${visible(notice)}\n`);
  const number = counted(lines, "line");
  if (valid) {
    await host.stdout.write(`The audit trail is intact: ${number}.\n`);
    if (lines > 0) {
      await host.stderr.write(
        `Its head is ${head.seq}:${head.hash}. Keep it where nobody with write access to the store can change it, and verify against it next time: --verify --anchor ${head.seq}:${head.hash}\n`,
      );
    }
    return 0;
  }
  await host.stderr.write(
    `penknife: the audit trail of ${number} is broken in ${counted(faultCount, "place")}; the first is ${visible(faults[0]?.place ?? "")}.\n`,
  );
  return 1;
}

function toAnchor(text: string): { seq: number; hash: string } {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (hash !== undefined && Number(seq) >= 1) return { seq: Number(seq), hash };
  throw usageError("--anchor must be a head that --verify printed: a number, a colon and 64 hex digits.");
}

/** `plan pro → team, limit - → 20000`. */
function renderDetail(detail: AuditView["detail"]): string {
  return Object.entries(detail)
    .map(([name, value]) => {
      const { before, after } = (value ?? {}) as { before?: unknown; after?: unknown };
      return before === undefined && after === undefined
        ? `${name} ${toText(value)}`
        : `${name} ${toText(before)} → ${toText(after)}`;
    })
    .join(", ");
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return "-";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(" ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
