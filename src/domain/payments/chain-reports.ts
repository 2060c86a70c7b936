import { assertNever } from '../assert-never.ts';
import type { PaymentChange, PaymentReference } from './payment.ts';
import type { StatusDetail } from './payment-states.ts';
import type { TransferReport } from './transfer-report.ts';

/**
 * Why the rail of a network has taken a transfer on and it is not on its way, as the `reason` of ACCEPTED. STALLED:
 * it was sent, no block holds it, and its fees cannot be raised any more; or its wallet was rejected or disabled before
 * it was sent. SIGNING_STOPPED: no hot address of the network signs now, or what they may sign for within an hour, in all or
 * for the customer, is used up. Operators act.
 */
const CHAIN_WAITS = [
  'AWAITING_LIQUIDITY',
  'NETWORK_CONGESTED',
  'SIGNING_STOPPED',
  'STALLED',
] as const;
type ChainWait = (typeof CHAIN_WAITS)[number];

/** What a report of ACCEPTED says of a payment to a wallet: that it is sent, or what it waits for. */
export const waitOf = ({ status, reason }: TransferReport): ChainWait | null =>
  status === 'ACCEPTED' ? (CHAIN_WAITS.find((wait) => wait === reason) ?? null) : null;

/**
 * How a payment is shown while its transfer waits. One that was SENT already cannot go back to PROCESSING: it
 * stays where it is, with the reason.
 */
export function waiting(wait: ChainWait, isSent: boolean): PaymentChange {
  const held = { statusDetail: wait, fundsStatus: 'HELD', hasOpenAttempt: true } as const;
  switch (wait) {
    case 'AWAITING_LIQUIDITY':
      return { ...held, status: 'ON_HOLD' };
    case 'SIGNING_STOPPED':
      // Its transaction may be signed, and behind one that is not.
      return { ...held, status: 'ON_HOLD', ...(isSent && { fundsStatus: 'IN_RAIL' }) };
    case 'STALLED':
      return { ...held, status: 'ON_HOLD', fundsStatus: 'IN_RAIL' };
    case 'NETWORK_CONGESTED':
      return isSent ? { ...held, fundsStatus: 'IN_RAIL' } : { ...held, status: 'PROCESSING' };
    default:
      return assertNever(wait);
  }
}

/** How a payment to a wallet says that it was not made. */
export const failedOnChain = (reason: string | null): StatusDetail =>
  TOLD_AS.find((detail) => detail === reason) ?? 'REJECTED_BY_BANK';

const TOLD_AS = ['VOIDED', 'REVERTED', 'QUOTE_EXPIRED'] as const;

/** The references with the hash of the transaction that counts now: one that replaces another has its place. */
export function withHash(
  refs: readonly PaymentReference[],
  hash: string | null,
): readonly PaymentReference[] {
  if (hash === null || refs.some(({ value }) => value === hash)) return refs;
  return [...refs.filter(({ type }) => type !== 'TX_HASH'), { type: 'TX_HASH', value: hash }];
}
