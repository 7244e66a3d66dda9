import { type ReadonlySignal, signal } from "@preact/signals";

/** A pipeline that this browser keeps. Its text is that of a file; the document and secrets are not in it. */
export interface SavedPipeline {
  name: string;
  text: string;
}

const key = "penknife.pipelines";
const maxSaved = 50;
/** UTF-16 code units of one pipeline, and of what another page of this origin may have left here. */
const maxText = 100_000;

/** The pipelines that this browser keeps, the newest first. */
export const saved: ReadonlySignal<readonly SavedPipeline[]> = signal(read());

/** Keeps a pipeline, in the place of one of its name. @throws Error if the browser does not allow it. */
export function keep(pipeline: SavedPipeline): void {
  if (pipeline.text.length > maxText)
    throw new Error("This pipeline is too long for the browser. Save it as a file.");
  write([pipeline, ...saved.peek().filter(({ name }) => name !== pipeline.name)].slice(0, maxSaved));
}

export const forget = (name: string): void => write(saved.peek().filter((one) => one.name !== name));

function read(): readonly SavedPipeline[] {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? "[]") as unknown;
    return Array.isArray(found) ? found.filter(isSaved).slice(0, maxSaved) : [];
  } catch {
    return [];
  }
}

function isSaved(one: unknown): one is SavedPipeline {
  const { name, text } = (one ?? {}) as Partial<Record<keyof SavedPipeline, unknown>>;
  return typeof name === "string" && isName(name) && typeof text === "string" && text.length <= maxText;
}

/** Whether a text is the name of a pipeline, as its file has it. */
export function isName(text: string): boolean {
  return /^[a-z\d]+(?:-[a-z\d]+)*$/.test(text);
}

function write(all: readonly SavedPipeline[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(all));
  } catch {
    throw new Error("This browser does not let the page keep it. Save it as a file.");
  }
  (saved as { value: readonly SavedPipeline[] }).value = all;
}
