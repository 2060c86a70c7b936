import {
  askForAccess,
  takeRequestBudget,
} from '../../../../../modules/customers/access/ask-for-access.ts';
import { readEmailAddress } from '../../../../../domain/customers/access/email-address.ts';
import type { FieldProblem } from '../../../../kit/forms/form-rules.ts';
import { checkOneLine } from '../../../../kit/forms/one-line.ts';
import { readForm, type FormValues } from '../../../../kit/forms/read-form.ts';
import { tooMuch } from '../../../../kit/page-refusal.ts';
import { TextAreaField, TextField } from '../../../../kit/parts/field.tsx';
import { Form } from '../../../../kit/parts/form.tsx';
import { Gate } from '../../../../kit/parts/gate.tsx';
import { sendPage } from '../../../../kit/send-page.ts';
import { sentFormOf } from '../../../../kit/sent-form-of.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';

const PATH = '/request-access';
const SENT = `${PATH}/sent`;
const HOUR_S = 3_600;

const isAddress = (text: string): string | null =>
  readEmailAddress(text) === null
    ? 'Enter an email address, for example ada@company.example.'
    : null;

const FIELDS = {
  company: { what: 'the name of your company', lengthMax: 100, check: checkOneLine },
  name: { what: 'your name', lengthMax: 100, check: checkOneLine },
  address: { what: 'your email address', lengthMax: 254, check: isAddress },
  purpose: { what: 'what you want to pay', lengthMax: 2_000 },
} as const;
type Asked = FormValues<typeof FIELDS>;

/** GET and POST /request-access: a visitor who is not known yet asks for an account. */
export function registerRequestAccess(app: WebApp, deps: DashboardDeps): void {
  const { db, vault, clock, workflows } = deps;
  app.get(PATH, { config: { right: 'public' } }, async (_request, reply) =>
    sendPage(reply, page(reply.newForm(PATH))),
  );
  app.post(PATH, { config: { right: 'public', form: FIELDS } }, async (request, reply) => {
    const form = sentFormOf(request);
    const { values, problems } = readForm(FIELDS, form.texts);
    if (problems.length > 0) {
      return sendPage(reply.code(422), page(reply.newForm(PATH), values, problems));
    }
    const address = readEmailAddress(values.address) ?? '';
    const asker = { network: request.network, address };
    if (!(await takeRequestBudget({ vault, clock }, db, asker))) throw tooMuch(HOUR_S);
    const requestId = await db.system(async (tx) => {
      await form.use(tx);
      return askForAccess({ vault, clock }, tx, { ...values, address });
    });
    // Not waited for: where Temporal does not take it the reconciler finds the row.
    void workflows.wakeOnboarding({ requestId }, request.id).catch(() => undefined);
    return reply.redirect(SENT, 303);
  });
  app.get(SENT, { config: { right: 'public' } }, async (_request, reply) =>
    sendPage(reply, sentPage()),
  );
}

const page = (token: string, asked?: Asked, problems: readonly FieldProblem[] = []) => ({
  title: 'Request access',
  body: (
    <Gate isWide>
      <h1>Request access</h1>
      <p class="muted">
        Tell us who you are and what you want to pay. We read every request. When we approve yours,
        you receive an email with a test account.
      </p>
      <Form action={PATH} token={token} submit="Send the request" problems={problems}>
        <TextField
          name="company"
          label="Company"
          autocomplete="organization"
          value={asked?.company ?? ''}
          problems={problems}
          isRequired
        />
        <TextField
          name="name"
          label="Your name"
          autocomplete="name"
          value={asked?.name ?? ''}
          problems={problems}
          isRequired
        />
        <TextField
          name="address"
          label="Email address"
          type="email"
          autocomplete="email"
          hint="We send the invitation and login codes to this address."
          value={asked?.address ?? ''}
          problems={problems}
          isRequired
        />
        <TextAreaField
          name="purpose"
          label="What do you want to pay?"
          hint="The recipients, the countries, and the approximate volume per month."
          rows={5}
          value={asked?.purpose ?? ''}
          problems={problems}
          isRequired
        />
      </Form>
      <p class="muted">
        We encrypt your data. We erase it 30 days after the decision, or after 90 days without a
        decision.
      </p>
    </Gate>
  ),
});

/** The same for every visitor: it says nothing of whether an address is known. */
const sentPage = () => ({
  title: 'Request sent',
  body: (
    <Gate>
      <h1>Request sent</h1>
      <p>You receive an email when we have decided. You do not need to do anything until then.</p>
    </Gate>
  ),
});
