import { WorkflowUpdateRPCTimeoutOrCancelledError, type Client } from '@temporalio/client';
import type { OperatorAct } from '../approvals/propose-approval.ts';
import { recordAudit } from '../../db/operations/audit-store.ts';
import {
  findTransferForOps,
  type ChainTransferRow,
} from '../../db/onchain/chain-transfer-store.ts';
import type { Database } from '../../db/client/database.ts';
import { chainWorkflowId } from '../../domain/onchain/network.ts';
import type { Clock } from '../../domain/clock.ts';
import type { WorkflowClient } from '../../domain/workflows/workflow-client.ts';

/** What asking the process of a network needs. */
interface AskVoidDeps {
  readonly db: Pick<Database, 'system'>;
  readonly clock: Clock;
  readonly workflows: Pick<WorkflowClient, 'wakeChain'>;
  readonly getClient: () => Client;
}

/**
 * What became of it; `why` is a sentence for the operator. NOTED: its network may have paid it unknown to us; it
 * is never sent, and fails once it is known that it was not paid.
 */
type VoidOutcome =
  | { readonly kind: 'GIVEN_UP' | 'NOTED' }
  | { readonly kind: 'REFUSED' | 'NO_ANSWER'; readonly why: string };

/** Without a worker an Update waits for one without end. */
const ANSWER_MS = 30_000;

/** Whether a transfer may be given up at all: it is not over, nor given up while it waits, and its payment was not told that it is COMPLETED. */
export const isVoidable = ({
  state,
  told,
  isGivenUp,
}: Pick<ChainTransferRow, 'state' | 'told' | 'isGivenUp'>): boolean =>
  (state === 'CARRIED' || (state === 'WAITING' && !isGivenUp)) &&
  (told === null || told === 'REJECTED');

/**
 * Has a transfer given up: who and why is written down first, then the network's workflow is asked. Asking again is
 * safe, whatever became of it.
 */
export async function askVoid(
  { db, clock, workflows, getClient }: AskVoidDeps,
  transfer: ChainTransferRow,
  { operator, reason }: OperatorAct,
): Promise<VoidOutcome> {
  const { environment, network, reference, paymentId, customerId } = transfer;
  await db.system((tx) =>
    recordAudit(tx, {
      at: clock.now(),
      actor: { kind: 'OPERATOR', name: operator },
      action: 'transfer.void',
      scope: { customerId, environment },
      subject: paymentId,
      details: { reference, reason },
    }),
  );
  const place = { environment, network };
  await workflows.wakeChain(place);
  const client = getClient();
  const ask = () =>
    client.workflow
      .getHandle(chainWorkflowId(place))
      .executeUpdate<boolean, [string]>('voidTransfer', { args: [reference] });
  try {
    const isGivenUp = await client.connection.withDeadline(Date.now() + ANSWER_MS, ask);
    if (!isGivenUp) return { kind: 'REFUSED', why: whyNot(reference) };
    const left = await db.system((tx) => findTransferForOps(tx, reference));
    return { kind: left?.state === 'WAITING' && left.isGivenUp ? 'NOTED' : 'GIVEN_UP' };
  } catch (error) {
    if (!(error instanceof WorkflowUpdateRPCTimeoutOrCancelledError)) throw error;
    const why = `No worker answered within 30 s. The transfer ${reference} is given up once a worker runs.`;
    return { kind: 'NO_ANSWER', why };
  }
}

const whyNot = (reference: string): string =>
  `${reference} cannot be voided. It is settled, ended, or already voided, or it may have been paid before a restore.`;
