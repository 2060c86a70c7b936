import type { OperatorAct } from '../../modules/approvals/propose-approval.ts';
import { askVoid } from '../../modules/onchain/ask-void.ts';
import { findTransferForOps } from '../../db/onchain/chain-transfer-store.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { OpsDeps } from './command-context.ts';

/**
 * Has a transfer given up, by its reference or its payment's id. Throws PlainError where there is none, where it can
 * not be given up, and where no worker answers.
 */
export async function voidTransfer(
  deps: OpsDeps,
  subject: string,
  act: OperatorAct,
): Promise<void> {
  const transfer = await deps.db.system((tx) => findTransferForOps(tx, subject));
  if (transfer === null) throw new PlainError(`There is no transfer over a chain of ${subject}.`);
  const outcome = await askVoid(deps, transfer, act);
  if ('why' in outcome) throw new PlainError(outcome.why);
  const { reference, paymentId, network } = transfer;
  const rest =
    outcome.kind === 'GIVEN_UP'
      ? 'is given up; what is mined decides.'
      : `is noted as given up: it is not sent, and fails once every hot address of ${network} is open or given ` +
        'up, and none is found to have paid it.';
  deps.print(`${reference} of payment ${paymentId} ${rest}`);
}
