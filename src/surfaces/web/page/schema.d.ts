// Written by `make docs` from the documents of the pages and docs/schema.graphql.

export type KeyState = "EXPIRED" | "LIVE" | "REVOKED";

export interface CreateAccountInput {
  limit?: number | null | undefined;
  name: string;
  plan: Plan;
}

export type Plan = "FREE" | "PRO" | "TEAM";

export interface UpdateAccountInput {
  limit?: number | null | undefined;
  plan?: Plan | null | undefined;
  revokeKeys?: boolean | undefined;
}

export type FindingLevel = "ERROR" | "NOTE" | "OK" | "WARNING";

export type EventType =
  | "ACCOUNT_UPDATED"
  | "ENDPOINT_DISABLED"
  | "KEY_EXPIRING"
  | "KEY_ISSUED"
  | "KEY_REVOKED"
  | "KEY_ROTATED"
  | "LIMIT_REACHED"
  | "LIMIT_WARNING"
  | "WEBHOOK_TEST";

export type DeliveryState = "DELIVERED" | "FAILED" | "WAITING";

export type AttemptOutcome = "OK" | "REFUSED" | "RETRY";

export interface CreateWebhookEndpointInput {
  account?: string | null | undefined;
  description?: string | null | undefined;
  events?: EventType[] | null | undefined;
  method?: WebhookMethod | undefined;
  retryClientErrors?: boolean | undefined;
  url: string;
}

export type WebhookMethod = "POST" | "PUT";

export interface CreateInboxInput {
  account?: string | null | undefined;
  body?: string | null | undefined;
  delayMs?: number | null | undefined;
  name?: string | null | undefined;
  onInvalid?: InvalidSignature | null | undefined;
  scheme?: InboxScheme | null | undefined;
  secret?: string | null | undefined;
  status?: number | null | undefined;
}

export type InvalidSignature = "RECORD" | "REFUSE";

export type InboxScheme =
  | "GITHUB"
  | "GITLAB"
  | "NONE"
  | "PENKNIFE"
  | "SLACK"
  | "STANDARD_WEBHOOKS"
  | "STRIPE";

export interface UpdateInboxInput {
  body?: string | null | undefined;
  delayMs?: number | null | undefined;
  name?: string | null | undefined;
  onInvalid?: InvalidSignature | null | undefined;
  scheme?: InboxScheme | null | undefined;
  secret?: string | null | undefined;
  status?: number | null | undefined;
}

export type KeyWarning = "EXPIRES_SOON" | "NEVER_EXPIRES" | "UNUSED";

export type SignatureState = "INVALID" | "UNCHECKED" | "VALID";

export type SessionState = "EXPIRED" | "LIVE" | "REVOKED";

export interface PersonInput {
  issuer: string;
  subject: string;
}

export type UsageGroup = "ACCOUNT" | "DAY" | "HOUR" | "KEY" | "TOOL";

export type EndpointState = "ACTIVE" | "DISABLED" | "PAUSED";

export type DisabledReason = "FAILING" | "GONE";

export type Sending = "ELSEWHERE" | "HERE" | "NOWHERE";
