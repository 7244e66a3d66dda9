import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";

export interface FieldProps {
  label: string;
  hint?: ComponentChildren | undefined;
  /** Renders the control with these attributes. */
  children(attributes: { id: string; "aria-describedby"?: string }): JSX.Element;
}

/** A control with its label and, below it, a hint. */
export function Field({ label, hint, children }: FieldProps): JSX.Element {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, ...(hint !== undefined && { "aria-describedby": hintId }) })}
      {hint === undefined ? null : (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}
