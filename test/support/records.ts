import type {
  AccountRecord,
  EndpointRecord,
  InboxRecord,
  KeyRecord,
  LoginRecord,
  SessionRecord,
} from "../../src/storage/records.ts";

export function account(name: string, changes: Partial<AccountRecord> = {}): AccountRecord {
  return { v: 1, name, plan: "pro", disabled: false, createdAt: "2026-11-21T00:00:00.000Z", ...changes };
}

export function key(id: string, changes: Partial<KeyRecord> = {}): KeyRecord {
  return {
    v: 1,
    id: `key_${id}`,
    hash: id.padEnd(64, "0"),
    account: "acme",
    start: "svc_live_abcd",
    createdAt: "2026-11-21T00:00:00.000Z",
    ...changes,
  };
}

export function endpoint(id: string, changes: Partial<EndpointRecord> = {}): EndpointRecord {
  return {
    v: 1,
    id: `we_${id}`,
    account: "acme",
    url: "https://hooks.example.com/penknife?a=1",
    method: "POST",
    events: ["*"],
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    state: "active",
    retryClientErrors: false,
    createdAt: "2026-11-21T00:00:00.000Z",
    ...changes,
  };
}

export function inbox(id: string, changes: Partial<InboxRecord> = {}): InboxRecord {
  return {
    v: 1,
    id: `in_${id}`,
    account: "acme",
    scheme: "none",
    onInvalid: "refuse",
    status: 200,
    delayMs: 0,
    createdAt: "2026-11-21T00:00:00.000Z",
    ...changes,
  };
}

export function session(id: string, changes: Partial<SessionRecord> = {}): SessionRecord {
  return {
    v: 1,
    id: `ses_${id}`,
    hash: id.padEnd(64, "0"),
    account: "acme",
    createdAt: "2026-11-21T00:00:00.000Z",
    expiresAt: "2026-11-21T08:00:00.000Z",
    ...changes,
  };
}

export const login = (id: string, changes: Partial<LoginRecord> = {}): LoginRecord => ({
  ...session(id),
  id: `login_${id}`,
  ...changes,
});
