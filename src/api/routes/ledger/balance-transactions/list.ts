import { Type } from 'typebox';
import { balanceTransactionView } from '../../../../modules/ledger/balances/balance-transaction-view.ts';
import { listBalanceTransactions as list } from '../../../../db/ledger/balance-transaction-list-store.ts';
import {
  accountOf,
  CUSTOMER_ACCOUNTS,
  kindsOf,
} from '../../../../domain/ledger/balance-transaction.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { listAnswer, pageRequest } from '../../../../web/kit/http/lists.ts';
import {
  BalanceName,
  BalanceTransaction,
  BalanceTransactionType,
} from '../../../schemas/balance-transaction.ts';
import { UnitFilter } from '../../../schemas/common.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { listOf, listQuery, Moment } from '../../../schemas/list.ts';
import { readMoments } from '../../read-moments.ts';

const LIST = 'balance-transactions';

/** GET /balance-transactions: every change of every balance. */
export function listBalanceTransactions(app: App, deps: HttpDeps): void {
  app.get(
    '/balance-transactions',
    {
      config: { permission: 'balances:read' },
      schema: {
        operationId: 'listBalanceTransactions',
        summary: 'List balance transactions',
        description:
          'Lists transactions, newest first. For each currency and balance, `balanceAfter` is the `balanceAfter` of the next row in the list plus `amount`.',
        tags: ['Balances'],
        querystring: listQuery({
          currency: Type.Optional(UnitFilter('Transactions in it.')),
          balance: Type.Optional(BalanceName),
          type: Type.Optional(BalanceTransactionType),
          paymentId: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 255,
              description: 'Returns only transactions of this payment.',
            }),
          ),
          createdAfter: Moment('Returns only transactions booked after this time.'),
          createdBefore: Moment('Returns only transactions booked before this time.'),
        }),
        response: {
          200: listOf(BalanceTransaction, 'Balance transactions, newest first.'),
          ...errorResponses(['invalid_cursor', 'unsupported_currency']),
        },
      },
    },
    async ({ scope, query }) => {
      const { currency, balance, type, paymentId } = query;
      const filter = {
        accounts: balance === undefined ? CUSTOMER_ACCOUNTS : [accountOf(balance)],
        kinds: kindsOf(type),
        isNarrowed: balance !== undefined || type !== undefined,
        ...(currency === undefined ? {} : { currency }),
        ...(paymentId === undefined ? {} : { paymentId }),
        ...readMoments(query),
      };
      const page = await deps.db.list(scope, (tx) =>
        list(tx, scope, filter, pageRequest(query, LIST)),
      );
      return listAnswer(page, LIST, balanceTransactionView);
    },
  );
}
