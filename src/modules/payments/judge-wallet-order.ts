import type { Parties } from '../../db/parties/party-store.ts';
import type { CheckedOrder } from './checked-order.ts';
import { findAssetLimitProblem } from './find-limit-problem.ts';
import { missing, problem } from './order-problem.ts';
import type { PaymentOrder } from './payment-order.ts';
import type { ServedCorridors } from './served-corridors.ts';

const AT = '/walletId';

const MISSING_WALLET: CheckedOrder = {
  ...{ problems: [missing(AT)], corridor: null, rail: null, hasCost: false },
};

/**
 * What is in the way of an order to a wallet: the wallet is the end-user's or the customer's own, ACTIVE, and
 * on a network over which the environment pays the asset, within the limits that are listed for it.
 */
export function judgeWalletOrder(
  order: PaymentOrder,
  parties: Parties,
  served: Pick<ServedCorridors, 'assetsOf'>,
): CheckedOrder {
  const { walletStatus, walletOwner, network, endUserStatus } = parties;
  const isOwned = walletOwner === null || endUserStatus === null || walletOwner === order.endUserId;
  if (walletStatus === null || network === null || !isOwned) return MISSING_WALLET;
  const assets = served.assetsOf(network);
  const listed = assets?.find(({ asset }) => asset === order.currency) ?? null;
  const limit = listed && findAssetLimitProblem(order, listed);
  const noWay = "Nothing is paid over the wallet's network now.";
  const problems = [
    ...(walletStatus === 'ACTIVE'
      ? []
      : [problem('wallet_not_active', AT, 'The wallet is not ACTIVE.')]),
    ...(assets === null ? [problem('corridor_unavailable', AT, noWay)] : []),
    ...(assets !== null && listed === null
      ? [problem('unsupported_asset', '/asset', "The asset is not paid on the wallet's network.")]
      : []),
    ...(limit === null ? [] : [limit]),
  ];
  const hasCost = listed !== null && limit === null;
  return { problems, corridor: null, rail: network, hasCost };
}
