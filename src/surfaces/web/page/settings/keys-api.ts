import { gql } from "../graph.ts";
import type { Cursors } from "../ui/pager.tsx";

/** The record of a key, as a row of the list. */
export interface Key {
  id: string;
  name: string | null;
  start: string;
  state: "LIVE" | "EXPIRED" | "REVOKED";
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  revokeReason: string | null;
  lastUsedAt: string | null;
  requestsLast24h: number | null;
  warnings: Warning[];
  rotatedTo: string | null;
}

export type Warning = "NEVER_EXPIRES" | "UNUSED" | "EXPIRES_SOON";

export interface KeysAnswer {
  viewer: { account: { name: string; plan: "FREE" | "PRO" | "TEAM" } | null };
  keysConnection: {
    nodes: Key[];
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
    totalCount: number;
    warnings: { warning: Warning; keys: number }[];
  } | null;
}

/** What the user has chosen to see. */
export interface Selection {
  search: string;
  state: "" | Key["state"];
  warning: "" | Warning;
  cursors: Cursors;
}

export const toVariables = ({ search, state, warning, cursors }: Selection): object => ({
  search,
  state: state === "" ? null : state,
  warning: warning === "" ? null : warning,
  after: cursors.at(-1) ?? null,
});

export const keysQuery = gql`
  query Keys($search: String, $state: KeyState, $warning: KeyWarning, $after: ID) {
    viewer {
      account {
        name
        plan
      }
    }
    keysConnection(search: $search, state: $state, warning: $warning, first: 100, after: $after) {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      warnings {
        warning
        keys
      }
      nodes {
        id
        name
        start
        state
        createdAt
        expiresAt
        revokedAt
        revokeReason
        lastUsedAt
        requestsLast24h
        warnings
        rotatedTo
      }
    }
  }
`;

export const generateMutation = gql`
  mutation GenerateKey($name: String, $expires: String) {
    generateKey(input: { name: $name, expires: $expires }) {
      secret
    }
  }
`;

export const rotateMutation = gql`
  mutation RotateKey($id: ID!, $grace: String) {
    rotateKey(id: $id, input: { grace: $grace }) {
      secret
    }
  }
`;

export const revokeMutation = gql`
  mutation RevokeKey($id: ID!, $reason: String) {
    revokeKey(id: $id, reason: $reason) {
      id
    }
  }
`;

export const revokeAllMutation = gql`
  mutation RevokeAllKeys {
    revokeAllKeys(reason: "all keys were revoked") {
      id
    }
  }
`;

/** What changes the list: acts of others on keys, and use. */
export const changesSubscription = gql`
  subscription KeyEvents {
    events(types: [KEY_ISSUED, KEY_ROTATED, KEY_REVOKED, KEY_EXPIRING, ACCOUNT_UPDATED]) {
      id
    }
  }
`;

export const usedSubscription = gql`
  subscription Used {
    usage {
      used
    }
  }
`;
