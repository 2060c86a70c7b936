import type { ScopedTransaction } from '../../../../../db/client/database.ts';
import { findAddressOwner } from '../../../../../db/parties/deposit-address-store.ts';
import { findDepositOfExit } from '../../../../../db/onchain/deposit-exit-store.ts';
import { listDeposits, type DepositFilter } from '../../../../../db/onchain/deposit-list-store.ts';
import type { DepositRow } from '../../../../../db/onchain/deposit-store.ts';
import { readAddress } from '../../../../../domain/onchain/address.ts';
import { NETWORKS, type Network } from '../../../../../domain/onchain/network.ts';
import {
  DEPOSIT_STATUSES,
  type DepositStatus,
} from '../../../../../domain/onchain/deposits/deposit.ts';
import { ID_PREFIXES, isId } from '../../../../../domain/ids.ts';
import type { Page } from '../../../../../domain/lists.ts';
import { stablecoinCodes } from '../../../../../domain/money/currencies.ts';
import type { Scope } from '../../../../../domain/scope.ts';
import type { FormValues } from '../../../../kit/forms/read-form.ts';
import type { ListSearch } from '../../../parts/list-page.tsx';
import { checkDay, oneOf, withinDays } from '../../../../kit/forms/filter-rules.ts';

/** The filters of the list of deposits, as its form sends them. */
export const DEPOSIT_FILTERS = {
  status: { what: 'a status', ...oneOf(DEPOSIT_STATUSES), isOptional: true },
  network: { what: 'a network', ...oneOf(NETWORKS), isOptional: true },
  asset: { what: 'an asset', ...oneOf(stablecoinCodes()), isOptional: true },
  from: { what: 'a day', lengthMax: 10, check: checkDay, isOptional: true },
  to: { what: 'a day', lengthMax: 10, check: checkDay, isOptional: true },
  search: { what: 'text to search for', lengthMax: 255, isOptional: true },
  cursor: { what: 'a place in the list', lengthMax: 100, isOptional: true },
} as const;

type DepositFilterValues = FormValues<typeof DEPOSIT_FILTERS>;

/** One page of the deposits that filters leave, newest first. */
export async function findDeposits(
  tx: ScopedTransaction,
  { scope, values, zone, page }: ListSearch<DepositFilterValues>,
): Promise<Page<DepositRow>> {
  const common = commonFilter(values, zone);
  for (const filter of await searchFilters(tx, scope, values.search)) {
    const found = await listDeposits(tx, scope, { ...common, ...filter }, page);
    if (found.items.length > 0) return found;
  }
  return { items: [], next: null };
}

/** What is asked of every deposit, whatever is searched for. Days are of the reader's time zone. */
const commonFilter = (values: DepositFilterValues, zone: string): DepositFilter => ({
  ...(values.status !== '' && { status: values.status as DepositStatus }),
  ...(values.network !== '' && { network: values.network as Network }),
  ...(values.asset !== '' && { asset: values.asset }),
  ...withinDays(values, zone),
});

const TX_HASH = /^0x[0-9a-f]{64}$/i;

/**
 * What a search narrows the list by, one after the other: an id says itself of what, and one of a payment finds what
 * came to its address, or else what it pays on or refunds; a transaction's hash, or an address of ours, in whatever
 * case. Nothing for any other text.
 */
async function searchFilters(
  tx: ScopedTransaction,
  scope: Scope,
  search: string,
): Promise<readonly DepositFilter[]> {
  if (search === '') return [{}];
  if (isId(ID_PREFIXES.deposit, search)) return [{ id: search }];
  if (isId(ID_PREFIXES.depositAddress, search)) return [{ depositAddressId: search }];
  if (isId(ID_PREFIXES.endUser, search)) return [{ endUserId: search }];
  if (isId(ID_PREFIXES.payment, search)) {
    const id = await findDepositOfExit(tx, scope, search);
    return [{ paymentId: search }, ...(id === null ? [] : [{ id }])];
  }
  if (TX_HASH.test(search)) return [{ txHash: search.toLowerCase() }];
  const read = readAddress(search);
  const owner = read.ok ? await findAddressOwner(tx, scope, read.address) : null;
  if (owner === null) return [];
  const { paymentId, depositAddressId } = owner;
  return [paymentId === null ? { depositAddressId } : { paymentId }];
}
