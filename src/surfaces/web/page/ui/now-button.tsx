import type { JSX } from "preact";

export interface NowButtonProps {
  /** The field that the time is entered into. */
  label: string;
  onEnter(time: string): void;
}

/** Enters the present time, in whole seconds of UTC (RFC 3339), which every field for a time takes. */
export const NowButton = ({ label, onEnter }: NowButtonProps): JSX.Element => (
  <button
    type="button"
    class="quiet small"
    aria-label={`Now: ${label}`}
    onClick={() => onEnter(`${new Date().toISOString().slice(0, 19)}Z`)}
  >
    Now
  </button>
);
