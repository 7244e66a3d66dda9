import { z } from "zod";
import { toDigestName } from "../lib/digests.ts";

/** The field for a hash function: one of `names`, also in other spellings such as SHA256, sha-256 and SHA512/256. */
export const digestName = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z
    .string()
    .max(64)
    .overwrite((name) => toDigestName(name, names))
    .pipe(z.enum(names))
    .meta({ enum: names });
