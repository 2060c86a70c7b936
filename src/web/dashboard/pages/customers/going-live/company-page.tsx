import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  COMPANIES,
  openCompany,
  saveCompany,
} from '../../../../../modules/customers/live/company.ts';
import { findCompany } from '../../../../../db/customers/company-store.ts';
import { Refusal } from '../../../../../domain/errors/refusal.ts';
import { checkEndUser } from '../../../../../modules/parties/end-users/check-end-user.ts';
import type { FieldProblem } from '../../../../kit/forms/form-rules.ts';
import { readForm } from '../../../../kit/forms/read-form.ts';
import { PageRefusal } from '../../../../kit/page-refusal.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Form } from '../../../../kit/parts/form.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { userOf } from '../../../../kit/person.ts';
import { proveAct } from '../../../../kit/step-up.tsx';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { CompanyFields } from './company-fields.tsx';
import {
  COMPANY_FORM,
  companyOf,
  fieldProblems,
  formOf,
  type CompanyForm,
} from './company-form.ts';
import { actOnForm, actorOf } from './live-act.ts';
import { sentFormOf } from '../../../../kit/sent-form-of.ts';
import { maskPerson } from './masked-person.ts';

const PATH = '/going-live/company';

/** GET and POST /going-live/company: which company it is. */
export function registerCompany(app: WebApp, deps: DashboardDeps): void {
  const { db, vault, clock, corridors, workflows } = deps;

  async function readStored(request: FastifyRequest) {
    const row = await db.read(COMPANIES, (tx) => findCompany(tx, userOf(request).customer.id));
    return {
      stored: row === null ? null : openCompany(vault, row),
      identityVersion: row?.identityVersion ?? 0,
    };
  }

  app.get(PATH, { config: { right: 'write-company' } }, async (request, reply) => {
    const { stored, identityVersion } = await readStored(request);
    const person = maskPerson(stored);
    return sendForm(request, reply, { values: formOf(stored, identityVersion), person });
  });

  app.post(
    PATH,
    { config: { right: 'write-company', form: COMPANY_FORM } },
    async (request, reply) => {
      const { stored, identityVersion } = await readStored(request);
      const read = readForm(COMPANY_FORM, sentFormOf(request).texts);
      const { data, problems } = companyOf(read.values, stored);
      const seenVersion = Number(read.values.version);
      if (read.problems.length === 0 && seenVersion !== identityVersion) throw changedMeanwhile();
      const wrong = [...read.problems, ...problems];
      const { restrictions } = corridors;
      const found =
        wrong.length > 0
          ? wrong
          : fieldProblems(
              checkEndUser('BUSINESS', { ...data, metadata: {} }, clock.now(), restrictions),
            );
      if (found.length > 0) {
        const person = maskPerson(stored);
        return sendForm(request, reply.code(422), { values: read.values, person }, found);
      }
      if (!(await proveAct(request, reply, 'Save the company’s data'))) return reply;
      const companyId = await actOnForm(deps, request, COMPANIES, (tx) =>
        saveCompany(deps, tx, actorOf(request), { data, seenVersion }),
      ).catch(sayIfChanged);
      // Where this is lost, the reconciler starts it; no owner asks for live access before.
      void workflows
        .startScreening({ ...COMPANIES, kind: 'END_USER', id: companyId }, request.id)
        .catch(() => undefined);
      return reply.redirect('/going-live', 303);
    },
  );
}

const changedMeanwhile = () =>
  new PageRefusal(
    409,
    'Nothing was changed',
    'Another owner changed the company’s data. Open the page again to see the change.',
  );

/** Two who say it first at once: one of them does. */
function sayIfChanged(error: unknown): never {
  const isSecond = error instanceof Refusal && error.code === 'external_id_taken';
  throw isSecond ? changedMeanwhile() : error;
}

function sendForm(
  request: FastifyRequest,
  reply: FastifyReply,
  given: { readonly values: Partial<CompanyForm>; readonly person: string | null },
  problems: readonly FieldProblem[] = [],
) {
  const trail = { href: '/going-live', text: 'Going live', here: 'company' };
  return sendDashboardPage(request, reply, {
    ...{ title: 'Company', environment: null, current: '/going-live' },
    body: (
      <>
        <PageHead
          title="Company"
          trail={trail}
          about="Enter the data as the register shows it. A change withdraws the approval of the company check."
        />
        <Card title="Company">
          <Form action={PATH} token={reply.newForm(PATH)} submit="Save" problems={problems}>
            <CompanyFields {...given} problems={problems} />
          </Form>
        </Card>
      </>
    ),
  });
}
