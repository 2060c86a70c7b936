import type { OperatorAct } from '../../modules/approvals/propose-approval.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import { refuseCase } from '../../modules/parties/screening/refuse-case.ts';
import { proposeRelease } from '../../modules/parties/screening/release-case.ts';
import { wakeCase } from '../../modules/parties/screening/wake-case.ts';
import type { OpsDeps } from './command-context.ts';
import { handedIn } from './handed-in.ts';
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
  deps.print(`Refused: ${id}. ${await wakeCase(deps, row)} Whatever has not left fails.`);
  return 0;
}

/** Proposes a release; nothing changes until two operators then approve it in the console. */
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
  deps.print(handedIn(proposal));
  return 0;
}
