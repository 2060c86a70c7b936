import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertStatementLines, readUnjudgedLines } from '../../src/db/statement-line-store.ts';
import { insertStatement } from '../../src/db/statement-store.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const at = new Date('2026-09-29T12:00:00.000Z');
const source = { environment: 'test', rail: 'http-bank' } as const;
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
} as const;

async function newStatement(sequence: bigint): Promise<bigint> {
  const statement = { ...listed, bankStatementId: `S-${sequence}`, sequence };
  const result = await database.db.system((tx) => insertStatement(tx, source, statement, at));
  if (result.kind !== 'NEW') throw new Error(`stored as ${result.kind}`);
  return result.id;
}

describe('stored statements', () => {
  it('an amount stays as the bank wrote it, beyond any currency and any 64 bits', async () => {
    const id = await newStatement(1n);
    await database.db.system((tx) => insertStatementLines(tx, { id, ...source }, [line]));
    const lines = await database.db.system((tx) => readUnjudgedLines(tx, id, 10));
    expect(lines).toEqual([line]);
  });

  it('a line is stored once: a second reading changes nothing of it', async () => {
    const id = await newStatement(2n);
    const statement = { id, ...source };
    await database.db.system(async (tx) => {
      await insertStatementLines(tx, statement, [line]);
      await insertStatementLines(tx, statement, [
        { ...line, amount: '1' },
        { ...line, line: 2 },
      ]);
    });
    const lines = await database.db.system((tx) => readUnjudgedLines(tx, id, 10));
    expect(lines.map(({ line: number, amount }) => [number, amount])).toEqual([
      [1, line.amount],
      [2, line.amount],
    ]);
  });

  it.each(['statements', 'statement_lines'])('no customer may look into %s', async (table) => {
    const scope = { customerId: 'cus_any', environment: 'test' } as const;
    const look = database.db.read(scope, (tx) => tx.query(`SELECT 1 FROM ${table}`));
    await expect(look).rejects.toMatchObject({ code: '42501' });
  });
});
