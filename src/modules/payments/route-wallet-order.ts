import type { Parties } from '../../db/parties/party-store.ts';
import type { Problem } from '../../domain/errors/refusal.ts';
import { findAssetLimitProblem } from './find-limit-problem.ts';
import type { OrderRoute } from './order-check.ts';
import { missing, problem } from './order-problem.ts';
import type { PaymentOrder } from './payment-order.ts';
import type { ServedCorridors } from './served-corridors.ts';

const AT = '/walletId';

/** The route of an order, and the problems found on it. */
export interface Routed {
  readonly route: OrderRoute;
  readonly problems: readonly Problem[];
}

export const NO_ROUTE: OrderRoute = {
  ...{ corridor: null, destination: null, country: null, isPriceable: false },
};

const MISSING_WALLET: Routed = { route: NO_ROUTE, problems: [missing(AT)] };

/**
 * Routes an order to a wallet. The wallet must be the end-user's or the customer's own, ACTIVE, and on a network over
 * which the environment pays the asset, within the limits that are listed for it.
 */
export function routeToWallet(
  order: PaymentOrder,
  walletId: string,
  parties: Parties,
  served: Pick<ServedCorridors, 'assetsOf'>,
): Routed {
  const { walletStatus, walletOwner, network, endUserStatus } = parties;
  const isOwned = walletOwner === null || endUserStatus === null || walletOwner === order.endUserId;
  if (walletStatus === null || network === null || !isOwned) return MISSING_WALLET;
  const assets = served.assetsOf(network);
  const listed = assets?.find(({ asset }) => asset === order.unit) ?? null;
  const limit = listed && findAssetLimitProblem(order, listed);
  const noWay = 'The network of the wallet is not available now. Try again later.';
  const problems = [
    ...(walletStatus === 'ACTIVE'
      ? []
      : [problem('wallet_not_active', AT, 'The wallet is not ACTIVE. Use an ACTIVE wallet.')]),
    ...(assets === null ? [problem('corridor_unavailable', AT, noWay)] : []),
    ...(assets !== null && listed === null
      ? [
          problem(
            'unsupported_asset',
            '/asset',
            'The asset is not supported on the network of the wallet.',
          ),
        ]
      : []),
    ...(limit === null ? [] : [limit]),
  ];
  const isPriceable = listed !== null && limit === null;
  const destination = { kind: 'WALLET', walletId, network } as const;
  return { route: { ...NO_ROUTE, destination, isPriceable }, problems };
}
