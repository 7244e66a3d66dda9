import { basename, dirname, resolve } from "node:path";
import type { PageSource, Written } from "../../../services/transfer/backup-file.ts";
import { defineLeaf, jsonArg } from "../command.ts";
import type { Host } from "../host.ts";
import { writeJson } from "../json.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";
import { requireWritable, writeFile } from "../write-file.ts";
import { type AdminLink, callerOf, openAdmin } from "./connect.ts";
import { toCounts } from "./transfer.ts";

export const backupCommand = defineLeaf({
  description: "Write everything in the store to one file, with or without a running server.",
  args: {
    file: { type: "positional", required: true, description: "The backup file; - is standard output" },
    ...jsonArg,
  },
  examples: [
    "penknife admin backup /backups/penknife.jsonl",
    "penknife admin backup - | gzip > penknife-$(date +%F).jsonl.gz",
  ],
  async run({ file, ...args }, host) {
    if (file === "-" && host.stdout.isTTY)
      throw usageError("A backup cannot be written to a terminal. Give a file, or use a pipe.");
    if (file === "-" && args.json === true)
      throw usageError("--json writes to standard output. Give the backup a file name instead of -.");
    if (file !== "-") {
      refuseBadTarget(resolve(host.files.cwd, file), host);
      await requireWritable({ path: file }, host);
    }
    const { toBackupText } = await import("../../../services/transfer/backup-file.ts");
    const written: Partial<Written> = {};
    const link = await openAdmin("backup.begin", args, host);
    try {
      const text = toBackupText(await begin(link, host), written);
      if (file === "-") for await (const piece of text) await host.stdout.write(piece);
      else await writeFile({ path: file, content: text, secret: true }, host);
    } finally {
      await link.close();
    }
    return report(written as Written, file, args.json, host);
  },
});

async function begin(link: AdminLink, host: Host): Promise<PageSource> {
  const caller = callerOf(host);
  const { id, header } = await link.call("backup.begin", {}, caller);
  return { header, next: () => link.call("backup.next", { id }, caller) };
}

function refuseBadTarget(path: string, { files }: Host): void {
  if (files.stat(path)?.kind === "folder")
    throw usageError(`${visible(path)} is a folder. Give a file name.`);
  if (files.stat(dirname(path))?.kind !== "folder") {
    throw usageError(
      `There is no folder ${visible(dirname(path))} for ${visible(basename(path))}. Create it first.`,
    );
  }
}

async function report(
  { header, counts, damaged }: Written,
  file: string,
  json: boolean | undefined,
  host: Host,
): Promise<0 | 3> {
  if (json === true)
    await writeJson(host, { createdAt: header.createdAt, driver: header.driver, counts, damaged });
  else
    await host.stderr.write(`penknife: ${toCounts(counts)}${file === "-" ? "" : ` in ${visible(file)}`}\n`);
  for (const reason of damaged) await host.stderr.write(`penknife: not in the backup: ${visible(reason)}\n`);
  return damaged.length === 0 ? 0 : 3;
}
