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
import { ActLinks, type ActLink } from '../../parts/act-links.tsx';
import { sendConsolePage } from '../../parts/console-page.tsx';
import { moment } from '../../parts/moments.ts';
import { isOneOfTheTwo } from '../../../../modules/operations/acts/approval-acts.ts';
import { ACTION_WORDS, stateOf } from './approval-words.ts';
import { stepsOf } from './approval-steps.ts';
import { ApprovalContent } from './content.tsx';
import { findShownApproval } from '../../../../modules/operations/shown-approval.ts';

/** GET /approvals/{id}: all that is approved, who said so, and what can be done. */
export function registerApproval(app: WebApp, { db, clock }: ConsoleDeps): void {
  const schema = { params: Type.Object({ id: Type.String() }) };
  app.get('/approvals/:id', { config: { right: 'see' }, schema }, async (request, reply) => {
    const found = await db.system(async (tx) => {
      const shown = await findShownApproval(tx, request.params.id);
      if (shown === null) throw noSuchPage();
      return { ...shown, isSound: await doOperatorsCount(tx, shown.approval) };
    });
    const { approval, warning, isSound } = found;
    const now = clock.now();
    const operator = operatorOf(request);
    const isOpen = waits(approval, now);
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
          <div class="columns">
            <div>
              <Card title="What is approved">
                <ApprovalContent approval={approval} warning={warning} />
              </Card>
              {isOpen && !isSound ? (
                <p>
                  It cannot be approved any more: an operator whose word it has is not active, or
                  has another role by now. Two others propose it anew.
                </p>
              ) : null}
              <ActLinks
                operator={operator}
                links={isOpen ? actsOn(approval, operator, isSound) : []}
              />
            </div>
            <div>
              <Card title="Who said so">
                <Timeline steps={stepsOf(approval)} />
              </Card>
              <Card title="Facts">
                <Facts
                  facts={[
                    [
                      'Customer',
                      <a href={`/customers/${approval.customerId}`}>{approval.customerId}</a>,
                    ],
                    ['Environment', approval.environment],
                    ['Runs out (UTC)', moment(approval.expiresAt)],
                    ['Hash', <code>{approval.contentHash.toString('hex').slice(0, 16)}</code>],
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

/** For an operator, or for its effect. */
const waits = ({ decision, usedAt, voidAt, expiresAt }: ApprovalRow, now: Date): boolean =>
  expiresAt > now && usedAt === null && voidAt === null && decision !== 'REFUSED';

/** What this operator can do about one that waits; what gives it effect only where its operators count. */
function actsOn(approval: ApprovalRow, operator: Operator, isSound: boolean): readonly ActLink[] {
  const { id, action, decision, proposedBy } = approval;
  const right = APPROVAL_RIGHTS[action];
  const link = (verb: string, text: string): ActLink => ({
    href: `/approvals/${id}/${verb}`,
    text,
    right,
  });
  if (decision === 'APPROVED') {
    const withdraw = link('withdraw', 'Withdraw');
    const isTheirs = isOneOfTheTwo(approval, operator.id);
    return [
      ...(isSound ? [link('approve', 'Do it again')] : []),
      isTheirs ? { ...withdraw, right: 'decide-approvals' } : withdraw,
    ];
  }
  const refuse = link('refuse', proposedBy === operator.id ? 'Take back' : 'Refuse');
  if (proposedBy === null) return [link('take-up', 'Take up'), refuse];
  return proposedBy === operator.id || !isSound ? [refuse] : [link('approve', 'Approve'), refuse];
}
