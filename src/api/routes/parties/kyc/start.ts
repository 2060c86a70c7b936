import { Type } from 'typebox';
import { Refusal, refuseField } from '../../../../domain/errors/refusal.ts';
import { isDecided } from '../../../../domain/parties/kyc/kyc-states.ts';
import { viewKycCheck } from '../../../../modules/parties/kyc/kyc-view.ts';
import { kycCheckRef, startKyc as start } from '../../../../modules/parties/kyc/start-kyc.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { answerPost } from '../../../idempotent-post.ts';
import { OptionalIdempotencyHeaders } from '../../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES } from '../../../schemas/error.ts';
import { Kyc, NewKyc } from '../../../schemas/kyc.ts';

/** POST /end-users/:endUserId/kyc */
export function startKyc(app: App, deps: HttpDeps): void {
  const { vault, workflows, starts, settings } = deps;
  app.post(
    '/end-users/:endUserId/kyc',
    {
      config: { permission: 'kyc:write' },
      schema: {
        operationId: 'startKyc',
        summary: 'Start a KYC check',
        description:
          'Answers 201 with a new check. If the newest check is open or approved, answers 200 with that one.',
        tags: ['KYC'],
        headers: OptionalIdempotencyHeaders,
        params: Type.Object({ endUserId: Type.String({ description: 'The id of the end-user.' }) }),
        body: NewKyc,
        response: {
          200: Kyc,
          201: Kyc,
          ...errorResponses(['end_user_not_active', ...IDEMPOTENCY_CODES], { body: true }),
        },
      },
    },
    async (request, reply) => {
      const { scope, params, body } = request;
      const requestId = request.id;
      const order = { endUserId: params.endUserId, redirectUrl: body?.redirectUrl };
      let startWorkflow = () => {};
      try {
        return await answerPost(request, reply, deps, async (tx) => {
          if (scope.environment === 'live' && order.redirectUrl?.startsWith('http:') === true) {
            throw refuseField('validation_failed', '/redirectUrl', 'Use https with a live key.');
          }
          if (settings.kycCallbackSecrets[scope.environment] === undefined) {
            throw new Refusal('service_unavailable', 'This environment has no KYC provider.');
          }
          const { check, isNew } = await start(deps, tx, scope, order);
          // An open check's workflow is started again, for its start may have been lost, or it may have
          // ended with an approval that asks for documents since. Where one is open this does nothing.
          if (!isDecided(check.status)) {
            const ref = kycCheckRef(scope, check);
            startWorkflow = () => {
              const startOnce = () =>
                isNew
                  ? workflows.startKycCheck(ref, requestId)
                  : workflows.restartKycCheck(ref, requestId);
              starts.run('start kyc check', startOnce, { requestId });
            };
          }
          const view = viewKycCheck(check, { vault, publicUrl: settings.publicUrl });
          const subject = { ...check, resourceId: check.id };
          return { status: isNew ? 201 : 200, body: view, subject };
        });
      } finally {
        // Whatever became of the answer: the commit may have happened, and a start too many is harmless.
        startWorkflow();
      }
    },
  );
}
