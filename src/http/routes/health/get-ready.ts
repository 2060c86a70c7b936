import { Type } from 'typebox';
import { Refusal } from '../../../domain/errors/refusal.ts';
import type { App, HttpDeps } from '../../deps.ts';
import { errorResponses } from '../../schemas/error.ts';

const CHECK_TIMEOUT_MS = 2_000;

/**
 * GET /ready: requests can be served. PostgreSQL must answer; Temporal is only reported, because
 * payments are accepted without it.
 */
export function getReady(app: App, deps: HttpDeps, isDocumented: boolean): void {
  const postgresAnswers = async () => (await deps.db.query('SELECT 1')).length === 1;
  app.get(
    '/ready',
    {
      config: { public: true },
      schema: {
        operationId: 'getReady',
        summary: 'Whether requests can be served',
        tags: ['Reference'],
        security: [],
        hide: !isDocumented,
        response: {
          200: Type.Object(
            {
              status: Type.Literal('ok'),
              checks: Type.Object(
                {
                  postgres: Type.Literal('ok'),
                  temporal: Type.String({ enum: ['ok', 'unreachable'] }),
                },
                { additionalProperties: false },
              ),
            },
            { additionalProperties: false, description: 'They can.' },
          ),
          ...errorResponses([], { public: true }),
        },
      },
    },
    async () => {
      const [hasPostgres, hasTemporal] = await Promise.all([
        holds(postgresAnswers),
        holds(deps.isTemporalReachable),
      ]);
      if (!hasPostgres) {
        const message = 'PostgreSQL does not answer.';
        throw new Refusal('service_unavailable', message, [
          { path: '', code: 'service_unavailable', message, meta: { check: 'postgres' } },
        ]);
      }
      const temporal = hasTemporal ? ('ok' as const) : ('unreachable' as const);
      return { status: 'ok' as const, checks: { postgres: 'ok' as const, temporal } };
    },
  );
}

/** Does a check say yes in time? A late or thrown answer is a no. */
async function holds(check: () => Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([check(), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
