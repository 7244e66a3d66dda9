export const typeDefs = `
extend type Query {
  "Where events are sent to, the oldest first. Needs a settings session."
  webhookEndpoints(
    "The operator may ask for those of one account; left out, these are all of them."
    account: ID
  ): [WebhookEndpoint!]

  "One endpoint. Needs a settings session."
  webhookEndpoint(id: ID!): WebhookEndpoint
}

extend type Mutation {
  "Events of an account are sent to this URL from now on. The secret is in this answer and in no other."
  createWebhookEndpoint(input: CreateWebhookEndpointInput!): NewWebhookSecret

  "What happens meanwhile waits."
  pauseWebhookEndpoint(id: ID!): WebhookEndpoint

  "Begins again, also where it was switched off: its failures are forgotten, and what waits is due."
  resumeWebhookEndpoint(id: ID!): WebhookEndpoint

  "For good. What waits for it has failed."
  deleteWebhookEndpoint(id: ID!): WebhookEndpoint

  "A new secret at once, which is in this answer and in no other. The one before signs beside it for a while."
  rotateWebhookSecret(
    id: ID!
    "For how long, such as 2h or 7d; 0 ends it at once, and left out it is a day."
    grace: String
  ): NewWebhookSecret
}

"Where the events of an account are sent to."
type WebhookEndpoint {
  id: ID!
  "Whose events they are."
  account: ID!
  "Where they are sent to."
  url: String!
  "How they are sent."
  method: WebhookMethod!
  "The types that it is sent; null for all, and for those that come with a later release."
  events: [EventType!]
  "What becomes of what it is to be sent."
  state: EndpointState!
  "Why it was switched off."
  disabledReason: DisabledReason
  "When it was switched off; null for one that is not."
  disabledAt: DateTime
  "Whether an answer of 4xx is tried again, and not the end of the delivery."
  retryClientErrors: Boolean!
  "For people."
  description: String
  "By which its holder knows the secret; null where it cannot be read with the key that is set."
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
  "What is to be known of the URL."
  warning: String
}

"A new endpoint."
input CreateWebhookEndpointInput {
  "The caller's own where it is left out; the operator says which."
  account: ID
  "https://, or http:// where nobody listens on the way. Addresses within networks are refused, unless the operator allows them."
  url: String!
  "How events are sent."
  method: WebhookMethod! = POST
  "Left out for all, and for those that come with a later release."
  events: [EventType!]
  "For people."
  description: String
  "Whether an answer of 4xx is tried again, and not the end of the delivery."
  retryClientErrors: Boolean! = false
}

"The method of a request with a webhook."
enum WebhookMethod {
  POST
  PUT
}

"What becomes of what it is to be sent."
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

"What accounts are told of. GET /api/events has the schema of each."
enum EventType {
  "A key was made: key.issued."
  KEY_ISSUED
  "A new key has taken the place of another: key.rotated."
  KEY_ROTATED
  "A key works no more: key.revoked."
  KEY_REVOKED
  "A key ends within 7 days, or within one: key.expiring."
  KEY_EXPIRING
  "80 % of the requests of a window are used: limit.warning."
  LIMIT_WARNING
  "A request was refused for the first time in a window: limit.reached."
  LIMIT_REACHED
  "The operator has created, changed, disabled, enabled or deleted the account: account.updated."
  ACCOUNT_UPDATED
  "An endpoint was switched off: endpoint.disabled."
  ENDPOINT_DISABLED
  "Somebody tries an endpoint: webhook.test."
  WEBHOOK_TEST
}
`;
