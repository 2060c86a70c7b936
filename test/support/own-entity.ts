import type { Database } from '../../src/db/client/database.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { CorridorTable } from '../../src/domain/payments/corridors/corridor-table.ts';
import type { Scope } from '../../src/domain/scope.ts';
import {
  setOwnEntity,
  type OwnEntity,
} from '../../src/modules/parties/end-users/set-own-entity.ts';
import type { Vault } from '../../src/vault/vault.ts';

export const OWN_COMPANY = {
  legalName: 'Sample Ltd',
  persons: [{ firstName: 'Ada', lastName: 'Sample' }],
};

/** Makes the end-user that is the customer itself, as an operator does it. */
export function makeOwnEntity(
  deps: {
    readonly db: Database;
    readonly vault: Vault;
    readonly clock: Clock;
    readonly corridors: CorridorTable;
  },
  scope: Scope,
): Promise<OwnEntity> {
  const act = { operator: 'Ada', reason: 'taken on by hand' };
  return deps.db.write(scope, (tx) =>
    setOwnEntity(deps, tx, scope, { business: OWN_COMPANY }, act),
  );
}
