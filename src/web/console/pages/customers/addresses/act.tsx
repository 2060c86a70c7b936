import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApprovalRefused } from '../../../../../modules/approvals/decide-approval.ts';
import {
  findAddressToDecide,
  type AddressToDecide,
} from '../../../../../db/customers/address-decision-store.ts';
import { requireFound } from '../../../../../domain/errors/require-found.ts';
import type { FieldProblem } from '../../../../kit/forms/form-rules.ts';
import { readForm } from '../../../../kit/forms/read-form.ts';
import { PageRefusal } from '../../../../kit/page-refusal.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { TextField } from '../../../../kit/parts/field.tsx';
import { Form } from '../../../../kit/parts/form.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import { proveAct } from '../../../../kit/step-up.tsx';
import { timeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import { tellingApprovers } from '../../../acts/tell-approvers.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import { ADDRESS_ACTS, type AddressActName } from './address-acts.ts';
import { AddressFacts } from './address-facts.tsx';

const RULES = {
  reason: {
    what: 'a reason',
    lengthMax: 500,
    check: (text: string) =>
      /[\p{C}\p{Zl}\p{Zp}]/u.test(text) ? 'Enter a reason of one line.' : null,
  },
  // What was seen is what is decided about: the version of the address, and the proposal, if any.
  version: { what: 'the version that was seen', lengthMax: 9 },
  approval: { what: 'the proposal that was seen', lengthMax: 40, isOptional: true },
} as const;

/** GET and POST /requests/addresses/{id}/{propose|decline} */
export function addressActForms(app: WebApp, deps: ConsoleDeps): void {
  for (const name of Object.keys(ADDRESS_ACTS) as AddressActName[]) {
    const route = `/requests/addresses/:addressId/${name}`;
    const right = 'decide-addresses';
    app.get(route, { config: { right } }, async (request, reply) => {
      const address = await find(deps, request);
      requireWaiting(address);
      return sendForm(request, reply, { name, address, reason: '', problems: [] });
    });
    app.post(route, { config: { right, form: RULES } }, async (request, reply) => {
      const { sentForm } = request;
      if (sentForm === null) throw new Error('a POST has its form');
      const address = await find(deps, request);
      const { values, problems } = readForm(RULES, sentForm.texts);
      const { reason } = values;
      const isSeen =
        values.version === String(address.version) &&
        values.approval === (address.approvalId ?? '');
      requireWaiting(address);
      if (!isSeen) throw changed('Another operator has acted on it since.');
      if (problems.length > 0) {
        return sendForm(request, reply.code(422), { name, address, reason, problems });
      }
      const words = `${ADDRESS_ACTS[name].submit}: the address ${address.range} of ${address.apiKeyId}`;
      if (!(await proveAct(request, reply, words))) return reply;
      const act = { operator: operatorOf(request).id, reason };
      const told: string[] = [];
      const acting = tellingApprovers(deps, (mailId) => void told.push(mailId));
      const mailIds = await deps.db
        .system(async (tx) => {
          await sentForm.use(tx);
          return ADDRESS_ACTS[name].run(acting, tx, address, act);
        })
        .catch((error: unknown) => {
          throw error instanceof ApprovalRefused ? changed(error.message) : error;
        });
      for (const id of [...mailIds, ...told]) deps.dispatchMail(id);
      return reply.redirect(`/requests/addresses/${address.id}`, 303);
    });
  }
}

async function find({ db, clock }: ConsoleDeps, { params }: FastifyRequest) {
  const { addressId } = params as { readonly addressId: string };
  return requireFound(await db.system((tx) => findAddressToDecide(tx, addressId, clock.now())));
}

function requireWaiting({ status, range }: AddressToDecide): void {
  if (status !== 'PENDING') throw changed(`${range} waits no more: it is ${status}.`);
}

const changed = (why: string): PageRefusal =>
  new PageRefusal(409, 'It has changed', `${why} Nothing was changed.`);

function sendForm(
  request: FastifyRequest,
  reply: FastifyReply,
  given: {
    readonly name: AddressActName;
    readonly address: AddressToDecide;
    readonly reason: string;
    readonly problems: readonly FieldProblem[];
  },
) {
  const { name, address, reason, problems } = given;
  const { submit, about, isDangerous } = ADDRESS_ACTS[name];
  const path = `/requests/addresses/${address.id}`;
  const action = `${path}/${name}`;
  return sendConsolePage(request, reply, {
    ...{ title: `${submit}: ${address.range}`, current: '/requests' },
    body: (
      <>
        <PageHead
          title={`${submit}: ${address.range}`}
          trail={{ href: path, text: address.range, here: name }}
          about={about}
        />
        <Card title="What it is about">
          <AddressFacts address={address} times={timeText(operatorOf(request).timeZone)} />
        </Card>
        <Card title={submit}>
          <Form {...{ action, token: reply.newForm(action), submit, problems, isDangerous }}>
            <input type="hidden" name="version" value={address.version} />
            <input type="hidden" name="approval" value={address.approvalId ?? ''} />
            <TextField
              {...{ name: 'reason', label: 'Reason', value: reason, problems, isRequired: true }}
              hint="Kept in the audit log for good; name no end-user."
            />
          </Form>
        </Card>
      </>
    ),
  });
}
