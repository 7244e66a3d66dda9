/** Common uses of csv-query. */
export const csvQueryExamples = [
  {
    input: {
      data: "name,team,hours\nAda,a,7.5\nBob,b,6\nCid,a,8.25\n",
      where: "hours > 6",
      sort: ["-hours"],
      select: ["name", "pay=hours * 0.1"],
    },
    result: "name,pay\nCid,0.825\nAda,0.75",
  },
  {
    title: "Sums and means of groups, exact to the cent",
    input: {
      data: "region;amount\nnorth;0.10\nsouth;5\nnorth;0.20\n",
      delimiter: ";",
      group: ["region"],
      aggregate: ["count", "total=sum:amount", "mean:amount"],
      output: "markdown" as const,
    },
    result:
      "| region | count | total | mean_amount |\n| ------ | ----: | ----: | ----------: |\n| north  |     2 |   0.3 |        0.15 |\n| south  |     1 |     5 |           5 |",
  },
  {
    title: "Join two tables, as csvjoin does",
    input: {
      data: "order,customer,total\n1,c2,9.90\n2,c1,20.00\n3,c9,1\n",
      other: "id,name\nc1,Ada\nc2,Bob\n",
      on: ["customer=id"],
      joinKind: "left" as const,
      select: ["order", "name=if(name = '', 'unknown', upper(name))", "total"],
      output: "table" as const,
    },
    result:
      "order  name     total\n-----  -------  -----\n    1  BOB       9.90\n    2  ADA      20.00\n    3  unknown      1",
  },
  {
    title: "Error rate of a log, with a regular expression of RE2",
    input: {
      data: "time,status,path\n2024-05-01T10:00:00Z,500,/api/a\n2024-05-01T12:00:00+02:00,200,/api/b\n2024-05-02T00:00:00Z,503,/health\n",
      where: "path matches '^/api/' and date(time) < '2024-05-02'",
      aggregate: ["requests=count", "p95=p95:status", "paths=distinct:path"],
      output: "json" as const,
      indent: 0,
    },
    result: '[{"requests":2,"p95":500,"paths":2}]',
  },
];
