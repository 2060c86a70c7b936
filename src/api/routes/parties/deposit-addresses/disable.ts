import { Type } from 'typebox';
import { viewDepositAddress } from '../../../../modules/parties/deposit-addresses/deposit-address-view.ts';
import { disableDepositAddress as disable } from '../../../../modules/parties/deposit-addresses/disable-deposit-address.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { answerPost } from '../../../idempotent-post.ts';
import { requireVersionOf } from '../../../if-match.ts';
import { ActionHeaders } from '../../../schemas/common.ts';
import { DepositAddress } from '../../../schemas/deposit-address.ts';
import { errorResponses, IDEMPOTENCY_CODES, IF_MATCH_CODES } from '../../../schemas/error.ts';

/** POST /deposit-addresses/:depositAddressId/disable */
export function disableDepositAddress(app: App, deps: HttpDeps): void {
  app.post(
    '/deposit-addresses/:depositAddressId/disable',
    {
      config: { permission: 'deposits:write' },
      schema: {
        operationId: 'disableDepositAddress',
        summary: 'Disable a deposit address',
        description:
          'Disables the address permanently. Later deposits are still credited to your balance, but not paid on. Repeating the request returns the same answer.',
        tags: ['Deposits'],
        headers: ActionHeaders,
        params: Type.Object({
          depositAddressId: Type.String({ description: 'The id of the deposit address.' }),
        }),
        response: {
          200: DepositAddress,
          ...errorResponses([...IDEMPOTENCY_CODES, ...IF_MATCH_CODES], { body: true }),
        },
      },
    },
    (request, reply) => {
      const requireVersion = requireVersionOf(request);
      const { scope, params } = request;
      return answerPost(request, reply, deps, async (tx) => {
        const row = await disable(deps, tx, scope, params.depositAddressId, requireVersion);
        const body = viewDepositAddress(row, deps.settings.networks[scope.environment]);
        return { status: 200, body, subject: null };
      });
    },
  );
}
