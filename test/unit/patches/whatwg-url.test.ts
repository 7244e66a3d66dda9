import { expect, test } from "vitest";
import { URL as Polyfill } from "../../../src/polyfill/url.ts";

test.each(["http://😀x@host/", "http://a:😀x@host/", "http://😀😀:😀😀@host/"])(
  "%s keeps what follows a character beyond U+FFFF",
  (text) => {
    const { username, password } = new URL(text);
    expect(new Polyfill(text)).toMatchObject({ username, password });
  },
);

test.each(["https://xn--/", "https://xn--a/", "https://A.XN--Bcher-KVA/", "https://xn--a.é/"])(
  "%s is accepted as in Node, which validates no Punycode",
  (text) => expect(Polyfill.parse(text)?.hostname).toBe(URL.parse(text)?.hostname),
);
