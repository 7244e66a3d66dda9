const levels = "▁▂▃▄▅▆▇█";
const eighths = " ▏▎▍▌▋▊▉█";

/** Values as one line of blocks, at most `width` of them; several values are added up where there are more. An empty one is a space. */
export function renderSparkline(values: readonly number[], width: number): string {
  const per = Math.max(1, Math.ceil(values.length / Math.max(1, width)));
  const sums: number[] = [];
  // From the end, so that the newest block is as wide as the others.
  for (let end = values.length; end > 0; end -= per) {
    sums.unshift(values.slice(Math.max(0, end - per), end).reduce((sum, value) => sum + value, 0));
  }
  const most = Math.max(...sums, 1);
  return sums.map((sum) => (sum === 0 ? " " : levels[Math.ceil((sum / most) * levels.length) - 1])).join("");
}

/** A bar of `value`, where `most` fills the width. What is not nothing can be seen. */
export function renderBar(value: number, most: number, width: number): string {
  if (value <= 0 || most <= 0) return "";
  const parts = Math.max(1, Math.round((value / most) * width * 8));
  return `${"█".repeat(Math.floor(parts / 8))}${eighths[parts % 8] ?? ""}`.trimEnd();
}
