import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";
import { CopyButton } from "../../copy-button.tsx";
import { Glyphs } from "../glyphs.tsx";
import { type Path, spellings } from "./path.ts";

export interface PathBarProps {
  path: Path;
  /** Shows the value that has so many steps of the path. */
  onStep?(steps: number): void;
  /** The content beside the path. */
  action?: ComponentChildren;
}

/** The path of a value, with buttons that copy it. */
export function PathBar({ path, onStep, action }: PathBarProps): JSX.Element {
  const spelling = useSignal(0);
  const place = useRef<HTMLSpanElement>(null);
  const { write } = spellings[spelling.value] ?? (spellings[0] as (typeof spellings)[0]);
  return (
    <div class="v-path">
      <span class="v-steps" role="group" aria-label="Path" ref={place}>
        <Step onStep={onStep} steps={0}>
          $
        </Step>
        {path.map((step, index) => (
          <span key={index}>
            <span aria-hidden="true"> › </span>
            <Step onStep={onStep} steps={index + 1}>
              {String(step)}
            </Step>
          </span>
        ))}
      </span>
      {action}
      <select
        aria-label="Spelling of the path"
        value={spelling.value}
        onChange={({ currentTarget }) => (spelling.value = Number(currentTarget.value))}
      >
        {spellings.map(({ name }, index) => (
          <option value={index} key={name}>
            {name}
          </option>
        ))}
      </select>
      <CopyButton label="Copy path" title="Path" source={() => place.current} text={() => write(path)} />
    </div>
  );
}

interface StepProps {
  steps: number;
  onStep: PathBarProps["onStep"];
  children: string;
}

function Step({ steps, onStep, children }: StepProps): JSX.Element {
  if (onStep === undefined)
    return (
      <code>
        <Glyphs>{children}</Glyphs>
      </code>
    );
  return (
    <button type="button" onClick={() => onStep(steps)}>
      <Glyphs>{children}</Glyphs>
    </button>
  );
}
