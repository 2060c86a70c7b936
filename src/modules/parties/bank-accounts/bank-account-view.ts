import type {
  BankAccountRow,
  BankAccountStatus,
  HolderType,
} from '../../../db/parties/bank-account-store.ts';
import type { NameCheck } from '../../../domain/parties/bank-accounts/name-check.ts';
import type { Rail } from '../../../domain/payments/corridors/rail.ts';
import type { EventDraft } from '../../../domain/webhooks/events/envelope.ts';
import { isErased } from '../../../vault/owner-key.ts';
import type { Vault } from '../../../vault/vault.ts';
import { bankAccountRow } from './bank-account-personal.ts';
import type { BankAccountPersonal } from './bank-account-personal.ts';

const SHOWN_CHARACTERS = 4;

/** A bank account as events show it: without a name and without digits. */
interface BankAccountFacts {
  readonly id: string;
  readonly endUserId: string;
  readonly country: string;
  readonly currency: string;
  readonly rail: Rail;
  readonly holderType: HolderType;
  readonly fingerprint: string;
  readonly bankName: string | null;
  readonly status: BankAccountStatus;
  readonly nameCheck: NameCheck;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A bank account as the API shows it, its details masked. */
export type BankAccountView = BankAccountFacts & BankAccountPersonal;

/** What is shown in the place of an erased end-user's name and digits. */
const ERASED: BankAccountPersonal = { holderName: '****', details: {}, last4: '****' };

export function viewBankAccount(row: BankAccountRow, vault: Vault): BankAccountView {
  if (isErased(row)) return { ...facts(row), ...ERASED };
  const personal = vault
    .of(row)
    .openJson<BankAccountPersonal>(row.personal, bankAccountRow(row.id));
  return { ...facts(row), ...personal, details: maskDetails(personal.details) };
}

/** The event of a bank account's present version. */
export function bankAccountEvent(
  type: 'bank_account.created' | 'bank_account.activated' | 'bank_account.disabled',
  row: BankAccountRow,
): EventDraft {
  return {
    type,
    resourceType: 'bank_account',
    resourceId: row.id,
    resourceVersion: row.version,
    data: { ...facts(row) },
  };
}

/** Choices from a list, which are no secret by themselves. */
const SHOWN_WHOLE: ReadonlySet<string> = new Set(['accountType', 'proxyType', 'operator']);

/**
 * Everything but such choices: even a bank's code narrows down whose account it is. Of a short value
 * the first two characters are never shown.
 */
function maskDetails(details: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      SHOWN_WHOLE.has(name) ? value : `****${shownEnd(value)}`,
    ]),
  );
}

function shownEnd(value: string): string {
  return value.slice(2).slice(-SHOWN_CHARACTERS);
}

function facts(row: BankAccountRow): BankAccountFacts {
  return {
    id: row.id,
    endUserId: row.endUserId,
    country: row.country,
    currency: row.currency,
    rail: row.rail,
    holderType: row.holderType,
    fingerprint: row.fingerprint,
    bankName: row.bankName,
    status: row.status,
    nameCheck: row.nameCheck,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
