import type { EndUserFilter } from '../../../../../db/parties/end-user-list-store.ts';
import type { EndUserStatus, EndUserType } from '../../../../../db/parties/end-user-store.ts';
import { ID_PREFIXES, isId } from '../../../../../domain/ids.ts';
import { KYC_STATUSES, type KycStatus } from '../../../../../domain/parties/kyc/kyc-states.ts';
import type { FormValues } from '../../../../kit/forms/read-form.ts';
import { END_USER_WORDS } from '../../../words/kyc-words.ts';
import { oneOf } from '../../../../kit/forms/filter-rules.ts';

const TYPES: readonly EndUserType[] = ['INDIVIDUAL', 'BUSINESS'];

/** The filters of the list of end-users, as its form sends them. */
export const END_USER_FILTERS = {
  kyc: { what: 'a state of KYC', ...oneOf(KYC_STATUSES), isOptional: true },
  status: { what: 'a status', ...oneOf(Object.keys(END_USER_WORDS)), isOptional: true },
  type: { what: 'a type', ...oneOf(TYPES), isOptional: true },
  search: { what: 'text to search for', lengthMax: 255, isOptional: true },
  cursor: { what: 'a place in the list', lengthMax: 100, isOptional: true },
} as const;

type EndUserFilterValues = FormValues<typeof END_USER_FILTERS>;

/** The list's filter. Text that is no id of ours is the customer's own. */
export function endUserFilter(values: EndUserFilterValues): EndUserFilter {
  const { kyc, status, type, search } = values;
  const isOurs = isId(ID_PREFIXES.endUser, search);
  return {
    ...(kyc !== '' && { kycStatus: kyc as KycStatus }),
    ...(status !== '' && { status: status as EndUserStatus }),
    ...(type !== '' && { type: type as EndUserType }),
    ...(search !== '' && (isOurs ? { id: search } : { externalId: search })),
  };
}
