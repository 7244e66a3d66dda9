import { describeEvents } from "../../../services/events/describe.ts";
import type { EventType } from "../../../services/events/types.ts";

export const typeDefs = `
extend type Query {
  "Webhook endpoints, oldest first. Requires a settings session."
  webhookEndpoints(
    "For the operator: the account; all accounts by default."
    account: ID
  ): [WebhookEndpoint!]

  "One endpoint. Needs a settings session."
  webhookEndpoint(id: ID!): WebhookEndpoint
}

extend type Mutation {
  "Events of an account are sent to this URL from now on. The secret is in this answer and in no other."
  createWebhookEndpoint(input: CreateWebhookEndpointInput!): NewWebhookSecret

  "Pauses an endpoint. Events of that time are queued."
  pauseWebhookEndpoint(id: ID!): WebhookEndpoint

  "Resumes an endpoint, even a disabled one: its failures are reset and queued deliveries are due."
  resumeWebhookEndpoint(id: ID!): WebhookEndpoint

  "Removes an endpoint for good. Its queued deliveries fail."
  deleteWebhookEndpoint(id: ID!): WebhookEndpoint

  "A new secret at once, which is in this answer and in no other. The one before signs beside it for a while."
  rotateWebhookSecret(
    id: ID!
    "For how long, such as 2h or 7d; 0 ends it at once, and left out it is a day."
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
  "How they are sent."
  method: WebhookMethod!
  "The event types that it receives; null for all types, including those of later releases."
  events: [EventType!]
  "The state of the endpoint."
  state: EndpointState!
  "Why it was switched off."
  disabledReason: DisabledReason
  "When it was switched off; null for one that is not."
  disabledAt: DateTime
  "Whether an answer of 4xx is retried instead of ending the delivery."
  retryClientErrors: Boolean!
  "For people."
  description: String
  "Identifies the secret for its holder; null if it cannot be decrypted with the configured key."
  maskedSecret: String
  "Until when the secret before it signs too."
  previousUntil: DateTime
  "When it was created."
  createdAt: DateTime!
  "Attempts that have failed, in a row. Takes a look-up of its own for each endpoint of a list."
  failures: Int
  "Since when; null while there are none."
  failingSince: DateTime
}

"The one answer that holds the secret."
type NewWebhookSecret {
  "\`whsec_…\`: what events are signed with. It is shown once."
  secret: String!
  "The endpoint that it is for."
  endpoint: WebhookEndpoint
  "Warnings about the URL."
  warning: String
}

"A new endpoint."
input CreateWebhookEndpointInput {
  "The caller's account by default; required for the operator."
  account: ID
  "https://, or http:// where nobody listens on the way. Addresses within networks are refused, unless the operator allows them."
  url: String!
  "How events are sent."
  method: WebhookMethod! = POST
  "All types by default, including those of later releases."
  events: [EventType!]
  "For people."
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
  "It is sent."
  ACTIVE
  "It waits."
  PAUSED
  "Nothing is kept for it."
  DISABLED
}

"Why an endpoint was switched off."
enum DisabledReason {
  "It has answered 410 (Gone)."
  GONE
  "It has done nothing but fail for 5 days."
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
