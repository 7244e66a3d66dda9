import { gql } from "../graph.ts";

export interface Inbox {
  id: string;
  name: string | null;
  scheme: string;
  onInvalid: string;
  status: number;
  body: string | null;
  delayMs: number;
  createdAt: string;
  messageCount: number;
  duplicateCount: number;
  newestAt: string | null;
}

export interface InboxesAnswer {
  viewer: { account: { name: string } | null };
  inboxes: Inbox[] | null;
}

export const inboxesQuery = gql`
  query Inboxes {
    viewer {
      account {
        name
      }
    }
    inboxes {
      id
      name
      scheme
      onInvalid
      status
      body
      delayMs
      createdAt
      messageCount
      duplicateCount
      newestAt
    }
  }
`;

export const createMutation = gql`
  mutation CreateInbox($input: CreateInboxInput!) {
    made: createInbox(input: $input) {
      secret
    }
  }
`;

export const updateMutation = gql`
  mutation UpdateInbox($id: ID!, $input: UpdateInboxInput!) {
    made: updateInbox(id: $id, input: $input) {
      secret
    }
  }
`;

export const deleteMutation = gql`
  mutation DeleteInbox($id: ID!) {
    deleteInbox(id: $id) {
      id
    }
  }
`;

/** A message without its content. */
export interface MessageHead {
  id: string;
  at: string;
  method: string;
  type: string | null;
  event: string | null;
  bytes: number;
  signature: "VALID" | "INVALID" | "UNCHECKED";
}

export interface MessagesAnswer {
  inbox: {
    messages: {
      nodes: MessageHead[];
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
    } | null;
  } | null;
}

export const messagesQuery = gql`
  query Messages($id: ID!, $after: ID) {
    inbox(id: $id) {
      messages(first: 250, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          id
          at
          method
          type
          event
          bytes
          signature
        }
      }
    }
  }
`;

export const messagesSubscription = gql`
  subscription Received($id: ID!, $after: ID) {
    inboxEvents(id: $id, after: $after) {
      id
      at
      method
      type
      event
      bytes
      signature
    }
  }
`;

/** A message as it was received. */
export interface Message extends MessageHead {
  query: string;
  headers: { name: string; value: string }[];
  body: string | null;
  bodyBase64: string;
}

export const messageQuery = gql`
  query Message($inbox: ID!, $id: ID!) {
    inbox(id: $inbox) {
      message(id: $id) {
        id
        at
        method
        type
        event
        bytes
        signature
        query
        headers {
          name
          value
        }
        body
        bodyBase64
      }
    }
  }
`;
