import { oldestEventShown } from '../../../../domain/webhooks/events/event-age.ts';
import { findDelivery } from '../../../../db/webhooks/webhook-delivery-list-store.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import { redeliverEvent } from '../../../../modules/webhooks/redeliver-event.ts';
import { actOf } from '../../act.ts';
import type { DashboardDeps } from '../../dashboard-deps.ts';
import { requirePlace } from '../../environment.tsx';
import { sendDelivery, type DeliveryPath } from './delivery.tsx';
import { problemOfRefusal } from './refused-act.ts';

/** POST /{env}/webhooks/{id}/deliveries/{eventId}/redeliver */
export function registerRedeliver(app: WebApp, deps: DashboardDeps): void {
  app.post(
    '/:env/webhooks/:id/deliveries/:eventId/redeliver',
    { config: { right: 'replay-webhooks', form: {} } },
    async (request, reply) => {
      const place = requirePlace(request);
      const { scope, environment } = place;
      const { id, eventId } = request.params as DeliveryPath;
      const since = oldestEventShown(deps.clock.now());
      const act = actOf(deps.clock, request, place, {
        ...{ action: 'event.redeliver', subject: eventId },
        async work(tx) {
          requireFound(await findDelivery(tx, scope, { endpointId: id, eventId }));
          await redeliverEvent(deps, tx, scope, { eventId, endpointId: id, since });
        },
      });
      try {
        await deps.db.write(scope, act);
      } catch (error) {
        const problem = problemOfRefusal(error, 'content');
        return sendDelivery(deps, request, reply.code(422), place, [problem]);
      }
      return reply.redirect(`/${environment}/webhooks/${id}/deliveries/${eventId}`, 303);
    },
  );
}
