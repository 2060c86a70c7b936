import { Type } from 'typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApprovalRefused } from '../../../modules/approvals/decide-approval.ts';
import type { FieldProblem, FormRules } from '../../kit/forms/form-rules.ts';
import { takesStepUp } from '../../../domain/customers/access/rights.ts';
import { readForm, type FormValues } from '../../kit/forms/read-form.ts';
import { PageRefusal } from '../../kit/page-refusal.ts';
import { Card } from '../../kit/parts/card.tsx';
import { TextField } from '../../kit/parts/field.tsx';
import { Form } from '../../kit/parts/form.tsx';
import { PageHead } from '../../kit/parts/page-head.tsx';
import { operatorOf } from '../../kit/person.ts';
import { proveAct } from '../../kit/step-up.tsx';
import type { WebApp } from '../../kit/web-deps.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { sendConsolePage } from '../parts/console-page.tsx';
import { REASON, type Act } from './act.ts';
import { formDatabase } from './form-database.ts';
import { requireTemporal } from './require-temporal.ts';
import { tellingApprovers } from './tell-approvers.ts';

const PARAMS = Type.Object({ id: Type.Optional(Type.String()) });

/** GET and POST of an act's path: its form, and what it does once it is proven. */
export function serveAct<Rules extends FormRules, Subject>(
  app: WebApp,
  deps: ConsoleDeps,
  act: Act<Rules, Subject>,
): void {
  const { path, right } = act;
  const rules = { ...act.fields, ...REASON };
  const load = (request: FastifyRequest) =>
    act.load({
      id: (request.params as { readonly id?: string }).id ?? '',
      operator: operatorOf(request),
      request,
    });

  app.get(path, { config: { right }, schema: { params: PARAMS } }, async (request, reply) =>
    sendAct(act, request, reply, { subject: await load(request), values: {}, problems: [] }),
  );

  app.post(
    path,
    { config: { right, form: rules }, schema: { params: PARAMS } },
    async (request, reply) => {
      const { sentForm } = request;
      if (sentForm === null) throw new Error('a POST has its form');
      const subject = await load(request);
      const read = readForm(rules, sentForm.texts);
      const values = read.values as FormValues<Rules> & { readonly reason: string };
      const problems =
        read.problems.length > 0 ? read.problems : ((await act.check?.(subject, values)) ?? []);
      if (problems.length > 0) {
        return sendAct(act, request, reply.code(422), { subject, values, problems });
      }
      if (act.needsTemporal === true) await requireTemporal(deps);
      const isProven =
        !takesStepUp('console', right) ||
        (await proveAct(request, reply, act.page(subject, values).words));
      if (!isProven) return reply;
      const operator = operatorOf(request);
      const mailIds: string[] = [];
      const mailed = (mailId: string) => void mailIds.push(mailId);
      const done = await act
        .perform({
          ...{ subject, values, operator, mailed },
          act: { operator: operator.id, reason: values.reason },
          deps: {
            ...tellingApprovers(deps, mailed),
            db: formDatabase(deps.db, sentForm, act.actingIn),
          },
        })
        .catch(sayOvertaken);
      mailIds.forEach(deps.dispatchMail);
      if (typeof done !== 'string') {
        return sendConsolePage(request, reply.code(201), { ...done, current: act.current });
      }
      return reply.redirect(done, 303);
    },
  );
}

/** What has changed since the page was made, in the words of the use case. */
function sayOvertaken(error: unknown): never {
  if (!(error instanceof ApprovalRefused)) throw error;
  throw new PageRefusal(409, 'It was not done', error.message);
}

function sendAct<Rules extends FormRules, Subject>(
  act: Act<Rules, Subject>,
  request: FastifyRequest,
  reply: FastifyReply,
  given: {
    readonly subject: Subject;
    readonly values: Partial<FormValues<Rules>> & { readonly reason?: string };
    readonly problems: readonly FieldProblem[];
  },
) {
  const { subject, values, problems } = given;
  const { title, submit, trail, about, isDangerous = false } = act.page(subject, values);
  const path = request.url.split('?', 1)[0] ?? '';
  return sendConsolePage(request, reply, {
    title,
    current: act.current,
    body: (
      <>
        <PageHead title={title} trail={trail} />
        <Card title="What it does">{about}</Card>
        <Card title={submit}>
          <Form
            action={path}
            token={reply.newForm(path)}
            submit={submit}
            problems={problems}
            isDangerous={isDangerous}
          >
            {act.inputs?.(subject, values, problems)}
            <TextField
              name="reason"
              label="Reason"
              hint="Kept in the audit log as it is. It names no end-user."
              value={values.reason ?? ''}
              problems={problems}
              isRequired
            />
          </Form>
        </Card>
      </>
    ),
  });
}
