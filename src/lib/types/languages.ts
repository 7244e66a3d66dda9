import type { Language } from "./language.ts";
import { csharp, java, kotlin, swift } from "./managed.ts";
import { go, rust } from "./native.ts";
import { dataclass, pydantic } from "./python.ts";
import { typescript, zod } from "./script.ts";
import { graphql, proto3 } from "./wire.ts";

/** The languages by name. */
export const languages = {
  typescript,
  zod,
  go,
  rust,
  python: dataclass,
  pydantic,
  java,
  csharp,
  kotlin,
  swift,
  graphql,
  proto3,
} as const satisfies Record<string, Language>;
