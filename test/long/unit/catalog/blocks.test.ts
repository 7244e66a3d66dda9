import "../../../unit/catalog/blocks.test.ts";
