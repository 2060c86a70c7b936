import { Type } from 'typebox';
import { disableWallet as disable } from '../../../../modules/parties/wallets/disable-wallet.ts';
import { walletOwner } from '../../../../modules/parties/wallets/wallet-owner.ts';
import { viewWallet } from '../../../../modules/parties/wallets/wallet-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { answerPost } from '../../../idempotent-post.ts';
import { requireVersionOf } from '../../../if-match.ts';
import { ActionHeaders } from '../../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES, IF_MATCH_CODES } from '../../../schemas/error.ts';
import { Wallet } from '../../../schemas/wallet.ts';

/** POST /wallets/:walletId/disable */
export function disableWallet(app: App, deps: HttpDeps): void {
  const { vault, settings } = deps;
  app.post(
    '/wallets/:walletId/disable',
    {
      config: { permission: 'wallets:write' },
      schema: {
        operationId: 'disableWallet',
        summary: 'Disable a wallet',
        description:
          'Disables the wallet permanently. New payments to it are refused, and a payment that has not been sent goes ON_HOLD. Repeating the request returns the same answer. You can register the same address again.',
        tags: ['Wallets'],
        headers: ActionHeaders,
        params: Type.Object({ walletId: Type.String({ description: 'The id of the wallet.' }) }),
        response: {
          200: Wallet,
          ...errorResponses([...IDEMPOTENCY_CODES, ...IF_MATCH_CODES], { body: true }),
        },
      },
    },
    (request, reply) => {
      const requireVersion = requireVersionOf(request);
      return answerPost(request, reply, deps, async (tx) => {
        const row = await disable(deps, tx, request.scope, request.params.walletId, requireVersion);
        const body = viewWallet(row, { vault, publicUrl: settings.publicUrl });
        return { status: 200, body, subject: walletOwner(row) };
      });
    },
  );
}
