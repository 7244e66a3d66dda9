import { beforeEach, expect, test, vi } from "vitest";
import { decodeBase64 } from "../../../../src/lib/base64/decode.ts";
import { findBase64Fault } from "../../../../src/lib/base64/fault.ts";

vi.mock("../../../../src/lib/base64/fault.ts", { spy: true });

beforeEach(() => void vi.mocked(findBase64Fault).mockClear());

// One, two and no characters of padding, and characters that the two alphabets write differently.
const samples = [0, 1, 2, 3, 4, 5, 6, 300].map((length) => Buffer.alloc(length, 0xfb));

test.each(["standard", "url", "auto"] as const)(
  "text without a fault is decoded without the search for faults: %s",
  (variant) => {
    for (const bytes of samples) {
      for (const encoding of ["base64", "base64url"] as const) {
        if (encoding === "base64" ? variant === "url" : variant === "standard") continue;
        expect([...decodeBase64(Buffer.from(bytes.toString(encoding)), { variant })]).toEqual([...bytes]);
      }
    }
    expect(findBase64Fault).not.toHaveBeenCalled();
  },
);

test("line ends take the slow path", () => {
  expect(decodeBase64(Buffer.from("YWJj\nZGVm")).toString()).toBe("abcdef");
  expect(findBase64Fault).toHaveBeenCalledOnce();
});
