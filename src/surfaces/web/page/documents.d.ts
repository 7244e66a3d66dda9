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

export type DeliveryState = "DELIVERED" | "FAILED" | "WAITING";

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

/** The answers and the variables of the documents, by the names of their operations. */
export interface Operations {
  End: { data: { events: { id: string } }; variables: Record<string, never> };
  KeysOf: {
    data: {
      keysConnection: {
        totalCount: number;
        pageInfo: { hasNextPage: boolean; endCursor: string | null };
        nodes: {
          id: string;
          name: string | null;
          start: string;
          state: KeyState;
          lastUsedAt: string | null;
          requestsLast24h: number | null;
        }[];
      } | null;
    };
    variables: { name: string; after?: string | null | undefined };
  };
  RevokeKeyOf: { data: { revokeKey: { id: string } | null }; variables: { id: string } };
  CreateAccount: {
    data: { createAccount: { name: string } | null };
    variables: { input: CreateAccountInput };
  };
  UpdateAccount: {
    data: { updateAccount: { name: string } | null };
    variables: { name: string; input: UpdateAccountInput };
  };
  Disable: { data: { disableAccount: { name: string } | null }; variables: { name: string } };
  DeleteAccount: { data: { deleteAccount: { name: string } | null }; variables: { name: string } };
  CreateLogin: { data: { createLogin: { code: string } | null }; variables: { name: string } };
  Accounts: {
    data: {
      accountsConnection: {
        totalCount: number;
        pageInfo: { hasNextPage: boolean; endCursor: string | null };
        nodes: {
          name: string;
          plan: Plan;
          limit: number;
          disabled: boolean;
          createdAt: string;
          quota: { used: number; remaining: number } | null;
        }[];
      } | null;
    };
    variables: { search?: string | null | undefined; after?: string | null | undefined };
  };
  Enable: { data: { enableAccount: { name: string } | null }; variables: { name: string } };
  ResetLimits: { data: { resetLimits: { name: string } | null }; variables: { name: string } };
  Trail: {
    data: {
      auditTrail:
        | {
            seq: number;
            at: string;
            actor: string;
            from: string;
            act: string;
            account: string | null;
            target: string | null;
            detail: unknown;
            result: string;
          }[]
        | null;
    };
    variables: {
      account?: string | null | undefined;
      since?: string | null | undefined;
      search?: string | null | undefined;
      before?: number | null | undefined;
      first: number;
    };
  };
  Proof: {
    data: {
      auditProof: {
        intact: boolean;
        lines: number;
        head: string;
        faultCount: number;
        faults: { place: string; message: string }[];
        notices: string[];
      } | null;
    };
    variables: Record<string, never>;
  };
  Configuration: {
    data: { configuration: { option: string; value: unknown; origin: string }[] | null };
    variables: Record<string, never>;
  };
  Doctor: {
    data: {
      nodes: { id: string; version: string | null; seenAt: string; current: boolean }[] | null;
      doctor: { check: string; level: FindingLevel; message: string; action: string | null }[] | null;
    };
    variables: Record<string, never>;
  };
  Deliveries: {
    data: {
      deliveries:
        | {
            id: string;
            event: string;
            type: EventType;
            endpoint: string;
            state: DeliveryState;
            attempts: number;
            createdAt: string;
            nextAt: string | null;
            endedAt: string | null;
            reason: string | null;
          }[]
        | null;
    };
    variables: {
      endpoint?: string | null | undefined;
      state?: DeliveryState | null | undefined;
      type?: EventType | null | undefined;
      since?: string | null | undefined;
      first: number;
      after?: string | null | undefined;
    };
  };
  Changes: {
    data: {
      deliveries: {
        id: string;
        event: string;
        type: EventType;
        endpoint: string;
        state: DeliveryState;
        attempts: number;
        createdAt: string;
        nextAt: string | null;
        endedAt: string | null;
        reason: string | null;
      };
    };
    variables: Record<string, never>;
  };
  Delivery: {
    data: {
      delivery: {
        body: string | null;
        log:
          | {
              number: number;
              at: string;
              durationMs: number;
              outcome: AttemptOutcome;
              status: number | null;
              error: string | null;
              excerpt: string | null;
            }[]
          | null;
      } | null;
    };
    variables: { id: string };
  };
  Redeliver: { data: { redeliver: { id: string } | null }; variables: { id: string } };
  CreateEndpoint: {
    data: { createWebhookEndpoint: { secret: string; warning: string | null } | null };
    variables: { input: CreateWebhookEndpointInput };
  };
  RotateSecret: {
    data: { rotateWebhookSecret: { secret: string; warning: string | null } | null };
    variables: { id: string; grace?: string | null | undefined };
  };
  Recover: {
    data: { recoverDeliveries: { redelivered: number; more: boolean } | null };
    variables: { endpoint: string; since: string };
  };
  DeleteEndpoint: { data: { deleteWebhookEndpoint: { id: string } | null }; variables: { id: string } };
  Events: {
    data: { events: { id: string; type: EventType; timestamp: string; account: string; data: unknown } };
    variables: Record<string, never>;
  };
  CreateInbox: {
    data: { createInbox: { secret: string | null } | null };
    variables: { input: CreateInboxInput };
  };
  UpdateInbox: {
    data: { updateInbox: { secret: string | null } | null };
    variables: { id: string; input: UpdateInboxInput };
  };
  DeleteInbox: { data: { deleteInbox: { id: string } | null }; variables: { id: string } };
  Inboxes: {
    data: {
      viewer: { account: { name: string } | null };
      inboxes:
        | {
            id: string;
            name: string | null;
            scheme: InboxScheme;
            onInvalid: InvalidSignature;
            status: number;
            body: string | null;
            delayMs: number;
            createdAt: string;
            messageCount: number;
            duplicateCount: number;
            newestAt: string | null;
          }[]
        | null;
    };
    variables: Record<string, never>;
  };
  GenerateKey: {
    data: { generateKey: { secret: string } | null };
    variables: { name?: string | null | undefined; expires?: string | null | undefined };
  };
  RotateKey: {
    data: { rotateKey: { secret: string } | null };
    variables: { id: string; grace?: string | null | undefined };
  };
  RevokeKey: {
    data: { revokeKey: { id: string } | null };
    variables: { id: string; reason?: string | null | undefined };
  };
  RevokeAllKeys: { data: { revokeAllKeys: { id: string }[] | null }; variables: Record<string, never> };
  Keys: {
    data: {
      viewer: { account: { name: string; plan: Plan } | null };
      keysConnection: {
        totalCount: number;
        pageInfo: { hasNextPage: boolean; endCursor: string | null };
        warnings: { warning: KeyWarning; keys: number }[];
        nodes: {
          id: string;
          name: string | null;
          start: string;
          state: KeyState;
          createdAt: string;
          expiresAt: string | null;
          revokedAt: string | null;
          revokeReason: string | null;
          lastUsedAt: string | null;
          requestsLast24h: number | null;
          warnings: KeyWarning[];
          rotatedTo: string | null;
        }[];
      } | null;
    };
    variables: {
      search?: string | null | undefined;
      state?: KeyState | null | undefined;
      warning?: KeyWarning | null | undefined;
      after?: string | null | undefined;
    };
  };
  KeyEvents: { data: { events: { id: string } }; variables: Record<string, never> };
  Used: { data: { usage: { used: number } }; variables: Record<string, never> };
  Messages: {
    data: {
      inbox: {
        messages: {
          pageInfo: { hasNextPage: boolean; endCursor: string | null };
          nodes: {
            id: string;
            at: string;
            type: string | null;
            event: string | null;
            bytes: number;
            signature: SignatureState;
          }[];
        } | null;
      } | null;
    };
    variables: { id: string; after?: string | null | undefined };
  };
  Received: {
    data: {
      inboxEvents: {
        id: string;
        at: string;
        type: string | null;
        event: string | null;
        bytes: number;
        signature: SignatureState;
      };
    };
    variables: { id: string; after?: string | null | undefined };
  };
  Message: {
    data: {
      inbox: {
        message: {
          method: WebhookMethod;
          query: string;
          headers: { name: string; value: string }[];
          body: string | null;
          bodyBase64: string;
        } | null;
      } | null;
    };
    variables: { inbox: string; id: string };
  };
  Sessions: {
    data: {
      sessions:
        | {
            id: string;
            operator: boolean;
            account: string | null;
            person: { issuer: string; subject: string; name: string | null } | null;
            state: SessionState;
            current: boolean;
            createdAt: string;
            expiresAt: string;
            revokedAt: string | null;
            lastUsedAt: string | null;
          }[]
        | null;
    };
    variables: Record<string, never>;
  };
  RevokeSessions: {
    data: { revokeSessions: { id: string }[] | null };
    variables: { person?: PersonInput | null | undefined };
  };
  RevokeSession: { data: { revokeSession: { id: string } | null }; variables: { id: string } };
  Usage: {
    data: {
      times: {
        items: {
          hour: string | null;
          day: string | null;
          requests: number;
          ok: number;
          refused: number;
          failed: number;
          limited: number;
        }[];
      } | null;
      byKey: {
        items: {
          key: string | null;
          requests: number;
          ok: number;
          refused: number;
          failed: number;
          limited: number;
        }[];
      } | null;
      byTool: {
        items: {
          tool: string | null;
          requests: number;
          ok: number;
          refused: number;
          failed: number;
          limited: number;
        }[];
      } | null;
    };
    variables: {
      since: string;
      until?: string | null | undefined;
      key?: string | null | undefined;
      by: UsageGroup;
    };
  };
  UsageOwner: {
    data: {
      viewer: { account: { name: string; plan: Plan } | null };
      keys: { id: string; name: string | null; start: string }[] | null;
    };
    variables: Record<string, never>;
  };
  UsageNow: {
    data: { usage: { used: number; limit: number; remaining: number; resetAt: string | null } };
    variables: Record<string, never>;
  };
  Endpoints: {
    data: {
      viewer: { account: { name: string } | null };
      webhookEndpoints:
        | {
            id: string;
            url: string;
            method: WebhookMethod;
            events: EventType[] | null;
            state: EndpointState;
            disabledReason: DisabledReason | null;
            disabledAt: string | null;
            retryClientErrors: boolean;
            description: string | null;
            maskedSecret: string | null;
            previousUntil: string | null;
            createdAt: string;
            failures: number | null;
            failingSince: string | null;
          }[]
        | null;
    };
    variables: Record<string, never>;
  };
  TestEndpoint: { data: { testWebhookEndpoint: { sending: Sending } | null }; variables: { id: string } };
  Pause: { data: { pauseWebhookEndpoint: { id: string } | null }; variables: { id: string } };
  Resume: { data: { resumeWebhookEndpoint: { id: string } | null }; variables: { id: string } };
  Disabled: { data: { events: { id: string } }; variables: Record<string, never> };
  Who: { data: { viewer: { operator: boolean } }; variables: Record<string, never> };
}
