import { Type } from 'typebox';
import { viewBankAccount } from '../../../../modules/parties/bank-accounts/bank-account-view.ts';
import { listBankAccounts as list } from '../../../../db/parties/bank-account-store.ts';
import { RAILS } from '../../../../domain/payments/corridors/rail.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { listAnswer, pageRequest } from '../../../../web/kit/http/lists.ts';
import { BankAccount, BankAccountStatus } from '../../../schemas/bank-account.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { CountryCode } from '../../../schemas/person.ts';
import { listOf, listQuery } from '../../../schemas/list.ts';

const LIST = 'bank-accounts';

/** GET /bank-accounts */
export function listBankAccounts(app: App, deps: HttpDeps): void {
  app.get(
    '/bank-accounts',
    {
      config: { permission: 'bank-accounts:read' },
      schema: {
        operationId: 'listBankAccounts',
        summary: 'List bank accounts',
        tags: ['Bank accounts'],
        querystring: listQuery({
          endUserId: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 100,
              description: 'Returns only items of this end-user.',
            }),
          ),
          status: Type.Optional(BankAccountStatus),
          country: Type.Optional(
            CountryCode('Returns only accounts in this country, a two-letter ISO 3166-1 code.'),
          ),
          currency: Type.Optional(
            Type.String({
              pattern: '^[A-Z]{3}$',
              'x-error': { pattern: 'unsupported_currency' },
              description: 'Returns only accounts in this currency, a three-letter ISO 4217 code.',
              examples: ['EUR'],
            }),
          ),
          rail: Type.Optional(
            Type.Enum(RAILS, {
              title: 'Rail',
              type: 'string',
              description: 'Returns only accounts on this rail.',
            }),
          ),
        }),
        response: {
          200: listOf(BankAccount, 'Bank accounts, newest first.'),
          ...errorResponses(['unsupported_country', 'unsupported_currency', 'invalid_cursor']),
        },
      },
    },
    async ({ scope, query }) => {
      const page = await deps.db.list(scope, (tx) =>
        list(tx, scope, query, pageRequest(query, LIST)),
      );
      return listAnswer(page, LIST, (row) => viewBankAccount(row, deps.vault));
    },
  );
}
