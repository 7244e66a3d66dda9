import { type Figure, toFigure } from "./figures.ts";
import { setup, type ToolboxBench } from "./web-script.ts";

/** Measures pages with documents that are large: one long line, and two texts that are compared. */
export const largeFigures = async (bench: ToolboxBench): Promise<Figure[]> => [
  await longLineFigure(bench),
  ...(await differenceFigures(bench)),
];

/** A key at the start of a line of 5 MB in json-formatter. */
async function longLineFigure({ origin, browser, rounds }: ToolboxBench): Promise<Figure> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(60_000);
  try {
    await page.goto(`${origin}/tools/json-formatter`);
    await page.locator(".editor .cm-content").waitFor();
    await page.evaluate(setup("editor"));
    await page.evaluate("bench.paste(JSON.stringify(JSON.parse(bench.make(8.5e6))))");
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await page.evaluate("bench.awaitKey().then((one) => void (window.key = one))");
      await page.keyboard.press("Space");
      times.push(Number(await page.evaluate("key.drawn")));
      await page.evaluate("new Promise((resolve) => setTimeout(resolve, 2000))");
    }
    return toFigure("web", "a line of 5 MB, key at its start to paint", "ms", times, { atMost: 50 });
  } finally {
    await page.close();
  }
}

/** The second text of text-differ, of 1.4 MB in 40,000 lines, of which one is another. */
async function differenceFigures({ origin, browser, rounds }: ToolboxBench): Promise<Figure[]> {
  const tasks: number[] = [];
  let drawn = 0;
  for (let round = 0; round < rounds; round++) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(60_000);
    try {
      await page.goto(`${origin}/tools/text-differ`);
      await page.locator(".editor .cm-content").first().waitFor();
      await page.evaluate(setup("editor"));
      await page.evaluate(`{
        const lines = Array.from({ length: 40000 }, (_, index) => "line " + index + " of a text to compare");
        window.texts = [lines.join("\\n"), lines.with(20000, "another line").join("\\n")];
      }`);
      await page.evaluate("bench.paste(texts[0], 0, false)");
      tasks.push(Number(await page.evaluate("bench.paste(texts[1], 1)")));
      await page.locator(".v-line").first().waitFor();
      drawn = Number(await page.evaluate("document.querySelectorAll('.v-line').length"));
    } finally {
      await page.close();
    }
  }
  if (drawn > 400) throw new Error(`the difference draws ${drawn} lines at once`);
  return [
    toFigure("web", "1.4 MB into the second text of a difference, longest task", "ms", tasks, {
      atMost: 200,
    }),
  ];
}
