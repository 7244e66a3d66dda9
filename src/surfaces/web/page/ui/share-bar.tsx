import type { JSX } from "preact";
import { adoptSheet } from "../views/sheet.ts";
import sheet from "./share-bar.css";

adoptSheet(sheet);

export interface ShareBarProps {
  part: number;
  whole: number;
  /** Whether the whole is a limit, which the part should not reach. */
  isLimit?: boolean;
}

/** A bar that shows how much of a whole a part is. It repeats numbers that stand beside it. */
export const ShareBar = ({ part, whole, isLimit = false }: ShareBarProps): JSX.Element => (
  <svg
    class={isLimit && part >= whole * 0.9 ? "share-bar high" : "share-bar"}
    viewBox="0 0 100 6"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <rect class="rest" width="100" height="6" />
    <rect width={Math.min(100, (part / Math.max(1, whole)) * 100)} height="6" />
  </svg>
);
