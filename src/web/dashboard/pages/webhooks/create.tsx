import type { FastifyReply, FastifyRequest } from 'fastify';
import { proveAct } from '../../../kit/step-up.tsx';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import type { FieldProblem } from '../../../kit/forms/form-rules.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import { createWebhookEndpoint } from '../../../../modules/webhooks/create-webhook-endpoint.ts';
import { actOf } from '../../act.ts';
import { sentFormOf } from '../../../kit/sent-form-of.ts';
import type { DashboardDeps } from '../../dashboard-deps.ts';
import { openPlace, requirePlace, type Place } from '../../environment.tsx';
import { sendDashboardPage } from '../../parts/dashboard-page.tsx';
import {
  ENDPOINT_RULES,
  EndpointForm,
  NEW_ENDPOINT,
  type EndpointValues,
} from './endpoint-form.tsx';
import { hostOf, readEndpointForm, settingsOf } from './read-endpoint-form.ts';
import { problemOfRefusal } from './refused-act.ts';
import { sendSecretPage } from './secret-page.tsx';

const TITLE = 'Add a webhook endpoint';

/** GET and POST /{env}/webhooks/new */
export function registerCreateWebhook(app: WebApp, deps: DashboardDeps): void {
  const { db, clock } = deps;
  app.get('/:env/webhooks/new', { config: { right: 'write-webhooks' } }, async (request, reply) => {
    const place = await openPlace(request, reply, { title: TITLE, current: '/webhooks' });
    return place === null ? reply : show(request, reply, place, NEW_ENDPOINT, []);
  });
  app.post(
    '/:env/webhooks/new',
    { config: { right: 'write-webhooks', form: ENDPOINT_RULES } },
    async (request, reply) => {
      const place = requirePlace(request);
      const { environment, scope } = place;
      const sent = sentFormOf(request);
      const { values, problems } = await readEndpointForm(deps, environment, ENDPOINT_RULES, sent);
      if (problems.length > 0) return show(request, reply.code(422), place, values, problems);
      const host = hostOf(values.url);
      if (!(await proveAct(request, reply, `Add the ${environment} webhook endpoint at ${host}`)))
        return reply;
      const { description, ...settings } = settingsOf(values);
      const order = { ...settings, ...(description !== null && { description }) };
      try {
        const act = actOf(clock, request, place, {
          action: 'webhook_endpoint.create',
          subject: ({ id }: { readonly id: string }) => id,
          work: (tx) => createWebhookEndpoint(deps, tx, scope, order),
        });
        const { id, secret } = await db.write(scope, act);
        const about = 'The endpoint receives events from now on, signed with this secret.';
        return await sendSecretPage(request, reply, place, {
          ...{ id, secret, about, title: 'The endpoint was added' },
        });
      } catch (error) {
        const problem = problemOfRefusal(error, 'url');
        return show(request, reply.code(422), place, values, [problem]);
      }
    },
  );
}

function show(
  request: FastifyRequest,
  reply: FastifyReply,
  { environment }: Place,
  values: EndpointValues,
  problems: readonly FieldProblem[],
) {
  const list = `/${environment}/webhooks`;
  const action = `${list}/new`;
  return sendDashboardPage(request, reply, {
    ...{ title: TITLE, environment, current: list },
    body: (
      <>
        <PageHead title={TITLE} trail={{ href: list, text: 'Webhooks', here: 'new' }} />
        <section class="card">
          <EndpointForm
            action={action}
            token={reply.newForm(action)}
            submit="Add the endpoint"
            values={values}
            problems={problems}
          />
        </section>
      </>
    ),
  });
}
