// Written by `make docs` from the documents of the pages and docs/schema.graphql.

import type * as schema from "../schema.d.ts";

/** The answers to documents, by the names of their operations. */
export interface Answers {
  KeysOf: {
    keysConnection: {
      totalCount: number;
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
      nodes: {
        id: string;
        name: string | null;
        start: string;
        state: schema.KeyState;
        lastUsedAt: string | null;
        requestsLast24h: number | null;
      }[];
    } | null;
  };
  RevokeKeyOf: { revokeKey: { id: string } | null };
  CreateAccount: { createAccount: { name: string } | null };
  UpdateAccount: { updateAccount: { name: string } | null };
  Disable: { disableAccount: { name: string } | null };
  DeleteAccount: { deleteAccount: { name: string } | null };
  CreateLogin: { createLogin: { code: string } | null };
  Accounts: {
    accountsConnection: {
      totalCount: number;
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
      nodes: {
        name: string;
        plan: schema.Plan;
        limit: number;
        disabled: boolean;
        createdAt: string;
        liveKeys: number | null;
        people: string[] | null;
        quota: { used: number; remaining: number } | null;
      }[];
    } | null;
  };
  Enable: { enableAccount: { name: string } | null };
  ResetLimits: { resetLimits: { name: string } | null };
  Trail: {
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
  Proof: {
    auditProof: {
      intact: boolean;
      lines: number;
      head: string;
      faultCount: number;
      faults: { place: string; message: string }[];
      notices: string[];
    } | null;
  };
  Configuration: { configuration: { option: string; value: unknown; origin: string }[] | null };
  Doctor: {
    nodes: { id: string; version: string | null; seenAt: string; current: boolean }[] | null;
    doctor: { check: string; level: schema.FindingLevel; message: string; action: string | null }[] | null;
  };
}

/** The variables of documents, by the names of their operations. */
export interface Variables {
  KeysOf: { name: string; after?: string | null | undefined };
  RevokeKeyOf: { id: string };
  CreateAccount: { input: schema.CreateAccountInput };
  UpdateAccount: { name: string; input: schema.UpdateAccountInput };
  Disable: { name: string };
  DeleteAccount: { name: string };
  CreateLogin: { name: string };
  Accounts: {
    search?: string | null | undefined;
    plan?: schema.Plan | null | undefined;
    after?: string | null | undefined;
  };
  Enable: { name: string };
  ResetLimits: { name: string };
  Trail: {
    account?: string | null | undefined;
    since?: string | null | undefined;
    search?: string | null | undefined;
    before?: number | null | undefined;
    first: number;
  };
  Proof: Record<string, never>;
  Configuration: Record<string, never>;
  Doctor: Record<string, never>;
}
