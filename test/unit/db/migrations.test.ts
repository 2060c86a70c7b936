import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const DIR = 'src/db/schema/migrations';
/** The last one that was written before there was the rule. */
const LAST_WITHOUT = '0036';

const namesOf = (sql: string, pattern: RegExp): string[] =>
  [...sql.matchAll(pattern)].map(([, name = '']) => name);

const migrations = readdirSync(DIR)
  .filter((file) => file.slice(0, LAST_WITHOUT.length) > LAST_WITHOUT)
  .map((file) => ({ file, sql: readFileSync(`${DIR}/${file}`, 'utf8') }));

it.each(migrations)('$file keeps no writer of an older table waiting for an index', ({ sql }) => {
  const made = namesOf(sql, /^CREATE TABLE (\w+)/gm);
  const built = namesOf(sql, /^CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)\w+\s+ON\s+(\w+)/gm);
  expect(built.filter((table) => !made.includes(table))).toEqual([]);
});
