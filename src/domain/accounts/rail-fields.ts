import type { Rail } from '../corridors/rail.ts';
import { isValidRoutingNumber } from './aba.ts';
import { isValidBic, normaliseBic } from './bic.ts';
import type { DetailProblemCode } from './detail-problem.ts';
import { isValidIban, normaliseIban } from './iban.ts';
import { isValidSortCode, normaliseSortCode } from './sort-code.ts';

/** How one field of a rail's details is read. `normalise` comes before `isValid`. */
export interface RailField {
  readonly isRequired: boolean;
  readonly normalise: (text: string) => string;
  readonly isValid: (normalised: string) => boolean;
  readonly code: DetailProblemCode;
  /** What would be right, for developers. */
  readonly expectation: string;
}

const asWritten = (text: string): string => text;

/** The fields of each rail's details. The one that `accountField` names gives `last4`. */
export const RAIL_FIELDS: Record<
  Rail,
  { readonly fields: Readonly<Record<string, RailField>>; readonly accountField: string }
> = {
  SEPA: {
    accountField: 'iban',
    fields: {
      iban: {
        isRequired: true,
        normalise: normaliseIban,
        isValid: isValidIban,
        code: 'invalid_iban',
        expectation: 'must be an IBAN with the length of its country and right check digits',
      },
      bic: {
        isRequired: false,
        normalise: normaliseBic,
        isValid: isValidBic,
        code: 'invalid_bic',
        expectation: 'must be a BIC of 8 or 11 characters',
      },
    },
  },
  ACH: {
    accountField: 'accountNumber',
    fields: {
      routingNumber: {
        isRequired: true,
        normalise: asWritten,
        isValid: isValidRoutingNumber,
        code: 'invalid_routing_number',
        expectation: 'must be an ABA routing number of 9 digits with a right check digit',
      },
      accountNumber: {
        isRequired: true,
        normalise: asWritten,
        isValid: (text) => /^[0-9]{4,17}$/.test(text),
        code: 'invalid_account_number',
        expectation: 'must be 4 to 17 digits',
      },
      accountType: {
        isRequired: true,
        normalise: asWritten,
        isValid: (text) => text === 'CHECKING' || text === 'SAVINGS',
        code: 'invalid_account_type',
        expectation: 'must be CHECKING or SAVINGS',
      },
    },
  },
  FPS: {
    accountField: 'accountNumber',
    fields: {
      sortCode: {
        isRequired: true,
        normalise: normaliseSortCode,
        isValid: isValidSortCode,
        code: 'invalid_sort_code',
        expectation: 'must be a sort code of 6 digits',
      },
      accountNumber: {
        isRequired: true,
        normalise: asWritten,
        isValid: (text) => /^[0-9]{8}$/.test(text),
        code: 'invalid_account_number',
        expectation: 'must be 8 digits',
      },
    },
  },
};
