import type { Part } from "./part.ts";

/** Types that every part may use. */
export const core: Part = {
  typeDefs: `
"A point in time: RFC 3339, in UTC, such as 2026-11-21T12:00:00.000Z. Input may have other offsets."
scalar DateTime @specifiedBy(url: "https://www.rfc-editor.org/rfc/rfc3339")

"Any JSON value. Input keeps every digit of its numbers, the order of its members and its escapes."
scalar JSON @specifiedBy(url: "https://www.rfc-editor.org/rfc/rfc8259")

"An integer from -(2^53 - 1) to 2^53 - 1, written as a number."
scalar Long

"The position in a paged list."
type PageInfo {
  "Whether there are more after the last node."
  hasNextPage: Boolean!
  "The value of \`after\` for the next page; null for an empty page."
  endCursor: ID
}
`,
  resolvers: {},
};
