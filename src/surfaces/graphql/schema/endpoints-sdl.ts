import { describeEvents } from "../../../services/events/describe.ts";
import type { EventType } from "../../../services/events/types.ts";

export const typeDefs = `
extend type Mutation {
  "Removes an endpoint for good. Its queued deliveries fail."
  deleteWebhookEndpoint(id: ID!): WebhookEndpoint
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
