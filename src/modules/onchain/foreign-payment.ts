import { ApprovalRefused } from '../approvals/decide-approval.ts';
import {
  proposeApproval,
  type ApprovalDeps,
  type OperatorAct,
} from '../approvals/propose-approval.ts';
import { useApproval } from '../approvals/use-approval.ts';
import type { ApprovalRow } from '../../db/approvals/approval-store.ts';
import { recordAudit } from '../../db/operations/audit-store.ts';
import { findOpenNonce } from '../../db/onchain/chain-nonce-store.ts';
import { findTransferForOps } from '../../db/onchain/chain-transfer-store.ts';
import { findUnclaimed } from '../../db/onchain/found-transaction-store.ts';
import {
  insertForeignPayment,
  type ForeignOutcome,
  type ForeignPayment,
} from '../../db/onchain/foreign-transaction-store.ts';
import { isNetwork } from '../../domain/onchain/network.ts';
import { withLockedPayment, type LockDeps } from '../payments/lock-payment.ts';
import { marksOf } from './claim-found.ts';

/** What an operator says of a transaction and the payment whose nonce it used. */
interface ForeignClaim {
  readonly outcome: ForeignOutcome;
  readonly hash: string;
}

/**
 * Proposes that the transaction of that hash, which used the nonce of a transfer and was not made by us, paid its
 * payment, or that it did not. Of a transfer that waits: that one which was found after a restore, is no known
 * payment's, and has the mark of it or of a later attempt, paid it. By the transfer's reference or its payment's id. Answers the proposal's id, null where
 * one about that payment waits; 'NO_TRANSFER' where there is none, 'NO_NONCE' where it is none of these.
 */
export async function proposeForeignPayment(
  deps: LockDeps & ApprovalDeps,
  subject: string,
  { outcome, hash }: ForeignClaim,
  act: OperatorAct,
): Promise<{ readonly proposalId: string | null } | 'NO_TRANSFER' | 'NO_NONCE'> {
  const found = await deps.db.system(async (tx) => {
    const transfer = await findTransferForOps(tx, subject);
    if (transfer === null) return null;
    const carrier = await findOpenNonce(tx, transfer.reference);
    const isFound = carrier === null && outcome === 'PAID' && transfer.state === 'WAITING';
    const marks = marksOf(transfer.reference);
    return {
      transfer,
      carrier: isFound ? await findUnclaimed(tx, transfer, hash, marks) : carrier,
    };
  });
  if (found === null) return 'NO_TRANSFER';
  const { transfer, carrier } = found;
  if (carrier === null) return 'NO_NONCE';
  const { customerId, environment, paymentId, reference } = transfer;
  const scope = { customerId, environment };
  const version = await withLockedPayment(deps, scope, paymentId, async ({ payment }) =>
    Promise.resolve(payment.version),
  );
  const { network, address, nonce } = carrier;
  const proposal = {
    action: 'FOREIGN_PAYMENT',
    subjectId: paymentId,
    subjectVersion: version,
    content: { outcome, hash, reference, network, address, nonce: nonce.toString() },
  } as const;
  return { proposalId: await proposeApproval(deps, scope, proposal, act) };
}

/**
 * Writes down what two operators agreed on, and answers it. The chain's own process acts by it once the transaction is
 * final, and only where both providers show the same of it. Throws ApprovalRefused where the payment has changed since the
 * proposal, or its nonce is over.
 */
export function sayForeignPayment(deps: LockDeps, approval: ApprovalRow): Promise<ForeignPayment> {
  const { id, customerId, environment, subjectId: subject, proposedBy, reason } = approval;
  const scope = { customerId, environment };
  const said = readContent(approval);
  return withLockedPayment(deps, scope, subject, async ({ tx, payment, now: at }) => {
    await useApproval(tx, scope, approval, payment.version, at);
    await insertForeignPayment(tx, said, id, at).catch(sayIfOver);
    const { hash, outcome, reference } = said;
    await recordAudit(tx, {
      ...{ at, scope, subject, action: 'payment.foreign_transaction' },
      actor: { kind: 'OPERATOR', name: approval.decidedBy ?? '' },
      details: { hash, outcome, reference, approval: id, proposedBy, reason },
    });
    return said;
  });
}

function readContent({ environment, content }: ApprovalRow): ForeignPayment {
  const text = (name: string): string => String(content[name]);
  const outcome = text('outcome') === 'PAID' ? 'PAID' : 'NOT_PAID';
  const network = text('network');
  if (!isNetwork(network)) throw new Error(`${network} is no network`);
  const key = { environment, network, address: text('address'), nonce: BigInt(text('nonce')) };
  return { ...key, outcome, hash: text('hash'), reference: text('reference') };
}

function sayIfOver(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === '23514') {
    throw new ApprovalRefused('The outcome of the payment is already known.');
  }
  throw error;
}
