import { Type } from 'typebox';
import { balanceTransactionView } from '../../../../modules/ledger/balances/balance-transaction-view.ts';
import { findBalanceTransaction } from '../../../../db/ledger/balance-transaction-store.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import { CUSTOMER_ACCOUNTS, kindsOf } from '../../../../domain/ledger/balance-transaction.ts';
import { placesOf } from '../../../../domain/ledger/balance-transaction-id.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { BalanceTransaction } from '../../../schemas/balance-transaction.ts';
import { errorResponses } from '../../../schemas/error.ts';

/** GET /balance-transactions/:balanceTransactionId */
export function getBalanceTransaction(app: App, deps: HttpDeps): void {
  app.get(
    '/balance-transactions/:balanceTransactionId',
    {
      config: { permission: 'balances:read' },
      schema: {
        operationId: 'getBalanceTransaction',
        summary: 'Read a balance transaction',
        tags: ['Balances'],
        params: Type.Object({
          balanceTransactionId: Type.String({ description: 'The id of the balance transaction.' }),
        }),
        response: { 200: BalanceTransaction, ...errorResponses([]) },
      },
    },
    async ({ scope, params }) => {
      const places = placesOf(params.balanceTransactionId);
      const shown = { kinds: kindsOf(), accounts: CUSTOMER_ACCOUNTS };
      const row = await deps.db.read(scope, (tx) =>
        findBalanceTransaction(tx, scope, places, shown),
      );
      return balanceTransactionView(requireFound(row));
    },
  );
}
