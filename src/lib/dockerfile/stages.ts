import type { Dockerfile, Instruction } from "./read.ts";
import { splitWords, type Word } from "./words.ts";

/** A build stage: FROM and what follows it. */
export interface Stage {
  from: Instruction;
  image: Word | undefined;
  /** In lower case, as BuildKit compares it. */
  name: string | undefined;
  nameAt: number;
  /** The stage that it begins with, if its image is one. */
  parent: Stage | undefined;
  /** Without FROM. Those after ONBUILD are not among them. */
  instructions: Instruction[];
  /** Whether its layers are in the image: it is the last stage, or the last one begins with it. */
  isShipped: boolean;
}

export interface Stages {
  /** ARG and whatever stands before the first FROM. */
  global: Instruction[];
  stages: Stage[];
}

/** Divides the instructions of a Dockerfile into its stages. */
export function toStages({ instructions, escape }: Dockerfile): Stages {
  const global: Instruction[] = [];
  const stages: Stage[] = [];
  const byName = new Map<string, Stage>();
  for (const instruction of instructions) {
    if (instruction.keyword !== "FROM") {
      (stages.at(-1)?.instructions ?? global).push(instruction);
      continue;
    }
    const [image, as, name] = splitWords(instruction.rest.text, escape);
    const named = as?.value.toUpperCase() === "AS" ? name : undefined;
    const stage: Stage = {
      from: instruction,
      image,
      name: named?.value.toLowerCase(),
      nameAt: instruction.rest.indexAt(named?.at ?? 0),
      parent: image === undefined ? undefined : byName.get(image.value.toLowerCase()),
      instructions: [],
      isShipped: false,
    };
    stages.push(stage);
    if (stage.name !== undefined) byName.set(stage.name, stage);
  }
  for (let stage: Stage | undefined = stages.at(-1); stage !== undefined; stage = stage.parent)
    stage.isShipped = true;
  return { global, stages };
}

export interface ImageName {
  /** The host, such as `docker.io`; empty for the default. */
  registry: string;
  repository: string;
  tag: string | undefined;
  digest: string | undefined;
}

/** Splits a reference to an image into its parts. */
export function toImageName(reference: string): ImageName {
  const [named = "", digest] = splitOnce(reference, "@");
  const slash = named.indexOf("/");
  const host = slash < 0 ? "" : named.slice(0, slash);
  const isHost = host === "localhost" || /[.:]/.test(host);
  const path = isHost ? named.slice(slash + 1) : named;
  const colon = path.indexOf(":", path.lastIndexOf("/") + 1);
  return {
    registry: isHost ? host : "",
    repository: colon < 0 ? path : path.slice(0, colon),
    tag: colon < 0 ? undefined : path.slice(colon + 1),
    digest,
  };
}

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
