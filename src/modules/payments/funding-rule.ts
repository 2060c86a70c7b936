import type { ScopedTransaction } from '../../db/client/database.ts';
import { countWaiting, lockWaiting } from '../../db/payments/payment-funding-store.ts';
import { findWallet, type WalletRow } from '../../db/parties/wallet-store.ts';
import type { ListedAsset } from '../../domain/onchain/network.ts';
import type { Problem } from '../../domain/errors/refusal.ts';
import type { Scope } from '../../domain/scope.ts';
import { missing, problem } from './order-problem.ts';
import type { OrderedFunding, PaymentOrder } from './payment-order.ts';
import type { ServedCorridors } from './served-corridors.ts';

/** Payments of one end-user that wait for a deposit at a time: each is an address that is watched. */
export const WAITING_MAX = 50;

/** What is in the way of orders that deposits are to pay for. */
export interface FundingRule {
  /** What is in the way of an order, as far as those taken before it in this transaction leave it. */
  find(order: PaymentOrder): readonly Problem[];
  /** Counts an order that nothing is in the way of with those after it. */
  take(order: PaymentOrder): void;
}

/**
 * Reads how many payments of the orders' end-users wait for a deposit. Where orders are accepted by it, acceptances
 * for the same end-user wait for each other: two at once must not both be the last one. Orders that balances pay ask
 * the database nothing.
 */
export async function openFundingRule(
  { depositsOf, assetsOf }: Pick<ServedCorridors, 'depositsOf' | 'assetsOf'>,
  tx: ScopedTransaction,
  scope: Scope,
  {
    orders,
    isToAccept,
  }: { readonly orders: readonly PaymentOrder[]; readonly isToAccept: boolean },
): Promise<FundingRule> {
  const endUserIds = orders.flatMap(({ funding, endUserId }) =>
    funding === null ? [] : endUserId,
  );
  if (endUserIds.length > 0 && isToAccept) await lockWaiting(tx, scope, endUserIds);
  const waiting =
    endUserIds.length > 0 ? await countWaiting(tx, scope, endUserIds) : new Map<string, number>();
  const wallets = new Map<string, WalletRow | null>();
  for (const id of new Set(orders.flatMap(({ funding }) => funding?.refundWalletId ?? []))) {
    wallets.set(id, await findWallet(tx, scope, id));
  }
  return {
    find({ funding, endUserId }) {
      if (funding === null) return [];
      const { refundWalletId } = funding;
      const wallet = refundWalletId === null ? null : (wallets.get(refundWalletId) ?? null);
      const listed = depositsOf(funding.network);
      const isFull = (waiting.get(endUserId) ?? 0) >= WAITING_MAX;
      return [
        ...networkProblems(listed, funding),
        ...(refundWalletId === null
          ? []
          : refundProblems(wallet, { ...funding, endUserId }, assetsOf)),
        ...(isFull ? [TOO_MANY] : []),
      ];
    },
    take({ funding, endUserId }) {
      if (funding !== null) waiting.set(endUserId, (waiting.get(endUserId) ?? 0) + 1);
    },
  };
}

const TOO_MANY = {
  ...problem(
    'limit_reached',
    '/funding',
    'The end-user has too many payments that await a deposit. Wait until one ends, or cancel one.',
  ),
  meta: { max: WAITING_MAX },
};

function networkProblems(
  listed: readonly ListedAsset[] | null,
  { asset }: OrderedFunding,
): Problem[] {
  if (listed === null) {
    return [
      problem(
        'corridor_unavailable',
        '/funding/network',
        'The network does not accept deposits now. Try again later.',
      ),
    ];
  }
  return listed.some((one) => one.asset === asset)
    ? []
    : [
        problem(
          'unsupported_asset',
          '/funding/asset',
          'The asset is not supported on the network. Use an asset that GET /networks lists for it.',
        ),
      ];
}

/** Judged again when something is refunded: the wallet may be disabled by then. */
function refundProblems(
  wallet: WalletRow | null,
  { asset, endUserId }: OrderedFunding & { readonly endUserId: string },
  assetsOf: ServedCorridors['assetsOf'],
): Problem[] {
  const at = '/funding/refundWalletId';
  if (wallet === null || (wallet.endUserId !== null && wallet.endUserId !== endUserId)) {
    return [missing(at)];
  }
  const assets = assetsOf(wallet.network);
  const unpaid = 'The asset is not supported on the network of the wallet.';
  return [
    ...(wallet.status === 'ACTIVE'
      ? []
      : [problem('wallet_not_active', at, 'The wallet is not ACTIVE. Use an ACTIVE wallet.')]),
    ...(assets?.some((one) => one.asset === asset)
      ? []
      : [problem('unsupported_asset', at, unpaid)]),
  ];
}
