import {
  findActiveBankAccount,
  insertBankAccount,
} from '../../../db/parties/bank-account-store.ts';
import type { BankAccountRow } from '../../../db/parties/bank-account-store.ts';
import type { ScopedTransaction } from '../../../db/client/database.ts';
import { shareEndUser } from '../../../db/parties/end-user-store.ts';
import { recordEvent } from '../../../db/webhooks/event-store.ts';
import { newId } from '../../../db/client/new-id.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { NameCheck } from '../../../domain/parties/bank-accounts/name-check.ts';
import type { CorridorTable } from '../../../domain/payments/corridors/corridor-table.ts';
import { refuseField } from '../../../domain/errors/refusal.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import type { Scope } from '../../../domain/scope.ts';
import { endUserOwner } from '../end-users/end-user-personal.ts';
import type { Vault } from '../../../vault/vault.ts';
import { fingerprintOf } from './account-fingerprint.ts';
import { bankAccountRow } from './bank-account-personal.ts';
import type { BankAccountPersonal } from './bank-account-personal.ts';
import { bankAccountEvent } from './bank-account-view.ts';
import { judgeBankAccount } from './judge-bank-account.ts';
import type { BankAccountOrder } from './judge-bank-account.ts';
import { isForOperators } from './own-account-rule.ts';

/** The account that is in the way may be disabled each time between two statements; not for ever. */
const TRIES = 3;

/** How an account is registered. */
interface Registration {
  /** The answer of `checkHolderName`. */
  readonly nameCheck: NameCheck;
  /** Operators propose a customer's own account: it is PENDING until another one approves it. */
  readonly isProposal?: boolean;
}

interface CreatedBankAccount {
  readonly row: BankAccountRow;
  /** False where the end-user had the same account already; nothing was changed then. */
  readonly isNew: boolean;
}

/**
 * Registers a bank account of an end-user. Refuses with the problems of `judgeBankAccount`, with
 * resource_not_found for an end-user of another customer, with end_user_not_active, and with
 * operators_only for an account in live of the customer's own.
 */
export async function createBankAccount(
  deps: {
    readonly vault: Vault;
    readonly clock: Clock;
    readonly corridors: CorridorTable;
  },
  tx: ScopedTransaction,
  scope: Scope,
  order: BankAccountOrder,
  { nameCheck, isProposal = false }: Registration,
): Promise<CreatedBankAccount> {
  const { vault } = deps;
  const judged = judgeBankAccount(deps.corridors, order);
  const endUser = await shareEndUser(tx, scope, order.endUserId);
  if (endUser === null) {
    throw refuseField('resource_not_found', '/endUserId', 'The end-user does not exist.');
  }
  if (!isProposal && isForOperators(endUser, scope.environment)) {
    const message = 'Only the operators of the service can register accounts of your own company.';
    throw refuseField('operators_only', '/endUserId', message);
  }
  if (endUser.status !== 'ACTIVE') {
    throw refuseField(
      'end_user_not_active',
      '/endUserId',
      'The end-user is not ACTIVE: it is suspended or closed.',
    );
  }

  const at = deps.clock.now();
  const id = newId(ID_PREFIXES.bankAccount);
  const personal: BankAccountPersonal = {
    holderName: order.holderName,
    holderAddress: order.holderAddress,
    details: judged.details.normalised,
    last4: judged.details.last4,
  };
  const fingerprint = fingerprintOf(vault, scope, order, judged);
  const account = {
    id,
    endUserId: endUser.id,
    country: order.country,
    currency: order.currency,
    rail: judged.rail,
    holderType: order.holderType,
    fingerprint,
    personal: vault.of(endUserOwner(endUser)).sealJson(personal, bankAccountRow(id)),
    bankName: judged.details.bankName ?? null,
    nameCheck,
    status: isProposal ? ('PENDING' as const) : ('ACTIVE' as const),
    at,
  };
  if (isProposal) {
    const known = await findActiveBankAccount(tx, scope, endUser.id, fingerprint);
    if (known !== null) return { row: known, isNew: false };
  }
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const row = await insertBankAccount(tx, scope, account);
    if (row !== null) {
      await recordEvent(tx, scope, bankAccountEvent('bank_account.created', row), at);
      return { row, isNew: true };
    }
    // The insert waited for the transaction that it conflicts with, so the row is there and committed,
    // unless it was disabled in between.
    const known = await findActiveBankAccount(tx, scope, endUser.id, fingerprint);
    if (known !== null) return { row: known, isNew: false };
  }
  throw new Error('a bank account that was in the way is not to be found');
}
