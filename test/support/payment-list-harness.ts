import { insertBankAccount } from '../../src/db/parties/bank-account-store.ts';
import { insertEndUser } from '../../src/db/parties/end-user-store.ts';
import { listPayments, type PaymentFilter } from '../../src/db/payments/payment-list-store.ts';
import { createTestDatabase } from './database.ts';
import { seedPaymentTable, type SeededPayment } from './seed-payment-table.ts';
import { addCustomer } from './test-customer.ts';

const FROM = new Date('2026-01-01T00:00:00.000Z');
export const PAGE_LIMIT = 20;
/** Rows a page may read: itself, one of each status, the margins of five minutes, their neighbours. */
export const PAGE_ROWS_MAX = 5 * PAGE_LIMIT;

/** The moment at which the payment of this number was accepted. */
export const minute = (number: number) => new Date(FROM.getTime() + number * 60_000);

export type PaymentListHarness = Awaited<ReturnType<typeof createPaymentListHarness>>;

/**
 * A customer with `count` payments, one a minute: two end-users of one account each, whose payments
 * alternate; the very first six failed.
 */
export async function createPaymentListHarness(count: number) {
  const database = await createTestDatabase();
  const { db } = database;
  const scope = {
    customerId: await db.system((tx) => addCustomer(tx)),
    environment: 'test',
  } as const;
  const personal = Buffer.alloc(40);
  await db.write(scope, async (tx) => {
    for (const name of ['a', 'b']) {
      const endUser = { id: `eu_${name}`, type: 'INDIVIDUAL', externalId: null } as const;
      await insertEndUser(tx, scope, { ...endUser, personal, ownerKey: personal, at: FROM });
      await insertBankAccount(tx, scope, {
        ...{ id: `ba_${name}`, endUserId: endUser.id, country: 'DE', currency: 'EUR' },
        ...{ rail: 'SEPA', holderType: 'INDIVIDUAL', fingerprint: name, personal },
        ...{ bankName: null, at: FROM },
      });
    }
  });
  const seeded = await seedPaymentTable(database.url, {
    ...{ scope, count, from: FROM },
    endUserId: `CASE WHEN n % 2 = 1 THEN 'eu_a' ELSE 'eu_b' END`,
    bankAccountId: `CASE WHEN n % 2 = 1 THEN 'ba_a' ELSE 'ba_b' END`,
    externalId: `CASE WHEN n <= 6 THEN 'rare' WHEN n % 2 = 0 THEN 'of b' WHEN n % 4 = 1 THEN 'of a' END`,
    status: `CASE WHEN n <= 6 THEN 'FAILED' WHEN n % 2 = 1 THEN 'COMPLETED' ELSE 'RETURNED' END`,
  });

  return {
    database,
    scope,
    seeded,
    filters: filtersOf(count),

    /** Stores one more payment, SENT, of a customer's clock that says `at`. */
    async add(at: Date): Promise<void> {
      const [row] = await seedPaymentTable(database.url, {
        ...{ scope, count: 1, from: new Date(at.getTime() - 60_000) },
        ...{ endUserId: `'eu_a'`, bankAccountId: `'ba_a'`, externalId: 'NULL' },
        ...{ status: `'SENT'`, firstNumber: seeded.length + 1 },
      });
      if (row !== undefined) seeded.push(row);
    },

    /** Lists payments as the API does, and counts the rows of the table that were read. */
    list: (filter: PaymentFilter, plan: 'custom' | 'generic', before: bigint | null = null) =>
      db.read(scope, async (tx) => {
        const countRead = async () => {
          const [row] = await tx.query<{ read: bigint }>(
            `SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) AS read
             FROM pg_stat_xact_user_tables WHERE relname = 'payments'`,
          );
          return Number(row?.read ?? 0n);
        };
        await tx.query(`SET LOCAL plan_cache_mode = force_${plan}_plan`);
        const from = await countRead();
        const page = await listPayments(tx, scope, filter, { limit: PAGE_LIMIT, before });
        const ids = page.items.map(({ id }) => id);
        return { ids, next: page.next, read: (await countRead()) - from };
      }),

    /** What the list must show, found by looking at one row after the other. */
    expected: (filter: PaymentFilter, before: bigint | null = null) =>
      firstPage(seeded, filter, before),

    close: () => database.close(),
  };
}

function firstPage(
  seeded: readonly SeededPayment[],
  filter: Omit<PaymentFilter, 'walletId'>,
  before: bigint | null,
): string[] {
  const { createdAfter, createdBefore, ...equal } = filter;
  const names = Object.keys(equal) as (keyof typeof equal)[];
  const found: string[] = [];
  for (let index = seeded.length - 1; index >= 0 && found.length < PAGE_LIMIT; index -= 1) {
    const row = seeded[index];
    if (row === undefined || !names.every((name) => row[name] === equal[name])) continue;
    if (createdAfter !== undefined && row.createdAt <= createdAfter) continue;
    if (createdBefore !== undefined && row.createdAt >= createdBefore) continue;
    if (before === null || BigInt(row.seq) < before) found.push(row.id);
  }
  return found;
}

const either = <Name extends keyof PaymentFilter>(name: Name, values: PaymentFilter[Name][]) => [
  {},
  ...values.map((value) => ({ [name]: value })),
];
/** Every combination: of values that many rows have, that few or none have, and that exclude each other. */
function filtersOf(count: number): readonly PaymentFilter[] {
  const middle = count / 2;
  return [...either('status', ['COMPLETED', 'RETURNED', 'FAILED', 'EXPIRED'])].flatMap((status) =>
    either('endUserId', ['eu_a', 'eu_b']).flatMap((endUser) =>
      either('bankAccountId', ['ba_a', 'ba_b']).flatMap((account) =>
        either('externalId', ['of a', 'of b', 'rare']).flatMap((externalId) =>
          [
            {},
            { createdAfter: minute(middle) },
            { createdBefore: minute(middle) },
            { createdAfter: minute(middle), createdBefore: minute(middle + 30) },
            { createdBefore: minute(4) },
            { createdAfter: minute(count - 3) },
            { createdAfter: minute(count + 60) },
            { idempotencyKey: 'key-777' },
          ].map((rest) => ({ ...status, ...endUser, ...account, ...externalId, ...rest })),
        ),
      ),
    ),
  );
}
