import { Type } from 'typebox';
import { listDeposits as list } from '../../../../db/onchain/deposit-list-store.ts';
import { viewDeposit } from '../../../../modules/ledger/funding/deposit-view.ts';
import { readSoFar } from '../../../../modules/onchain/deposits/read-so-far.ts';
import { NETWORKS } from '../../../../domain/onchain/network.ts';
import { DEPOSIT_STATUSES } from '../../../../domain/onchain/deposits/deposit.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { listAnswer, pageRequest } from '../../../../web/kit/http/lists.ts';
import { Deposit } from '../../../schemas/deposit.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { listOf, listQuery, Moment } from '../../../schemas/list.ts';
import { readMoments } from '../../read-moments.ts';

const LIST = 'deposits';

const Id = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }));

/** GET /deposits */
export function listDeposits(app: App, { db, settings }: HttpDeps): void {
  app.get(
    '/deposits',
    {
      config: { permission: 'deposits:read' },
      schema: {
        operationId: 'listDeposits',
        summary: 'List deposits',
        tags: ['Deposits'],
        querystring: listQuery({
          endUserId: Id(
            'Returns only deposits to an address of this end-user or of one of their payments.',
          ),
          paymentId: Id('Returns only deposits to the address of this payment.'),
          depositAddressId: Id('Returns only deposits to this deposit address.'),
          network: Type.Optional(
            Type.Enum(NETWORKS, {
              title: 'NetworkName',
              type: 'string',
              description: 'Returns only items on this network.',
            }),
          ),
          asset: Type.Optional(
            Type.String({
              pattern: '^[A-Z]{4}$',
              description: 'Returns only deposits of this asset.',
              examples: ['USDC'],
            }),
          ),
          status: Type.Optional(
            Type.Enum(DEPOSIT_STATUSES, {
              title: 'DepositStatus',
              type: 'string',
              description: 'Returns only deposits with this status.',
            }),
          ),
          createdAfter: Moment('Returns only deposits first seen after this time.'),
          createdBefore: Moment('Returns only deposits first seen before this time.'),
        }),
        response: {
          200: listOf(Deposit, 'Deposits, newest first.'),
          ...errorResponses(['invalid_cursor']),
        },
      },
    },
    ({ scope, query }) =>
      db.list(scope, async (tx) => {
        const filter = { ...query, ...readMoments(query) };
        const page = await list(tx, scope, filter, pageRequest(query, LIST));
        const listed = settings.networks[scope.environment];
        const soFar = await readSoFar(tx, scope, listed, page.items);
        return listAnswer(page, LIST, (row) => viewDeposit(row, soFar(row.network)));
      }),
  );
}
