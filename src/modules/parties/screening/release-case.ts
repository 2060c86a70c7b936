import { actByApproval } from '../../approvals/act-by-approval.ts';
import { ApprovalRefused } from '../../approvals/approval-refused.ts';
import { proposeApproval, type OperatorAct } from '../../approvals/propose-approval.ts';
import type { ApprovalRow } from '../../../db/approvals/approval-store.ts';
import type { Database } from '../../../db/client/database.ts';
import {
  decideScreeningCase,
  type ScreeningCaseRow,
} from '../../../db/parties/screening-case-store.ts';
import { lockPartyToScreen, writeScreening } from '../../../db/parties/screening-party-store.ts';
import type { Clock } from '../../../domain/clock.ts';
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
  deps: ReleaseDeps,
  row: ScreeningCaseRow,
  approval: ApprovalRow,
): Promise<void> {
  const { id, customerId, environment } = row;
  const scope = { customerId, environment };
  const party = partyOf(row);
  return actByApproval(deps, scope, approval, {
    action: 'screening.release',
    subject: `screening_cases/${id}`,
    details: { party: party.id },
    async lock(tx) {
      const locked = await lockPartyToScreen(tx, scope, party);
      if (locked?.status !== 'HIT') {
        throw new ApprovalRefused('The data has changed since the proposal. See the newest case.');
      }
      return { it: locked, version: CASE_VERSION };
    },
    async act(tx, _locked, word) {
      if (!(await decideScreeningCase(tx, scope, id, { outcome: 'RELEASED', ...word }))) {
        throw new ApprovalRefused('The case was already decided or replaced by a newer case.');
      }
      // Without a list: the names are looked up once more before money leaves, and only what was released
      // is let through.
      await writeScreening(tx, scope, party, { status: 'RELEASED', list: null, at: null });
    },
  });
}
