import { gql } from "../graph.ts";

export interface Endpoint {
  id: string;
  url: string;
  method: string;
  events: string[] | null;
  state: "ACTIVE" | "PAUSED" | "DISABLED";
  disabledReason: "GONE" | "FAILING" | null;
  disabledAt: string | null;
  retryClientErrors: boolean;
  description: string | null;
  maskedSecret: string | null;
  previousUntil: string | null;
  createdAt: string;
  failures: number | null;
  failingSince: string | null;
}

export interface EndpointsAnswer {
  viewer: { account: { name: string } | null };
  webhookEndpoints: Endpoint[] | null;
}

export const endpointsQuery = gql`
  query Endpoints {
    viewer {
      account {
        name
      }
    }
    webhookEndpoints {
      id
      url
      method
      events
      state
      disabledReason
      disabledAt
      retryClientErrors
      description
      maskedSecret
      previousUntil
      createdAt
      failures
      failingSince
    }
  }
`;

export const createMutation = gql`
  mutation CreateEndpoint($input: CreateWebhookEndpointInput!) {
    created: createWebhookEndpoint(input: $input) {
      secret
      warning
    }
  }
`;

export const rotateMutation = gql`
  mutation RotateSecret($id: ID!, $grace: String) {
    created: rotateWebhookSecret(id: $id, grace: $grace) {
      secret
      warning
    }
  }
`;

/** The answer that contains a secret. */
export interface Created {
  created: { secret: string; warning: string | null };
}

export const pauseMutation = gql`
  mutation Pause($id: ID!) {
    pauseWebhookEndpoint(id: $id) {
      id
    }
  }
`;

export const resumeMutation = gql`
  mutation Resume($id: ID!) {
    resumeWebhookEndpoint(id: $id) {
      id
    }
  }
`;

export const deleteMutation = gql`
  mutation DeleteEndpoint($id: ID!) {
    deleteWebhookEndpoint(id: $id) {
      id
    }
  }
`;

export const testMutation = gql`
  mutation TestEndpoint($id: ID!) {
    testWebhookEndpoint(id: $id) {
      sending
    }
  }
`;

export const recoverMutation = gql`
  mutation Recover($endpoint: ID!, $since: String!) {
    recoverDeliveries(endpoint: $endpoint, since: $since) {
      redelivered
      more
    }
  }
`;

export interface Delivery {
  id: string;
  event: string;
  type: string;
  endpoint: string;
  state: "WAITING" | "DELIVERED" | "FAILED";
  attempts: number;
  createdAt: string;
  nextAt: string | null;
  endedAt: string | null;
  reason: string | null;
}

export interface Attempt {
  number: number;
  at: string;
  durationMs: number;
  outcome: "OK" | "RETRY" | "REFUSED";
  status: number | null;
  error: string | null;
  excerpt: string | null;
}

/** Deliveries of a page; one more is read, to know whether there is another page. */
export const pageSize = 50;

export const deliveriesQuery = gql`
  query Deliveries(
    $endpoint: ID
    $state: DeliveryState
    $type: EventType
    $since: String
    $first: Int!
    $after: ID
  ) {
    deliveries(endpoint: $endpoint, state: $state, type: $type, since: $since, first: $first, after: $after) {
      id
      event
      type
      endpoint
      state
      attempts
      createdAt
      nextAt
      endedAt
      reason
    }
  }
`;

export const deliveriesSubscription = gql`
  subscription Changes {
    deliveries {
      id
      event
      type
      endpoint
      state
      attempts
      createdAt
      nextAt
      endedAt
      reason
    }
  }
`;

export const deliveryQuery = gql`
  query Delivery($id: ID!) {
    delivery(id: $id) {
      state
      body
      log {
        number
        at
        durationMs
        outcome
        status
        error
        excerpt
      }
    }
  }
`;

export const redeliverMutation = gql`
  mutation Redeliver($id: ID!) {
    redeliver(id: $id) {
      id
    }
  }
`;

/** What disables an endpoint, and what others do to the account. */
export const disabledSubscription = gql`
  subscription Disabled {
    events(types: [ENDPOINT_DISABLED, ACCOUNT_UPDATED]) {
      id
    }
  }
`;
