import type { FastifyReply, FastifyRequest } from 'fastify';
import { aloneInTheEnd } from '../../../../db/client/alone-in-the-end.ts';
import type { WebhookEndpointRow } from '../../../../db/webhooks/webhook-endpoint-store.ts';
import type { FieldProblem } from '../../../kit/forms/form-rules.ts';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import { proveAct } from '../../../kit/step-up.tsx';
import type { WebApp } from '../../../kit/web-deps.ts';
import { updateWebhookEndpoint } from '../../../../modules/webhooks/update-webhook-endpoint.ts';
import { actOf } from '../../act.ts';
import { sentFormOf } from '../../../kit/sent-form-of.ts';
import type { DashboardDeps } from '../../dashboard-deps.ts';
import { openPlace, requirePlace, type Place } from '../../environment.tsx';
import { sendDashboardPage } from '../../parts/dashboard-page.tsx';
import { ENDPOINT_RULES, EndpointForm, type EndpointValues } from './endpoint-form.tsx';
import { hostOf, readEndpointForm, settingsOf } from './read-endpoint-form.ts';
import { requireEndpoint } from './require-endpoint.ts';
import { changesSince, requireSeen, StaleEndpoint, VERSION_RULE } from './version-rule.ts';

const TITLE = 'Edit the webhook endpoint';
const RULES = { ...ENDPOINT_RULES, version: VERSION_RULE } as const;
const RIGHT = 'write-webhooks';

/** GET and POST /{env}/webhooks/{id}/edit */
export function registerEditWebhook(app: WebApp, deps: DashboardDeps): void {
  const { db, clock } = deps;
  app.get('/:env/webhooks/:id/edit', { config: { right: RIGHT } }, async (request, reply) => {
    const place = await openPlace(request, reply, { title: TITLE, current: '/webhooks' });
    if (place === null) return reply;
    const { id } = request.params as { readonly id: string };
    const row = await requireEndpoint(db, place.scope, id);
    return show(request, reply, place, { row, values: valuesOf(row), problems: [] });
  });
  app.post(
    '/:env/webhooks/:id/edit',
    { config: { right: RIGHT, form: RULES } },
    async (request, reply) => {
      const place = requirePlace(request);
      const { scope, environment } = place;
      const { id } = request.params as { readonly id: string };
      const row = await requireEndpoint(db, scope, id);
      const sent = sentFormOf(request);
      const { values, problems } = await readEndpointForm(deps, environment, RULES, sent);
      if (problems.length > 0) {
        return show(request, reply.code(422), place, { row, values, problems });
      }
      const host = hostOf(values.url);
      const words = `Change the ${environment} webhook endpoint ${id}, which is to be at ${host}`;
      if (!(await proveAct(request, reply, words))) return reply;
      const update = {
        ...{ id, patch: settingsOf(values), requireVersion: requireSeen(values.version) },
      };
      const act = actOf(clock, request, place, {
        ...{ action: 'webhook_endpoint.update', subject: id },
        work: (tx) => updateWebhookEndpoint(deps, tx, scope, update),
      });
      try {
        await aloneInTheEnd(db, scope, act);
      } catch (error) {
        if (!(error instanceof StaleEndpoint)) throw error;
        const changes = await changesSince(deps, place, id, Number(values.version));
        const now = await requireEndpoint(db, scope, id);
        const stale = [...changes.map(inSummary), ...differences(now, values)];
        return show(request, reply.code(409), place, { row: now, values, problems: stale });
      }
      return reply.redirect(`/${environment}/webhooks/${id}`, 303);
    },
  );
}

const inSummary = (message: string): FieldProblem => ({ field: 'url', message });

const valuesOf = (row: WebhookEndpointRow): EndpointValues => ({
  ...{ url: row.url, description: row.description ?? '', types: row.types },
  options: [...(row.isThin ? ['thin'] : []), ...(row.signingKeys === null ? [] : ['asymmetric'])],
});

/** What the endpoint is now, where the form says something else. Sent again, the form holds. */
function differences(row: WebhookEndpointRow, sent: EndpointValues): FieldProblem[] {
  const now = valuesOf(row);
  const fields = ['url', 'description', 'types', 'options'] as const;
  return fields.flatMap((field) => {
    const [is, was] = [[now[field]].flat().toSorted(), [sent[field]].flat().toSorted()];
    if (is.join(' ') === was.join(' ')) return [];
    const text = is.join(', ');
    return [{ field, message: `It is now: ${text === '' ? 'none' : text}.` }];
  });
}

function show(
  request: FastifyRequest,
  reply: FastifyReply,
  { environment }: Place,
  form: {
    readonly row: WebhookEndpointRow;
    readonly values: EndpointValues;
    readonly problems: readonly FieldProblem[];
  },
) {
  const { row, values, problems } = form;
  const list = `/${environment}/webhooks`;
  const action = `${list}/${row.id}/edit`;
  return sendDashboardPage(request, reply, {
    ...{ title: TITLE, environment, current: list },
    body: (
      <>
        <PageHead
          title={TITLE}
          trail={{ href: `${list}/${row.id}`, text: 'Endpoint', here: row.id }}
        />
        <section class="card">
          <EndpointForm
            action={action}
            token={reply.newForm(action)}
            submit="Save"
            values={values}
            version={row.version}
            problems={problems}
          />
        </section>
      </>
    ),
  });
}
