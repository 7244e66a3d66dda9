/** Most messages of one page. */
export const mostMessages = 500;

export const typeDefs = `
extend type Query {
  "Where others send their webhooks to, the oldest first."
  inboxes(
    "The operator may ask for those of one account; left out, these are all of them."
    account: ID
  ): [Inbox!]

  "One inbox, by its id."
  inbox(id: ID!): Inbox
}

extend type Mutation {
  "A new inbox, which anybody who knows its URL may send to. A secret that is made for it is in this answer and in no other."
  createInbox(input: CreateInboxInput! = {}): NewInbox

  "What is left out stays. A scheme that needs a secret, where there is none, gets one: it is in this answer and in no other."
  updateInbox(id: ID!, input: UpdateInboxInput!): NewInbox

  "With all that it has received."
  deleteInbox(id: ID!): Inbox
}

"Where an account receives what others send it."
type Inbox {
  id: ID!
  "Where it is sent to: POST or PUT."
  url: String!
  "Whose it is."
  account: ID!
  "For people."
  name: String
  "How its senders sign."
  scheme: InboxScheme!
  "What becomes of a message whose signature is wrong."
  onInvalid: InvalidSignature!
  "Of the answer to a sender."
  status: Int!
  "Of the answer to a sender; null for one that says whether the message came before."
  body: String
  "Milliseconds before the answer."
  delayMs: Int!
  "When it was created."
  createdAt: DateTime!
  "How many messages are kept."
  messageCount: Int!
  "How many came again since it was made: they are not kept a second time."
  duplicateCount: Int!
  "When the newest message came; null where there is none."
  newestAt: DateTime
  "Whoever follows the inbox from now on begins after this one."
  newestId: ID

  "What was received, the oldest first; fewer than asked for where they are large."
  messages(
    "How many at most: 1 to ${mostMessages}."
    first: Int! = 50
    "The id of a message, such as endCursor: go on behind it. From the oldest where it is kept no longer."
    after: ID
    "Only those of this type, such as push."
    type: String
  ): InboxMessageConnection

  message(id: ID!): InboxMessage
}

"The one answer that holds the secret."
type NewInbox {
  "What its senders sign with; null where they do not, or where it was given. It is shown once."
  secret: String
  "The inbox that it is for."
  inbox: Inbox
}

"Some of the messages."
type InboxMessageConnection {
  nodes: [InboxMessage!]!
  pageInfo: PageInfo!
}

"A request that an inbox has received."
type InboxMessage {
  id: ID!
  "When it came."
  at: DateTime!
  "How it was sent."
  method: WebhookMethod!
  "What follows the path, with its question mark."
  query: String!
  "As they came, in their order."
  headers: [HttpHeader!]!
  "What it is about, where its sender says so."
  type: String
  "By which its sender tells one event from another, where it does."
  event: String
  "What was made of its signature."
  signature: SignatureState!
  "Of its body."
  bytes: Int!
  "The body, where it is text in UTF-8; null where that would not keep every byte."
  body: String
  "The body, byte for byte."
  bodyBase64: String!
}

"One line of the head of a request."
type HttpHeader {
  name: String!
  "As it came."
  value: String!
}

"How senders sign, and what therefore is checked."
enum InboxScheme {
  "They do not: messages are taken from anyone."
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

"What becomes of a message whose signature is wrong."
enum InvalidSignature {
  "It is answered 401."
  REFUSE
  "It is kept, and marked as invalid."
  RECORD
}

"What was made of a signature."
enum SignatureState {
  VALID
  INVALID
  "The inbox checks none."
  UNCHECKED
}

"A new inbox."
input CreateInboxInput {
  "The caller's own where it is left out; the operator says which."
  account: ID
  "For people; 1 to 100 characters in one line."
  name: String
  "NONE where it is left out."
  scheme: InboxScheme
  "What senders sign with; one is made where the scheme needs it and it is not given."
  secret: String
  "REFUSE where it is left out."
  onInvalid: InvalidSignature
  "Of the answer to a sender, 200 to 599; 200 where it is left out."
  status: Int
  "Of the answer to a sender; left out, it says whether the message came before."
  body: String
  "Milliseconds before the answer, 0 to 30,000."
  delayMs: Int
}

"What is left out stays; a name or a body that is null is taken away."
input UpdateInboxInput {
  "For people."
  name: String
  "How senders sign from now on."
  scheme: InboxScheme
  "What senders sign with from now on."
  secret: String
  "What becomes of a message whose signature is wrong."
  onInvalid: InvalidSignature
  "Of the answer to a sender, 200 to 599."
  status: Int
  "Of the answer to a sender; null for one that says whether the message came before."
  body: String
  "Milliseconds before the answer, 0 to 30,000."
  delayMs: Int
}
`;
