import { Type } from 'typebox';
import { findDepositAddress } from '../../../../db/parties/deposit-address-store.ts';
import { viewDepositAddress } from '../../../../modules/parties/deposit-addresses/deposit-address-view.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { DepositAddress } from '../../../schemas/deposit-address.ts';
import { errorResponses } from '../../../schemas/error.ts';

/** GET /deposit-addresses/:depositAddressId */
export function getDepositAddress(app: App, { db, settings }: HttpDeps): void {
  app.get(
    '/deposit-addresses/:depositAddressId',
    {
      config: { permission: 'deposits:read' },
      schema: {
        operationId: 'getDepositAddress',
        summary: 'Read a deposit address',
        tags: ['Deposits'],
        params: Type.Object({
          depositAddressId: Type.String({ description: 'The id of the deposit address.' }),
        }),
        response: { 200: DepositAddress, ...errorResponses([]) },
      },
    },
    async ({ scope, params: { depositAddressId } }) => {
      const row = await db.read(scope, (tx) => findDepositAddress(tx, scope, depositAddressId));
      return viewDepositAddress(requireFound(row), settings.networks[scope.environment]);
    },
  );
}
