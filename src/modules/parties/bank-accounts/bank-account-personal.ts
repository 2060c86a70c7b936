import type { Address } from '../end-users/end-user-personal.ts';

/** Whose account it is and which: one JSON, sealed. Payments open it to instruct the bank. */
export interface BankAccountPersonal {
  readonly holderName: string;
  readonly holderAddress?: Address;
  /** Normalised values of the rail's fields, such as `iban`. */
  readonly details: Readonly<Record<string, string>>;
  readonly last4: string;
}

/** The row that a bank account's personal data is sealed for. */
export const bankAccountRow = (id: string): string => `bank_accounts/${id}`;
