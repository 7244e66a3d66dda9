import { type Command, type Commands, defineGroup, type FindCommands } from "../command.ts";

/** Groups of commands, which follow from the operations; `byHand` has those that are written by hand. */
const groups: Record<string, { description: string; examples: string[]; byHand?: Commands }> = {
  accounts: {
    description: "Create, list, change and delete accounts.",
    examples: [
      "penknife admin accounts create ci --plan pro",
      "penknife admin accounts create build-farm --plan team --limit 50000",
      "penknife admin accounts set ci --plan team",
    ],
  },
  keys: {
    description: "Issue, rotate, check and revoke keys.",
    byHand: { revoke: async () => (await import("./keys-revoke.ts")).revokeCommand },
    examples: [
      "penknife admin keys issue --account ci --name gitlab --expires 90d",
      "penknife admin keys check - < key.txt",
      "penknife admin keys rotate key_0123456789abcdef0123 --grace 24h",
      "penknife admin keys revoke --all --account ci --reason 'leaked in a log'",
    ],
  },
  sessions: {
    description:
      "List and end settings sessions, which start with a code of admin login or the sign-in of a person.",
    byHand: { revoke: async () => (await import("./sessions-revoke.ts")).revokeCommand },
    examples: [
      "penknife admin sessions list --account ci",
      "penknife admin sessions revoke ses_0123456789abcdef0123",
      "penknife admin sessions revoke --person https://id.example.com/realms/staff#42",
    ],
  },
  limits: {
    description: "Reset an account's quota for this hour.",
    examples: ["penknife admin limits reset ci"],
  },
  webhooks: {
    description: "Manage the webhook endpoints of accounts, and inspect deliveries.",
    byHand: {
      test: async () => (await import("./webhooks-test.ts")).testCommand,
      deliveries: async () => (await import("./webhooks-deliveries.ts")).deliveriesCommand,
    },
    examples: [
      "penknife admin webhooks add --account ci --events key.expiring,limit.reached https://hooks.example.com/penknife",
      "penknife admin webhooks test we_0123456789abcdef01234567",
      "penknife admin webhooks deliveries --state failed --since 7d",
      "penknife admin webhooks recover we_0123456789abcdef01234567 --since 24h",
    ],
  },
};

const toGroup = (subject: string): (() => Command) => {
  const { byHand = {}, description = "", ...group } = groups[subject] ?? {};
  const commands: FindCommands = async (_host, word = "") => {
    // A line that names a command needs no other one, and the help of `penknife admin` none.
    if (Object.hasOwn(byHand, word)) return byHand;
    const { deriveCommands } = await import("./derived.ts");
    const { findOperation, loadOperations } = await import("../../../operations/index.ts");
    const named = await findOperation(`${subject}.${word}`);
    return deriveCommands(subject, named?.command ? [named] : await loadOperations(subject), byHand);
  };
  return () => defineGroup({ ...group, description, commands });
};

export const adminCommand = defineGroup({
  description: "Manage accounts, keys, quotas and backups, with or without a running server.",
  commands: {
    accounts: toGroup("accounts"),
    keys: toGroup("keys"),
    login: async () => (await import("./login.ts")).loginCommand,
    sessions: toGroup("sessions"),
    limits: toGroup("limits"),
    webhooks: toGroup("webhooks"),
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
