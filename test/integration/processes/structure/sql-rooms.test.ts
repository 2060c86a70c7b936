import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../../..');

/** The stores; the check from outside, which must not trust them; and the set-up of a cluster. */
const ROOMS_WITH_SQL = /^src\/(db|cli\/(verify|embedded))\//;
const SQL = /\b(SELECT\s+[\w*"($]|INSERT INTO |UPDATE \w+\s+SET |DELETE FROM )/;

const filesWithSql = (): string[] =>
  ['src', 'activities', 'workflows']
    .flatMap((folder) =>
      readdirSync(resolve(root, folder), { encoding: 'utf8', recursive: true }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => /\.tsx?$/.test(file) && SQL.test(readFileSync(resolve(root, file), 'utf8')));

it('SQL folderes in the stores, and only there', () => {
  expect(filesWithSql().filter((file) => !ROOMS_WITH_SQL.test(file))).toEqual([]);
});

it('the search for SQL finds the stores', () => {
  expect(filesWithSql()).toContain('src/db/payments/payment-store.ts');
});
