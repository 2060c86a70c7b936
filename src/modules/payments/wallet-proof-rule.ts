import type { ScopedTransaction } from '../../db/client/database.ts';
import { readRates } from '../../db/payments/fx-rate-store.ts';
import type { Parties } from '../../db/parties/party-store.ts';
import type { PaymentRow } from '../../db/payments/payment-store.ts';
import { lockWalletSums, readWalletSums } from '../../db/parties/wallet-sum-store.ts';
import {
  isProofDue,
  LINKED_PAYMENTS_MS,
  PROOF_CURRENCY,
  type WalletProofPolicy,
} from '../../domain/onchain/wallet-proof-policy.ts';
import type { Problem } from '../../domain/errors/refusal.ts';
import type { Money } from '../../domain/ledger/movements.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import type { Scope } from '../../domain/scope.ts';
import { problem } from './order-problem.ts';
import type { PaymentOrder } from './payment-order.ts';

const AT = '/walletId';

/** The address of a wallet that its owner keeps and has not proved to be theirs; null of any other. */
function unprovedAddress(parties: Parties): string | null {
  const isUnproved = parties.walletOwnership === 'SELF_HOSTED' && parties.walletProvedAt === null;
  return isUnproved ? parties.address : null;
}

/** What is in the way of orders to wallets beside the wallets' own state. */
export interface WalletProofRule {
  /** What is in the way of an order, as far as those taken before it in this transaction leave it. */
  find(order: PaymentOrder, parties: Parties): readonly Problem[];
  /** Counts an order that nothing is in the way of with those after it. */
  take(order: PaymentOrder, parties: Parties): void;
}

/**
 * Reads what was paid lately to the addresses of orders whose ownership is not proved. Where orders are accepted by
 * it, acceptances to the same address wait for each other: two at once must not both find the limit far. Plain
 * orders ask the database nothing.
 */
export async function openWalletProofRule(
  policy: WalletProofPolicy,
  tx: ScopedTransaction,
  scope: Scope,
  {
    parties,
    at,
    isToAccept,
  }: { readonly parties: readonly Parties[]; readonly at: Date; readonly isToAccept: boolean },
): Promise<WalletProofRule> {
  const isAsked = policy.from !== null;
  const addresses = isAsked ? parties.flatMap((one) => unprovedAddress(one) ?? []) : [];
  if (addresses.length > 0 && isToAccept) await lockWalletSums(tx, scope, addresses);
  const after = new Date(at.getTime() - LINKED_PAYMENTS_MS);
  const spent =
    addresses.length > 0 ? await readWalletSums(tx, scope, addresses, { after, until: null }) : [];
  const legs = addresses.length > 0 ? await readRates(tx) : [];
  const paid = new Map<string, Money[]>();
  const add = (address: string, { currency, minor }: Money) =>
    paid.set(address, [...(paid.get(address) ?? []), { currency, minor }]);
  for (const sum of spent) add(sum.address, sum);
  return {
    find(order, own) {
      const address = unprovedAddress(own);
      const sums = [...(paid.get(address ?? '') ?? []), moneyOf(order)];
      const isProofNeeded = address !== null && isProofDue(policy, sums, legs, at);
      return [
        ...coolOffProblems(policy, own, at),
        ...(isProofNeeded ? [notProved(policy.from ?? 0n)] : []),
      ];
    },
    take(order, own) {
      const address = unprovedAddress(own);
      if (address !== null) add(address, moneyOf(order));
    },
  };
}

const moneyOf = ({ unit, amount }: Pick<PaymentOrder, 'unit' | 'amount'>): Money => ({
  currency: unit,
  minor: amount,
});

function coolOffProblems(
  { coolOffMs }: WalletProofPolicy,
  { walletCreatedAt }: Parties,
  at: Date,
): Problem[] {
  const from = walletCreatedAt && new Date(walletCreatedAt.getTime() + coolOffMs);
  if (from === null || at >= from) return [];
  const message = 'The wallet is too new to be paid. Try again after the time in `meta`.';
  return [{ ...problem('wallet_cooling_off', AT, message), meta: { from: from.toISOString() } }];
}

const notProved = (from: bigint): Problem => ({
  path: AT,
  code: 'wallet_not_proved',
  message: 'Prove the ownership of the wallet first with POST /wallets/{walletId}/verify.',
  meta: {
    ...{ from: formatAmount(from, PROOF_CURRENCY), currency: PROOF_CURRENCY },
    hours: LINKED_PAYMENTS_MS / 3_600_000,
  },
});

/**
 * Whether a payment that was accepted must wait for a proof: when the policy became stricter, or what was accepted
 * with it comes to more. It is counted with those that were accepted before it.
 */
export async function isProofMissing(
  policy: WalletProofPolicy,
  tx: ScopedTransaction,
  scope: Scope,
  payment: Pick<PaymentRow, 'createdAt'>,
  parties: Parties,
  at: Date,
): Promise<boolean> {
  const address = unprovedAddress(parties);
  if (policy.from === null || address === null) return false;
  const until = payment.createdAt;
  const after = new Date(until.getTime() - LINKED_PAYMENTS_MS);
  const sums = await readWalletSums(tx, scope, [address], { after, until });
  return isProofDue(policy, sums, await readRates(tx), at);
}
