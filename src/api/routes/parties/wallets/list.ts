import { Type } from 'typebox';
import { listWallets as list } from '../../../../db/parties/wallet-store.ts';
import { NETWORKS } from '../../../../domain/onchain/network.ts';
import { viewWallet } from '../../../../modules/parties/wallets/wallet-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { listAnswer, pageRequest } from '../../../../web/kit/http/lists.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { listOf, listQuery } from '../../../schemas/list.ts';
import { Wallet, WalletStatus } from '../../../schemas/wallet.ts';

const LIST = 'wallets';

/** GET /wallets */
export function listWallets(app: App, { db, vault, settings }: HttpDeps): void {
  const { publicUrl } = settings;
  app.get(
    '/wallets',
    {
      config: { permission: 'wallets:read' },
      schema: {
        operationId: 'listWallets',
        summary: 'List wallets',
        tags: ['Wallets'],
        querystring: listQuery({
          endUserId: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 100,
              description: 'Returns only items of this end-user.',
            }),
          ),
          status: Type.Optional(WalletStatus),
          network: Type.Optional(
            Type.Enum(NETWORKS, {
              title: 'NetworkName',
              type: 'string',
              description: 'Returns only items on this network.',
            }),
          ),
        }),
        response: {
          200: listOf(Wallet, 'Wallets, newest first.'),
          ...errorResponses(['invalid_cursor']),
        },
      },
    },
    async ({ scope, query }) => {
      const page = await db.list(scope, (tx) => list(tx, scope, query, pageRequest(query, LIST)));
      return listAnswer(page, LIST, (row) => viewWallet(row, { vault, publicUrl }));
    },
  );
}
