import type { HolderType } from '../../../db/parties/bank-account-store.ts';
import { bicCountry, isValidBic, normaliseBic } from '../../../domain/parties/bank-accounts/bic.ts';
import {
  ibanCountry,
  isValidIban,
  normaliseIban,
} from '../../../domain/parties/bank-accounts/iban.ts';
import { ibanInNumber } from '../../../domain/parties/bank-accounts/iban-in-number.ts';
import { checkDetails, needsAddress } from '../../../domain/parties/bank-accounts/rail-details.ts';
import type { CheckedDetails } from '../../../domain/parties/bank-accounts/rail-details.ts';
import type { CorridorTable } from '../../../domain/payments/corridors/corridor-table.ts';
import type { Rail } from '../../../domain/payments/corridors/rail.ts';
import { findRestrictions } from '../../../domain/payments/corridors/restrictions.ts';
import type { SaidPlaces } from '../../../domain/payments/corridors/restrictions.ts';
import { refuseField } from '../../../domain/errors/refusal.ts';
import type { Problem } from '../../../domain/errors/refusal.ts';
import { refuseProblems } from '../../../domain/errors/refuse-problems.ts';
import { isCurrency } from '../../../domain/money/currencies.ts';
import { checkAddress, checkCountry } from '../end-users/check-end-user.ts';
import type { Address } from '../end-users/end-user-personal.ts';

/** What a customer says of a new bank account. */
export interface BankAccountOrder {
  readonly endUserId: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** ISO 4217. */
  readonly currency: string;
  /** The corridor's first where it is left out. */
  readonly rail?: string;
  readonly holderName: string;
  readonly holderType: HolderType;
  readonly holderAddress?: Address;
  readonly details: Readonly<Record<string, unknown>>;
}

/** An account that could be paid to. */
export interface JudgedBankAccount {
  readonly rail: Rail;
  readonly details: Extract<CheckedDetails, { readonly ok: true }>;
}

/**
 * Checks all that can be known without the database, all problems at once. Then refuses with
 * corridor_unavailable where no open corridor leads there.
 */
export function judgeBankAccount(
  corridors: CorridorTable,
  order: BankAccountOrder,
): JudgedBankAccount {
  const { country, currency, holderAddress } = order;
  const problems = [...checkCountry(country, '/country'), ...checkCurrency(currency, '/currency')];
  if (holderAddress !== undefined) problems.push(...checkAddress(holderAddress, '/holderAddress'));
  const open = corridors.to(country, currency).filter((way) => way.status === 'ACTIVE');
  const rail = order.rail ?? open[0]?.rail;
  // Without a corridor nothing is known of the account's fields: a rail has them by country.
  const corridor = open.find((way) => way.rail === rail);
  const details = corridor ? checkDetails(corridor.rail, order, order.details) : null;
  const restricted = findRestrictions(corridors.restrictions, placesOf(order));
  const paths = new Set(restricted.map(({ path }) => path));
  // Of a bank in a restricted country that is said, and not that it is another one than the account's.
  const others = details?.ok === false ? details.problems : [];
  problems.push(...others.filter(({ path }) => !paths.has(path)), ...restricted);
  if (corridor && holderAddress === undefined && needsAddress(corridor.rail, order)) {
    const message = 'The rail requires the address of the holder.';
    problems.push({ path: '/holderAddress', code: 'required', message });
  }
  if (problems.length > 0) throw refuseProblems(problems);

  if (corridor === undefined || details?.ok !== true) {
    const path = order.rail === undefined ? '/country' : '/rail';
    const message =
      'No corridor is available for this country, currency, and rail now. GET /corridors lists the available corridors.';
    throw refuseField('corridor_unavailable', path, message);
  }
  return { rail: corridor.rail, details };
}

/** Everything that an order says of places: the account's country, its bank's, and the holder's. */
function placesOf({ country, holderAddress, details }: BankAccountOrder): SaidPlaces {
  const iban = typeof details['iban'] === 'string' ? normaliseIban(details['iban']) : '';
  const number = ibanInNumber(details['accountNumber']);
  const bic = typeof details['bic'] === 'string' ? normaliseBic(details['bic']) : '';
  return {
    countries: [
      ['/country', country],
      ['/details/iban', isValidIban(iban) ? ibanCountry(iban) : undefined],
      ['/details/accountNumber', number === null ? undefined : ibanCountry(number)],
      ['/details/bic', isValidBic(bic) ? bicCountry(bic) : undefined],
    ],
    addresses: [['/holderAddress', holderAddress]],
  };
}

/** Refuses what is no ISO 4217 code of ours, at its JSON pointer. */
export function checkCurrency(currency: string, path: string): Problem[] {
  if (isCurrency(currency)) return [];
  const code = 'unsupported_currency';
  return [{ path, code, message: 'The value is not a supported ISO 4217 currency code.' }];
}
