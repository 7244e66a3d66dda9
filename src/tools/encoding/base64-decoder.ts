import { z } from "zod";
import { defineTool, maxDocument } from "../../catalog/tool.ts";
import { createBase64Parts, decodeBase64, findBase64Remedy } from "../../lib/base64/decode.ts";
import { createDecodingRun, decodedBytes, fromDecodedBytes } from "../decoded-bytes.ts";
import { refusing, withRemedy } from "../refusing.ts";

const input = z.object({
  data: z
    .string()
    .describe(
      "The base64 text, also with white space, without padding, as a data: URL, or between the lines of PEM",
    ),
  variant: z
    .enum(["auto", "standard", "url"])
    .default("auto")
    .describe(
      "Alphabet: standard uses + and /, url uses - and _; auto accepts both. With strict, padding is required by standard and optional in url, and auto is url if the text contains - or _",
    ),
  strict: z
    .boolean()
    .default(false)
    .describe("Refuse missing padding, white space other than line breaks, data: URLs and lines of PEM"),
  skipInvalid: z
    .boolean()
    .default(false)
    .describe("Skip invalid characters, and ignore wrong padding and non-zero trailing bits"),
  ...decodedBytes,
});

export default defineTool({
  slug: "base64-decoder",
  title: "Base64 decoder",
  version: "1.2.0",
  summary: "Decode base64 or base64url to text or bytes.",
  page: {
    tile: "To text, bytes or an image",
    view: "bytes",
    options: ["variant", "charset"],
    labels: { variant: "Alphabet", "variant=url": "For URLs", charset: "Text is" },
  },
  accepts: "base64",
  aliases:
    "base64, b64, base64 -d, base64 --decode, atob, from base64, decode base64, base64url decode, b64decode, base64 to text, base64 to file, base64 to image, data uri, data url, kubernetes secret, basic auth header, openssl base64 -d, mime decode",
  input,
  check: "strict",
  exact: true,
  examples: [
    { input: { data: "WmHFvMOzxYLEhyDwn5GL" }, result: "Zażółć 👋" },
    {
      title: "Binary data from a URL",
      input: { data: "-_8", outputEncoding: "hex" },
      result: "fbff",
    },
    {
      title: "A data: URL without its padding",
      input: { data: "data:text/plain;charset=utf-8;base64,aGVs bG8" },
      result: "hello",
    },
    {
      title: "Text in another character set",
      input: { data: "g1yDXINc", charset: "shift_jis" },
      result: "ソソソ",
    },
  ],
  run: ({ data, ...options }) => decode(Buffer.from(data), options),
  maxBytes: maxDocument,
  runBytes: decode,
  runBlocks(options) {
    const parts = createBase64Parts(options);
    if (parts === undefined) return undefined;
    const decodePart = (part: Uint8Array) => refusing(part, () => parts.decode(part));
    return createDecodingRun("base64-decoder", { cut: parts.cut, decode: decodePart }, options);
  },
});

function decode(data: Uint8Array, options: Omit<z.output<typeof input>, "data">): string | Uint8Array {
  return fromDecodedBytes(
    refusing(data, () =>
      withRemedy(
        () => decodeBase64(data, options),
        () => findBase64Remedy(data, options),
      ),
    ),
    options,
  );
}
