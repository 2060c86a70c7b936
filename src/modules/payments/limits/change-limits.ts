import type { ScopedTransaction } from '../../../db/client/database.ts';
import { newId } from '../../../db/client/new-id.ts';
import { findApiKey } from '../../../db/customers/api-key-list-store.ts';
import { recordAudit } from '../../../db/operations/audit-store.ts';
import { findBankAccount } from '../../../db/parties/bank-account-store.ts';
import { findWallet } from '../../../db/parties/wallet-store.ts';
import {
  BENEFICIARIES_MAX,
  deleteBeneficiary,
  deleteLimit,
  findLimit,
  insertBeneficiary,
  LIMITS_MAX,
  listBeneficiaries,
  listLimits,
  saveLimit,
} from '../../../db/payments/payment-limit-write-store.ts';
import { actorText, type Actor } from '../../../domain/actor.ts';
import type { Clock } from '../../../domain/clock.ts';
import { requireFound } from '../../../domain/errors/require-found.ts';
import { ID_PREFIXES, isId } from '../../../domain/ids.ts';
import type { PaymentLimit } from '../../../domain/payments/limits/payment-limit.ts';
import type { Scope } from '../../../domain/scope.ts';

interface ChangeDeps {
  readonly clock: Clock;
}

type User = Extract<Actor, { kind: 'USER' }>;

/** CHANGED: someone changed it since it was seen. TOO_MANY: nothing more fits. */
export type LimitOutcome = 'DONE' | 'CHANGED' | 'TOO_MANY';

/**
 * Sets a limit of a customer or of one of its keys, or replaces the one that is there: `seenVersion` of it, 0 for none.
 * Refuses with not_found for a key of others. Payments that wait go on waiting.
 */
export async function setLimit(
  { clock }: ChangeDeps,
  tx: ScopedTransaction,
  scope: Scope,
  {
    user,
    seenVersion,
    ...limit
  }: PaymentLimit & { readonly user: User; readonly seenVersion: number },
): Promise<LimitOutcome> {
  if (limit.apiKeyId !== null) requireFound(await findApiKey(tx, scope, limit.apiKeyId));
  if ((await listLimits(tx, scope)).length >= LIMITS_MAX && seenVersion === 0) return 'TOO_MANY';
  const at = clock.now();
  const saved = await saveLimit(tx, scope, {
    ...{ ...limit, seenVersion, id: newId(ID_PREFIXES.paymentLimit), setAt: at },
    setBy: actorText(user),
  });
  if (saved === null) return 'CHANGED';
  await recordAudit(tx, {
    ...{ at, actor: user, action: 'payment_limit.set', scope, subject: saved.id },
    details: {
      ...detailsOf(limit),
      allowedBeneficiariesOnly: limit.allowedBeneficiariesOnly,
    },
  });
  return 'DONE';
}

/** Removes a limit as it was seen. Refuses with not_found where the scope has no such limit. */
export async function removeLimit(
  { clock }: ChangeDeps,
  tx: ScopedTransaction,
  scope: Scope,
  { id, version, user }: { readonly id: string; readonly version: number; readonly user: User },
): Promise<LimitOutcome> {
  const found = requireFound(await findLimit(tx, scope, id));
  if (!(await deleteLimit(tx, scope, { id, version }))) return 'CHANGED';
  await recordAudit(tx, {
    ...{ at: clock.now(), actor: user, action: 'payment_limit.remove', scope, subject: id },
    details: detailsOf(found),
  });
  return 'DONE';
}

/** In minor units as text: an audit row is JSON. */
const detailsOf = ({ apiKeyId, currency, perPayment, perDay }: PaymentLimit) => ({
  ...{ apiKeyId, currency },
  perPayment: perPayment?.toString() ?? null,
  perDay: perDay?.toString() ?? null,
});

/** Allows a bank account or a wallet of the scope. Refuses with not_found for any other id. */
export async function allowBeneficiary(
  { clock }: ChangeDeps,
  tx: ScopedTransaction,
  scope: Scope,
  { destinationId, user }: { readonly destinationId: string; readonly user: User },
): Promise<LimitOutcome> {
  requireFound(await findDestination(tx, scope, destinationId));
  if ((await listBeneficiaries(tx, scope)).length >= BENEFICIARIES_MAX) return 'TOO_MANY';
  const at = clock.now();
  await insertBeneficiary(tx, scope, {
    ...{ destinationId, allowedBy: actorText(user), allowedAt: at },
  });
  await recordAudit(tx, {
    ...{ at, actor: user, action: 'beneficiary.allow', scope, subject: destinationId, details: {} },
  });
  return 'DONE';
}

const findDestination = (tx: ScopedTransaction, scope: Scope, id: string) =>
  isId(ID_PREFIXES.wallet, id) ? findWallet(tx, scope, id) : findBankAccount(tx, scope, id);

/** Takes a beneficiary off the list. Refuses with not_found for one that is not on it. */
export async function removeBeneficiary(
  { clock }: ChangeDeps,
  tx: ScopedTransaction,
  scope: Scope,
  { destinationId, user }: { readonly destinationId: string; readonly user: User },
): Promise<void> {
  requireFound((await deleteBeneficiary(tx, scope, destinationId)) ? destinationId : null);
  await recordAudit(tx, {
    ...{ at: clock.now(), actor: user, action: 'beneficiary.remove', scope },
    ...{ subject: destinationId, details: {} },
  });
}
