import { oldestEventShown } from '../../../../domain/webhooks/events/event-age.ts';
import { readForm } from '../../../kit/forms/read-form.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import { replayEvents } from '../../../../modules/webhooks/replay-events.ts';
import { actOf } from '../../act.ts';
import { sentFormOf } from '../../../kit/sent-form-of.ts';
import type { DashboardDeps } from '../../dashboard-deps.ts';
import { requirePlace } from '../../environment.tsx';
import { oneOf } from '../../../kit/forms/filter-rules.ts';
import { SPANS } from './choices.ts';
import { sendEndpoint } from './detail.tsx';
import { problemOfRefusal } from './refused-act.ts';
import { requireEndpoint } from './require-endpoint.ts';

const HOUR_MS = 3_600_000;

const RULES = {
  span: { what: 'how far back', ...oneOf(SPANS.map(({ value }) => value)) },
  failed: { what: 'which of them', isOptional: true, ...oneOf(['only']) },
} as const;

/** POST /{env}/webhooks/{id}/replay */
export function registerReplayWebhooks(app: WebApp, deps: DashboardDeps): void {
  app.post(
    '/:env/webhooks/:id/replay',
    { config: { right: 'replay-webhooks', form: RULES } },
    async (request, reply) => {
      const place = requirePlace(request);
      const { scope, environment } = place;
      const { id } = request.params as { readonly id: string };
      await requireEndpoint(deps.db, scope, id);
      const { values, problems } = readForm(RULES, sentFormOf(request).texts);
      if (problems.length > 0) {
        return sendEndpoint(deps, request, reply.code(422), place, problems);
      }
      const to = deps.clock.now();
      const from = new Date(to.getTime() - Number(values.span) * HOUR_MS);
      const oldest = oldestEventShown(to);
      const order = {
        ...{ endpointId: id, to, onlyFailed: values.failed === 'only' },
        from: from < oldest ? oldest : from,
      };
      const act = actOf(deps.clock, request, place, {
        ...{ action: 'webhook_endpoint.replay', subject: id },
        work: (tx) => replayEvents(deps, tx, scope, order),
      });
      try {
        await deps.db.write(scope, act);
      } catch (error) {
        const problem = problemOfRefusal(error, 'span');
        return sendEndpoint(deps, request, reply.code(422), place, [problem]);
      }
      return reply.redirect(`/${environment}/webhooks/${id}`, 303);
    },
  );
}
