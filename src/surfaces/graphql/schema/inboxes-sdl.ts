/** Most messages of one page. */
export const maxMessages = 500;

export const typeDefs = `
extend type Query {
  "Inboxes, oldest first."
  inboxes(
    "For the operator: the account; all accounts by default."
    account: ID
  ): [Inbox!]

  "One inbox, by its id."
  inbox(id: ID!): Inbox
}

extend type Mutation {
  "Creates an inbox; anyone who knows its URL may send to it. A generated secret is in this answer only."
  createInbox(input: CreateInboxInput! = {}): NewInbox

  "Omitted fields stay unchanged. If the scheme needs a secret and there is none, one is generated; it is in this answer only."
  updateInbox(id: ID!, input: UpdateInboxInput!): NewInbox

  "Deletes an inbox and its messages."
  deleteInbox(id: ID!): Inbox
}

"A URL at which an account receives webhooks."
type Inbox {
  id: ID!
  "The URL for POST or PUT."
  url: String!
  "The account."
  account: ID!
  "A label for people."
  name: String
  "The signature scheme of its senders."
  scheme: InboxScheme!
  "How messages with a wrong signature are treated."
  onInvalid: InvalidSignature!
  "The HTTP status of the answer to senders."
  status: Int!
  "The body of the answer to senders; null for one that says whether the message is a duplicate."
  body: String
  "Milliseconds before the answer."
  delayMs: Int!
  "When it was created."
  createdAt: DateTime!
  "How many messages are kept."
  messageCount: Int!
  "The number of duplicates received since it was created; they are not kept."
  duplicateCount: Int!
  "When the newest message was received; null if there is none."
  newestAt: DateTime
  "The id of the newest message, from which to follow the inbox."
  newestId: ID

  "The received messages, oldest first; fewer than requested if they are large."
  messages(
    "How many at most: 1 to ${maxMessages}."
    first: Int! = 50
    "The id of a message, such as endCursor; starts after it, or with the oldest if it no longer exists."
    after: ID
    "Only messages of this type, such as push."
    type: String
  ): InboxMessageConnection

  message(id: ID!): InboxMessage
}

"The only answer that contains the secret."
type NewInbox {
  "The generated signing secret; null if there is none or if it was given. It is shown once."
  secret: String
  "The inbox of the secret."
  inbox: Inbox
}

"A page of messages."
type InboxMessageConnection {
  nodes: [InboxMessage!]!
  pageInfo: PageInfo!
}

"A request that an inbox has received."
type InboxMessage {
  id: ID!
  "When it was received."
  at: DateTime!
  "The HTTP method."
  method: WebhookMethod!
  "The query string, with its question mark."
  query: String!
  "The headers as received, in order."
  headers: [HttpHeader!]!
  "The type, if the sender declares one."
  type: String
  "The sender's id of the event, if there is one."
  event: String
  "The result of verifying its signature."
  signature: SignatureState!
  "The size of the body."
  bytes: Int!
  "The body if it is UTF-8 text; null otherwise."
  body: String
  "The body, byte for byte."
  bodyBase64: String!
}

"A header of a request."
type HttpHeader {
  name: String!
  "As it was received."
  value: String!
}

"The signature scheme of the senders."
enum InboxScheme {
  "No signatures: messages from anyone are accepted."
  NONE
  PENKNIFE
  GITHUB
  "A token in a header."
  GITLAB
  SLACK
  "standardwebhooks.com, and Svix."
  STANDARD_WEBHOOKS
  STRIPE
}

"How messages with a wrong signature are treated."
enum InvalidSignature {
  "Refuse it with 401."
  REFUSE
  "Keep it, marked as invalid."
  RECORD
}

"The result of verifying a signature."
enum SignatureState {
  VALID
  INVALID
  "The inbox verifies no signatures."
  UNCHECKED
}

"A new inbox."
input CreateInboxInput {
  "The caller's account by default; required for the operator."
  account: ID
  "For people; 1 to 100 characters in one line."
  name: String
  "NONE by default."
  scheme: InboxScheme
  "The signing secret; generated if the scheme needs one and it is omitted."
  secret: String
  "REFUSE by default."
  onInvalid: InvalidSignature
  "The HTTP status of the answer to senders, 200 to 599; 200 by default."
  status: Int
  "The body of the answer to senders; by default it says whether the message is a duplicate."
  body: String
  "Milliseconds before the answer, 0 to 30,000."
  delayMs: Int
}

"Omitted fields stay unchanged; null removes a name or a body."
input UpdateInboxInput {
  "A label for people."
  name: String
  "The new signature scheme."
  scheme: InboxScheme
  "The new signing secret."
  secret: String
  "How messages with a wrong signature are treated."
  onInvalid: InvalidSignature
  "The HTTP status of the answer to senders, 200 to 599."
  status: Int
  "The body of the answer to senders; null for one that says whether the message is a duplicate."
  body: String
  "Milliseconds before the answer, 0 to 30,000."
  delayMs: Int
}
`;
