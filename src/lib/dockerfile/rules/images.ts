import { nearest } from "../../nearest.ts";
import { type Context, hasVariable, imageOf, shorten, withTriggers } from "../context.ts";
import type { Instruction } from "../read.ts";
import { type Stage, toImageName } from "../stages.ts";
import { findVariables, readPairs } from "../words.ts";

/** Variables that BuildKit sets before the first FROM. */
const predefined = new Set(
  ["BUILD", "TARGET"].flatMap((side) =>
    ["PLATFORM", "OS", "ARCH", "VARIANT", "OSVERSION"].map((part) => `${side}${part}`),
  ),
);

/** Images and stages: FROM, and COPY from stages. */
export function checkImages(context: Context): void {
  const { parts, file } = context;
  const globals = new Map(
    parts.global
      .filter(({ keyword }) => keyword === "ARG")
      .flatMap(({ rest }) => readPairs(rest, file.escape, "ARG").pairs)
      .map(({ name, value }) => [name, value]),
  );
  const names = new Map<string, number>();
  const all = new Set(parts.stages.flatMap(({ name }) => name ?? []));
  for (const [position, stage] of parts.stages.entries()) {
    checkFrom(stage, globals, context);
    checkName(stage, names, context);
    for (const instruction of withTriggers(stage.instructions))
      if (instruction.keyword === "COPY") checkSource(instruction, { position, stage, names, all }, context);
    if (stage.name !== undefined) names.set(stage.name, position);
  }
}

function checkFrom(
  stage: Stage,
  globals: ReadonlyMap<string, string | undefined>,
  { report, options }: Context,
): void {
  const { from, image, parent } = stage;
  checkPlatform(from, { report });
  if (image === undefined) return;
  const index = from.rest.indexAt(image.at);
  for (const { name, at, hasDefault } of findVariables(image.raw))
    if (!globals.has(name) && !predefined.has(name) && !hasDefault)
      report(
        "undefined-argument",
        from.rest.indexAt(image.at + at),
        `${shorten(name)} is not set here: FROM sees only ARG that stand before the first FROM.`,
      );
  const reference = imageOf(stage);
  if (hasVariable(reference) || parent !== undefined || reference === "scratch") return;
  const name = toImageName(reference);
  if (
    !/^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/.test(
      name.repository.slice(0, 256),
    )
  )
    return report(
      "image-name",
      index,
      `${shorten(reference)} is no name of an image; it has lower-case letters, digits and . _ - between them, and /.`,
      { severity: "error" },
    );
  if (name.tag !== undefined && !/^\w[\w.-]{0,127}$/.test(name.tag))
    report("image-name", index, `${shorten(name.tag)} is no tag of an image.`, { severity: "error" });
  if (options.trustedRegistries.length > 0 && !isTrusted(name.registry, options.trustedRegistries))
    report(
      "trusted-registry",
      index,
      `${name.registry === "" ? "docker.io" : shorten(name.registry)} is not among the trusted registries.`,
      { severity: "error" },
    );
  checkPin(name, index, { report, options });
}

function checkPin(
  { registry, repository, tag, digest }: ReturnType<typeof toImageName>,
  index: number,
  { report, options }: Pick<Context, "report" | "options">,
): void {
  const shown = shorten(registry === "" ? repository : `${registry}/${repository}`);
  if (digest !== undefined || options.pin === "off") return;
  if (options.pin === "digest")
    report(
      "image-digest",
      index,
      `Name the image by its digest, ${shown}@sha256:…, since a tag may be moved.`,
      {
        severity: "error",
      },
    );
  else if (tag === undefined)
    report(
      "image-tag",
      index,
      `${shown} has no tag, so that each build may begin with another image; name one.`,
    );
  else if (tag === "latest")
    report("image-latest", index, `latest is another image after each release of ${shown}; name a release.`);
}

function isTrusted(registry: string, trusted: readonly string[]): boolean {
  const host = registry === "" || registry === "index.docker.io" ? "docker.io" : registry.toLowerCase();
  return trusted.some((one) => {
    const wanted = one.toLowerCase();
    return wanted === "*" || wanted === host || (wanted.startsWith("*.") && host.endsWith(wanted.slice(1)));
  });
}

function checkPlatform({ flags }: Instruction, { report }: Pick<Context, "report">): void {
  for (const { name, value, index } of flags) {
    if (name !== "platform" || value === undefined) continue;
    if (/^\$\{?TARGETPLATFORM\}?$/.test(value))
      report("platform-redundant", index, "The platform of the result is the default; leave the flag out.");
    else if (!hasVariable(value))
      report(
        "platform-constant",
        index,
        "A constant platform makes the same image for all platforms; use $BUILDPLATFORM, or choose it by docker build --platform.",
      );
  }
}

function checkName(
  { name, nameAt }: Stage,
  names: ReadonlyMap<string, number>,
  { report }: Pick<Context, "report">,
): void {
  if (name === undefined) return;
  if (names.has(name))
    report(
      "duplicate-stage",
      nameAt,
      `A stage above has the name ${shorten(name)}, too; choose another one.`,
    );
  if (name === "scratch" || name === "context")
    report("reserved-stage", nameAt, `${name} has a meaning of its own; choose another name for the stage.`);
}

interface Here {
  position: number;
  stage: Stage;
  /** Stages above by name. */
  names: ReadonlyMap<string, number>;
  /** The names of all stages. */
  all: ReadonlySet<string>;
}

/** Most stages among which a similar name is looked for. */
const maxCompared = 100;

function checkSource(
  { flags }: Instruction,
  { position, stage, names, all }: Here,
  { report }: Pick<Context, "report">,
): void {
  const flag = flags.find(({ name }) => name === "from");
  const source = flag?.value?.toLowerCase();
  if (flag === undefined || source === undefined || source === "" || hasVariable(source)) return;
  if (source === stage.name || source === String(position))
    return report("copy-own-stage", flag.index, "COPY cannot copy from its own stage.", {
      severity: "error",
    });
  if (/^\d+$/.test(source)) {
    if (Number(source) > position)
      report(
        "unknown-stage",
        flag.index,
        `There is no stage ${source.slice(0, 20)} above; the first one is 0, and this one ${position}.`,
        { severity: "error" },
      );
    return;
  }
  if (names.has(source)) return;
  if (all.has(source))
    return report(
      "unknown-stage",
      flag.index,
      `The stage ${shorten(source)} stands below; move it above this one.`,
      {
        severity: "error",
      },
    );
  // Another image, which BuildKit fetches, or a context of the command line.
  if (/[:@/]/.test(source)) return;
  const near = names.size > maxCompared ? undefined : nearest(source, names.keys());
  report(
    "unknown-stage",
    flag.index,
    `No stage above has the name ${shorten(source)}, so that it is an image or a context of the build.${near === undefined ? "" : ` Did you mean ${shorten(near)}?`}`,
  );
}
