import { expect, test } from "vitest";
import { URL as Polyfill } from "../../src/polyfill/url.ts";

test.each(["http://😀x@host/", "http://a:😀x@host/", "http://😀😀:😀😀@host/"])(
  "%s keeps what follows a character beyond U+FFFF",
  (text) => {
    const { username, password } = new URL(text);
    expect(new Polyfill(text)).toMatchObject({ username, password });
  },
);
