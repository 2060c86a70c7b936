import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { Database } from '../../../db/client/database.ts';
import {
  findScreeningList,
  putListInForce,
  wasReplacedLately,
} from '../../../db/parties/screening-list-store.ts';
import { systemActor } from '../../../domain/actor.ts';
import type { Clock } from '../../../domain/clock.ts';
import {
  ScreeningError,
  type ScreeningProvider,
} from '../../../domain/parties/screening/screening-provider.ts';
import type { Environment } from '../../../domain/scope.ts';

/**
 * Asks which version of the list the provider has, and puts it in force where it is another one: what
 * was looked up in the one before is then looked up again before money leaves. Answers the version.
 * Throws ScreeningError, also where the version was replaced within the last hour.
 */
export async function lookAtList(
  deps: { readonly db: Database; readonly clock: Clock },
  provider: Pick<ScreeningProvider, 'listVersion'>,
  environment: Environment,
): Promise<string> {
  const version = await provider.listVersion();
  const known = await deps.db.system(async (tx) => {
    const at = deps.clock.now();
    // Asked before claims are kept waiting, and once more while they are.
    if (await wasReplacedLately(tx, environment, version, at)) {
      throw new ScreeningError('SCREENING_LIST_REPLACED');
    }
    return findScreeningList(tx, environment);
  });
  if (known?.version === version) return version;
  await deps.db.system(async (tx) => {
    const at = deps.clock.now();
    const before = await putListInForce(tx, environment, version, at);
    if (before === version) return;
    await recordAudit(tx, {
      at,
      actor: systemActor('screening'),
      action: 'screening.list_changed',
      scope: { customerId: null, environment },
      subject: `screening_lists/${environment}`,
      details: { version, before },
    });
  });
  return version;
}
