import "../../../unit/catalog/writers.test.ts";
