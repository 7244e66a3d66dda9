import { gql } from "../graph.ts";

export interface Account {
  name: string;
  plan: "FREE" | "PRO" | "TEAM";
  limit: number;
  disabled: boolean;
  createdAt: string;
  quota: { used: number; remaining: number } | null;
}

export interface AccountsAnswer {
  accountsConnection: {
    totalCount: number;
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
    nodes: Account[];
  } | null;
}

export const accountsQuery = gql`
  query Accounts($search: String, $after: ID) {
    accountsConnection(search: $search, first: 50, after: $after) {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        name
        plan
        limit
        disabled
        createdAt
        quota {
          used
          remaining
        }
      }
    }
  }
`;

export const createMutation = gql`
  mutation CreateAccount($input: CreateAccountInput!) {
    createAccount(input: $input) {
      name
    }
  }
`;

export const updateMutation = gql`
  mutation UpdateAccount($name: ID!, $input: UpdateAccountInput!) {
    updateAccount(name: $name, input: $input) {
      name
    }
  }
`;

export const disableMutation = gql`
  mutation Disable($name: ID!) {
    disableAccount(name: $name) {
      name
    }
  }
`;

export const enableMutation = gql`
  mutation Enable($name: ID!) {
    enableAccount(name: $name) {
      name
    }
  }
`;

export const deleteMutation = gql`
  mutation DeleteAccount($name: ID!) {
    deleteAccount(name: $name, revokeKeys: true) {
      name
    }
  }
`;

export const resetMutation = gql`
  mutation ResetLimits($name: ID!) {
    resetLimits(account: $name) {
      name
    }
  }
`;

export const loginMutation = gql`
  mutation CreateLogin($name: ID!) {
    createLogin(account: $name) {
      code
    }
  }
`;

export interface AccountKey {
  id: string;
  name: string | null;
  start: string;
  state: string;
  lastUsedAt: string | null;
  requestsLast24h: number | null;
}

export interface AccountKeysAnswer {
  keysConnection: {
    totalCount: number;
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
    nodes: AccountKey[];
  } | null;
}

export const keysQuery = gql`
  query KeysOf($name: ID!, $after: ID) {
    keysConnection(account: $name, first: 50, after: $after) {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        name
        start
        state
        lastUsedAt
        requestsLast24h
      }
    }
  }
`;

export const revokeMutation = gql`
  mutation RevokeKey($id: ID!) {
    revokeKey(id: $id, reason: "revoked by the operator") {
      id
    }
  }
`;
