/** An ordinary JSON document of about this many bytes on one line; deterministic. */
export function documentOf(bytes: number): string {
  const records: string[] = [];
  let size = 2;
  for (let id = 1; size < bytes; id++) {
    const record = JSON.stringify(recordOf(id));
    records.push(record);
    size += Buffer.byteLength(record) + 1;
  }
  return `[${records.join(",")}]`;
}

function recordOf(id: number): unknown {
  return {
    id,
    name: `Customer ${id}`,
    city: id % 3 === 0 ? "Zürich" : "Lisbon",
    balance: Math.round(id * 137) / 100,
    tags: ["new", "vip"],
    address: { street: "Main Street", number: id % 200, door: null },
    note: 'said "yes"\n',
    active: id % 2 === 0,
  };
}
