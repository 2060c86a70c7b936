import {
  DEPOSIT_ADDRESS_STATUSES,
  type DepositAddressFilter,
  type DepositAddressStatus,
} from '../../../../../db/parties/deposit-address-store.ts';
import { readAddress } from '../../../../../domain/onchain/address.ts';
import { ID_PREFIXES, isId } from '../../../../../domain/ids.ts';
import type { FormValues } from '../../../../kit/forms/read-form.ts';
import { oneOf } from '../../../../kit/forms/filter-rules.ts';

/** The filters of the list of deposit addresses, as its form sends them. */
export const ADDRESS_FILTERS = {
  status: { what: 'a status', ...oneOf(DEPOSIT_ADDRESS_STATUSES), isOptional: true },
  search: { what: 'text to search for', lengthMax: 255, isOptional: true },
  cursor: { what: 'a place in the list', lengthMax: 100, isOptional: true },
} as const;

type AddressFilterValues = FormValues<typeof ADDRESS_FILTERS>;

/** The list's filter: an id says itself of what, and an address may be in whatever case. */
export function addressFilter({ status, search }: AddressFilterValues): DepositAddressFilter {
  return {
    ...(status !== '' && { status: status as DepositAddressStatus }),
    ...(search !== '' && searchFilter(search)),
  };
}

function searchFilter(search: string): DepositAddressFilter {
  if (isId(ID_PREFIXES.endUser, search)) return { endUserId: search };
  const read = readAddress(search);
  // What is neither an end-user nor an address is the id of one, or fits none.
  return read.ok ? { address: read.address } : { id: search };
}
