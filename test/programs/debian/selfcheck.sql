-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- What sqlite3's own suite would take hours for, in seconds: the shell runs this
-- and its output is compared with selfcheck.sql.out (from plain clang). Most
-- lines also check themselves by computing a figure in two ways.
PRAGMA page_size = 1024;
CREATE TABLE n(i INTEGER PRIMARY KEY, k INT, t TEXT, r REAL, b BLOB);
WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c WHERE x < 3000)
INSERT INTO n SELECT x, (x * 7919) % 1009, 'word' || ((x * 31) % 97) || '-' || x, x / 7.0,
  CAST(substr(hex(x * x * x), 1, 9) AS BLOB) FROM c;
SELECT 'rows', count(*), sum(k), min(t), max(t), round(sum(r), 6), total(length(b)) FROM n;
CREATE INDEX n_k ON n(k, t DESC);
CREATE INDEX n_t ON n(t COLLATE NOCASE) WHERE k > 500;
SELECT 'index', (SELECT count(*) FROM n WHERE k BETWEEN 100 AND 200) =
  (SELECT count(*) FROM n NOT INDEXED WHERE k BETWEEN 100 AND 200);
SELECT 'group', k % 10, count(*), group_concat(i % 7, '') FROM n WHERE i < 200 GROUP BY k % 10 ORDER BY 2;
SELECT 'order', t FROM n ORDER BY r - k * 3, t LIMIT 5;
SELECT 'join', count(*), sum(a.i * b.k) FROM n a JOIN n b ON a.k = b.k AND a.i < b.i;
SELECT 'window', i, sum(k) OVER (ORDER BY i ROWS 5 PRECEDING), rank() OVER (ORDER BY k),
  lag(t, 2, 'none') OVER (ORDER BY i) FROM n WHERE i % 300 = 7 ORDER BY i;
SELECT 'like', count(*) FROM n WHERE t LIKE 'WORD1%-_2%';
SELECT 'glob', count(*) FROM n WHERE t GLOB 'word[2-4]?-*[05]';
SELECT 'text', upper(substr(t, 3, 4)), instr(t, '-'), replace(t, 'o', '00'), trim('  x '), quote(b),
  hex(b), unicode(t), char(72, 105, 8364), printf('%08.3f|%-6d|%+e|%x', r, k, r, k) FROM n WHERE i IN (3, 77, 2999);
SELECT 'numbers', 7 / 2, -7 % 3, 7 / 2.0, 1e308 * 10, 9223372036854775807 + 1, abs(-5), round(2.5), round(-2.567, 2),
  1 << 40, ~5, 5 & 12, 5 | 12, CAST('12abc' AS INT), CAST(3.99 AS INT), 0.1 + 0.2, 1e-7, 123456789.125;
SELECT 'nulls', NULL = NULL, NULL IS NULL, coalesce(NULL, 3), nullif(4, 4), ifnull(NULL, 'x'), count(NULL);
SELECT 'dates', date('2024-02-29', '+1 year'), strftime('%j %W %s', '2000-12-31 23:59:59'), julianday('1970-01-01'),
  time('13:45', '-90 minutes');
SELECT 'case', CASE k % 3 WHEN 0 THEN 'zero' WHEN 1 THEN 'one' ELSE 'two' END, count(*) FROM n GROUP BY 2 ORDER BY 2;
SELECT 'compound', x FROM (SELECT k % 20 AS x FROM n WHERE i < 40 INTERSECT SELECT k % 15 FROM n EXCEPT SELECT 3) ORDER BY x;
WITH RECURSIVE
  xaxis(x) AS (VALUES(-2.0) UNION ALL SELECT x + 0.1 FROM xaxis WHERE x < 1.0),
  yaxis(y) AS (VALUES(-1.0) UNION ALL SELECT y + 0.25 FROM yaxis WHERE y < 1.0),
  m(iter, cx, cy, x, y) AS (
    SELECT 0, x, y, 0.0, 0.0 FROM xaxis, yaxis
    UNION ALL
    SELECT iter + 1, cx, cy, x * x - y * y + cx, 2.0 * x * y + cy FROM m WHERE (x * x + y * y) < 4.0 AND iter < 28),
  m2(iter, cx, cy) AS (SELECT max(iter), cx, cy FROM m GROUP BY cx, cy),
  a(t) AS (SELECT group_concat(substr(' .+*#', 1 + min(iter / 7, 4), 1), '') FROM m2 GROUP BY cy)
SELECT group_concat(rtrim(t), x'0a') FROM a;
BEGIN;
UPDATE n SET k = k + 1000 WHERE i % 3 = 0;
DELETE FROM n WHERE i % 5 = 0;
SAVEPOINT s;
DELETE FROM n;
SELECT 'inside', count(*) FROM n;
ROLLBACK TO s;
SELECT 'after rollback to', count(*), sum(k) FROM n;
ROLLBACK;
SELECT 'after rollback', count(*), sum(k) FROM n;
CREATE TABLE log(what TEXT);
CREATE TRIGGER tr AFTER DELETE ON n WHEN old.k > 900 BEGIN
  INSERT INTO log VALUES('gone ' || old.i || ' ' || old.k);
END;
DELETE FROM n WHERE i % 11 = 0;
SELECT 'trigger', count(*), min(what), max(what) FROM log;
CREATE VIEW v AS SELECT k, count(*) AS c FROM n GROUP BY k HAVING c > 2;
SELECT 'view', count(*), sum(c) FROM v;
INSERT INTO n(i, k) VALUES(1, 5) ON CONFLICT(i) DO UPDATE SET k = excluded.k + 100;
SELECT 'upsert', k FROM n WHERE i = 1;
CREATE TABLE w(a TEXT, b INT, PRIMARY KEY(b, a)) WITHOUT ROWID;
INSERT INTO w SELECT t, k FROM n WHERE i < 500;
SELECT 'without rowid', count(*), (SELECT a FROM w WHERE b > 300 ORDER BY b, a LIMIT 1) FROM w;
SELECT 'json', json_extract('{"a":[1,2,{"b":"x\u00e9"}],"c":1.5e3}', '$.a[2].b'),
  json_array_length('[1,[2,3],4]'), json_group_array(k) FROM n WHERE i < 12;
SELECT 'json tree', key, type, atom, path FROM json_tree('{"p":{"q":[true,null,3]},"r":"s"}');
SELECT 'vacuum'; VACUUM;
PRAGMA integrity_check;
ANALYZE;
SELECT 'stat', tbl, idx FROM sqlite_stat1 ORDER BY 2, 3;
EXPLAIN QUERY PLAN SELECT * FROM n WHERE k = 5 ORDER BY t DESC;
ALTER TABLE n ADD COLUMN extra DEFAULT 'e';
ALTER TABLE n RENAME COLUMN t TO words;
SELECT 'altered', words, extra FROM n WHERE i = 2;
SELECT 'blob', length(zeroblob(1000)), substr(x'0102030405', 2, 3) = x'020304', hex(x'ff' || x'00');
.mode csv
SELECT i, k, words, r FROM n WHERE i % 700 = 1;
.mode insert n2
SELECT i, words, r, b FROM n WHERE i % 900 = 1;
.mode quote
SELECT 1, 'it''s', x'00ff', NULL, 2.5;
.dump w
