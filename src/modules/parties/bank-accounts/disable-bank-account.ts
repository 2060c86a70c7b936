import {
  disableBankAccount as disable,
  lockBankAccount,
  type BankAccountRow,
} from '../../../db/parties/bank-account-store.ts';
import type { ScopedTransaction } from '../../../db/client/database.ts';
import { recordEvent } from '../../../db/webhooks/event-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import { requireFound } from '../../../domain/errors/require-found.ts';
import type { RequireVersion } from '../../../domain/require-version.ts';
import type { Scope } from '../../../domain/scope.ts';
import { bankAccountEvent } from './bank-account-view.ts';

/**
 * Disables a bank account for good: no payment to it is accepted, and one that waits to be sent goes on
 * hold. One that is PENDING never becomes ACTIVE. A second time changes nothing. Refuses with not_found, and as
 * `requireVersion` does.
 */
export async function disableBankAccount(
  { clock }: { readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
  requireVersion: RequireVersion,
): Promise<BankAccountRow> {
  const row = requireFound(await lockBankAccount(tx, scope, id));
  if (row.status === 'DISABLED') return row;
  requireVersion(row.version);
  const at = clock.now();
  const disabled = await disable(tx, scope, row, at);
  await recordEvent(tx, scope, bankAccountEvent('bank_account.disabled', disabled), at);
  return disabled;
}
