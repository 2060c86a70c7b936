import { Type } from 'typebox';
import { viewBankAccount } from '../../../../modules/parties/bank-accounts/bank-account-view.ts';
import { findBankAccount } from '../../../../db/parties/bank-account-store.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { BankAccount } from '../../../schemas/bank-account.ts';
import { errorResponses } from '../../../schemas/error.ts';

/** GET /bank-accounts/:bankAccountId */
export function getBankAccount(app: App, deps: HttpDeps): void {
  app.get(
    '/bank-accounts/:bankAccountId',
    {
      config: { permission: 'bank-accounts:read' },
      schema: {
        operationId: 'getBankAccount',
        summary: 'Read a bank account',
        tags: ['Bank accounts'],
        params: Type.Object({
          bankAccountId: Type.String({ description: 'The id of the bank account.' }),
        }),
        response: { 200: BankAccount, ...errorResponses([]) },
      },
    },
    async (request) => {
      const { scope, params } = request;
      const row = await deps.db.read(scope, (tx) =>
        findBankAccount(tx, scope, params.bankAccountId),
      );
      return viewBankAccount(requireFound(row), deps.vault);
    },
  );
}
