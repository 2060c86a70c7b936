import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { Database } from '../../../db/client/database.ts';
import {
  decideScreeningCase,
  type ScreeningCaseRow,
} from '../../../db/parties/screening-case-store.ts';
import { lockPartyToScreen, writeScreening } from '../../../db/parties/screening-party-store.ts';
import { actorText } from '../../../domain/actor.ts';
import type { Clock } from '../../../domain/clock.ts';
import { partyOf } from './case-party.ts';

/**
 * Takes one operator's word that a hit is one: the party's payments fail from now on, those that wait
 * and later ones. False where the case was decided before. It waits for claims that hold the party.
 */
export function refuseCase(
  deps: { readonly db: Database; readonly clock: Clock },
  { id, customerId, environment, ...row }: ScreeningCaseRow,
  { operator, reason }: { readonly operator: string; readonly reason: string },
): Promise<boolean> {
  const scope = { customerId, environment };
  const party = partyOf(row);
  const actor = { kind: 'OPERATOR', name: operator } as const;
  return deps.db.system(async (tx) => {
    const at = deps.clock.now();
    // The party first, as a look-up locks them.
    await lockPartyToScreen(tx, scope, party);
    const decision = { outcome: 'REFUSED', actor: actorText(actor), at, reason } as const;
    if (!(await decideScreeningCase(tx, scope, id, decision))) return false;
    await writeScreening(tx, scope, party, { status: 'REFUSED', list: row.listVersion, at });
    await recordAudit(tx, {
      at,
      actor,
      action: 'screening.refuse',
      scope,
      subject: `screening_cases/${id}`,
      details: { party: party.id, reason },
    });
    return true;
  });
}
