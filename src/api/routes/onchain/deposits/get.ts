import { Type } from 'typebox';
import { findDeposit } from '../../../../db/onchain/deposit-list-store.ts';
import { viewDeposit } from '../../../../modules/ledger/funding/deposit-view.ts';
import { readSoFar } from '../../../../modules/onchain/deposits/read-so-far.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { Deposit } from '../../../schemas/deposit.ts';
import { errorResponses } from '../../../schemas/error.ts';

/** GET /deposits/:depositId */
export function getDeposit(app: App, { db, settings }: HttpDeps): void {
  app.get(
    '/deposits/:depositId',
    {
      config: { permission: 'deposits:read' },
      schema: {
        operationId: 'getDeposit',
        summary: 'Read a deposit',
        tags: ['Deposits'],
        params: Type.Object({ depositId: Type.String({ description: 'The id of the deposit.' }) }),
        response: { 200: Deposit, ...errorResponses([]) },
      },
    },
    ({ scope, params }) =>
      db.read(scope, async (tx) => {
        const row = requireFound(await findDeposit(tx, scope, params.depositId));
        const soFar = await readSoFar(tx, scope, settings.networks[scope.environment], [row]);
        return viewDeposit(row, soFar(row.network));
      }),
  );
}
