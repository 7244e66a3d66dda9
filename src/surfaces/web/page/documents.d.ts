// Written by `make docs` from the documents of the pages and docs/schema.graphql.

import type * as operator from "./operator/documents.d.ts";
import type * as settings from "./settings/documents.d.ts";
import type * as ui from "./ui/documents.d.ts";

/** The answers to documents, by the names of their operations. */
export interface Answers extends operator.Answers, settings.Answers, ui.Answers {
  End: { events: { id: string } };
}

/** The variables of documents, by the names of their operations. */
export interface Variables extends operator.Variables, settings.Variables, ui.Variables {
  End: Record<string, never>;
}
