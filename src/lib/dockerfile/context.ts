import type { TextFinding } from "../bounded-findings.ts";
import type { Dockerfile, Instruction } from "./read.ts";
import type { DockerfileRule } from "./rules.ts";
import type { Stage, Stages } from "./stages.ts";

export interface DockerfileOptions {
  /** Names of rules, here or in hadolint, ShellCheck and BuildKit. */
  ignore: readonly string[];
  /** Hosts of images, which may begin with `*.`; empty allows all. */
  trustedRegistries: readonly string[];
  /** The part of an image's name that FROM must have: a tag, a digest, or neither. */
  pin: "tag" | "digest" | "off";
  /** Labels that the image must have, as `name` or `name:format`. */
  labels: readonly string[];
}

export type Report = (
  rule: DockerfileRule,
  index: number,
  message: string,
  more?: { severity?: TextFinding["severity"]; code?: string },
) => void;

/** The input of the rules. A warning is reported unless a rule says otherwise. */
export interface Context {
  file: Dockerfile;
  parts: Stages;
  options: DockerfileOptions;
  report: Report;
}

/** The state at an instruction, by the ones before it and by the stages that its stage begins with. */
export interface StageState {
  hasWorkdir: boolean;
  /** The last USER. */
  user: { name: string; index: number } | undefined;
  /** Whether commands are those of a POSIX shell. */
  isPosix: boolean;
  /** Whether SHELL sets the option pipefail. */
  pipefail: boolean;
  /** Whether apt-get is configured to leave out recommended packages. */
  noRecommends: boolean;
  /** Variables that ENV and ARG set. */
  variables: Map<string, string | undefined>;
}

/** Returns the instructions of a stage, those after ONBUILD in the place of ONBUILD. */
export const withTriggers = (instructions: readonly Instruction[]): Instruction[] =>
  instructions.map((instruction) => instruction.trigger ?? instruction);

/** Shortens a text of the document for a message. */
export const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** Whether a text has a variable, so that its value is unknown. */
export const hasVariable = (text: string): boolean => text.includes("$");

export const imageOf = ({ image }: Stage): string => image?.value ?? "";
