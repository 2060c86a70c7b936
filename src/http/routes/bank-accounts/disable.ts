import { Type } from 'typebox';
import { disableBankAccount as disable } from '../../../bank-accounts/disable-bank-account.ts';
import type { App, HttpDeps } from '../../deps.ts';
import { answerPost } from '../../idempotent-post.ts';
import { BankAccount } from '../../schemas/bank-account.ts';
import { OptionalIdempotencyHeaders } from '../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES } from '../../schemas/error.ts';

/** POST /bank-accounts/:bankAccountId/disable */
export function disableBankAccount(app: App, deps: HttpDeps): void {
  app.post(
    '/bank-accounts/:bankAccountId/disable',
    {
      config: { permission: 'bank-accounts:write' },
      schema: {
        operationId: 'disableBankAccount',
        summary: 'Disable a bank account',
        description:
          'For good. Payments to it are refused; one that has not been sent goes ON_HOLD. ' +
          'A second time answers the same.',
        tags: ['Bank accounts'],
        headers: OptionalIdempotencyHeaders,
        params: Type.Object({
          bankAccountId: Type.String({ description: 'The id of the bank account.' }),
        }),
        response: { 200: BankAccount, ...errorResponses(IDEMPOTENCY_CODES) },
      },
    },
    (request, reply) =>
      answerPost(request, reply, deps, async (tx) => {
        const { bankAccountId } = request.params;
        return { status: 200, body: await disable(deps, tx, request.scope, bankAccountId) };
      }),
  );
}
