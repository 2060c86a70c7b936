import { ApprovalRefused } from '../approvals/decide-approval.ts';
import { proposeApproval, type OperatorAct } from '../approvals/propose-approval.ts';
import { useApproval } from '../approvals/use-approval.ts';
import type { ApprovalRow } from '../db/approval-store.ts';
import { recordAudit } from '../db/audit-store.ts';
import type { Database } from '../db/database.ts';
import { decideScreeningCase, type ScreeningCaseRow } from '../db/screening-case-store.ts';
import { lockPartyToScreen, writeScreening } from '../db/screening-party-store.ts';
import { actorText } from '../domain/actor.ts';
import type { Clock } from '../domain/clock.ts';
import { partyOf } from './case-party.ts';

interface ReleaseDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** A case is written once: what changes about its party makes another one. */
const CASE_VERSION = 1;

/** Proposes to release a case; null where a proposal about it waits already. */
export function proposeRelease(
  deps: ReleaseDeps,
  row: ScreeningCaseRow,
  act: OperatorAct,
): Promise<string | null> {
  const { customerId, environment } = row;
  return proposeApproval(
    deps,
    { customerId, environment },
    {
      action: 'SCREENING_RELEASE',
      subjectId: row.id,
      subjectVersion: CASE_VERSION,
      // The case says the rest, and stays as it is. A copy would outlive an erasure.
      content: { party: partyOf(row).id },
    },
    act,
  );
}

/**
 * Does what two operators approved: the hit is none, for these names and these entries. Throws
 * ApprovalRefused where names or entries are others by now, or the case was decided before.
 */
export function releaseCase(
  { db, clock }: ReleaseDeps,
  row: ScreeningCaseRow,
  approval: ApprovalRow,
): Promise<void> {
  const { id, customerId, environment } = row;
  const scope = { customerId, environment };
  const party = partyOf(row);
  const actor = { kind: 'OPERATOR', name: approval.decidedBy ?? '' } as const;
  const { reason, proposedBy } = approval;
  return db.write(scope, async (tx) => {
    const at = clock.now();
    const locked = await lockPartyToScreen(tx, scope, party);
    if (locked?.status !== 'HIT') {
      throw new ApprovalRefused('The data has changed since the proposal; see the newest case.');
    }
    await useApproval(tx, scope, approval, CASE_VERSION, at);
    const decision = { outcome: 'RELEASED', actor: actorText(actor), at, reason } as const;
    if (!(await decideScreeningCase(tx, scope, id, decision))) {
      throw new ApprovalRefused('The case was decided before, or another one took its place.');
    }
    // Without a list: the names are looked up once more before money leaves, and only what was released
    // is let through.
    await writeScreening(tx, scope, party, { status: 'RELEASED', list: null, at: null });
    await recordAudit(tx, {
      at,
      actor,
      action: 'screening.release',
      scope,
      subject: `screening_cases/${id}`,
      details: { party: party.id, approval: approval.id, proposedBy, reason },
    });
  });
}
