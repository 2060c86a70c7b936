import { proposeForFrozen } from '../../../src/modules/onchain/thaw-signer-account.ts';
import { proposeForeign } from '../../../src/modules/onchain/foreign-nonce.ts';
import type { Database } from '../../../src/db/client/database.ts';
import type { ForeignOutcome } from '../../../src/db/onchain/foreign-transaction-store.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { decodeSigned } from '../../../src/domain/onchain/transaction.ts';
import { createTwoOperators, type TwoOperators } from '../two-operators.ts';
import { PLACE, type SignerHarness } from './signer-harness.ts';

const ACT = { operator: 'ada', reason: 'looked at the chain' };

/** Thaws the signer account as two operators do, or gives it up, and answers what became of it. */
export async function thawSignerAccount(
  { database, clock, signerAccount }: SignerHarness,
  action: 'SIGNER_ACCOUNT_THAW' | 'SIGNER_ACCOUNT_RETIRE' = 'SIGNER_ACCOUNT_THAW',
  address = signerAccount,
): Promise<string> {
  const deps = { db: database.people, clock };
  const proposed = await proposeForFrozen(deps, action, { ...PLACE, address }, ACT);
  if (proposed === 'NOT_FROZEN') throw new Error('it is not frozen');
  return approve(deps, proposed.proposalId);
}

/** Two operators say that a transaction is none of ours. */
export const nameForeign = (harness: SignerHarness, nonce: bigint, hash: string): Promise<string> =>
  settleForeignNonce(harness, nonce, { outcome: 'NOT_OURS', hash, payment: null });

/** Two operators say whether a transaction that was not made by us paid a payment. */
export async function sayForeignPayment(
  harness: SignerHarness,
  payment: string,
  outcome: ForeignOutcome,
  hash: string,
): Promise<string> {
  const raw = await harness.deps.nodes.findSigned(hash);
  const nonce = raw === null ? undefined : decodeSigned(raw)?.transaction.nonce;
  if (nonce === undefined) throw new Error(`the chain does not have ${hash}`);
  return settleForeignNonce(harness, nonce, { outcome, hash, payment });
}

async function settleForeignNonce(
  { database, clock, signerAccount: address, deps: { corridors } }: SignerHarness,
  nonce: bigint,
  claim: Parameters<typeof proposeForeign>[2],
): Promise<string> {
  const deps = { db: database.people, clock, corridors };
  const proposed = await proposeForeign(deps, { ...PLACE, address, nonce }, claim, ACT);
  if (typeof proposed === 'string') throw new Error(proposed);
  return approve(deps, proposed.proposalId);
}

/** One pair a database: an operator is added once. */
const OPERATORS = new WeakMap<Database, TwoOperators>();

/** Two operators approve what was handed in; answers what became of it. */
export async function approve(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  proposalId: string | null,
): Promise<string> {
  if (proposalId === null) throw new Error('nothing was proposed');
  const two = OPERATORS.get(db) ?? createTwoOperators(db, clock);
  OPERATORS.set(db, two);
  const approved = await two.approve(proposalId, 'bea');
  if (approved.code !== 0) throw new Error(approved.error);
  return approved.printed;
}
