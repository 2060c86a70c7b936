import { setTimeout as pause } from 'node:timers/promises';
import { Option } from '@commander-js/extra-typings';
import { findApproval, type ApprovalRow } from '../../db/approvals/approval-store.ts';
import type { OpsDeps } from './command-context.ts';

/** Of a command that hands a proposal in. */
export const waitOption = () =>
  new Option('--wait', 'wait until operators have decided; exit code 3 if it is not approved');

type TellDeps = Pick<OpsDeps, 'db' | 'clock' | 'opsUrl' | 'print'>;

/**
 * Says where operators decide a proposal that was handed in. Where it is waited for, answers once it is in effect, or cannot
 * be any more. Answers the exit code.
 */
export async function tellHandedIn(
  deps: TellDeps,
  proposalId: string,
  isWaitedFor: boolean,
): Promise<number> {
  deps.print(
    `Submitted ${proposalId}. In the console, one operator takes it up and another approves it: ${deps.opsUrl}/approvals/${proposalId}`,
  );
  return isWaitedFor ? waitForEnd(deps, proposalId) : 0;
}

const LOOK_EVERY_MS = 1_000;
const NOT_APPROVED = 3;

/** A proposal runs out after seven days: the wait ends then. */
async function waitForEnd({ db, clock, print }: TellDeps, id: string): Promise<number> {
  for (;;) {
    const approval = await db.system((tx) => findApproval(tx, id));
    const end = approval === null ? null : endOf(approval, clock.now());
    if (end !== null) {
      print(end);
      return approval?.usedAt === null ? NOT_APPROVED : 0;
    }
    await pause(LOOK_EVERY_MS);
  }
}

/** How it ended, in a sentence; null where it waits. */
function endOf(approval: ApprovalRow, now: Date): string | null {
  const { decision, decisionReason, usedAt, voidReason, expiresAt } = approval;
  if (usedAt !== null) return 'Approved. It is in effect.';
  if (decision === 'REFUSED') return `Refused: ${decisionReason ?? '-'}`;
  if (voidReason !== null) return `Approved, and void: ${voidReason}`;
  return expiresAt <= now ? 'It expired before it took effect.' : null;
}
