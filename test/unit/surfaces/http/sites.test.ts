import { describe, expect, test } from "vitest";
import { isForeign, isVisit, type SiteRequest } from "../../../../src/surfaces/http/sites.ts";

const request = (headers: Record<string, string>, secure = false): SiteRequest => ({
  method: "GET",
  headers: { host: "tools.example.com", ...headers },
  socket: (secure ? { encrypted: true } : {}) as SiteRequest["socket"],
});
const foreign = (headers: Record<string, string>, secure = false): boolean =>
  isForeign(request(headers, secure), (origin) => origin === "https://ci.example.com");

describe("a request is of our site", () => {
  test.each<[string, Record<string, string>]>([
    ["no browser", {}],
    ["a typed address", { "sec-fetch-site": "none" }],
    ["a page of ours", { "sec-fetch-site": "same-origin" }],
    ["a page of ours, by its origin", { origin: "http://tools.example.com" }],
    ["behind a proxy with TLS", { origin: "https://tools.example.com", "sec-fetch-site": "same-origin" }],
    ["in capitals", { origin: "HTTPS://Tools.Example.com", host: "TOOLS.example.COM" }],
    ["the default port, named", { origin: "https://tools.example.com", host: "tools.example.com:443" }],
    ["the default port of HTTP, named", { origin: "http://tools.example.com", host: "tools.example.com:80" }],
    ["another port", { origin: "http://tools.example.com:81", host: "tools.example.com:81" }],
    ["an address", { origin: "http://[::1]:8787", host: "[::1]:8787" }],
    ["an allowed origin", { origin: "https://ci.example.com", "sec-fetch-site": "cross-site" }],
  ])("%s", (_, headers) => expect(foreign(headers)).toBe(false));
});

describe("a request is of another site", () => {
  test.each<[string, Record<string, string>]>([
    ["cross-site", { "sec-fetch-site": "cross-site" }],
    ["same-site", { "sec-fetch-site": "same-site" }],
    ["twice", { "sec-fetch-site": "same-origin, cross-site" }],
    ["a value that is not known", { "sec-fetch-site": "other" }],
    ["another origin", { origin: "https://evil.example" }],
    [
      "another origin that claims to be ours",
      { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
    ],
    ["an opaque origin", { origin: "null" }],
    ["an empty one", { origin: "" }],
    ["another scheme", { origin: "ftp://tools.example.com" }],
    ["an extension", { origin: "chrome-extension://tools.example.com" }],
    ["another port", { origin: "http://tools.example.com:81" }],
    ["the other default port", { origin: "http://tools.example.com", host: "tools.example.com:443" }],
    ["a name that begins alike", { origin: "http://tools.example.com.evil.example" }],
    ["userinfo", { origin: "http://tools.example.com@evil.example" }],
    ["without a host", { origin: "http://", host: "" }],
    ["an allowed origin with more behind it", { origin: "https://ci.example.com.evil.example" }],
  ])("%s", (_, headers) => expect(foreign(headers)).toBe(true));

  test("of our host name over HTTP, when we use TLS", () => {
    expect(foreign({ origin: "http://tools.example.com" }, true)).toBe(true);
    expect(foreign({ origin: "https://tools.example.com" }, true)).toBe(false);
  });
});

test("only a navigation to a document counts as a visit", () => {
  const visit = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
  expect(isVisit(request(visit))).toBe(true);
  expect(isVisit({ ...request(visit), method: "HEAD" })).toBe(true);
  for (const method of ["POST", "PUT", "OPTIONS"]) expect(isVisit({ ...request(visit), method })).toBe(false);
  for (const dest of ["iframe", "object", "image", "script", "empty"])
    expect(isVisit(request({ ...visit, "sec-fetch-dest": dest }))).toBe(false);
  for (const mode of ["no-cors", "cors", "websocket"])
    expect(isVisit(request({ ...visit, "sec-fetch-mode": mode }))).toBe(false);
});
