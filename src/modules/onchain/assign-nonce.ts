import {
  lockTransfer,
  saveTransfer,
  type ChainTransferRow,
} from '../../db/onchain/chain-transfer-store.ts';
import { isAnySignerAccountUnsure } from '../../db/onchain/signer-account-store.ts';
import { withOneMore } from '../../domain/onchain/nonce-slots.ts';
import { askSignerAccount, type Turn } from './ask-signer-account.ts';
import type { ChainDeps } from './chain-deps.ts';
import type { SignerFunds, OpenSignerAccount } from './signer-funds.ts';
import type { Unread } from './unread.ts';

/** What all transfers of a poll cycle share. */
export interface CarryRound {
  readonly funds: SignerFunds;
  readonly unread: Unread;
  /** `address contract` of signer accounts whose tokens do not move: found out once a poll cycle. */
  readonly refused: Set<string>;
}

/** A transfer, and the signer account that is to pay it as it is with it. */
export interface PlannedTransfer {
  readonly transfer: ChainTransferRow;
  readonly turn: Turn;
  readonly carrier: OpenSignerAccount;
}

/**
 * Finds the signer account that is to pay a transfer that waits: the one with the fewest nonces in no block of those that
 * can. Null where none can now. The transfer is given up only where a signer account that could pay found that the token
 * lets nothing go there, no other can, and all of them could be asked; whatever else is wrong holds it.
 */
export async function planTransfer(
  deps: ChainDeps,
  { funds, unread, refused }: CarryRound,
  signerAccounts: readonly OpenSignerAccount[],
  transfer: ChainTransferRow,
): Promise<PlannedTransfer | null> {
  const fees = await funds.fees();
  if (fees === null) {
    await leaveWaiting(deps, transfer, { hold: 'NETWORK_CONGESTED' });
    return null;
  }
  let hasFailed = false;
  let isAnyUnread = false;
  for (const signerAccount of leastBusyFirst(signerAccounts)) {
    const name = `${signerAccount.key.address} ${transfer.contract}`;
    if (refused.has(name)) continue;
    const answer = await unread.past(transfer.reference, () =>
      askSignerAccount(deps, funds, signerAccount, transfer, fees),
    );
    if (answer === null) isAnyUnread = true;
    else if (answer.kind === 'SEND') {
      return { transfer, turn: answer, carrier: busier(signerAccount, transfer, answer) };
    } else if (answer.kind === 'FAILS') hasFailed = true;
    else if (answer.kind === 'REFUSED') {
      refused.add(name);
      const { contract } = transfer;
      deps.alarm({ kind: 'TOKEN_REFUSES', address: signerAccount.key.address, contract });
    }
  }
  if (isAnyUnread) return null;
  const change = hasFailed
    ? ({ state: 'REJECTED', hold: null, reason: 'REVERTED' } as const)
    : ({ hold: 'AWAITING_LIQUIDITY' } as const);
  await leaveWaiting(deps, transfer, change);
  return null;
}

/** Those with the fewest nonces in no block first. */
export const leastBusyFirst = (
  signerAccounts: readonly OpenSignerAccount[],
): readonly OpenSignerAccount[] =>
  signerAccounts.toSorted((one, other) => one.slots.unmined - other.slots.unmined);

function busier(
  signerAccount: OpenSignerAccount,
  { contract, amount, customerId }: ChainTransferRow,
  { gas, fees }: Turn,
): OpenSignerAccount {
  return {
    ...signerAccount,
    slots: withOneMore(signerAccount.slots, customerId),
    owed: new Map(signerAccount.owed).set(
      contract,
      (signerAccount.owed.get(contract) ?? 0n) + amount,
    ),
    gasOwed: signerAccount.gasOwed + gas * fees.maxFeePerGas,
  };
}

/** Writes what a transfer waits for, or that it is given up, unless it waits no more. */
export async function leaveWaiting(
  { db, clock, place }: ChainDeps,
  { reference, hold: before }: ChainTransferRow,
  change: Partial<Pick<ChainTransferRow, 'state' | 'hold' | 'reason'>>,
): Promise<void> {
  if (change.state === undefined && change.hold === before) return;
  await db.system(async (tx) => {
    if (change.state !== undefined && (await isAnySignerAccountUnsure(tx, place))) return;
    const transfer = await lockTransfer(tx, reference);
    if (transfer?.state !== 'WAITING') return;
    if (change.state === undefined && change.hold === transfer.hold) return;
    await saveTransfer(tx, { ...transfer, ...change }, clock.now());
  });
}
