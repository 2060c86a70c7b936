import type { OperatorAct } from '../approvals/propose-approval.ts';
import type { ApprovalRow } from '../db/approval-store.ts';
import type { ScreeningCaseRow } from '../db/screening-case-store.ts';
import { PlainError } from '../runtime/plain-error.ts';
import { partyOf } from '../screening/case-party.ts';
import { refuseCase } from '../screening/refuse-case.ts';
import { proposeRelease, releaseCase } from '../screening/release-case.ts';
import { wakePaymentsOf } from '../screening/wake-payments-of.ts';
import type { OpsDeps } from './command-context.ts';
import { findCase } from './find-case.ts';

/** Takes one operator's refusal. Again for a refused case: its payments are woken once more. */
export async function refuseScreeningCase(
  deps: OpsDeps,
  id: string,
  act: OperatorAct,
): Promise<number> {
  const row = await findCase(deps, id);
  if (row.outcome === null && !(await refuseCase(deps, row, act))) {
    throw new PlainError(`Case ${id} was decided meanwhile.`);
  }
  if (row.outcome !== null && row.outcome !== 'REFUSED') {
    throw new PlainError(`Case ${id} was decided before: ${row.outcome}.`);
  }
  deps.print(`Refused: ${id}. ${await wake(deps, row)} Whatever has not left fails.`);
  return 0;
}

/** Proposes a release; nothing changes until a second operator approves. */
export async function proposeScreeningRelease(
  deps: OpsDeps,
  id: string,
  act: OperatorAct,
): Promise<number> {
  const row = await findCase(deps, id);
  if (row.outcome !== null) throw new PlainError(`Case ${id} was decided before: ${row.outcome}.`);
  const proposal = await proposeRelease(deps, row, act);
  if (proposal === null) {
    throw new PlainError(
      `A release of ${id} is proposed already. See: npm run ops -- approvals list`,
    );
  }
  deps.print(
    `Proposed: ${proposal}. Another operator approves it: npm run ops -- approvals approve ${proposal} --reason ... --operator ...`,
  );
  return 0;
}

/** What an approved release does. */
export async function applyScreeningRelease(deps: OpsDeps, approval: ApprovalRow): Promise<string> {
  const row = await findCase(deps, approval.subjectId);
  await releaseCase(deps, row, approval);
  return `Released: ${row.id}. ${await wake(deps, row)} They go on if nothing else holds them.`;
}

async function wake(deps: OpsDeps, row: ScreeningCaseRow): Promise<string> {
  const { customerId, environment } = row;
  const woken = await wakePaymentsOf(deps, { customerId, environment }, partyOf(row));
  return `Payments woken: ${String(woken)}; one that is not looks again by itself (HOLD_CHECK_MS).`;
}
