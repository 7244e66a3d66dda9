// Written by `make docs` from the documents of the pages and docs/schema.graphql.

/** The answers to documents, by the names of their operations. */
export interface Answers {
  Who: { viewer: { operator: boolean } };
}

/** The variables of documents, by the names of their operations. */
export interface Variables {
  Who: Record<string, never>;
}
