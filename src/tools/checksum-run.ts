import { type Report, toReport } from "../catalog/report.ts";
import { type ChecksumTest, createChecksumTest } from "../lib/checksum-faults.ts";
import { parseChecksums } from "../lib/checksum.ts";
import type { Digest } from "../lib/digests.ts";
import { findingOf } from "./findings.ts";
import { refusingOption } from "./refusing.ts";

interface ChecksumFields {
  expected: string;
  name?: string | undefined;
  algorithm: Digest | "auto";
}

/** Begins to compare a document with published digests. @throws ToolError invalid_input */
export const openChecksum = ({ name, algorithm, expected }: ChecksumFields): ChecksumTest =>
  refusingOption("expected", () =>
    createChecksumTest(parseChecksums(expected), { name, ...(algorithm !== "auto" && { algorithm }) }),
  );

/** Returns the report at the end of the document. @throws ToolError invalid_input */
export const endChecksum = (test: ChecksumTest): Report =>
  refusingOption("expected", () =>
    toReport(test.findFaults().map(({ rule, message, severity }) => findingOf(rule, message, severity))),
  );
