import type { JSX } from "preact";
import { Icon } from "./icon.tsx";

/** Empties a field. @param label The name of the field. */
export const ClearButton = ({ label, onClear }: { label: string; onClear(): void }): JSX.Element => (
  <button
    type="button"
    class="quiet only small"
    aria-label={`Clear: ${label}`}
    title="Clear"
    onClick={onClear}
  >
    <Icon name="close" />
  </button>
);
