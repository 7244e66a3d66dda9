import "../../../../../unit/lib/yaml/edit/narrow-levels.test.ts";
