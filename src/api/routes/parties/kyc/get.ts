import { Type } from 'typebox';
import { findNewestKycCheck } from '../../../../db/parties/kyc-check-store.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import { viewKycCheck } from '../../../../modules/parties/kyc/kyc-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { Kyc } from '../../../schemas/kyc.ts';

/** GET /end-users/:endUserId/kyc */
export function getKyc(app: App, deps: HttpDeps): void {
  app.get(
    '/end-users/:endUserId/kyc',
    {
      config: { permission: 'kyc:read' },
      schema: {
        operationId: 'getKyc',
        summary: 'Read the newest KYC check of an end-user',
        tags: ['KYC'],
        params: Type.Object({ endUserId: Type.String({ description: 'The id of the end-user.' }) }),
        response: { 200: Kyc, ...errorResponses([]) },
      },
    },
    async (request) => {
      const { scope, params } = request;
      const row = await deps.db.read(scope, (tx) =>
        findNewestKycCheck(tx, scope, params.endUserId),
      );
      return viewKycCheck(requireFound(row), {
        vault: deps.vault,
        publicUrl: deps.settings.publicUrl,
      });
    },
  );
}
