import {
  bankAccountRow,
  type BankAccountPersonal,
} from '../bank-accounts/bank-account-personal.ts';
import { recordAudit } from '../db/audit-store.ts';
import { findBankAccount } from '../db/bank-account-store.ts';
import type { ScopedTransaction } from '../db/database.ts';
import { findPayment } from '../db/payment-store.ts';
import type { Actor } from '../domain/actor.ts';
import type { Clock } from '../domain/clock.ts';
import { requireFound } from '../domain/errors/require-found.ts';
import type { Scope } from '../domain/scope.ts';
import { isErased } from '../vault/owner-key.ts';
import type { Vault } from '../vault/vault.ts';
import { paymentRow, type PaymentPersonal } from './payment-view.ts';

/** What is personal of a payment: whom it pays, and what was written with it. */
export interface UnmaskedPayment {
  readonly beneficiary: BankAccountPersonal;
  readonly written: PaymentPersonal;
}

/**
 * All that is personal of a payment, for somebody who may see it; the look is written down with who took it.
 * Null: its end-user was erased. Refuses with not_found.
 */
export async function unmaskPayment(
  { vault, clock }: { readonly vault: Vault; readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  { paymentId, actor }: { readonly paymentId: string; readonly actor: Actor },
): Promise<UnmaskedPayment | null> {
  const payment = requireFound(await findPayment(tx, scope, paymentId));
  const account = requireFound(await findBankAccount(tx, scope, payment.bankAccountId));
  const [at, action] = [clock.now(), 'payment.unmask'];
  await recordAudit(tx, { at, actor, action, scope, subject: payment.id, details: {} });
  if (isErased(payment)) return null;
  return {
    beneficiary: vault
      .of(account)
      .openJson<BankAccountPersonal>(account.personal, bankAccountRow(account.id)),
    written: vault.of(payment).openJson<PaymentPersonal>(payment.personal, paymentRow(payment.id)),
  };
}
