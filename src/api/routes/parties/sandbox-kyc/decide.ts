import { Type } from 'typebox';
import { findEndUser } from '../../../../db/parties/end-user-store.ts';
import { findNewestKycCheck } from '../../../../db/parties/kyc-check-store.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import { kycPath } from '../../../../domain/parties/kyc/kyc-states.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { answerPostAfter } from '../../../idempotent-post.ts';
import {
  controlRefusal,
  moveNotPossible,
  noSandbox,
  requireTestKey,
} from '../../../sandbox-request.ts';
import { OptionalIdempotencyHeaders } from '../../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES } from '../../../schemas/error.ts';
import { NewSandboxKyc, SandboxKyc } from '../../../schemas/sandbox.ts';

const NO_CHECK = 'The end-user has no KYC check. Start one with POST /end-users/{endUserId}/kyc.';

/** POST /sandbox/end-users/:endUserId/kyc: the sandbox's KYC provider tells an outcome. Test keys only. */
export function decideSandboxKyc(app: App, deps: HttpDeps): void {
  const { db, clock, kycControl } = deps;
  app.post(
    '/sandbox/end-users/:endUserId/kyc',
    {
      config: { permission: 'sandbox:write' },
      schema: {
        operationId: 'decideSandboxKyc',
        summary: 'Decide a KYC check in the sandbox',
        description:
          'The sandbox KYC provider moves the newest check to the given state and reports it with a signed callback within a second. From then on, the last name of the end-user no longer decides the outcome. With a live key the answer is 404.',
        tags: ['Sandbox'],
        headers: OptionalIdempotencyHeaders,
        params: Type.Object({ endUserId: Type.String({ description: 'The id of the end-user.' }) }),
        body: NewSandboxKyc,
        response: {
          202: SandboxKyc,
          ...errorResponses(['move_not_possible', 'sandbox_unavailable', ...IDEMPOTENCY_CODES], {
            body: true,
          }),
        },
      },
    },
    async (request, reply) => {
      const { scope, params, body } = request;
      const { endUserId } = params;
      const { state } = body;
      requireTestKey(scope);
      return answerPostAfter(request, reply, deps, async () => {
        const check = await db.read(scope, async (tx) => {
          requireFound(await findEndUser(tx, scope, endUserId));
          return findNewestKycCheck(tx, scope, endUserId);
        });
        if (check === null) throw moveNotPossible('/state', NO_CHECK);
        const { id: kycId, status } = check;
        const noWay = moveNotPossible(
          '/state',
          `A check that is ${status} cannot become ${state}.`,
        );
        if (kycPath(status, state) === null) throw noWay;
        if (kycControl === undefined) throw noSandbox('KYC provider');
        const answer = await kycControl.decide(kycId, state);
        if (answer !== 'DONE') {
          throw controlRefusal(answer, 'KYC provider', { NOT_POSSIBLE: noWay });
        }
        const told = { endUserId, kycId, state, createdAt: clock.now().toISOString() };
        return { status: 202, body: told, subject: null };
      });
    },
  );
}
