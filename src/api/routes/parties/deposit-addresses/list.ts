import { Type } from 'typebox';
import { listDepositAddresses as list } from '../../../../db/parties/deposit-address-store.ts';
import { viewDepositAddress } from '../../../../modules/parties/deposit-addresses/deposit-address-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { listAnswer, pageRequest } from '../../../../web/kit/http/lists.ts';
import { DepositAddress, DepositAddressStatus } from '../../../schemas/deposit-address.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { listOf, listQuery } from '../../../schemas/list.ts';

const LIST = 'deposit-addresses';

/** GET /deposit-addresses */
export function listDepositAddresses(app: App, { db, settings }: HttpDeps): void {
  app.get(
    '/deposit-addresses',
    {
      config: { permission: 'deposits:read' },
      schema: {
        operationId: 'listDepositAddresses',
        summary: 'List deposit addresses',
        tags: ['Deposits'],
        querystring: listQuery({
          endUserId: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 100,
              description: 'Returns only items of this end-user.',
            }),
          ),
          status: Type.Optional(DepositAddressStatus),
        }),
        response: {
          200: listOf(DepositAddress, 'Deposit addresses, newest first.'),
          ...errorResponses(['invalid_cursor']),
        },
      },
    },
    async ({ scope, query }) => {
      const networks = settings.networks[scope.environment];
      const page = await db.list(scope, (tx) => list(tx, scope, query, pageRequest(query, LIST)));
      return listAnswer(page, LIST, (row) => viewDepositAddress(row, networks));
    },
  );
}
