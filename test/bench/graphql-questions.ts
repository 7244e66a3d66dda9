import { document, type Post } from "./request.ts";

/** The operations that are sent to every server with the schema. */
export interface Question {
  name: string;
  post: Post;
  /** The part of `data` on which all servers must agree; `remaining` differs between them. */
  data: unknown;
}

export const questions: readonly Question[] = [
  {
    name: "viewer",
    post: toPost("{ viewer { quota { remaining } } }"),
    data: { viewer: { quota: { remaining: 0 } } },
  },
  {
    name: "a tool",
    post: toPost("query ($input: JsonFormatterInput!) { run { jsonFormatter(input: $input) { result } } }", {
      input: { data: document },
    }),
    data: { run: { jsonFormatter: { result: JSON.stringify(JSON.parse(document), null, 2) } } },
  },
];

function toPost(query: string, variables?: object): Post {
  return { path: "/graphql", body: JSON.stringify({ query, ...(variables && { variables }) }) };
}
