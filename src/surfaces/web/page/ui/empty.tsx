import type { ComponentChildren, JSX } from "preact";
import { Icon } from "./icon.tsx";

export interface EmptyProps {
  icon: string;
  /** Says that there is nothing, and of what. */
  title: string;
  /** What it is for. */
  children: ComponentChildren;
}

/** The content that replaces an empty list. */
export const Empty = ({ icon, title, children }: EmptyProps): JSX.Element => (
  <div class="empty">
    <Icon name={icon} />
    <p role="status">
      <strong>{title}</strong>
    </p>
    {children}
  </div>
);
