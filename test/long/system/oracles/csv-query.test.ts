import "../../../system/oracles/csv-query.test.ts";
