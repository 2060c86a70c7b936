import { afterAll, beforeAll, expect, it } from 'vitest';
import { rowSource } from '../../../src/db/client/row-source.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const THINGS = rowSource('thing', {
  label: 'text',
  amount: 'bigint',
  count: 'integer',
  isOpen: 'boolean',
  sealed: 'bytea',
  details: 'jsonb',
  seenAt: 'timestamptz',
});

interface Thing {
  readonly label: string | null;
  readonly amount: bigint | null;
  readonly count: number | null;
  readonly isOpen: boolean | null;
  readonly sealed: Buffer | null;
  readonly details: unknown;
  readonly seenAt: Date | null;
}

const read = (things: readonly Thing[]) =>
  database.db.system((tx) =>
    tx.query<Thing & { turn: bigint }>(
      `SELECT label, amount, count, is_open AS "isOpen", sealed, details, seen_at AS "seenAt", turn
       FROM ${THINGS.sql} ORDER BY turn`,
      THINGS.values(things),
    ),
  );

const EMPTY: Thing = {
  ...{ label: null, amount: null, count: null, isOpen: null },
  ...{ sealed: null, details: null, seenAt: null },
};

it('what is given as rows is what PostgreSQL reads, in their order', async () => {
  const labels = [
    '',
    'NULL',
    'null',
    '{}',
    '{a,b}',
    '"',
    '\\',
    "'",
    'a,b',
    ' a ',
    'ä€😀',
    '$1',
    ':x',
    'a\nb',
  ];
  const things: Thing[] = [
    ...labels.map((label) => ({ ...EMPTY, label, details: { [label]: [label, null] } })),
    { ...EMPTY, amount: 9_223_372_036_854_775_807n, count: -2_147_483_648, isOpen: false },
    { ...EMPTY, amount: -9_007_199_254_740_993n, count: 0, isOpen: true },
    { ...EMPTY, sealed: Buffer.from([0, 92, 34, 255]), details: [] },
    { ...EMPTY, sealed: Buffer.alloc(0), details: '"{}\\' },
    { ...EMPTY, seenAt: new Date('2026-03-29T01:59:59.999Z') },
    EMPTY,
  ];
  const rows = things.map((thing, n) => ({ ...thing, turn: BigInt(n + 1) }));
  expect(await read(things)).toEqual(rows);
});

it('no rows are none', async () => {
  expect(await read([])).toEqual([]);
});

it('a hundred equal rows are a hundred', async () => {
  const rows = await read(Array.from({ length: 100 }, () => EMPTY));
  expect(rows.map(({ turn }) => Number(turn))).toEqual(
    Array.from({ length: 100 }, (_, n) => n + 1),
  );
});

it('a row with a value that its type cannot have fails the whole statement', async () => {
  const bad = { ...EMPTY, label: 'nul\u0000byte' };
  await expect(read([EMPTY, bad])).rejects.toMatchObject({ code: '22021' });
});
