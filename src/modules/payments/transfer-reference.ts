import { formatReference } from '../../domain/payments/reference.ts';
import type { Scope } from '../../domain/scope.ts';
import type { KeyedHashes } from '../../vault/keyed-hash.ts';

/**
 * The reference under which the bank knows one attempt of a payment: a keyed hash of scope and
 * idempotency key. Made from what the partner repeats and not from our own ids, so that after a loss of
 * committed data the partner's retry meets the same reference at the bank.
 */
export function transferReference(
  vault: KeyedHashes,
  { customerId, environment }: Scope,
  idempotencyKey: string,
  attempt: number,
): string {
  // Ids and environments hold no NUL: the parts cannot run into each other.
  const parts = [customerId, environment, idempotencyKey].join('\0');
  return formatReference(vault.steadyHash('transfer-reference', parts), attempt);
}
