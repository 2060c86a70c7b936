import { Type } from 'typebox';
import {
  judgeProof,
  verifyWallet as verify,
} from '../../../../modules/parties/wallets/verify-wallet.ts';
import { walletOwner } from '../../../../modules/parties/wallets/wallet-owner.ts';
import { viewWallet } from '../../../../modules/parties/wallets/wallet-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { answerPost } from '../../../idempotent-post.ts';
import { requireVersionOf } from '../../../if-match.ts';
import { ActionHeaders } from '../../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES, IF_MATCH_CODES } from '../../../schemas/error.ts';
import { NewProof, Wallet } from '../../../schemas/wallet.ts';

/** POST /wallets/:walletId/verify */
export function verifyWallet(app: App, deps: HttpDeps): void {
  const { vault, settings } = deps;
  const { publicUrl } = settings;
  app.post(
    '/wallets/:walletId/verify',
    {
      config: { permission: 'wallets:write' },
      schema: {
        operationId: 'verifyWallet',
        summary: 'Prove ownership of a wallet',
        description:
          'Verifies a signature over `proof.message` and sets `provedAt`. The wallet must be SELF_HOSTED, and PENDING or ACTIVE. After the wallet is proved, every further request returns the same answer.',
        tags: ['Wallets'],
        headers: ActionHeaders,
        params: Type.Object({ walletId: Type.String({ description: 'The id of the wallet.' }) }),
        body: NewProof,
        response: {
          200: Wallet,
          ...errorResponses(
            [
              'wallet_proof_invalid',
              'service_unavailable',
              ...IDEMPOTENCY_CODES,
              ...IF_MATCH_CODES,
            ],
            { body: true },
          ),
        },
      },
    },
    async (request, reply) => {
      const requireVersion = requireVersionOf(request);
      const { scope, params, body } = request;
      const { walletId } = params;
      const finding = await judgeProof({ ...deps, publicUrl }, scope, walletId, body.signature);
      return answerPost(request, reply, deps, async (tx) => {
        const row = await verify(deps, tx, scope, walletId, { finding, requireVersion });
        const answer = viewWallet(row, { vault, publicUrl });
        return { status: 200, body: answer, subject: walletOwner(row) };
      });
    },
  );
}
