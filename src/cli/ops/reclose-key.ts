import { findCustomerName } from '../../db/customers/customer-store.ts';
import { Refusal } from '../../domain/errors/refusal.ts';
import { closeKey } from '../../modules/payments/close-key.ts';
import { keyOfWitness, type ClosedKeyWitness } from '../../modules/payments/closed-key-witness.ts';
import { MissingEncryptionKey } from '../../vault/vault.ts';
import type { OpsDeps } from './command-context.ts';

/** What became of one witness: KNOWN is closed in this database already. */
export type Reclosed =
  { readonly kind: 'CLOSED' | 'KNOWN' } | { readonly kind: 'FAILED'; readonly why: string };

/**
 * Closes a key that a restore has opened. Its partner was told that nothing is ever paid with it, so a payment that
 * has it is named, and the key of another request too.
 */
export async function recloseKey(
  deps: Pick<OpsDeps, 'db' | 'vault' | 'clock'>,
  witness: ClosedKeyWitness,
  operator: string,
): Promise<Reclosed> {
  const { customerId, environment } = witness;
  const scope = { customerId, environment };
  const opened = openKey(deps, witness);
  if ('kind' in opened) return opened;
  const { key } = opened;
  const name = await deps.db.system((tx) => findCustomerName(tx, customerId));
  if (name === null) return failed('the customer is not in this database');
  const actor = { kind: 'OPERATOR', name: operator } as const;
  try {
    const closing = await deps.db.write(scope, (tx) =>
      closeKey(deps, tx, scope, { key, actor, isWitnessed: true }),
    );
    if (closing.state === 'CLOSED') return { kind: closing.isNew ? 'CLOSED' : 'KNOWN' };
    if (closing.state === 'PAYMENT') return failed(`it has the payment ${closing.payment.id}`);
    return failed('another request was carried out with it');
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return failed(error.code);
  }
}

const failed = (why: string) => ({ kind: 'FAILED', why }) as const;

function openKey({ vault }: Pick<OpsDeps, 'vault'>, witness: ClosedKeyWitness) {
  try {
    return { key: keyOfWitness(vault, witness) };
  } catch (error) {
    return failed(
      error instanceof MissingEncryptionKey
        ? 'ENCRYPTION_KEYS has no key of the day of the log'
        : 'the line was changed, or is of another installation',
    );
  }
}
