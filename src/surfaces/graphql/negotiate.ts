import { prefer } from "../http/accept.ts";

/** How a request is answered: once, by an event stream, or with the page of GraphiQL. */
export type Form = "json" | "graphql" | "graphql-response" | "stream" | "page";

/** Of answers that are given at once. */
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
  // Who names them knows their rules, and wants their statuses.
  named: [...own, json, ...rest],
};

/**
 * What an Accept header wants most; where it does not care, `application/json`, which every client reads. Undefined
 * where it accepts nothing that there is.
 * @param page Whether there is one for this request.
 */
export function negotiate(accept: string | undefined, page: boolean): Form | undefined {
  if (accept === undefined || accept === "" || accept === "*/*" || accept === "application/json")
    return "json";
  const all = /graphql/i.test(accept) ? offers.named : offers.usual;
  return prefer(accept, page ? all : all.slice(0, -1));
}

/** Whether an event stream may be the answer, too: a subscription has no other. */
export const acceptsStream = (accept: string | undefined): boolean =>
  accept !== undefined &&
  /event-stream/i.test(accept) &&
  prefer(accept, [["text/event-stream", true]]) === true;

/** In which type a refusal comes: as JSON for whoever takes none of its forms. */
export function typeOfRefusal(accept: string | undefined): string {
  const form = negotiate(accept, false);
  return types[form === "graphql" || form === "graphql-response" ? form : "json"];
}
