/** Common uses of csv-to-json. */
export const csvToJsonExamples = [
  {
    input: { data: 'id,name\n007,"Ada ""Countess"" Lovelace"\n', indent: 0 },
    result: '[{"id":"007","name":"Ada \\"Countess\\" Lovelace"}]',
  },
  {
    title: "A line break in a field, an empty field and inferred types",
    input: {
      data: 'n;ok;note\r\n1.50;TRUE;"a\r\nb"\r\n0123;;""',
      delimiter: ";",
      types: "infer" as const,
      indent: 0,
    },
    result: '[{"n":1.50,"ok":true,"note":"a\\r\\nb"},{"n":"0123","ok":"","note":""}]',
  },
  {
    title: "No header",
    input: { data: "a,b\nc,d", header: false, indent: 0 },
    result: '[["a","b"],["c","d"]]',
  },
  {
    title: "Dotted names, spaces around fields and an empty field",
    input: {
      data: "id, a.b, l.0, l.1\n1, x ,, y",
      trim: true,
      emptyFields: "null" as const,
      unflatten: true,
      indent: 0,
    },
    result: '[{"id":"1","a":{"b":"x"},"l":[null,"y"]}]',
  },
];
