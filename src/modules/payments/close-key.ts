import type { ScopedTransaction } from '../../db/client/database.ts';
import {
  findAnswers,
  storeClosedKey,
  tryLockKeys,
} from '../../db/idempotency/idempotency-store.ts';
import { recordAudit } from '../../db/operations/audit-store.ts';
import { isRestoring } from '../../db/operations/restore-mode-store.ts';
import { findPaymentByKey, type PaymentRow } from '../../db/payments/payment-store.ts';
import type { Actor } from '../../domain/actor.ts';
import type { Clock } from '../../domain/clock.ts';
import { Refusal } from '../../domain/errors/refusal.ts';
import type { Scope } from '../../domain/scope.ts';
import type { KeyedHashes } from '../../vault/keyed-hash.ts';
import { keyInProgress } from '../idempotency/open-keys.ts';
import { hashOfKey } from './closed-key-witness.ts';

/** What a key stands for once it can no longer change. */
export type KeyClosing =
  /** No request is ever carried out under it. */
  | { readonly state: 'CLOSED'; readonly isNew: boolean }
  | { readonly state: 'PAYMENT'; readonly payment: PaymentRow }
  /** Another POST than one for a payment was carried out under it; the key is not closed. */
  | { readonly state: 'OTHER_RESOURCE' };

interface KeyToClose {
  readonly key: string;
  readonly actor: Actor;
  /** An operator knows by the log that the key was closed before a restore. */
  readonly isWitnessed?: boolean;
}

/**
 * Closes a key that nothing was done under, for ever, or says what was done under it. Takes the lock that every
 * request with the key takes, so one that runs is done or gone before this answers. A second call changes nothing.
 * Throws Refusal idempotency_key_in_progress while a request with the key runs, and service_unavailable for a free
 * key in restore mode: the bank may have executed a payment of it that the database has lost.
 */
export async function closeKey(
  { vault, clock }: { readonly vault: KeyedHashes; readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  { key, actor, isWitnessed = false }: KeyToClose,
): Promise<KeyClosing> {
  const [isLocked] = await tryLockKeys(tx, scope, [key]);
  if (isLocked !== true) throw keyInProgress();
  const at = clock.now();
  const stored = (await findAnswers(tx, scope, [key], at)).get(key);
  if (stored?.closed === true) return { state: 'CLOSED', isNew: false };
  const payment = await findPaymentByKey(tx, scope, key);
  if (payment !== null) return { state: 'PAYMENT', payment };
  if (stored !== undefined) return { state: 'OTHER_RESOURCE' };
  if (!isWitnessed && (await isRestoring(tx))) throw notWhileRestoring();
  await storeClosedKey(tx, scope, key, at);
  const subject = hashOfKey(vault, scope, key);
  await recordAudit(tx, {
    at,
    actor,
    action: 'idempotency_key.close',
    scope,
    subject,
    details: {},
  });
  return { state: 'CLOSED', isNew: true };
}

const notWhileRestoring = (): Refusal =>
  new Refusal(
    'service_unavailable',
    'The database was restored, and the bank may have executed a payment with this key. Keep the key and send its request again, or close the key later.',
    [],
    { 'retry-after': '300' },
  );
