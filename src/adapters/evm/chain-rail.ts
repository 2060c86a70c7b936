import {
  decodeChainOrder,
  encodeChainOrder,
  type ChainOrder,
} from '../../domain/onchain/chain-order.ts';
import type { Network } from '../../domain/onchain/network.ts';
import type { ListedNetwork } from '../../domain/onchain/network-setup.ts';
import { parseAmount } from '../../domain/money/amount.ts';
import { isWalletOrder, type TransferOrder } from '../../domain/payments/transfer-order.ts';
import type { TransferReport } from '../../domain/payments/transfer-report.ts';
import type { PayoutConnector } from '../../domain/payments/connector.ts';

/** Where a transfer stands in the book that signer accounts are fed from. */
interface BookedTransfer {
  readonly state: 'WAITING' | 'CARRIED' | 'SETTLED' | 'FINAL' | 'REJECTED';
  /** Why it waits, where that is not its turn. */
  readonly hold: string | null;
  readonly reason: string | null;
  /** The transaction that moved it. */
  readonly hash: string | null;
}

/** The book of transfers, which the database keeps. Both throw where it does not answer. */
export interface ChainBook {
  /**
   * Takes an order, once. TAKEN: it is there with these bytes, now or since before. OTHER: it is there with
   * other bytes. UNKNOWN: no payment of that reference goes there.
   */
  take(order: ChainOrder, body: Uint8Array): Promise<'TAKEN' | 'OTHER' | 'UNKNOWN'>;
  /** Null where none of that reference was taken. */
  find(reference: string): Promise<BookedTransfer | null>;
  /** Has the network looked at soon. What is lost here, the next poll cycle finds all the same. */
  wake(network: Network): void;
}

interface ChainRailOptions {
  /** Those of one environment. */
  readonly networks: readonly Pick<ListedNetwork, 'network' | 'assets'>[];
  readonly book: ChainBook;
}

/**
 * The rail of every configured network. It keeps a bank's contract: an order is committed before it is
 * submitted, submitted once or more under its reference, and asked about; nothing here signs or sends. Its
 * answers are those of the book, so whatever the book does not answer is SILENCE.
 */
export function createChainRail({ networks, book }: ChainRailOptions): PayoutConnector {
  return {
    name: 'chain',
    capabilities: { rails: networks.map(({ network }) => network) },

    encode: (order) => encodeChainOrder(toChainOrder(networks, order)),

    async submit({ reference, encodedTransfer }) {
      const order = decodeChainOrder(encodedTransfer);
      if (order?.reference !== reference) return { kind: 'REFUSED', why: 'OTHER_ORDER' };
      try {
        const taken = await book.take(order, encodedTransfer);
        if (taken !== 'TAKEN') return { kind: 'REFUSED', why: `${taken}_ORDER` };
        const booked = await book.find(reference);
        if (booked === null) return { kind: 'SILENCE', why: 'NO_BOOK' };
        const taking = networks.find(({ network }) => network === order.network);
        if (taking !== undefined) book.wake(taking.network);
        return { kind: 'REPORT', report: reportOf(booked) };
      } catch {
        return { kind: 'SILENCE', why: 'NO_BOOK' };
      }
    },

    async ask(reference) {
      try {
        const booked = await book.find(reference);
        return booked === null
          ? { kind: 'NEVER_SEEN' }
          : { kind: 'REPORT', report: reportOf(booked) };
      } catch {
        return { kind: 'SILENCE', why: 'NO_BOOK' };
      }
    },
  };
}

/** What the rail is to do for a payment. Throws for what acceptance and release refuse. */
function toChainOrder(networks: ChainRailOptions['networks'], order: TransferOrder): ChainOrder {
  if (!isWalletOrder(order)) throw new TypeError('A network pays only wallets.');
  const { reference, network, asset, address: to } = order;
  const listed = networks
    .find((one) => one.network === network)
    ?.assets.find((one) => one.asset === asset);
  if (listed === undefined) throw new RangeError('The asset is not listed on the network.');
  const amount = parseAmount(order.amount, asset);
  if (!amount.ok) throw new RangeError('The amount is not valid for the asset.');
  return { reference, network, asset, contract: listed.contract, to, amount: amount.minor };
}

const STATUSES = {
  WAITING: 'ACCEPTED',
  CARRIED: 'ACCEPTED',
  SETTLED: 'SETTLED',
  FINAL: 'SETTLED',
  REJECTED: 'REJECTED',
} as const;

function reportOf({ state, hold, reason, hash }: BookedTransfer): TransferReport {
  const status = STATUSES[state];
  return {
    status,
    bankReference: hash,
    reason: status === 'ACCEPTED' ? hold : reason,
    returnedAmount: null,
    at: null,
  };
}
