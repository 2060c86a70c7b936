import { Type } from 'typebox';
import { listBalances as readBalances } from '../../../../db/ledger/balance-store.ts';
import { formatAmount } from '../../../../domain/money/amount.ts';
import { unitOf } from '../../../../domain/money/unit-of.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { staticListAnswer } from '../../../static-lists.ts';
import { AmountText, Unit } from '../../../schemas/common.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { listOf, staticListQuery } from '../../../schemas/list.ts';

const Balance = Type.Object(
  {
    ...Unit('The currency or asset of the balance.'),
    available: AmountText('Can be paid out.'),
    reserved: AmountText('Held for payments that are under way.'),
    pending: AmountText('On its way in.'),
    receivable: AmountText(
      'Owed to us, zero or negative: a credit that the bank took back was spent. Whatever comes in repays it first.',
    ),
  },
  { title: 'Balance', additionalProperties: false },
);

/** GET /balances: what the customer has, by currency and asset. */
export function listBalances(app: App, deps: HttpDeps): void {
  app.get(
    '/balances',
    {
      config: { permission: 'balances:read' },
      schema: {
        operationId: 'listBalances',
        summary: 'List balances',
        description:
          'Lists your balances, one for each currency and asset, ordered by code. Without `limit`, one answer contains all of them.',
        tags: ['Balances'],
        querystring: staticListQuery({}),
        response: {
          200: listOf(Balance, 'The balances.'),
          ...errorResponses(['invalid_cursor']),
        },
      },
    },
    async (request) => {
      const rows = await deps.db.read(request.scope, (tx) => readBalances(tx, request.scope));
      const balances = rows.map((row) => ({
        ...unitOf(row.currency),
        available: formatAmount(row.available, row.currency),
        reserved: formatAmount(row.reserved, row.currency),
        pending: formatAmount(row.pending, row.currency),
        receivable: formatAmount(row.receivable, row.currency),
      }));
      return staticListAnswer(balances, request.query, 'balances');
    },
  );
}
