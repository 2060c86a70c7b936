import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  insertStatementLines,
  readUnjudgedLines,
} from '../../../src/db/reconciliation/statement-line-store.ts';
import {
  beginStatementReading,
  insertStatement,
} from '../../../src/db/reconciliation/statement-store.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const at = new Date('2026-09-29T12:00:00.000Z');
const source = { environment: 'test', connector: 'http-bank' } as const;
const listed = { account: 'NOSTRO', fromAt: at, toAt: at, problems: [] };

const line = {
  line: 1,
  entry: 1,
  reference: 'CW1',
  bankReference: null,
  amount: '999999999999999999.99999',
  currency: 'EUR',
  direction: 'DBIT',
  isReversal: false,
  booked: true,
  bookedAt: at,
  reason: null,
  isReturn: false,
  creditorReferences: [],
  bookingKey: null,
  bookingReferences: [],
  isEntryReference: false,
} as const;

async function newStatement(sequence: bigint): Promise<bigint> {
  const place = {
    bankStatementId: `S-${sequence}`,
    series: 1,
    sequence,
    status: 'LISTED',
  } as const;
  const statement = { ...listed, ...place };
  const id = await database.db.system((tx) => insertStatement(tx, source, statement, at));
  if (id === null) throw new Error('its number is taken');
  return id;
}

describe('stored statements', () => {
  it('an amount stays as the bank wrote it, beyond any currency and any 64 bits', async () => {
    const id = await newStatement(1n);
    await database.db.system(async (tx) => {
      const reading = await beginStatementReading(tx, id);
      await insertStatementLines(tx, { id, ...source }, reading ?? 0, [line]);
    });
    const lines = await database.db.system((tx) => readUnjudgedLines(tx, id, 10));
    const { bookingReferences: _kept, ...read } = line;
    expect(lines).toEqual([{ ...read, unproven: false }]);
  });

  it('only the newest reading stores lines, in place of those of the last', async () => {
    const id = await newStatement(2n);
    const statement = { id, ...source };
    const { db } = database;
    const begin = () => db.system((tx) => beginStatementReading(tx, id));
    const store = (reading: number, amount: string) =>
      db.system((tx) => insertStatementLines(tx, statement, reading, [{ ...line, amount }]));
    expect(await begin()).toBe(1);
    expect(await store(1, '1')).toBe(true);
    expect(await begin()).toBe(2);
    expect(await store(2, '2')).toBe(true);
    expect(await store(1, '1')).toBe(false);
    const lines = await db.system((tx) => readUnjudgedLines(tx, id, 10));
    expect(lines.map(({ amount }) => amount)).toEqual(['2']);
  });

  it.each(['statements', 'statement_lines'])('no customer may look into %s', async (table) => {
    const scope = { customerId: 'cus_any', environment: 'test' } as const;
    const look = database.db.read(scope, (tx) => tx.query(`SELECT 1 FROM ${table}`));
    await expect(look).rejects.toMatchObject({ code: '42501' });
  });
});
