import type { ActDeps } from '../approvals/act-by-approval.ts';
import { ApprovalRefused } from '../approvals/decide-approval.ts';
import {
  proposeApproval,
  type ApprovalDeps,
  type OperatorAct,
} from '../approvals/propose-approval.ts';
import type { ApprovalRow } from '../../db/approvals/approval-store.ts';
import { recordAudit } from '../../db/operations/audit-store.ts';
import {
  findLaneStand,
  freezeLane,
  thawLaneRow,
  type LaneKey,
  type LaneStand,
} from '../../db/onchain/chain-lane-store.ts';
import type { Database } from '../../db/client/database.ts';
import type { Clock } from '../../domain/clock.ts';
import { actOnLane } from './act-on-lane.ts';
import { nameOfLane, scopeOfLane } from './lane-name.ts';

/** Freezes a lane at once: it signs nothing new. False where there is none, or it is frozen or given up. */
export function freezeLaneByHand(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  lane: LaneKey,
  { operator, reason }: OperatorAct,
): Promise<boolean> {
  return db.system(async (tx) => {
    const at = clock.now();
    if (!(await freezeLane(tx, lane, 'OPERATOR', at))) return false;
    await recordAudit(tx, {
      at,
      actor: { kind: 'OPERATOR', name: operator },
      action: 'lane.freeze',
      scope: { customerId: null, environment: lane.environment },
      subject: nameOfLane(lane),
      details: { reason },
    });
    return true;
  });
}

/** Of a lane that is given up: what was signed for it and is not known may be mined still. */
const MAY_STILL_PAY = 'MAY_STILL_PAY';

/**
 * Proposes that a frozen lane pay again (LANE_THAW), or be given up for ever (LANE_RETIRE), and answers the
 * proposal's id: null where one waits already. LANE_RETIRE of a lane that is given up and may still pay proposes
 * that nothing signed for it can be mined any more. 'NOT_FROZEN' where it is neither, or is no lane.
 */
export async function proposeForFrozen(
  deps: ApprovalDeps,
  action: 'LANE_THAW' | 'LANE_RETIRE',
  lane: LaneKey,
  act: OperatorAct,
): Promise<{ readonly proposalId: string | null } | 'NOT_FROZEN'> {
  const found = await deps.db.system((tx) => findLaneStand(tx, lane));
  const why = found === null ? null : reasonToAct(action, found);
  if (found === null || why === null) return 'NOT_FROZEN';
  const subjectId = nameOfLane(lane);
  const about = { subjectId, subjectVersion: found.version };
  const content = { action, ...about, content: { why } } as const;
  return { proposalId: await proposeApproval(deps, scopeOfLane(subjectId), content, act) };
}

function reasonToAct(
  action: 'LANE_THAW' | 'LANE_RETIRE',
  { status, why, mayStillPay }: LaneStand,
): string | null {
  const isGivenUp = action === 'LANE_RETIRE' && status === 'RETIRING' && mayStillPay;
  return isGivenUp ? MAY_STILL_PAY : why;
}

/**
 * Thaws a lane, as two operators agreed, and answers what it is now. Throws ApprovalRefused where it is not
 * frozen any more, or was frozen anew since the proposal.
 */
export function thawLane(deps: ActDeps, approval: ApprovalRow): Promise<string> {
  return actOnLane(deps, approval, 'lane.thaw', async (tx, at) => {
    const status = await thawLaneRow(tx, approval.subjectId, at);
    if (status === null) throw new ApprovalRefused(`${approval.subjectId} is not frozen.`);
    return status;
  });
}
