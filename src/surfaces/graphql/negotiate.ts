import { prefer } from "../http/accept.ts";

/** Answer formats: a single answer, an event stream, or the page of GraphiQL. */
export type Form = "json" | "graphql" | "graphql-response" | "stream" | "page";

/** Formats of single answers. */
export const types = {
  json: "application/json; charset=utf-8",
  graphql: "application/graphql+json; charset=utf-8",
  "graphql-response": "application/graphql-response+json; charset=utf-8",
} as const;

type Offer = readonly [type: string, form: Form];

const json: Offer = ["application/json", "json"];
const own: readonly Offer[] = [
  ["application/graphql-response+json", "graphql-response"],
  ["application/graphql+json", "graphql"],
];
const rest: readonly Offer[] = [
  ["text/event-stream", "stream"],
  ["text/html", "page"],
];

const offers = {
  usual: [json, ...own, ...rest],
  // A client that names this type knows the specification and expects its statuses.
  named: [...own, json, ...rest],
};

/**
 * Returns the format that an Accept header prefers; `application/json`, which every client reads, if it has no
 * preference; undefined if it accepts none.
 * @param page Whether GraphiQL is available for this request.
 */
export function negotiate(accept: string | undefined, page: boolean): Form | undefined {
  if (accept === undefined || accept === "" || accept === "*/*" || accept === "application/json")
    return "json";
  const all = /graphql/i.test(accept) ? offers.named : offers.usual;
  return prefer(accept, page ? all : all.slice(0, -1));
}

/** Reports whether the client accepts an event stream; a subscription has no other format. */
export const acceptsStream = (accept: string | undefined): boolean =>
  accept !== undefined &&
  /event-stream/i.test(accept) &&
  prefer(accept, [["text/event-stream", true]]) === true;

/** Returns the media type of a refusal; JSON for a client that accepts none of the formats. */
export function typeOfRefusal(accept: string | undefined): string {
  const form = negotiate(accept, false);
  return types[form === "graphql" || form === "graphql-response" ? form : "json"];
}
