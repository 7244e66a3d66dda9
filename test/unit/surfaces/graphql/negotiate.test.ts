import { expect, test } from "vitest";
import { acceptsStream, negotiate, typeOfRefusal } from "../../../../src/surfaces/graphql/negotiate.ts";

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

test.each<[string | undefined, boolean, string | undefined]>([
  [undefined, true, "json"],
  ["", true, "json"],
  ["*/*", true, "json"],
  ["application/*", true, "json"],
  ["application/json", false, "json"],
  ["application/json; charset=utf-8", false, "json"],
  ["APPLICATION/JSON", false, "json"],
  ["application/graphql+json", false, "graphql"],
  ["application/graphql-response+json", false, "graphql-response"],
  [
    "application/graphql-response+json; charset=utf-8, application/json; charset=utf-8",
    false,
    "graphql-response",
  ],
  ["application/json, application/graphql-response+json", false, "graphql-response"],
  ["application/json, application/graphql-response+json;q=0.9", false, "json"],
  ["application/graphql-response+json, */*", false, "graphql-response"],
  ["application/graphql-response+json;q=0, */*", false, "graphql"],
  ["application/json, */*;q=0.1", false, "json"],
  ["text/event-stream", false, "stream"],
  ["application/json, text/event-stream", false, "json"],
  ["text/event-stream, application/json;q=0.5", false, "stream"],
  [browser, true, "page"],
  [browser, false, "json"],
  ["text/html", true, "page"],
  ["text/html", false, undefined],
  ["application/xml", true, undefined],
  ["application/json;q=0", true, undefined],
  ["application/json;q=0, application/graphql+json;q=0.1", true, "graphql"],
  ["nonsense", true, undefined],
])("%s, page %s: %s", (accept, page, form) => expect(negotiate(accept, page)).toBe(form));

test.each<[string | undefined, boolean]>([
  [undefined, false],
  ["*/*", false],
  ["application/json", false],
  ["text/event-stream", true],
  ["application/json, text/event-stream;q=0.1", true],
  ["application/json, text/event-stream;q=0", false],
  ["text/event-streams", false],
])("a stream may answer %s: %s", (accept, yes) => expect(acceptsStream(accept)).toBe(yes));

test("refusals have the requested type, or JSON", () => {
  expect(typeOfRefusal("application/graphql+json")).toBe("application/graphql+json; charset=utf-8");
  for (const accept of [undefined, browser, "text/event-stream", "application/xml"])
    expect(typeOfRefusal(accept)).toBe("application/json; charset=utf-8");
});
