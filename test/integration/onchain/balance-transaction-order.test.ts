import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listBalanceTransactions } from '../../../src/db/ledger/balance-transaction-list-store.ts';
import type { BalanceTransactionRow } from '../../../src/db/ledger/balance-transaction-store.ts';
import { insertLedgerTransactions } from '../../../src/db/ledger/ledger-store.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { CUSTOMER_ACCOUNTS, kindsOf } from '../../../src/domain/ledger/balance-transaction.ts';
import { holdLines } from '../../../src/domain/ledger/movements.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { fundBalance } from '../../../src/modules/ledger/fund-balance.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addCustomer } from '../../support/test-customer.ts';

const AT = new Date('2026-05-04T12:00:00.000Z');
const CLIENTS = 40;
const EACH = 12;
const CURRENCIES = ['EUR', 'JPY'] as const;

let database: TestDatabase;
let admin: pg.Client;
let scope: Scope;
beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  const customerId = await database.db.system((tx) => addCustomer(tx));
  scope = { customerId, environment: 'test' };
  for (const currency of CURRENCIES) {
    await database.db.write(scope, (tx) =>
      fundBalance(tx, scope, { currency, amount: 1_000_000n, rail: 'SEPA' }, AT),
    );
  }
});
afterAll(async () => {
  await admin.end();
  await database.close();
});

/** A transaction of the ledger as the engine posts it: one or two holds at once, by wrong clocks. */
async function post(client: number, turn: number): Promise<void> {
  const currency = CURRENCIES[(client + turn) % 2] ?? 'EUR';
  const source = { currency, minor: BigInt(1 + ((client * 7 + turn) % 50)) };
  const lines = holdLines({ rail: 'SEPA', source, target: source, fees: [] });
  const holds = Array.from({ length: 1 + (turn % 2) }, () => ({
    ...{ id: newId('ltx'), kind: 'HOLD' as const, paymentId: null, lines },
  }));
  const at = new Date(AT.getTime() + ((client * 31 + turn * 17) % 400) * 1_000);
  await database.db.write(scope, (tx) => insertLedgerTransactions(tx, scope, holds, at));
}

const listAll = async (currency: string): Promise<BalanceTransactionRow[]> => {
  const filter = { accounts: CUSTOMER_ACCOUNTS, kinds: kindsOf(), isNarrowed: false, currency };
  const rows: BalanceTransactionRow[] = [];
  for (let before: bigint | null = null; ;) {
    const page = await database.db.list(scope, (tx) =>
      listBalanceTransactions(tx, scope, filter, { limit: 100, before }),
    );
    rows.push(...page.items);
    if (page.next === null) return rows;
    before = page.next;
  }
};

describe('balance transactions that 40 clients make at once', () => {
  it('stand in an order in which no running balance jumps, and none appears behind one that was seen', async () => {
    let isOver = false;
    const seen = new Map<string, Set<bigint>>(CURRENCIES.map((one) => [one, new Set()]));
    const late: bigint[] = [];
    const look = async (): Promise<void> => {
      while (!isOver) {
        for (const currency of CURRENCIES) {
          const known = seen.get(currency) ?? new Set();
          const newest = [...known].reduce((most, seq) => (seq > most ? seq : most), 0n);
          const [first] = await Promise.all([listAll(currency)]);
          late.push(
            ...first.map(({ seq }) => seq).filter((seq) => seq < newest && !known.has(seq)),
          );
          for (const { seq } of first) known.add(seq);
        }
      }
    };
    const watching = look();
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_none, client) => {
        for (let turn = 0; turn < EACH; turn += 1) await post(client, turn);
      }),
    );
    isOver = true;
    await watching;
    expect(late).toEqual([]);

    let lines = 0;
    for (const currency of CURRENCIES) {
      const balances = new Map<string, bigint>();
      for (const row of (await listAll(currency)).toReversed()) {
        const after = (balances.get(row.account) ?? 0n) + row.amount;
        expect(row.balanceAfter).toBe(after);
        balances.set(row.account, after);
        lines += 1;
      }
      const { rows } = await admin.query<{ available: string; reserved: string }>(
        `SELECT available::text, reserved::text FROM balances WHERE customer_id = $1 AND currency = $2`,
        [scope.customerId, currency],
      );
      expect(rows).toEqual([
        {
          available: String(balances.get('available')),
          reserved: String(balances.get('reserved')),
        },
      ]);
    }
    expect(lines).toBe(CURRENCIES.length + 2 * CLIENTS * EACH * 1.5);
  });
});
