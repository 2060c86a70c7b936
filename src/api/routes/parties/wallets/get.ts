import { Type } from 'typebox';
import { findWallet } from '../../../../db/parties/wallet-store.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import { viewWallet } from '../../../../modules/parties/wallets/wallet-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { Wallet } from '../../../schemas/wallet.ts';

/** GET /wallets/:walletId */
export function getWallet(app: App, { db, vault, settings }: HttpDeps): void {
  const { publicUrl } = settings;
  app.get(
    '/wallets/:walletId',
    {
      config: { permission: 'wallets:read' },
      schema: {
        operationId: 'getWallet',
        summary: 'Read a wallet',
        tags: ['Wallets'],
        params: Type.Object({ walletId: Type.String({ description: 'The id of the wallet.' }) }),
        response: { 200: Wallet, ...errorResponses([]) },
      },
    },
    async ({ scope, params }) => {
      const row = await db.read(scope, (tx) => findWallet(tx, scope, params.walletId));
      return viewWallet(requireFound(row), { vault, publicUrl });
    },
  );
}
