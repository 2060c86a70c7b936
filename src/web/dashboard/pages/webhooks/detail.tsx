import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FieldProblem } from '../../../kit/forms/form-rules.ts';
import { readQuery } from '../../../kit/forms/read-query.ts';
import { Chip } from '../../../kit/parts/chip.tsx';
import { LiveRegion } from '../../../kit/parts/live-region.tsx';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import { timeText } from '../../../kit/time-text.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../dashboard-deps.ts';
import { may, openPlace, type Place } from '../../environment.tsx';
import { sendDashboardPage } from '../../parts/dashboard-page.tsx';
import { endpointWord } from '../../words/webhook-words.ts';
import { DeliveriesCard, HealthFigures, ReplaysCard } from './detail-lists.tsx';
import { DangerCard, EndpointFacts, ReplayCard, RotateCard, TestCard } from './detail-forms.tsx';
import { readDetail } from './read-detail.ts';

const FILTERS = {
  status: { what: 'a status', lengthMax: 20, isOptional: true },
  cursor: { what: 'a cursor', lengthMax: 200, isOptional: true },
} as const;

/** How often what changes by itself is asked for again, in ms. */
const FRESH_MS = 5_000;

const TITLE = 'Webhook endpoint';

/** GET /{env}/webhooks/{id} */
export function registerWebhook(app: WebApp, deps: DashboardDeps): void {
  app.get('/:env/webhooks/:id', { config: { right: 'see-webhooks' } }, async (request, reply) => {
    const place = await openPlace(request, reply, { title: TITLE, current: '/webhooks' });
    return place === null ? reply : sendEndpoint(deps, request, reply, place, []);
  });
}

/** Answers with the page of an endpoint; `problems` are those of a form of it that was sent. */
export async function sendEndpoint(
  deps: DashboardDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  place: Place,
  problems: readonly FieldProblem[],
) {
  const { scope, user, environment } = place;
  const { id } = request.params as { readonly id: string };
  const list = `/${environment}/webhooks`;
  const path = `${list}/${id}`;
  const filters = readQuery(FILTERS, request.query).values;
  const detail = await readDetail(deps.db, scope, id, filters);
  const { endpoint } = detail;
  const times = timeText(user.timeZone);
  const form = { path, endpoint, problems, newForm: (to: string) => reply.newForm(to) };
  const mayWrite = may(user, 'write-webhooks');
  return sendDashboardPage(request, reply, {
    ...{ title: TITLE, environment, current: list },
    body: (
      <>
        <PageHead
          title={endpoint.description ?? TITLE}
          trail={{ href: list, text: 'Webhooks', here: id }}
        >
          {mayWrite ? (
            <a class="button button-plain" href={`${path}/edit`}>
              Edit
            </a>
          ) : null}
        </PageHead>
        <LiveRegion id="health" everyMs={FRESH_MS} says="The endpoint’s state has changed.">
          <p class="state">
            <Chip {...endpointWord(endpoint)} />
          </p>
          <HealthFigures {...detail} times={times} />
        </LiveRegion>
        <div class="columns">
          <div>
            <DeliveriesCard {...detail} path={path} filters={filters} times={times} />
            <ReplaysCard {...detail} times={times} />
          </div>
          <div>
            <EndpointFacts endpoint={endpoint} now={deps.clock.now()} times={times} />
            {may(user, 'test-webhooks') ? <TestCard {...form} /> : null}
            {may(user, 'replay-webhooks') ? <ReplayCard {...form} /> : null}
            {mayWrite ? <RotateCard {...form} /> : null}
            {mayWrite ? <DangerCard {...form} /> : null}
          </div>
        </div>
      </>
    ),
  });
}
