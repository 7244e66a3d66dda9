import { expect, test } from "vitest";
import { createOnceNames } from "../../../../src/storage/deliveries/once-names.ts";

test("a name is known until its time, and its record is kept no longer", () => {
  const names = createOnceNames();
  names.remember({ name: "early", until: 100 });
  names.remember({ name: "late", until: 200 });
  expect([names.was("early", 99), names.was("early", 100), names.was("other", 0)]).toEqual([
    true,
    false,
    false,
  ]);
  names.forget(100);
  expect([...names.all()]).toEqual([{ name: "late", until: 200 }]);
  expect(names.was("late", 100)).toBe(true);
});
