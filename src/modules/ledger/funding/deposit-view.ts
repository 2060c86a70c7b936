import type { DepositOnward, DepositRow } from '../../../db/onchain/deposit-store.ts';
import type { Depths, Network } from '../../../domain/onchain/network.ts';
import { creditDepthOf } from '../../../domain/onchain/credit-depth.ts';
import type {
  AppliedTo,
  DepositReason,
  DepositStatus,
} from '../../../domain/onchain/deposits/deposit.ts';
import type { EventDraft } from '../../../domain/webhooks/events/envelope.ts';
import { formatAmount } from '../../../domain/money/amount.ts';
import type { EventType } from '../../../domain/webhooks/event-types.ts';

/** A deposit as events show it: not who sent it. */
interface DepositFacts {
  readonly id: string;
  readonly network: Network;
  readonly asset: string;
  /** Major units. */
  readonly amount: string;
  /** The address that it came to. */
  readonly address: string;
  readonly txHash: string;
  readonly status: DepositStatus;
  readonly appliedTo: AppliedTo | null;
  readonly reason: DepositReason | null;
  /** Whose address it came to: a payment's, or a standing one. */
  readonly paymentId: string | null;
  readonly depositAddressId: string | null;
  /** What became of one that its address pays on, or its payment refunds; null where neither, or not judged yet. */
  readonly onward: DepositOnward | null;
  /** The timestamp of the block that holds it, or held it last. */
  readonly minedAt: string;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A deposit as the API shows it. */
interface DepositView extends DepositFacts {
  readonly from: string;
  /** `need` is null where the network's own tag says when it counts. While it is SEEN, it is what is waited for. */
  readonly confirmations: { readonly have: number; readonly need: number | null };
}

/** How far a deposit's network is read. */
export interface ReadSoFar {
  /** The newest block that was read; null where none was. */
  readonly head: bigint | null;
  /** Null where the network is not configured any more. */
  readonly depths: Depths | null;
  /** Minor units of the customer's that do not lie as deep there as large amounts must. */
  readonly young: bigint;
}

export function viewDeposit(row: DepositRow, { head, depths, young }: ReadSoFar): DepositView {
  // One that is split over several transfers waits as long as it would in one.
  const amount = row.status === 'SEEN' && young > row.amount ? young : row.amount;
  const depth = depths === null ? null : creditDepthOf(depths, amount);
  const isInChain = row.status !== 'ORPHANED' && head !== null && head > row.blockNumber;
  return {
    ...facts(row),
    from: row.from,
    confirmations: {
      have: isInChain ? Number(head - row.blockNumber) : 0,
      need: depth?.kind === 'BLOCKS' ? depth.blocks : null,
    },
  };
}

/** The event of a deposit's present version. */
export const depositEvent = (
  type: Extract<EventType, `deposit.${string}`>,
  row: DepositRow,
): EventDraft => ({
  type,
  resourceType: 'deposit',
  resourceId: row.id,
  resourceVersion: row.version,
  data: { ...facts(row) },
});

function facts(row: DepositRow): DepositFacts {
  const { id, network, asset, txHash, status, applied, paymentId, depositAddressId } = row;
  return {
    ...{ id, network, asset, txHash, status, paymentId, depositAddressId },
    amount: formatAmount(row.amount, asset),
    address: row.to,
    appliedTo: applied?.appliedTo ?? null,
    reason: applied?.reason ?? null,
    onward: row.onward,
    minedAt: row.blockAt.toISOString(),
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
