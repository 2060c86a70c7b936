import {
  WALLET_STATUSES,
  type WalletFilter,
  type WalletStatus,
} from '../../../../../db/parties/wallet-store.ts';
import { readAddress } from '../../../../../domain/onchain/address.ts';
import { NETWORKS, type Network } from '../../../../../domain/onchain/network.ts';
import { ID_PREFIXES, isId } from '../../../../../domain/ids.ts';
import type { FormValues } from '../../../../kit/forms/read-form.ts';
import { oneOf } from '../../../../kit/forms/filter-rules.ts';

/** The filters of the list of wallets, as its form sends them. */
export const WALLET_FILTERS = {
  status: { what: 'a status', ...oneOf(WALLET_STATUSES), isOptional: true },
  network: { what: 'a network', ...oneOf(NETWORKS), isOptional: true },
  search: { what: 'text to search for', lengthMax: 255, isOptional: true },
  cursor: { what: 'a place in the list', lengthMax: 100, isOptional: true },
} as const;

type WalletFilterValues = FormValues<typeof WALLET_FILTERS>;

/** The list's filter: an id says itself of what, and an address may be in whatever case. */
export function walletFilter({ status, network, search }: WalletFilterValues): WalletFilter {
  return {
    ...(status !== '' && { status: status as WalletStatus }),
    ...(network !== '' && { network: network as Network }),
    ...(search !== '' && searchFilter(search)),
  };
}

function searchFilter(search: string): WalletFilter {
  if (isId(ID_PREFIXES.endUser, search)) return { endUserId: search };
  const read = readAddress(search);
  // What is neither an end-user nor an address is the id of one, or fits none.
  return read.ok ? { address: read.address } : { id: search };
}
