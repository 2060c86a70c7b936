import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { ScopedTransaction } from '../../../db/client/database.ts';
import { newId } from '../../../db/client/new-id.ts';
import {
  closeOutdatedLiveRequest,
  insertLiveRequest,
} from '../../../db/customers/live-request-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import { liveScope, type CompanyAct } from './company.ts';
import { LiveRefused } from './live-refused.ts';
import { isSameBasis, liveBasis, readLiveStanding } from './live-standing.ts';

const WAITS = 'You already have an open request.';

/**
 * Asks for live access and answers the request's id, in a transaction of the scope COMPANIES, which ends in
 * the customer's. One that waits and is about what is no more is closed. Throws LiveRefused where
 * something is missing, or a request waits.
 */
export async function requestLiveAccess(
  { clock }: { readonly clock: Clock },
  tx: ScopedTransaction,
  { customerId, userId, hasLiveAccess }: CompanyAct & { readonly hasLiveAccess: boolean },
): Promise<string> {
  if (hasLiveAccess) throw new LiveRefused('You already have live access.');
  const at = clock.now();
  const standing = await readLiveStanding(tx, customerId);
  const basis = liveBasis(standing, at);
  if (basis === null) throw new LiveRefused('Some items on the list are still missing.');
  const scope = liveScope(customerId);
  const { request } = standing;
  if (request !== null && request.decision === null) {
    if (isSameBasis(request, basis)) throw new LiveRefused(WAITS);
    await closeOutdatedLiveRequest(tx, scope, request.id, at);
  }
  const id = newId(ID_PREFIXES.liveAccessRequest);
  if (!(await insertLiveRequest(tx, scope, { ...basis, id, requestedBy: userId, at }))) {
    throw new LiveRefused(WAITS);
  }
  await recordAudit(tx, {
    ...{ at, actor: { kind: 'USER', id: userId }, action: 'live_access.request', scope },
    ...{ subject: id, details: { ...basis } },
  });
  return id;
}
