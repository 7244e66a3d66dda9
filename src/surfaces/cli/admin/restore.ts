import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { defineLeaf, jsonArg } from "../command.ts";
import { loadOperatorSettings } from "../load-settings.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";
import { configuredPlace, forceArg, openPlace, runCopy } from "./transfer.ts";

export const restoreCommand = defineLeaf({
  description: "Restore a backup into the store. Stop servers that use a data folder first.",
  args: {
    file: { type: "positional", required: true, description: "The backup; - is standard input" },
    ...forceArg,
    ...jsonArg,
  },
  examples: [
    "penknife admin restore /backups/penknife.jsonl",
    "gunzip -c penknife.jsonl.gz | penknife admin restore -",
  ],
  async run({ file, force, json, ...args }, host) {
    const settings = await loadOperatorSettings(args, host);
    if (settings.config.storage.driver === "memory") {
      throw usageError(
        "A backup cannot be restored into storage.driver memory, which keeps nothing. Set it to file or redis.",
      );
    }
    const { keepStream, readFileChunks } = await import("../../../services/transfer/backup-file.ts");
    const { readBackup } = await import("../../../services/transfer/read-backup.ts");
    const kept = file === "-" ? await keepStream(tmpdir(), host.stdin.chunks()) : undefined;
    try {
      const open = readFileChunks(kept?.path ?? resolve(host.files.cwd, file));
      const name = file === "-" ? "Standard input" : visible(file);
      // Validated completely before the store is opened.
      const backup = await readBackup({ name, open, now: host.runtime.now() });
      const store = await openPlace(configuredPlace(settings), { readOnly: false }, host);
      try {
        const { header } = backup;
        return await runCopy(
          {
            act: "restore",
            from: backup.sources,
            store,
            force: force === true,
            detail: { createdAt: header.createdAt, driver: header.driver },
          },
          json,
          host,
        );
      } finally {
        await store.close();
      }
    } finally {
      await kept?.release();
    }
  },
});
