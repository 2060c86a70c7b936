import type { ActDeps } from '../approvals/act-by-approval.ts';
import { ApprovalRefused } from '../approvals/approval-refused.ts';
import {
  proposeApproval,
  type ApprovalDeps,
  type OperatorAct,
} from '../approvals/propose-approval.ts';
import { useApproval } from '../approvals/use-approval.ts';
import type { ApprovalRow } from '../../db/approvals/approval-store.ts';
import type { SystemTransaction } from '../../db/client/database.ts';
import { recordAudit } from '../../db/operations/audit-store.ts';
import { findSignerAccountStand } from '../../db/onchain/signer-account-store.ts';
import { findCarriedReference, type NonceKey } from '../../db/onchain/chain-nonce-store.ts';
import {
  findTransferForOps,
  type ChainTransferRow,
} from '../../db/onchain/chain-transfer-store.ts';
import { findUnclaimed } from '../../db/onchain/found-transaction-store.ts';
import {
  insertForeignPayment,
  nameForeign,
  type ForeignOutcome,
  type ForeignPayment,
} from '../../db/onchain/foreign-transaction-store.ts';
import { isNetwork } from '../../domain/onchain/network.ts';
import { withLockedPayment, type LockDeps } from '../payments/lock-payment.ts';
import { actOnSignerAccount } from './act-on-signer-account.ts';
import { marksOf } from './claim-found.ts';
import { nameOfSignerAccount, scopeOfSignerAccount } from './signer-account-name.ts';

/**
 * What a transaction that used a nonce and was not made by us did. NOT_OURS: it is no payment of ours. PAID and
 * NOT_PAID: it paid the payment of the nonce, or it did not.
 */
export const FOREIGN_OUTCOMES = ['NOT_OURS', 'PAID', 'NOT_PAID'] as const;

/** What an operator says of the transaction that used a nonce. */
interface ForeignClaim {
  readonly outcome: (typeof FOREIGN_OUTCOMES)[number];
  readonly hash: string;
  /** The reference of its transfer, or its id; null: the payment that the nonce carries. */
  readonly payment: string | null;
}

/**
 * Proposes what the transaction of that hash, which used a nonce of a signer account, did. That it paid may also be said
 * of a transfer that waits, which is named, where the transaction was found after a restore, is no known payment's, and
 * has the mark of it or of a later attempt. Answers the proposal's id, null where one about the same waits;
 * 'NO_SIGNER_ACCOUNT' where there is none, 'NO_PAYMENT' where the nonce has no such payment, or is over.
 */
export async function proposeForeign(
  deps: LockDeps & ApprovalDeps,
  key: NonceKey,
  claim: ForeignClaim,
  act: OperatorAct,
): Promise<{ readonly proposalId: string | null } | 'NO_SIGNER_ACCOUNT' | 'NO_PAYMENT'> {
  const { outcome, hash } = claim;
  const found = await deps.db.system(async (tx) => ({
    signerAccount: await findSignerAccountStand(tx, key),
    transfer: outcome === 'NOT_OURS' ? null : await findPaid(tx, key, { ...claim, outcome }),
  }));
  if (found.signerAccount === null) return 'NO_SIGNER_ACCOUNT';
  if (outcome === 'NOT_OURS') {
    const subjectId = `${nameOfSignerAccount(key)}/${key.nonce.toString()}`;
    const about = { subjectId, subjectVersion: found.signerAccount.version };
    const proposal = { action: 'FOREIGN_NONCE', ...about, content: { hash } } as const;
    const scope = scopeOfSignerAccount(subjectId);
    return { proposalId: await proposeApproval(deps, scope, proposal, act) };
  }
  if (found.transfer === null) return 'NO_PAYMENT';
  const { customerId, environment, paymentId, reference } = found.transfer;
  const scope = { customerId, environment };
  const version = await withLockedPayment(deps, scope, paymentId, async ({ payment }) =>
    Promise.resolve(payment.version),
  );
  const { network, address, nonce } = key;
  const proposal = {
    action: 'FOREIGN_PAYMENT',
    subjectId: paymentId,
    subjectVersion: version,
    content: { outcome, hash, reference, network, address, nonce: nonce.toString() },
  } as const;
  return { proposalId: await proposeApproval(deps, scope, proposal, act) };
}

/** The transfer that the claim is about; null where the nonce has no such one. */
async function findPaid(
  tx: SystemTransaction,
  key: NonceKey,
  { outcome, hash, payment }: ForeignClaim & { readonly outcome: ForeignOutcome },
): Promise<ChainTransferRow | null> {
  const carried = await findCarriedReference(tx, key);
  const name = payment ?? carried;
  const transfer = name === null ? null : await findTransferForOps(tx, name);
  if (transfer === null || carried === transfer.reference) return transfer;
  if (carried !== null || outcome !== 'PAID' || transfer.state !== 'WAITING') return null;
  // Hot addresses of several networks are the same, and each has its own nonces.
  if (transfer.environment !== key.environment || transfer.network !== key.network) return null;
  const found = await findUnclaimed(tx, transfer, hash, marksOf(transfer.reference));
  const isIt = found?.address === key.address && found.nonce === key.nonce;
  return isIt ? transfer : null;
}

/**
 * Writes down what two operators agreed on: that it is no payment of ours. The chain's own process acts by it once the
 * transaction is final, and not where it pays a receiver for us. Throws ApprovalRefused where the signer account has
 * changed since the proposal.
 */
export function acceptForeign(deps: ActDeps, approval: ApprovalRow): Promise<void> {
  const { id: approvalId, subjectId, content } = approval;
  const hash = String(content['hash']);
  return actOnSignerAccount(deps, approval, 'signer_account.foreign_nonce', (tx, at) =>
    nameForeign(tx, subjectId, { hash, approvalId }, at),
  );
}

/**
 * Writes down what two operators agreed on: that it paid the payment of its nonce, or did not. The chain's own process
 * acts by it once the transaction is final, and only where both providers show the same of it. Throws ApprovalRefused
 * where the payment has changed since the proposal, or its nonce is over.
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
