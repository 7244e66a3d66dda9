/**
 * Says what an act of the audit trail did, for the sentence "somebody …". An act of a release that this page does not know keeps
 * its name.
 */
export const toWords = (act: string): string => (Object.hasOwn(words, act) ? (words[act] ?? act) : act);

const words: Readonly<Record<string, string>> = {
  "accounts.create": "created the account",
  "accounts.delete": "deleted the account",
  "accounts.disable": "disabled the account",
  "accounts.enable": "enabled the account",
  "accounts.set": "changed the plan or the limit",
  "inboxes.change": "changed an inbox",
  "inboxes.create": "created an inbox",
  "inboxes.remove": "deleted an inbox",
  "keys.issue": "generated a key",
  "keys.revoke": "revoked a key",
  "keys.revokeAll": "revoked all keys",
  "keys.rotate": "rotated a key",
  "limits.reset": "reset the quota",
  login: "created a code to sign in",
  "sessions.begin": "signed in with a code",
  "sessions.open": "signed in",
  "sessions.revoke": "ended a session",
  "sessions.revokeAll": "ended all sessions of a person",
  "webhooks.add": "added an endpoint",
  "webhooks.pause": "paused an endpoint",
  "webhooks.recover": "sent failed deliveries again",
  "webhooks.redeliver": "sent a delivery again",
  "webhooks.remove": "deleted an endpoint",
  "webhooks.resume": "resumed an endpoint",
  "webhooks.rotate": "rotated a signing secret",
  "webhooks.test": "tested an endpoint",
};

/** Returns the details of an act as lines such as "limit: 1,000 → 20,000". */
export const toLines = (detail: unknown): string[] =>
  typeof detail === "object" && detail !== null
    ? Object.entries(detail).map(([name, value]) => `${name}: ${toChange(value)}`)
    : [];

function toChange(value: unknown): string {
  if (typeof value === "object" && value !== null && "after" in value) {
    const { before = null, after } = value as { before?: unknown; after: unknown };
    return before === null ? toText(after) : `${toText(before)} → ${toText(after)}`;
  }
  return toText(value);
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (typeof value === "string") return value;
  if (typeof value === "number") return value.toLocaleString();
  return Array.isArray(value) ? value.map(toText).join(", ") : JSON.stringify(value);
}
