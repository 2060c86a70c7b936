import { Type } from 'typebox';
import { viewBankAccount } from '../../../../modules/parties/bank-accounts/bank-account-view.ts';
import { disableBankAccount as disable } from '../../../../modules/parties/bank-accounts/disable-bank-account.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { answerPost } from '../../../idempotent-post.ts';
import { requireVersionOf } from '../../../if-match.ts';
import { BankAccount } from '../../../schemas/bank-account.ts';
import { ActionHeaders } from '../../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES, IF_MATCH_CODES } from '../../../schemas/error.ts';

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
          'Disables the account permanently. New payments to it are refused, and a payment that has not been sent goes ON_HOLD. Repeating the request returns the same answer.',
        tags: ['Bank accounts'],
        headers: ActionHeaders,
        params: Type.Object({
          bankAccountId: Type.String({ description: 'The id of the bank account.' }),
        }),
        response: {
          200: BankAccount,
          ...errorResponses([...IDEMPOTENCY_CODES, ...IF_MATCH_CODES], { body: true }),
        },
      },
    },
    (request, reply) => {
      const requireVersion = requireVersionOf(request);
      const { bankAccountId } = request.params;
      return answerPost(request, reply, deps, async (tx) => {
        const row = await disable(deps, tx, request.scope, bankAccountId, requireVersion);
        const subject = { ...row, resourceId: row.id };
        return { status: 200, body: viewBankAccount(row, deps.vault), subject };
      });
    },
  );
}
