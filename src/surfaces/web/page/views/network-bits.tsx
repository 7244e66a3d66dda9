import type { JSX } from "preact";
import { Card } from "./parts.tsx";

/** The bits of an address: those of the network are filled. */
export function NetworkBits({ prefix, bits }: { prefix: number; bits: 32 | 128 }): JSX.Element {
  const label = `${prefix} network, ${bits - prefix} host`;
  const rows = bits / 32;
  return (
    <Card title="Bits" note={label}>
      <div class="in">
        <svg class="v-bits" viewBox={`0 0 326 ${rows * 18}`} role="img" aria-label={`${label} bits`}>
          {Array.from({ length: bits }, (_, bit) => (
            <rect
              x={(bit % 32) * 10 + Math.floor((bit % 32) / 8) * 2}
              y={Math.floor(bit / 32) * 18}
              width="8.5"
              height="14"
              rx="1.5"
              class={bit < prefix ? "v-bit-network" : "v-bit-host"}
              key={bit}
            />
          ))}
        </svg>
      </div>
    </Card>
  );
}
