import { render } from "preact";

/** Fills the page of pipelines. */
export function show(place: Element): void {
  render(<p>Pipelines</p>, place);
}
