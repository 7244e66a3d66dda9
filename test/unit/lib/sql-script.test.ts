import { describe, expect, test } from "vitest";
import { DocumentFault } from "../../../src/lib/fault.ts";
import { type Dialect, format } from "./format-sql.ts";

describe("lines that a client reads", () => {
  test.each<[Dialect, string, string]>([
    [
      "tsql",
      "select 1\nGO\nEXEC sp_x\ngo 5\nIF 1=1 print 'x'",
      "select\n  1\nGO\nEXEC sp_x\ngo 5\nIF 1 = 1 print 'x'",
    ],
    ["tsql", ":setvar A b\n!!dir\nUSE $(A)\nGO\n:r x.sql", ":setvar A b\n!!dir\nUSE $(A)\nGO\n:r x.sql"],
    ["sql", "select 1\nGO\nselect 2\n/\n", "select\n  1\nGO\nselect\n  2\n/"],
    [
      "plsql",
      "SET DEFINE OFF\nPROMPT it's\nREM x\nbegin\n p;\nend;\n/\nSHOW ERRORS\nEXEC p(1)\n@@b.sql\ncol a -\n format a10\nupdate t\nset a=1;",
      "SET DEFINE OFF\nPROMPT it's\nREM x\nbegin p;\n\nend;\n/\nSHOW ERRORS\nEXEC p(1)\n@@b.sql\ncol a -\n format a10\nupdate t\nset\n  a = 1;",
    ],
    [
      "mysql",
      "use db\nDELIMITER //\ncreate procedure p() begin end//\nDELIMITER ;\ncall p();",
      "use db\nDELIMITER //\ncreate procedure p() begin end\n//\nDELIMITER ;\ncall p();",
    ],
    ["mysql", "DELIMITER ;;\nselect 1;;\nDELIMITER ;", "DELIMITER ;;\nselect\n  1\n;;\nDELIMITER ;"],
    ["postgresql", "\\c db\nselect 1 \\gset x\n\\i a.sql", "\\c db\nselect\n  1\n\\gset x\n\\i a.sql"],
    [
      "postgresql",
      "copy t from stdin;\n1\tit's\n\\.\nselect 1;",
      "copy t from stdin;\n1\tit's\n\\.\nselect\n  1;",
    ],
    ["hive", "add jar /a/b.jar;\nset a=b;\nselect 1;", "add jar /a/b.jar;\nset a=b;\nselect\n  1;"],
    ["mysql", "select 1\\G\nselect 2 \\g\r\n", "select\n  1\n\\G\nselect\n  2\n\\g"],
    [
      "sql",
      "add jar /a/b-1.jar;\ncopy t from stdin;\n1\tit's\n\\.\nselect 1;",
      "add jar /a/b-1.jar;\ncopy t from stdin;\n1\tit's\n\\.\nselect\n  1;",
    ],
    ["sqlite", ".mode csv\nselect 1;", ".mode csv\nselect\n  1;"],
    ["snowflake", "!set a=b\nput file:///tmp/x @~/x;", "!set a=b\nput file:///tmp/x @~/x;"],
    ["db2", "--#SET TERMINATOR @\nselect 1@", "--#SET TERMINATOR @\nselect\n  1\n@"],
  ])("%s: %j", async (dialect, text, result) => {
    expect(await format(dialect, text)).toBe(result);
  });

  test("keep their blank lines, and their places after a carriage return", async () => {
    expect(await format("tsql", "select 1\r\n\r\nGO\r\nselect 2\r\n")).toBe("select\n  1\n\nGO\nselect\n  2");
  });
});

describe("what is one thing stays one", () => {
  test.each<[Dialect, string, string]>([
    ["postgresql", "select 'a'\n'b'", "'a'\n'b'"],
    ["sql", "select N'a'\n  'b'", "N'a'\n  'b'"],
    ["postgresql", "select :'v', :\"n\"", ":'v',\n  :\"n\""],
    ["postgresql", "select * from tbl_{{ x }}_y, {{ a }}.{{ b }}", "tbl_{{ x }}_y,\n  {{ a }}.{{ b }}"],
    ["snowflake", "select '{{ var('d') }}' {# it's #}", "'{{ var('d') }}' {# it's #}"],
    ["mysql", "select #{id} from t where a=${b}", "#{id}\nfrom"],
    [
      "plsql",
      "select q'[it's]', &o..t, tab_&x, $$plsql_unit from dual",
      "q'[it's]',\n  &o..t,\n  tab_&x,\n  $$plsql_unit",
    ],
    ["mysql", "proc: begin leave proc; end", "proc: begin"],
    [
      "mysql",
      "select my_fn(1), pkg.fn(2), b in(1), f (3) from t",
      "my_fn(1),\n  pkg.fn(2),\n  b in (1),\n  f (3)",
    ],
    ["mysql", "insert into a.t(b) values(1)", "a.t (b)\nvalues\n  (1)"],
    ["tsql", "delete from t output deleted.* into @x(a)", "t\noutput\n  deleted.*\ninto\n  @x (a)"],
    ["tsql", "exec p @a = @b output", "exec p @a = @b output"],
  ])("%s: %j", async (dialect, text, part) => {
    expect(await format(dialect, text)).toContain(part);
  });
});

describe("refuses, with the place, what it would break", () => {
  test.each<[Dialect, string, number]>([
    // Its line would be a separator of batches.
    ["tsql", "select go from t", 7],
    ["mysql", "#{note} of mine\nselect 1", 0],
    ["postgresql", "select tbl{% if a %}_dev{% endif %}", 10],
    ["postgresql", "select 'a", 7],
    ["sql", "select 1 /* a", 9],
    ["plsql", "select q'[a' from dual", 7],
  ])("%s: %j", async (dialect, text, index) => {
    const fault = await format(dialect, text).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(DocumentFault);
    expect((fault as DocumentFault).at.index).toBe(index);
  });
});
