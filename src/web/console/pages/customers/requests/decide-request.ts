import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  approveAccessRequest,
  DECLINE_REASONS,
  declineAccessRequest,
} from '../../../../../modules/customers/access/decide-access-request.ts';
import { inviteFirstOwner } from '../../../../../modules/customers/access/invite-first-owner.ts';
import { findAccessRequest } from '../../../../../db/customers/access-request-store.ts';
import type { SystemTransaction } from '../../../../../db/client/database.ts';
import { readForm } from '../../../../kit/forms/read-form.ts';
import { noSuchPage, PageRefusal, unreadableForm } from '../../../../kit/page-refusal.ts';
import { operatorOf } from '../../../../kit/person.ts';
import { sentFormOf } from '../../../../kit/sent-form-of.ts';
import { proveAct } from '../../../../kit/step-up.tsx';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { REQUEST_PARAMS } from './detail.tsx';

const isReason = (text: string): text is (typeof DECLINE_REASONS)[number] =>
  (DECLINE_REASONS as readonly string[]).includes(text);

const DECLINE_FIELDS = {
  reason: {
    what: 'a reason',
    lengthMax: 20,
    check: (text: string) => (isReason(text) ? null : 'Choose one of the reasons.'),
  },
} as const;

const decidedMeanwhile = () =>
  new PageRefusal(
    409,
    'It is decided',
    'This request was decided meanwhile, or its time is over. Nothing was changed. Open the page again to see it.',
  );

/** POSTs below /requests/{id} of a request for access: approve, decline, and the owner's link once more. */
export function serveDecideRequest(app: WebApp, deps: ConsoleDeps): void {
  const { db, workflows } = deps;
  const options = <Form extends object>(form: Form) =>
    ({
      config: { right: 'decide-requests', form },
      schema: { params: REQUEST_PARAMS },
    }) as const;

  app.post('/requests/:id/approve', options({}), async (request, reply) => {
    const { id } = request.params;
    await requireWaiting(id);
    return decide(request, reply, `Approve the request ${id}`, (tx) =>
      approveAccessRequest(deps, tx, { requestId: id, operatorId: operatorOf(request).id }),
    );
  });

  app.post('/requests/:id/decline', options(DECLINE_FIELDS), async (request, reply) => {
    const { id } = request.params;
    const { values, problems } = readForm(DECLINE_FIELDS, sentFormOf(request).texts);
    await requireWaiting(id);
    const { reason } = values;
    if (problems.length > 0 || !isReason(reason)) throw unreadableForm('It names no reason.');
    return decide(request, reply, `Decline the request ${id}`, (tx) =>
      declineAccessRequest(deps, tx, { requestId: id, operatorId: operatorOf(request).id, reason }),
    );
  });

  app.post('/requests/:id/invite', options({}), async (request, reply) => {
    const { id } = request.params;
    if ((await db.system((tx) => findAccessRequest(tx, id))) === null) throw noSuchPage();
    return decide(request, reply, `Send the first owner of ${id} a new link`, (tx) =>
      inviteFirstOwner(deps, tx, { requestId: id, operatorId: operatorOf(request).id }),
    );
  });

  /** Before a code is mailed; what counts is asked again under the row's lock. */
  async function requireWaiting(id: string): Promise<void> {
    const row = await db.system((tx) => findAccessRequest(tx, id));
    if (row === null) throw noSuchPage();
    if (row.status !== 'WAITING' || row.expiresAt <= deps.clock.now()) throw decidedMeanwhile();
  }

  /** Does a proven act in one transaction with its form, and hands its mail on. */
  async function decide(
    request: FastifyRequest<{ Params: { id: string } }>,
    reply: FastifyReply,
    words: string,
    work: (tx: SystemTransaction) => Promise<string | null>,
  ) {
    if (!(await proveAct(request, reply, words))) return;
    const mailId = await db.system(async (tx) => {
      await sentFormOf(request).use(tx);
      const written = await work(tx);
      if (written === null) throw decidedMeanwhile();
      return written;
    });
    deps.dispatchMail(mailId);
    const { id: requestId } = request.params;
    // Not waited for: where Temporal does not take it the sweep finds that something is due.
    void workflows.wakeOnboarding({ requestId }, request.id).catch(() => undefined);
    return reply.redirect(`/requests/${requestId}`, 303);
  }
}
