import type { ScopedTransaction } from '../../../db/client/database.ts';
import { insertEndUser } from '../../../db/parties/end-user-store.ts';
import type { EndUserRow, EndUserType, Relationship } from '../../../db/parties/end-user-store.ts';
import { recordEvent } from '../../../db/webhooks/event-store.ts';
import { newId } from '../../../db/client/new-id.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { CorridorTable } from '../../../domain/payments/corridors/corridor-table.ts';
import { refuseField } from '../../../domain/errors/refusal.ts';
import { refuseProblems } from '../../../domain/errors/refuse-problems.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { Vault } from '../../../vault/vault.ts';
import { checkEndUser } from './check-end-user.ts';
import { endUserRow } from './end-user-personal.ts';
import type { EndUserPersonal } from './end-user-personal.ts';
import { endUserEvent } from './end-user-view.ts';

/** What a customer says of a new end-user. */
export interface EndUserOrder extends Omit<EndUserPersonal, 'metadata'> {
  readonly type: EndUserType;
  readonly externalId?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * Registers an end-user. Refuses with validation_failed, unsupported_country or country_restricted for
 * what the schema could not see, and with external_id_taken where the scope has that externalId already.
 */
export async function createEndUser(
  deps: {
    readonly vault: Vault;
    readonly clock: Clock;
    readonly corridors: CorridorTable;
  },
  tx: ScopedTransaction,
  scope: Scope,
  order: EndUserOrder,
  relationship: Relationship = 'CLIENT',
): Promise<EndUserRow> {
  const at = deps.clock.now();
  const { type, externalId, metadata = {}, ...rest } = order;
  const personal: EndUserPersonal = { ...rest, metadata };
  const problems = checkEndUser(type, personal, at, deps.corridors.restrictions);
  if (problems.length > 0) throw refuseProblems(problems);

  const id = newId(ID_PREFIXES.endUser);
  const ownerKey = deps.vault.newOwnerKey(id);
  const row = await insertEndUser(tx, scope, {
    id,
    type,
    relationship,
    externalId: externalId ?? null,
    personal: deps.vault.of({ endUserId: id, ownerKey }).sealJson(personal, endUserRow(id)),
    ownerKey,
    at,
  });
  if (row === null) {
    const message = 'Another end-user already has this externalId. Use a unique value.';
    throw refuseField('external_id_taken', '/externalId', message);
  }
  await recordEvent(tx, scope, endUserEvent('end_user.created', row), at);
  return row;
}
