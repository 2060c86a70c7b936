import { liveScope } from '../../../../../modules/customers/live/company.ts';
import { acceptLiveTerms } from '../../../../../modules/customers/live/live-terms.ts';
import { findAcceptance, findLiveTerms } from '../../../../../db/customers/live-terms-store.ts';
import { may } from '../../../environment.tsx';
import { readForm } from '../../../../kit/forms/read-form.ts';
import { noSuchPage, unreadableForm } from '../../../../kit/page-refusal.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Form } from '../../../../kit/parts/form.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { userOf } from '../../../../kit/person.ts';
import { proveAct } from '../../../../kit/step-up.tsx';
import { timeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { actOnForm, actorOf } from './live-act.ts';
import { sentFormOf } from '../../../../kit/sent-form-of.ts';

const PATH = '/going-live/terms';

const TERMS_FORM = {
  version: {
    what: 'the version that was shown',
    lengthMax: 9,
    check: (text: string) => (/^[0-9]{1,9}$/.test(text) ? null : 'Open the page again.'),
  },
} as const;

/** GET and POST /going-live/terms: the terms in force, and accepting them. */
export function registerTerms(app: WebApp, deps: DashboardDeps): void {
  app.get(PATH, { config: { right: 'see-going-live' } }, async (request, reply) => {
    const user = userOf(request);
    const scope = liveScope(user.customer.id);
    const { terms, acceptance } = await deps.db.read(scope, async (tx) => ({
      terms: await findLiveTerms(tx),
      acceptance: await findAcceptance(tx, scope),
    }));
    if (terms === null) throw noSuchPage();
    const version = String(terms.version);
    const isAccepted = acceptance?.termsVersion === terms.version;
    const trail = { href: '/going-live', text: 'Going live', here: `terms ${version}` };
    const published = timeText(user.timeZone).moment(terms.publishedAt);
    return sendDashboardPage(request, reply, {
      ...{ title: 'Terms', environment: null, current: '/going-live' },
      body: (
        <>
          <PageHead title="Terms" trail={trail} about={`Version ${version}, of ${published}.`} />
          <Card title="Terms of live access">
            <p class="prose">{terms.text}</p>
          </Card>
          {isAccepted || !may(user, 'ask-for-live-access') ? null : (
            <Card title="Accept">
              <Form action={PATH} token={reply.newForm(PATH)} submit="Accept these terms">
                <p>You accept the terms for your company.</p>
                <input type="hidden" name="version" value={version} />
              </Form>
            </Card>
          )}
        </>
      ),
    });
  });

  app.post(
    PATH,
    { config: { right: 'ask-for-live-access', form: TERMS_FORM } },
    async (request, reply) => {
      const { values, problems } = readForm(TERMS_FORM, sentFormOf(request).texts);
      if (problems.length > 0) throw unreadableForm('The form does not name the terms.');
      const { version } = values;
      if (!(await proveAct(request, reply, `Accept the terms, version ${version}`))) return reply;
      const actor = actorOf(request);
      await actOnForm(deps, request, liveScope(actor.customerId), (tx) =>
        acceptLiveTerms(deps, tx, actor, Number(version)),
      );
      return reply.redirect('/going-live', 303);
    },
  );
}
