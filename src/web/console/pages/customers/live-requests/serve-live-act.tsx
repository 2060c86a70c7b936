import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApprovalRefused } from '../../../../../modules/approvals/decide-approval.ts';
import type { FieldProblem } from '../../../../kit/forms/form-rules.ts';
import { readForm } from '../../../../kit/forms/read-form.ts';
import { PageRefusal } from '../../../../kit/page-refusal.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { TextField } from '../../../../kit/parts/field.tsx';
import { Form } from '../../../../kit/parts/form.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import { proveAct } from '../../../../kit/step-up.tsx';
import type { WebApp } from '../../../../kit/web-deps.ts';
import { tellingApprovers } from '../../../acts/tell-approvers.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import type { LiveAct } from './live-act.ts';
import { PARAMS } from './detail.tsx';

const FORM = {
  reason: {
    what: 'a reason',
    lengthMax: 500,
    check: (text: string) => (/\p{Cc}/u.test(text) ? 'Write it in one line of plain text.' : null),
  },
} as const;

/** GET and POST of an act's path. */
export function serveLiveAct<Subject>(app: WebApp, deps: ConsoleDeps, act: LiveAct<Subject>): void {
  const { db, clock } = deps;
  const { path } = act;
  const right = 'decide-live-access';
  const load = async (id: string) => {
    const subject = await db.system((tx) => act.load(tx, id, clock.now()));
    const problem = act.problem(subject);
    if (problem !== null) throw notDone(problem);
    return subject;
  };

  app.get(path, { config: { right }, schema: { params: PARAMS } }, async (request, reply) =>
    sendAct(act, request, reply, await load(request.params.id), '', []),
  );

  app.post(
    path,
    { config: { right, form: FORM }, schema: { params: PARAMS } },
    async (request, reply) => {
      const { sentForm, params } = request;
      if (sentForm === null) throw new Error('a POST has its form');
      const subject = await load(params.id);
      const { values, problems } = readForm(FORM, sentForm.texts);
      const { reason } = values;
      if (problems.length > 0) {
        return sendAct(act, request, reply.code(422), subject, reason, problems);
      }
      if (!(await proveAct(request, reply, `${act.title}: ${act.customerOf(subject).id}`)))
        return reply;
      const operator = operatorOf(request).id;
      const told: string[] = [];
      const acting = tellingApprovers(deps, (mailId) => void told.push(mailId));
      const mailIds = await db
        .system(async (tx) => {
          await sentForm.use(tx);
          return act.perform(acting, tx, subject, { operator, reason });
        })
        .catch((error: unknown) => {
          throw error instanceof ApprovalRefused ? notDone(error.message) : error;
        });
      [...mailIds, ...told].forEach(deps.dispatchMail);
      return reply.redirect(act.back(subject), 303);
    },
  );
}

const notDone = (message: string) =>
  new PageRefusal(409, 'It was not done', `${message} Nothing was changed.`);

function sendAct<Subject>(
  act: LiveAct<Subject>,
  request: FastifyRequest,
  reply: FastifyReply,
  subject: Subject,
  reason: string,
  problems: readonly FieldProblem[],
) {
  const { id, name } = act.customerOf(subject);
  const path = request.url.split('?', 1)[0] ?? '';
  return sendConsolePage(request, reply, {
    ...{ title: act.title, current: act.current },
    body: (
      <>
        <PageHead
          title={act.title}
          about={name}
          trail={{ href: act.back(subject), text: 'Back', here: id }}
        />
        <Card title="What it does">
          <p>{act.about}</p>
        </Card>
        <Card title={act.submit}>
          <Form
            action={path}
            token={reply.newForm(path)}
            submit={act.submit}
            problems={problems}
            isDangerous={act.isDangerous}
          >
            <TextField
              {...{ name: 'reason', label: 'Reason', hint: act.reasonHint }}
              value={reason}
              problems={problems}
              isRequired
            />
          </Form>
        </Card>
      </>
    ),
  });
}
