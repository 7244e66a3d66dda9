import { describeEvents } from "../../../services/events/describe.ts";
import type { EventType } from "../../../services/events/types.ts";

export const typeDefs = `
extend type Query {
  "Webhook endpoints, oldest first. Requires a settings session."
  webhookEndpoints(
    "For the operator: the account; all accounts by default."
    account: ID
  ): [WebhookEndpoint!]

  "One endpoint. Requires a settings session."
  webhookEndpoint(id: ID!): WebhookEndpoint
}

extend type Mutation {
  "Creates an endpoint, to which events of the account are sent from now on. The secret is in this answer only."
  createWebhookEndpoint(input: CreateWebhookEndpointInput!): NewWebhookSecret

  "Pauses an endpoint. Events are queued meanwhile."
  pauseWebhookEndpoint(id: ID!): WebhookEndpoint

  "Resumes an endpoint, even a disabled one: its failures are reset and queued deliveries are due."
  resumeWebhookEndpoint(id: ID!): WebhookEndpoint

  "Removes an endpoint for good. Its queued deliveries fail."
  deleteWebhookEndpoint(id: ID!): WebhookEndpoint

  "Replaces the secret at once. The new one is in this answer only; the old one also signs for a while."
  rotateWebhookSecret(
    id: ID!
    "How long the old secret signs too, such as 2h or 7d; 0 ends it at once. A day by default."
    grace: String
  ): NewWebhookSecret
}

"A URL that receives the events of an account."
type WebhookEndpoint {
  id: ID!
  "The account of the events."
  account: ID!
  "The URL."
  url: String!
  "The HTTP method of its requests."
  method: WebhookMethod!
  "The event types that it receives; null for all types, including those of later releases."
  events: [EventType!]
  "The state of the endpoint."
  state: EndpointState!
  "Why it was disabled; null if it was not."
  disabledReason: DisabledReason
  "When it was disabled; null if it was not."
  disabledAt: DateTime
  "Whether an answer of 4xx is retried instead of ending the delivery."
  retryClientErrors: Boolean!
  "A note for people."
  description: String
  "Identifies the secret for its holder; null if it cannot be decrypted with the configured key."
  maskedSecret: String
  "Until when the previous secret signs too."
  previousUntil: DateTime
  "When it was created."
  createdAt: DateTime!
  "Consecutive failed attempts. Costs a look-up for each endpoint of a list."
  failures: Int
  "The time of the first of these failures; null if there are none."
  failingSince: DateTime
}

"The only answer that contains the secret."
type NewWebhookSecret {
  "\`whsec_…\`: the signing secret, shown only once."
  secret: String!
  "The endpoint of the secret."
  endpoint: WebhookEndpoint
  "Warnings about the URL."
  warning: String
}

"A new endpoint."
input CreateWebhookEndpointInput {
  "The caller's account by default; required for the operator."
  account: ID
  "https://, or http:// on a trusted network. Private addresses are refused unless the operator allows them."
  url: String!
  "How events are sent."
  method: WebhookMethod! = POST
  "All types by default, including those of later releases."
  events: [EventType!]
  "A note for people."
  description: String
  "Whether an answer of 4xx is retried instead of ending the delivery."
  retryClientErrors: Boolean! = false
}

"The method of a request with a webhook."
enum WebhookMethod {
  POST
  PUT
}

"The state of the endpoint."
enum EndpointState {
  "Events are sent."
  ACTIVE
  "Events are queued."
  PAUSED
  "Events are dropped."
  DISABLED
}

"Why an endpoint was disabled."
enum DisabledReason {
  "It answered 410 (Gone)."
  GONE
  "Every attempt failed for 5 days."
  FAILING
}

"The event types. GET /api/events has the schema of each."
enum EventType {
${describeEvents().map(toEnumValue).join("\n")}
}
`;

function toEnumValue({ type, title }: { type: EventType; title: string }): string {
  return `  "${title}: ${type}."\n  ${type.replace(".", "_").toUpperCase()}`;
}
