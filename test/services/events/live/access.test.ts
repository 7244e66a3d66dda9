import { expect, test } from "vitest";
import { createLiveAccess } from "../../../../src/services/events/live/access.ts";
import { createRandom } from "../../setup.ts";

test("opens live updates again after an attempt that failed", async () => {
  let attempts = 0;
  const access = createLiveAccess({
    get channel() {
      attempts += 1;
      if (attempts === 1) throw new Error("EMFILE");
      return undefined;
    },
    random: createRandom(),
    onFault: (error) => expect.unreachable(String(error)),
  });
  await expect(access.open()).rejects.toThrow("EMFILE");
  const live = await access.open();
  expect(await access.open()).toBe(live);
  await access.close();
  expect(attempts).toBe(2);
});

test("closes live updates that were never opened, or could not be, without opening them", async () => {
  let attempts = 0;
  const access = createLiveAccess({
    get channel(): undefined {
      attempts += 1;
      throw new Error("EMFILE");
    },
    random: createRandom(),
    onFault: (error) => expect.unreachable(String(error)),
  });
  await access.close();
  expect(attempts).toBe(0);
  await expect(access.open()).rejects.toThrow("EMFILE");
  await access.close();
  expect(attempts).toBe(1);
});
