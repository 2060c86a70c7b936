import type { Database, ScopedTransaction } from '../../../../db/client/database.ts';
import { listPayments } from '../../../../db/payments/payment-list-store.ts';
import type { PaymentRow } from '../../../../db/payments/payment-store.ts';
import type { Page, PageRequest } from '../../../../domain/lists.ts';
import type { Scope } from '../../../../domain/scope.ts';
import type { ListSearch } from '../../parts/list-page.tsx';
import { commonFilter, searchFilters, type PaymentFilterValues } from './payment-filters.ts';

/** One page of the payments that filters leave, newest first. */
export async function findPayments(
  tx: ScopedTransaction,
  { scope, values, zone, page }: ListSearch<PaymentFilterValues>,
): Promise<Page<PaymentRow>> {
  const common = commonFilter(values, zone);
  for (const filter of await searchFilters(tx, scope, values.search)) {
    const found = await listPayments(tx, scope, { ...common, ...filter }, page);
    if (found.items.length > 0) return found;
  }
  return { items: [], next: null };
}

/** Payments read at a time: what a file of any length keeps in memory. */
const ROWS_AT_A_TIME = 500;

/**
 * All payments that filters leave, newest first, a page of them in memory and a transaction a page. A caller
 * that stops taking them stops the reading. `goOn` is asked before each page but the first, and throws where
 * the caller may no longer read the rest.
 */
export async function* everyPayment(
  db: Database,
  scope: Scope,
  filters: { readonly values: PaymentFilterValues; readonly zone: string },
  goOn: () => Promise<void>,
): AsyncGenerator<PaymentRow, void, undefined> {
  let before: bigint | null = null;
  do {
    if (before !== null) await goOn();
    const page: PageRequest = { limit: ROWS_AT_A_TIME, before };
    const found: Page<PaymentRow> = await db.list(scope, (tx) =>
      findPayments(tx, { ...filters, scope, page }),
    );
    yield* found.items;
    before = found.next;
  } while (before !== null);
}
