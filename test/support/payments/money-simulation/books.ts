import type { PaymentHarness } from '../../payment-harness.ts';
import { DESTINATIONS } from './currencies.ts';
import type { SimulatedPayer } from './payers.ts';
import { toMinor } from './currencies.ts';

/** Sums by customer, account and currency, in minor units; what is zero is left out. */
export type Books = ReadonlyMap<string, bigint>;

/** Books of a second hand, written up line by line. */
export function createBooks() {
  const sums = new Map<string, bigint>();
  return {
    add(customerId: string, account: string, currency: string, minor: bigint): void {
      const key = `${customerId} ${account} ${currency}`;
      sums.set(key, (sums.get(key) ?? 0n) + minor);
    },
    read: (): Books => new Map([...sums].filter(([, minor]) => minor !== 0n)),
  };
}

/** What the ledger's entries sum to. */
export async function readLedger({ rows }: Pick<PaymentHarness, 'rows'>): Promise<Books> {
  const found = await rows<{ key: string; sum: string }>(
    `SELECT concat_ws(' ', customer_id, account, currency) AS key, sum(amount)::text AS sum
     FROM ledger_entries GROUP BY customer_id, account, currency HAVING sum(amount) <> 0`,
  );
  return new Map(found.map(({ key, sum }) => [key, BigInt(sum)]));
}

/** Transactions that do not sum to zero in a currency, and whether the ledger as a whole does. */
export const readImbalances = ({ rows }: Pick<PaymentHarness, 'rows'>) =>
  rows(
    `SELECT transaction_id, currency, sum(amount)::text AS sum FROM ledger_entries
     GROUP BY GROUPING SETS ((transaction_id, currency), (currency)) HAVING sum(amount) <> 0`,
  );

/** What GET /balances tells the customers. */
export async function readBalances(
  { ask }: Pick<PaymentHarness, 'ask'>,
  payers: readonly SimulatedPayer[],
): Promise<Books> {
  const books = createBooks();
  for (const { scope, token } of payers) {
    const answer = await ask({ url: '/balances', token });
    const { data } = answer.json<{ data: Record<string, string>[] }>();
    for (const row of data) {
      const { currency = '' } = row;
      if (!DESTINATIONS.some((one) => one.currency === currency)) continue;
      for (const account of ['available', 'reserved', 'pending']) {
        books.add(scope.customerId, account, currency, toMinor(row[account]!, currency));
      }
    }
  }
  return books.read();
}

/** Those accounts that a customer can see. */
export const seenBy = (books: Books): Books =>
  new Map([...books].filter(([key]) => / (available|reserved|pending) /.test(key)));

/** What lies at the bank by the books, by currency. A debit there is a credit in the books. */
export function ownMoney(books: Books): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const [key, minor] of books) {
    const [, currency] = / nostro:\S+ (\w+)$/.exec(key) ?? [];
    if (currency !== undefined) sums.set(currency, (sums.get(currency) ?? 0n) - minor);
  }
  return nonZero(sums);
}

export const nonZero = (sums: ReadonlyMap<string, bigint>): ReadonlyMap<string, bigint> =>
  new Map([...sums].filter(([, minor]) => minor !== 0n));
