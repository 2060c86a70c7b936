import { disableBankAccount as disable, lockBankAccount } from '../db/bank-account-store.ts';
import type { ScopedTransaction } from '../db/database.ts';
import { recordEvent } from '../db/event-store.ts';
import type { Clock } from '../domain/clock.ts';
import { requireFound } from '../domain/errors/require-found.ts';
import type { Scope } from '../domain/scope.ts';
import type { Vault } from '../vault/vault.ts';
import { bankAccountEvent, viewBankAccount } from './bank-account-view.ts';
import type { BankAccountView } from './bank-account-view.ts';

/**
 * Disables a bank account for good: no payment to it is accepted, and one that waits to be sent goes on
 * hold. A second time changes nothing. Refuses with not_found.
 */
export async function disableBankAccount(
  deps: { readonly vault: Vault; readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
): Promise<BankAccountView> {
  const row = requireFound(await lockBankAccount(tx, scope, id));
  if (row.status === 'DISABLED') return viewBankAccount(row, deps.vault);
  const at = deps.clock.now();
  const disabled = await disable(tx, scope, row, at);
  await recordEvent(tx, scope, bankAccountEvent('bank_account.disabled', disabled), at);
  return viewBankAccount(disabled, deps.vault);
}
