import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decodeBase64 } from "../../../../src/lib/base64/decode.ts";
import { findBase64Fault } from "../../../../src/lib/base64/fault.ts";

const text = fc.string({ unit: fc.constantFrom(..."AQgwz09+/-_==\n *é"), maxLength: 14 });
const bytes = fc.uint8Array({ maxLength: 12 });
const whole = fc
  .tuple(bytes, fc.constantFrom("base64", "base64url"), fc.constantFrom("", "=", "==", "\n", "A", "-"))
  .map(([data, alphabet, tail]) => Buffer.from(data).toString(alphabet as "base64") + tail);

test("decodes valid text and refuses invalid text with the same fault on both paths", () => {
  fc.assert(
    fc.property(fc.oneof(text, whole), fc.constantFrom("standard", "url"), (data, variant) => {
      const encoded = Buffer.from(data);
      const fault = findBase64Fault(encoded, variant, true);
      if (fault === undefined) {
        const plain = encoded.toString().replaceAll(/[\r\n]/g, "");
        expect([...decodeBase64(encoded, { variant, strict: true })]).toEqual([
          ...Buffer.from(plain, "base64"),
        ]);
      } else {
        expect(() => decodeBase64(encoded, { variant, strict: true })).toThrow(
          expect.objectContaining({ at: { offset: fault.offset }, message: fault.message }),
        );
      }
    }),
    { numRuns: 5000 },
  );
});
