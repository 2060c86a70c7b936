import { advanceSandboxClock as advance } from '../../../../db/customers/sandbox-clock-store.ts';
import { assertNever } from '../../../../domain/assert-never.ts';
import { refuseField } from '../../../../domain/errors/refusal.ts';
import {
  ADVANCED_DAYS_MAX,
  readClockAdvance,
  type AdvanceProblem,
} from '../../../../domain/sandbox/clock-advance.ts';
import { tellMovedClock } from '../../../../modules/payments/tell-moved-clock.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { answerPost } from '../../../idempotent-post.ts';
import { requireTestKey } from '../../../sandbox-request.ts';
import { OptionalIdempotencyHeaders } from '../../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES } from '../../../schemas/error.ts';
import { NewSandboxClockAdvance, SandboxClock } from '../../../schemas/sandbox.ts';
import { viewClock } from './clock-view.ts';

/** POST /sandbox/clock: what waits in the caller's test environment is due earlier. Test keys only. */
export function advanceSandboxClock(app: App, deps: HttpDeps): void {
  const { clock, wakes, workflows, db } = deps;
  app.post(
    '/sandbox/clock',
    {
      config: { permission: 'sandbox:write' },
      schema: {
        operationId: 'advanceSandboxClock',
        summary: 'Move the sandbox clock forward',
        description: `Everything that waits in your test environment for a time waits that much less: scheduled payments, quotes, holds, return windows, KYC approvals, idempotency keys, and retries of webhooks. Times that have come take effect within seconds. The clock cannot go back, and moves by ${String(ADVANCED_DAYS_MAX)} days at most in sum. What you create afterwards starts at the real time. Send an Idempotency-Key: without it, a repeated request moves the clock again. With a live key the answer is 404.`,
        tags: ['Sandbox'],
        headers: OptionalIdempotencyHeaders,
        body: NewSandboxClockAdvance,
        response: {
          200: SandboxClock,
          ...errorResponses(['limit_reached', ...IDEMPOTENCY_CODES, 'not_found'], { body: true }),
        },
      },
    },
    async (request, reply) => {
      const { scope, body } = request;
      requireTestKey(scope);
      const span = readClockAdvance(body.advance);
      if (!span.ok) throw refuse(span.problem);
      let tell = () => {};
      try {
        return await answerPost(request, reply, deps, async (tx) => {
          const moved = await advance(tx, span.seconds, clock.now());
          if (moved === null) throw refuseField('limit_reached', '/advance', LIMIT);
          tell = () => {
            const work = () => tellMovedClock({ db, workflows }, scope);
            wakes.run('tell of moved clock', work, { requestId: request.id });
          };
          return { status: 200, body: viewClock(moved), subject: null };
        });
      } finally {
        // Whatever became of the answer: the commit may have happened, and telling once more is harmless.
        tell();
      }
    },
  );
}

const LIMIT = `The clock can be moved by ${String(ADVANCED_DAYS_MAX)} days at most in sum. GET /sandbox/clock shows what remains.`;

const refuse = (problem: AdvanceProblem) =>
  problem === 'TOO_LONG'
    ? refuseField('limit_reached', '/advance', LIMIT)
    : refuseField('validation_failed', '/advance', describe(problem));

function describe(problem: Exclude<AdvanceProblem, 'TOO_LONG'>): string {
  switch (problem) {
    case 'NO_SPAN':
      return 'advance must be an ISO 8601 duration of whole weeks, days, hours, minutes, and seconds, for example P1DT12H.';
    case 'NO_FIXED_LENGTH':
      return 'advance must not have years or months, which have no fixed length. Use days, for example P30D.';
    case 'ZERO':
      return 'advance must be longer than zero.';
    default:
      return assertNever(problem);
  }
}
