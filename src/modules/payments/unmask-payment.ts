import {
  bankAccountRow,
  type BankAccountPersonal,
} from '../parties/bank-accounts/bank-account-personal.ts';
import { recordAudit } from '../../db/operations/audit-store.ts';
import type { ScopedTransaction } from '../../db/client/database.ts';
import { findPayment, type PaymentRow } from '../../db/payments/payment-store.ts';
import type { Actor } from '../../domain/actor.ts';
import type { Clock } from '../../domain/clock.ts';
import { requireFound } from '../../domain/errors/require-found.ts';
import type { Scope } from '../../domain/scope.ts';
import { isErased } from '../../vault/owner-key.ts';
import type { Vault } from '../../vault/vault.ts';
import { readBeneficiary, type Beneficiary, type PaidWallet } from './beneficiary.ts';
import { paymentRow, type PaymentPersonal } from './payment-personal.ts';

/** What is personal of a payment: whom it pays, and what was written with it. */
export interface UnmaskedPayment {
  readonly beneficiary: BankAccountPersonal | PaidWallet;
  readonly written: PaymentPersonal;
}

/**
 * All that is personal of a payment, for a user who may see it; the look is written down with who took it.
 * Null: its end-user was erased. Refuses with not_found.
 */
export async function unmaskPayment(
  { vault, clock }: { readonly vault: Vault; readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  { paymentId, actor }: { readonly paymentId: string; readonly actor: Actor },
): Promise<UnmaskedPayment | null> {
  const payment = requireFound(await findPayment(tx, scope, paymentId));
  const beneficiary = await readBeneficiary(tx, scope, payment);
  const [at, action] = [clock.now(), 'payment.unmask'];
  await recordAudit(tx, { at, actor, action, scope, subject: payment.id, details: {} });
  if (isErased(payment)) return null;
  return {
    beneficiary: unmasked(vault, payment, beneficiary),
    written: vault.of(payment).openJson<PaymentPersonal>(payment.personal, paymentRow(payment.id)),
  };
}

function unmasked(
  vault: Vault,
  payment: PaymentRow,
  beneficiary: Beneficiary,
): UnmaskedPayment['beneficiary'] {
  if (beneficiary.kind === 'WALLET') {
    const { network, address } = beneficiary.wallet;
    return { network, address };
  }
  const { account } = beneficiary;
  // An account is sealed under the key of its end-user, who is the payment's.
  return vault
    .of(payment)
    .openJson<BankAccountPersonal>(account.personal, bankAccountRow(account.id));
}
