import type { FastifyReply, FastifyRequest } from 'fastify';
import { findEventBody } from '../../../../db/webhooks/event-list-store.ts';
import { findDelivery, readAttempts } from '../../../../db/webhooks/webhook-delivery-list-store.ts';
import { findEndpoint } from '../../../../db/webhooks/webhook-endpoint-store.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import { oldestEventShown } from '../../../../domain/webhooks/events/event-age.ts';
import type { FieldProblem } from '../../../kit/forms/form-rules.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { CodeBlock } from '../../../kit/parts/code-block.tsx';
import { Form } from '../../../kit/parts/form.tsx';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import { timeText } from '../../../kit/time-text.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import { renderDeliveryInFull } from '../../../../modules/webhooks/delivery-view.ts';
import type { DashboardDeps } from '../../dashboard-deps.ts';
import { may, openPlace, type Place } from '../../environment.tsx';
import { sendDashboardPage } from '../../parts/dashboard-page.tsx';
import { AttemptsCard, DeliveryCard } from './delivery-parts.tsx';

export interface DeliveryPath {
  readonly id: string;
  readonly eventId: string;
}

/** GET /{env}/webhooks/{id}/deliveries/{eventId}: one event at one endpoint. */
export function registerDelivery(app: WebApp, deps: DashboardDeps): void {
  app.get(
    '/:env/webhooks/:id/deliveries/:eventId',
    { config: { right: 'see-webhooks' } },
    async (request, reply) => {
      const page = { title: 'Delivery', current: '/webhooks' };
      const place = await openPlace(request, reply, page);
      return place === null ? reply : sendDelivery(deps, request, reply, place, []);
    },
  );
}

export async function sendDelivery(
  deps: DashboardDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { scope, user, environment }: Place,
  problems: readonly FieldProblem[],
) {
  const { id, eventId } = request.params as DeliveryPath;
  const key = { endpointId: id, eventId };
  const { delivery, endpoint, body } = await deps.db.read(scope, async (tx) => {
    const found = requireFound(await findEndpoint(tx, scope, id));
    const row = requireFound(await findDelivery(tx, scope, key));
    const attempts = await readAttempts(tx, scope, key);
    const since = oldestEventShown(deps.clock.now());
    return {
      endpoint: found,
      delivery: renderDeliveryInFull(row, id, attempts, deps.vault),
      body: await findEventBody(tx, scope, eventId, since),
    };
  });
  const list = `/${environment}/webhooks`;
  const again = `${list}/${id}/deliveries/${eventId}/redeliver`;
  const mayAgain = may(user, 'replay-webhooks') && endpoint.status === 'ENABLED' && body !== null;
  const times = timeText(user.timeZone);
  return sendDashboardPage(request, reply, {
    ...{ title: 'Delivery', environment, current: list },
    body: (
      <>
        <PageHead
          title={delivery.type}
          trail={{ href: `${list}/${id}`, text: 'Endpoint', here: eventId }}
        >
          {mayAgain ? (
            <Form
              action={again}
              token={reply.newForm(again)}
              submit="Send again"
              problems={problems}
            />
          ) : null}
        </PageHead>
        <div class="columns">
          <div>
            <AttemptsCard attempts={delivery.attemptHistory} times={times} />
            {body === null ? null : (
              <Card title="Payload">
                <CodeBlock id="event" text={JSON.stringify(JSON.parse(body), null, 2)} />
              </Card>
            )}
          </div>
          <div>
            <DeliveryCard delivery={delivery} environment={environment} times={times} />
          </div>
        </div>
      </>
    ),
  });
}
