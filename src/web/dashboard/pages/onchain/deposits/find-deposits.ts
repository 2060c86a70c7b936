import type { ScopedTransaction } from '../../../../../db/client/database.ts';
import { listDeposits } from '../../../../../db/onchain/deposit-list-store.ts';
import type { DepositRow } from '../../../../../db/onchain/deposit-store.ts';
import type { Page, PageRequest } from '../../../../../domain/lists.ts';
import type { Scope } from '../../../../../domain/scope.ts';
import { commonFilter, searchFilters, type DepositFilterValues } from './deposit-filters.ts';

/** One page of the deposits that filters leave, newest first. */
export async function findDeposits(
  tx: ScopedTransaction,
  scope: Scope,
  filters: { readonly values: DepositFilterValues; readonly zone: string },
  page: PageRequest,
): Promise<Page<DepositRow>> {
  const common = commonFilter(filters.values, filters.zone);
  for (const filter of await searchFilters(tx, scope, filters.values.search)) {
    const found = await listDeposits(tx, scope, { ...common, ...filter }, page);
    if (found.items.length > 0) return found;
  }
  return { items: [], next: null };
}
