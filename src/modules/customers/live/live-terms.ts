import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { Database, ScopedTransaction } from '../../../db/client/database.ts';
import {
  findLiveTerms,
  insertAcceptance,
  insertLiveTerms,
} from '../../../db/customers/live-terms-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { CompanyAct } from './company.ts';
import { liveScope } from './company.ts';
import { LiveRefused } from './live-refused.ts';

/** Publishes terms of live access and answers their version: who asks from then on accepts these. */
export function publishLiveTerms(
  { db, clock }: { readonly db: Pick<Database, 'system'>; readonly clock: Clock },
  text: string,
  { operator, reason }: { readonly operator: string; readonly reason: string },
): Promise<number> {
  return db.system(async (tx) => {
    const at = clock.now();
    const version = await insertLiveTerms(tx, { text, publishedBy: operator, at });
    await recordAudit(tx, {
      ...{ at, actor: { kind: 'OPERATOR', name: operator }, action: 'live_terms.publish' },
      ...{ scope: { customerId: null, environment: null }, subject: String(version) },
      details: { reason, characters: text.length },
    });
    return version;
  });
}

/**
 * Accepts the terms in force, in a transaction of the customer's live scope; once more is no error. Throws
 * LiveRefused where others than those that were shown are in force.
 */
export async function acceptLiveTerms(
  { clock }: { readonly clock: Clock },
  tx: ScopedTransaction,
  { customerId, userId }: CompanyAct,
  shownVersion: number,
): Promise<void> {
  const scope = liveScope(customerId);
  const terms = await findLiveTerms(tx);
  if (terms?.version !== shownVersion) {
    throw new LiveRefused('The terms have changed. Read the new terms first.');
  }
  const acceptedAt = clock.now();
  const acceptance = { termsVersion: shownVersion, acceptedBy: userId, acceptedAt };
  if (!(await insertAcceptance(tx, scope, acceptance))) return;
  await recordAudit(tx, {
    ...{ at: acceptedAt, actor: { kind: 'USER', id: userId }, action: 'live_terms.accept' },
    ...{ scope, subject: customerId, details: { termsVersion: shownVersion } },
  });
}
