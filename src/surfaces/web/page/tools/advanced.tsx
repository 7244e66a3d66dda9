import type { JSX } from "preact";
import { Drawer } from "../ui/drawer.tsx";
import { startOf } from "./fields.ts";
import { OptionField } from "./option-field.tsx";
import { divideOptions } from "./options-bar.tsx";
import { isChanged, type ToolState } from "./state.ts";

/** The options that few need, each with what it means. */
export function Advanced({ state, onClose }: { state: ToolState; onClose(): void }): JSX.Element {
  const { definition, options, check } = state;
  const { advanced } = divideOptions(definition);
  const changed = advanced.filter(([name]) => isChanged(state, name));
  return (
    <Drawer
      title="Advanced"
      note={changed.length === 0 ? undefined : <span class="tag accent">{changed.length} changed</span>}
      onClose={onClose}
    >
      {advanced.map(([name, schema, isRequired]) => (
        <OptionField state={state} name={name} schema={schema} isRequired={isRequired} key={name} />
      ))}
      {definition.checkable ? (
        <div class="field">
          <label class="check">
            <input
              type="checkbox"
              checked={check.value}
              onChange={({ currentTarget }) => (check.value = currentTarget.checked)}
            />
            <span>Check only</span>
          </label>
          <p class="hint">Reports what is wrong, and changes nothing</p>
        </div>
      ) : null}
      <p>
        <button
          type="button"
          onClick={() => {
            options.value = startOf(definition);
            check.value = false;
          }}
        >
          Reset all options
        </button>
      </p>
      {advanced.length === 0 ? null : (
        <p class="hint">
          Named in the API: <code>{advanced.map(([name]) => name).join(", ")}</code>.
        </p>
      )}
    </Drawer>
  );
}
