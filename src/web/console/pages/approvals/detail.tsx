import { ACTION_WORDS } from '../../../../modules/approvals/action-words.ts';
import { noSuchPage } from '../../../kit/page-refusal.ts';
import { Type } from 'typebox';
import { doOperatorsCount, type ApprovalRow } from '../../../../db/approvals/approval-store.ts';
import type { Operator } from '../../../../domain/customers/access/person.ts';
import { APPROVAL_RIGHTS } from '../../../../domain/approvals/approval-rights.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { Chip } from '../../../kit/parts/chip.tsx';
import { Facts } from '../../../kit/parts/facts.tsx';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import { Timeline } from '../../../kit/parts/timeline.tsx';
import { operatorOf } from '../../../kit/person.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../console-deps.ts';
import { sendConsolePage } from '../../parts/console-page.tsx';
import { CustomerLink } from '../../parts/customer-link.tsx';
import { Lead } from '../../parts/lead.tsx';
import { moment } from '../../parts/moments.ts';
import { stepOf, WhatToDo, type Step } from '../../parts/what-to-do.tsx';
import { environmentWords } from '../../words/payment-fact-words.ts';
import {
  APPROVE,
  isOneOfTheTwo,
  REFUSE,
  TAKE_UP,
  WITHDRAW,
} from '../../../../modules/operations/acts/approval-acts.ts';
import { readCustomerNames } from '../../../../db/customers/customer-status-store.ts';
import { durationWords } from '../../../kit/duration-words.ts';
import { stateOf } from './approval-words.ts';
import { stepsOf } from './approval-steps.ts';
import { ApprovalContent } from './content.tsx';
import { findShownApproval } from '../../../../modules/operations/shown-approval.ts';

/** GET /approvals/{id}: all that is approved, who said so, and what can be done. */
export function registerApproval(app: WebApp, { db, clock, operatorKeys }: ConsoleDeps): void {
  const schema = { params: Type.Object({ id: Type.String() }) };
  app.get('/approvals/:id', { config: { right: 'see' }, schema }, async (request, reply) => {
    const found = await db.system(async (tx) => {
      const shown = await findShownApproval(tx, request.params.id);
      if (shown === null) throw noSuchPage();
      const { approval } = shown;
      const names = await readCustomerNames(tx, [approval.customerId]);
      return {
        ...{ ...shown, isSound: await doOperatorsCount(tx, approval) },
        customerName: names.get(approval.customerId),
      };
    });
    const { approval, warning, items, isSound, customerName } = found;
    const now = clock.now();
    const operator = operatorOf(request);
    const isOpen = waits(approval, now);
    const steps = isOpen ? actsOn(approval, operator, isSound) : [];
    const isOwn = approval.decision === null && approval.proposedBy === operator.id;
    const isRecommended = isSound && !isOwn;
    return sendConsolePage(request, reply, {
      title: ACTION_WORDS[approval.action],
      current: '/approvals',
      body: (
        <>
          <PageHead
            title={ACTION_WORDS[approval.action]}
            trail={{ href: '/approvals', text: 'Approvals', here: approval.id }}
          >
            <Chip {...stateOf(approval, now)} />
          </PageHead>
          <Lead sentences={sentencesOf(approval, operator, isSound, now)} />
          <WhatToDo
            operator={operator}
            recommended={isRecommended ? (steps[0] ?? null) : null}
            others={isRecommended ? steps.slice(1) : steps}
          />
          <div class="columns">
            <div>
              <Card title="What is proposed">
                <ApprovalContent {...{ approval, warning, items }} />
              </Card>
            </div>
            <div>
              <Card title="History">
                <Timeline steps={stepsOf(approval)} />
              </Card>
              <Card title="Details">
                <Facts
                  facts={[
                    ['Customer', <CustomerLink id={approval.customerId} name={customerName} />],
                    ['Environment', environmentWords(approval.environment)],
                    ['Expires (UTC)', moment(approval.expiresAt)],
                    [
                      'Signed with',
                      operatorKeys.sign === null
                        ? 'keys of the operator keys file'
                        : 'software keys (local runs only)',
                    ],
                    [
                      'Content hash',
                      <code>{approval.contentHash.toString('hex').slice(0, 16)}</code>,
                    ],
                  ]}
                />
              </Card>
            </div>
          </div>
        </>
      ),
    });
  });
}

/** Whether it waits for an operator, or for its effect. */
const waits = ({ decision, usedAt, voidAt, expiresAt }: ApprovalRow, now: Date): boolean =>
  expiresAt > now && usedAt === null && voidAt === null && decision !== 'REFUSED';

/** What this operator can do about one that waits, first what moves it on; that takes effect only where its operators count. */
function actsOn(approval: ApprovalRow, operator: Operator, isSound: boolean): readonly Step[] {
  const { id, action, decision, proposedBy } = approval;
  const step = (act: Parameters<typeof stepOf>[0], why = ''): Step => ({
    ...stepOf(act, id, why),
    right: APPROVAL_RIGHTS[action],
  });
  if (decision === 'APPROVED') {
    const withdraw = step(WITHDRAW);
    const isTheirs = isOneOfTheTwo(approval, operator.id);
    return [
      ...(isSound ? [step(APPROVE, 'The approval has not taken effect: try again.')] : []),
      isTheirs ? { ...withdraw, right: 'decide-approvals' } : withdraw,
    ];
  }
  const refuse = step(REFUSE);
  if (proposedBy === null) return [step(TAKE_UP, CHECK), refuse];
  return proposedBy === operator.id || !isSound ? [refuse] : [step(APPROVE, CHECK), refuse];
}

const CHECK =
  'First check every field below yourself. Do not approve what you cannot verify: refuse it, and say why.';

/** Where it stands, and whom it waits for. */
function sentencesOf(
  approval: ApprovalRow,
  operator: Operator,
  isSound: boolean,
  now: Date,
): readonly string[] {
  const { decision, usedAt, voidAt, expiresAt, proposedBy, proposedAt } = approval;
  if (decision === 'REFUSED') return ['An operator refused this proposal. Nothing changed.'];
  if (usedAt !== null) return ['Two operators approved this. It is in effect.'];
  if (voidAt !== null) return ['This approval is void. Nothing changed.'];
  if (expiresAt <= now) return ['This proposal expired before it took effect. Nothing changed.'];
  const expires = `It expires at ${moment(expiresAt)} UTC.`;
  if (!isSound) {
    return [
      'This proposal can no longer be approved. An operator who proposed or approved it is not active or has another role now.',
      `Two other operators have to propose and approve it again. ${expires}`,
    ];
  }
  if (decision === 'APPROVED')
    return [`Two operators approved this, but it has not taken effect. ${expires}`];
  if (proposedBy === null) {
    return [
      `This proposal came from outside of the console. An operator has to propose it, and another one has to approve it. ${expires}`,
    ];
  }
  const waited = durationWords(now.getTime() - proposedAt.getTime());
  return proposedBy === operator.id
    ? [`You proposed this ${waited} ago. Another operator has to approve it. ${expires}`]
    : [`An operator proposed this ${waited} ago. A second operator has to approve it. ${expires}`];
}
