import { defineGroup } from "../command.ts";

export const adminCommand = defineGroup({
  description: "Manage accounts, keys, quotas and backups, with or without a running server.",
  commands: {
    accounts: async () => (await import("./accounts.ts")).accountsCommand,
    keys: async () => (await import("./keys.ts")).keysCommand,
    login: async () => (await import("./login.ts")).loginCommand,
    sessions: async () => (await import("./sessions.ts")).sessionsCommand,
    limits: async () => (await import("./limits.ts")).limitsCommand,
    webhooks: async () => (await import("./webhooks.ts")).webhooksCommand,
    usage: async () => (await import("./usage.ts")).usageCommand,
    audit: async () => (await import("./audit.ts")).auditCommand,
    backup: async () => (await import("./backup.ts")).backupCommand,
    restore: async () => (await import("./restore.ts")).restoreCommand,
    migrate: async () => (await import("./migrate.ts")).migrateCommand,
  },
  examples: [
    "penknife admin accounts create ci --plan pro",
    "penknife admin keys issue --account ci --expires 90d",
    "penknife admin usage",
    "penknife admin backup /backups/penknife.jsonl",
  ],
});
