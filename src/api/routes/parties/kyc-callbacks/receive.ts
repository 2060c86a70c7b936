import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { refuseField } from '../../../../domain/errors/refusal.ts';
import { readMoment } from '../../../../domain/moments.ts';
import { storeKycCallback } from '../../../../modules/parties/kyc/store-kyc-callback.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { KycCallback } from '../../../schemas/kyc.ts';
import { signedEnvironment } from '../../../signed-environment.ts';
import { DATE_TIME_WANTED } from '../../read-date-time.ts';

const NO_BYTES = Buffer.alloc(0);

/** POST /kyc/callbacks: stored first, answered, and only then the check's workflow is woken. */
export function receiveKycCallback(app: App, deps: HttpDeps): void {
  const { clock, workflows, wakes, settings } = deps;
  const sender = ({ headers, rawBody = NO_BYTES }: FastifyRequest) =>
    signedEnvironment({ headers, rawBody }, settings.kycCallbackSecrets, clock.now());
  app.post(
    '/kyc/callbacks',
    {
      config: { public: true },
      // Before the schema: who cannot sign learns nothing of what a callback looks like.
      preValidation: async (request) => void sender(request),
      schema: {
        operationId: 'receiveKycCallback',
        summary: 'Receive a report of a KYC provider',
        description:
          'The KYC provider reports on a check, with a signature as in Standard Webhooks 1.0. A report with an unknown reference is accepted and discarded.',
        tags: ['Provider callbacks'],
        body: KycCallback,
        response: {
          202: Type.Object(
            {},
            { additionalProperties: false, description: 'The report was accepted.' },
          ),
          ...errorResponses(['invalid_signature'], { body: true, public: true }),
        },
      },
    },
    async (request, reply) => {
      const { environment, reportId } = sender(request);
      const { reference, status, reasons, version, expiresAt } = request.body;
      const stored = await storeKycCallback(deps, environment, {
        reportId,
        reference,
        status,
        reasonCodes: reasons.map((reason) => reason.code),
        providerVersion: version,
        expiresAt: expiresAt === undefined ? null : readEnd(expiresAt),
      });
      if (stored !== null) {
        const { check, rowId } = stored;
        const requestId = request.id;
        const wake = () => workflows.wakeKycCheck(check, String(rowId), requestId);
        wakes.run('wake kyc check', wake, { requestId });
      }
      return reply.code(202).send({});
    },
  );
}

/** An end that is unreadable must not become none. */
function readEnd(text: string): Date {
  const moment = readMoment(text);
  if (moment !== null) return moment;
  throw refuseField('validation_failed', '/expiresAt', DATE_TIME_WANTED);
}
