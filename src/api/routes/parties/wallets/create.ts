import type { ErrorCode } from '../../../../domain/errors/registry.ts';
import { createWallet as create } from '../../../../modules/parties/wallets/create-wallet.ts';
import { lookUpAddress } from '../../../../modules/parties/wallets/look-up-address.ts';
import { walletOwner } from '../../../../modules/parties/wallets/wallet-owner.ts';
import { viewWallet } from '../../../../modules/parties/wallets/wallet-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { answerPost } from '../../../idempotent-post.ts';
import { OptionalIdempotencyHeaders } from '../../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES } from '../../../schemas/error.ts';
import { NewWallet, Wallet } from '../../../schemas/wallet.ts';

const CODES: readonly ErrorCode[] = [
  'unsupported_network',
  'unsupported_country',
  'invalid_address',
  'address_blocked',
  'corridor_unavailable',
  'country_restricted',
  'resource_not_found',
  'end_user_not_active',
  'operators_only',
  'service_unavailable',
  ...IDEMPOTENCY_CODES,
];

/** POST /wallets */
export function createWallet(app: App, deps: HttpDeps): void {
  const { publicUrl, networks } = deps.settings;
  const { vault, corridors } = deps;
  const wallets = { ...deps, networks, restrictions: corridors.restrictions };
  app.post(
    '/wallets',
    {
      config: { permission: 'wallets:write' },
      schema: {
        operationId: 'createWallet',
        summary: 'Register a wallet',
        description:
          'Answers 201 with a new wallet. If the owner already has the wallet, answers 200 with that one and ignores the other fields. The service screens the address. A wallet whose address is clear is ACTIVE immediately. A wallet whose address is under review is PENDING. Send the same request again to check whether the address is clear.',
        tags: ['Wallets'],
        headers: OptionalIdempotencyHeaders,
        body: NewWallet,
        response: { 200: Wallet, 201: Wallet, ...errorResponses(CODES, { body: true }) },
      },
    },
    async (request, reply) => {
      const { scope, body } = request;
      const found = await lookUpAddress(wallets, scope, body);
      return answerPost(request, reply, deps, async (tx) => {
        const { row, isNew } = await create(wallets, tx, scope, body, found);
        return {
          status: isNew ? 201 : 200,
          body: viewWallet(row, { vault, publicUrl }),
          subject: walletOwner(row),
        };
      });
    },
  );
}
