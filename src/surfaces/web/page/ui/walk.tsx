import type { JSX } from "preact";
import { Icon } from "./icon.tsx";

export interface WalkProps {
  /** A noun for one item of the list, such as "delivery". */
  what: string;
  onWalk(by: -1 | 1): void;
}

/** Buttons that show what is above and below in a list. */
export const Walk = ({ what, onWalk }: WalkProps): JSX.Element => (
  <>
    {steps.map(([by, icon, where]) => {
      const label = `The ${what} ${where}`;
      return (
        <button
          type="button"
          class="quiet only small"
          key={by}
          aria-label={label}
          title={label}
          onClick={() => onWalk(by)}
        >
          <Icon name={icon} />
        </button>
      );
    })}
  </>
);

const steps = [
  [-1, "up", "above"],
  [1, "below", "below"],
] as const;
