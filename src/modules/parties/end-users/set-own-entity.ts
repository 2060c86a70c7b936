import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { ScopedTransaction } from '../../../db/client/database.ts';
import { findOwnEntity } from '../../../db/parties/end-user-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { CorridorTable } from '../../../domain/payments/corridors/corridor-table.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { Vault } from '../../../vault/vault.ts';
import { createEndUser } from './create-end-user.ts';
import type { EndUserOrder } from './create-end-user.ts';
import { updateEndUser } from './update-end-user.ts';

/** What operators say of a customer's own company. */
type OwnEntityOrder = Omit<EndUserOrder, 'type' | 'individual'>;

export interface OwnEntity {
  readonly id: string;
  readonly version: number;
  readonly isNew: boolean;
}

/**
 * Makes the end-user that is the customer itself, or changes it: what is left out stays as it is. A change
 * of what identifies it asks for KYC again. Refuses as `createEndUser` and `updateEndUser` do; throws a
 * unique_violation of `OWN_ENTITY_IS_ONE` where another one made it meanwhile.
 */
export async function setOwnEntity(
  deps: { readonly vault: Vault; readonly clock: Clock; readonly corridors: CorridorTable },
  tx: ScopedTransaction,
  scope: Scope,
  order: OwnEntityOrder,
  { operator, reason }: { readonly operator: string; readonly reason: string },
): Promise<OwnEntity> {
  const known = await findOwnEntity(tx, scope);
  const { id, version } =
    known === null
      ? await createEndUser(deps, tx, scope, { ...order, type: 'BUSINESS' }, 'SELF')
      : (
          await updateEndUser(deps, tx, scope, {
            ...{ endUserId: known.id, patch: order, isByOperator: true },
            requireVersion: () => undefined,
          })
        ).view;
  await recordAudit(tx, {
    at: deps.clock.now(),
    actor: { kind: 'OPERATOR', name: operator },
    action: known === null ? 'own_entity.create' : 'own_entity.update',
    scope,
    subject: id,
    details: { reason, version },
  });
  return { id, version, isNew: known === null };
}
