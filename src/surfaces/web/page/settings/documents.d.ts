// Written by `make docs` from the documents of the pages and docs/schema.graphql.

import type * as schema from "../schema.d.ts";

/** The answers to documents, by the names of their operations. */
export interface Answers {
  Deliveries: {
    deliveries:
      | {
          id: string;
          event: string;
          type: schema.EventType;
          endpoint: string;
          state: schema.DeliveryState;
          attempts: number;
          createdAt: string;
          nextAt: string | null;
          endedAt: string | null;
          reason: string | null;
        }[]
      | null;
  };
  Changes: {
    deliveries: {
      id: string;
      event: string;
      type: schema.EventType;
      endpoint: string;
      state: schema.DeliveryState;
      attempts: number;
      createdAt: string;
      nextAt: string | null;
      endedAt: string | null;
      reason: string | null;
    };
  };
  Delivery: {
    delivery: {
      body: string | null;
      log:
        | {
            number: number;
            at: string;
            durationMs: number;
            outcome: schema.AttemptOutcome;
            status: number | null;
            error: string | null;
            excerpt: string | null;
            headers: { name: string; value: string }[];
          }[]
        | null;
    } | null;
  };
  Redeliver: { redeliver: { id: string } | null };
  CreateEndpoint: { createWebhookEndpoint: { secret: string; warning: string | null } | null };
  RotateSecret: { rotateWebhookSecret: { secret: string; warning: string | null } | null };
  Recover: { recoverDeliveries: { redelivered: number; more: boolean } | null };
  DeleteEndpoint: { deleteWebhookEndpoint: { id: string } | null };
  Events: {
    events: { id: string; type: schema.EventType; timestamp: string; account: string; data: unknown };
  };
  CreateInbox: { createInbox: { secret: string | null } | null };
  UpdateInbox: { updateInbox: { secret: string | null } | null };
  DeleteInbox: { deleteInbox: { id: string } | null };
  Inboxes: {
    viewer: { account: { name: string } | null };
    inboxes:
      | {
          id: string;
          name: string | null;
          scheme: schema.InboxScheme;
          onInvalid: schema.InvalidSignature;
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
  GenerateKey: {
    generateKey: {
      secret: string;
      key: { name: string | null; start: string; expiresAt: string | null } | null;
    } | null;
  };
  RotateKey: {
    rotateKey: {
      secret: string;
      key: { name: string | null; start: string; expiresAt: string | null } | null;
    } | null;
  };
  RevokeKey: { revokeKey: { id: string } | null };
  RevokeAllKeys: { revokeAllKeys: { id: string }[] | null };
  Keys: {
    viewer: { account: { name: string; plan: schema.Plan } | null };
    keysConnection: {
      totalCount: number;
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
      warnings: { warning: schema.KeyWarning; keys: number }[];
      nodes: {
        id: string;
        name: string | null;
        start: string;
        state: schema.KeyState;
        createdAt: string;
        expiresAt: string | null;
        revokedAt: string | null;
        revokeReason: string | null;
        lastUsedAt: string | null;
        requestsLast24h: number | null;
        requestsByHour: number[] | null;
        warnings: schema.KeyWarning[];
        rotatedTo: string | null;
      }[];
    } | null;
  };
  KeyEvents: { events: { id: string } };
  Used: { usage: { used: number } };
  Message: {
    inbox: {
      message: {
        method: schema.WebhookMethod;
        query: string;
        headers: { name: string; value: string }[];
        body: string | null;
        bodyBase64: string;
      } | null;
    } | null;
  };
  Messages: {
    inbox: {
      messages: {
        pageInfo: { hasNextPage: boolean; endCursor: string | null };
        nodes: {
          id: string;
          at: string;
          type: string | null;
          event: string | null;
          bytes: number;
          signature: schema.SignatureState;
        }[];
      } | null;
    } | null;
  };
  Received: {
    inboxEvents: {
      id: string;
      at: string;
      type: string | null;
      event: string | null;
      bytes: number;
      signature: schema.SignatureState;
    };
  };
  Sessions: {
    sessions:
      | {
          id: string;
          operator: boolean;
          account: string | null;
          person: { issuer: string; subject: string; name: string | null } | null;
          state: schema.SessionState;
          current: boolean;
          createdAt: string;
          expiresAt: string;
          revokedAt: string | null;
          lastUsedAt: string | null;
        }[]
      | null;
  };
  RevokeSessions: { revokeSessions: { id: string }[] | null };
  RevokeSession: { revokeSession: { id: string } | null };
  Usage: {
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
  UsageOwner: {
    viewer: { account: { name: string; plan: schema.Plan } | null };
    keys: { id: string; name: string | null; start: string }[] | null;
  };
  UsageNow: { usage: { used: number; limit: number; remaining: number; resetAt: string | null } };
  Endpoints: {
    viewer: { account: { name: string } | null };
    webhookEndpoints:
      | {
          id: string;
          url: string;
          method: schema.WebhookMethod;
          events: schema.EventType[] | null;
          state: schema.EndpointState;
          disabledReason: schema.DisabledReason | null;
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
  TestEndpoint: { testWebhookEndpoint: { sending: schema.Sending } | null };
  Pause: { pauseWebhookEndpoint: { id: string } | null };
  Resume: { resumeWebhookEndpoint: { id: string } | null };
  Disabled: { events: { id: string } };
}

/** The variables of documents, by the names of their operations. */
export interface Variables {
  Deliveries: {
    endpoint?: string | null | undefined;
    state?: schema.DeliveryState | null | undefined;
    type?: schema.EventType | null | undefined;
    since?: string | null | undefined;
    first: number;
    after?: string | null | undefined;
  };
  Changes: Record<string, never>;
  Delivery: { id: string };
  Redeliver: { id: string };
  CreateEndpoint: { input: schema.CreateWebhookEndpointInput };
  RotateSecret: { id: string; grace?: string | null | undefined };
  Recover: { endpoint: string; since: string };
  DeleteEndpoint: { id: string };
  Events: Record<string, never>;
  CreateInbox: { input: schema.CreateInboxInput };
  UpdateInbox: { id: string; input: schema.UpdateInboxInput };
  DeleteInbox: { id: string };
  Inboxes: Record<string, never>;
  GenerateKey: { name?: string | null | undefined; expires?: string | null | undefined };
  RotateKey: { id: string; grace?: string | null | undefined };
  RevokeKey: { id: string; reason?: string | null | undefined };
  RevokeAllKeys: Record<string, never>;
  Keys: {
    search?: string | null | undefined;
    state?: schema.KeyState | null | undefined;
    warning?: schema.KeyWarning | null | undefined;
    after?: string | null | undefined;
  };
  KeyEvents: Record<string, never>;
  Used: Record<string, never>;
  Message: { inbox: string; id: string };
  Messages: { id: string; after?: string | null | undefined };
  Received: { id: string; after?: string | null | undefined };
  Sessions: Record<string, never>;
  RevokeSessions: { person?: schema.PersonInput | null | undefined };
  RevokeSession: { id: string };
  Usage: {
    since: string;
    until?: string | null | undefined;
    key?: string | null | undefined;
    by: schema.UsageGroup;
  };
  UsageOwner: Record<string, never>;
  UsageNow: Record<string, never>;
  Endpoints: Record<string, never>;
  TestEndpoint: { id: string };
  Pause: { id: string };
  Resume: { id: string };
  Disabled: Record<string, never>;
}
