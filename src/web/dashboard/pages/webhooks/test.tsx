import { EVENT_TYPES } from '../../../../domain/webhooks/event-types.ts';
import { readForm } from '../../../kit/forms/read-form.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { Chip } from '../../../kit/parts/chip.tsx';
import { CodeBlock } from '../../../kit/parts/code-block.tsx';
import { Facts } from '../../../kit/parts/facts.tsx';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import type { WebApp } from '../../../kit/web-deps.ts';
import { openWebhookClient } from '../../../../modules/webhooks/safe-fetch.ts';
import { testEndpoint } from '../../../../modules/webhooks/test-endpoint.ts';
import { createTestTurns } from '../../../../modules/webhooks/test-turns.ts';
import { actOf } from '../../act.ts';
import { sentFormOf } from '../../../kit/sent-form-of.ts';
import type { DashboardDeps } from '../../dashboard-deps.ts';
import { requirePlace } from '../../environment.tsx';
import { sendDashboardPage } from '../../parts/dashboard-page.tsx';
import { answerWord, durationWord } from '../../words/webhook-words.ts';
import { oneOf } from '../../../kit/forms/filter-rules.ts';
import { sendEndpoint } from './detail.tsx';
import { requireEndpoint } from './require-endpoint.ts';

const RULES = { type: { what: 'an event', ...oneOf(EVENT_TYPES), lengthMax: 60 } } as const;

const TITLE = 'Result of the test';

/** POST /{env}/webhooks/{id}/test: sends one webhook now, and shows the answer. */
export function registerTestWebhook(app: WebApp, deps: DashboardDeps): void {
  const { db, clock, webhookAllowLoopbackInTest: allowLoopbackInTest } = deps;
  const inTurn = createTestTurns();
  app.post(
    '/:env/webhooks/:id/test',
    { config: { right: 'test-webhooks', form: RULES } },
    async (request, reply) => {
      const place = requirePlace(request);
      const { scope, environment } = place;
      const { id } = request.params as { readonly id: string };
      await requireEndpoint(db, scope, id);
      const { values, problems } = readForm(RULES, sentFormOf(request).texts);
      if (problems.length > 0) {
        return sendEndpoint(deps, request, reply.code(422), place, problems);
      }
      const type = EVENT_TYPES.find((one) => one === values.type) ?? 'ping';
      const act = actOf(clock, request, place, {
        ...{ action: 'webhook_endpoint.test', subject: id },
        work: async () => undefined,
      });
      const testDeps = { ...deps, openClient: openWebhookClient, allowLoopbackInTest };
      const result = await inTurn(scope, async () => {
        // The form is used before anything is sent: a second click sends nothing.
        await db.write(scope, act);
        return testEndpoint(testDeps, scope, { id, type });
      });
      const list = `/${environment}/webhooks`;
      return sendDashboardPage(request, reply.code(201), {
        ...{ title: TITLE, environment, current: list },
        body: (
          <>
            <PageHead title={TITLE} trail={{ href: `${list}/${id}`, text: 'Endpoint', here: id }}>
              {result.delivered ? (
                <Chip tone="ok" text="Delivered" />
              ) : (
                <Chip tone="bad" text="Not delivered" />
              )}
            </PageHead>
            <Card title="Answer">
              <Facts
                facts={[
                  ['Event', <code key="type">{type}</code>],
                  ['webhook-id', <code key="id">{result.eventId}</code>],
                  ['Answer', answerWord(result.statusCode, result.error)],
                  ['Took', durationWord(result.durationMs)],
                ]}
              />
              {result.answer === null ? null : <CodeBlock id="answer" text={result.answer} />}
              <p>
                <a href={`${list}/${id}`}>Back to the endpoint</a>
              </p>
            </Card>
          </>
        ),
      });
    },
  );
}
