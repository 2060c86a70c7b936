import { Type } from 'typebox';
import { isOpenPhase, type AttemptPhase } from '../../../../domain/payments/attempt.ts';
import type { PaymentAct } from '../../../../domain/payments/payment-advice.ts';
import { UNSENT_PHASES } from '../../../../domain/payments/cancel-rules.ts';
import type { OpsHistoryRow } from '../../../../db/operations/ops-store.ts';
import type { LineOfPayment } from '../../../../db/reconciliation/statement-page-store.ts';
import { formatAmount } from '../../../../domain/money/amount.ts';
import type { ActEntry } from '../../../../modules/operations/acts/operator-act.ts';
import {
  CONFIRM_FAILED,
  CONFIRM_SETTLED,
  RETRY_PAYMENT,
  SETTLE_LATE_RETURN,
  VOID_TRANSFER,
} from '../../../../modules/operations/acts/payment-acts.ts';
import { noSuchPage } from '../../../kit/page-refusal.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { Facts } from '../../../kit/parts/facts.tsx';
import { Money } from '../../../kit/parts/money.tsx';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import { Timeline, type TimelineStep } from '../../../kit/parts/timeline.tsx';
import type { Children } from '../../../kit/parts/types.ts';
import { operatorOf } from '../../../kit/person.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import { statusWords } from '../../../kit/words/payment-status.ts';
import type { ConsoleDeps } from '../../console-deps.ts';
import { Coded } from '../../parts/coded.tsx';
import { sendConsolePage } from '../../parts/console-page.tsx';
import { CustomerLink } from '../../parts/customer-link.tsx';
import { Lead } from '../../parts/lead.tsx';
import { moment } from '../../parts/moments.ts';
import { PaymentChip } from '../../parts/payment-columns.tsx';
import { stepOf, WhatToDo } from '../../parts/what-to-do.tsx';
import { actorWords } from '../../words/actor-words.ts';
import { detailWordsOf } from '../../words/payment-detail-words.ts';
import {
  environmentWords,
  fundsWords,
  lineWords,
  reconciliationWords,
} from '../../words/payment-fact-words.ts';
import { leadOf, RECOMMENDED_WHY, stepElsewhere, type LeadFacts } from './advice-words.ts';
import { Attempts } from './attempts.tsx';
import { adviceOn, loadPayment, type ShownPayment } from './load-payment.ts';

/** GET /payments/{id}: where it stands, why, what to do, how it came there, and what the bank was asked. */
export function registerPayment(app: WebApp, deps: ConsoleDeps): void {
  const schema = { params: Type.Object({ id: Type.String() }) };
  app.get('/payments/:id', { config: { right: 'see' }, schema }, async (request, reply) => {
    const found = await loadPayment(deps, request.params.id);
    if (found === null) throw noSuchPage();
    const { payment, history, attempts } = found;
    const now = deps.clock.now();
    const advice = adviceOn(found, now);
    const operator = operatorOf(request);
    const { situation, recommended } = advice;
    const isActed = advice.acts.some((act) => act === recommended);
    const steps = advice.acts.map((act) =>
      stepOf(ACTS[act], payment.id, act === recommended ? (RECOMMENDED_WHY[situation] ?? '') : ''),
    );
    return sendConsolePage(request, reply, {
      title: `Payment ${payment.id}`,
      current: '/payments',
      body: (
        <>
          <PageHead
            title={
              <Money
                amount={formatAmount(payment.amount, payment.currency)}
                currency={payment.currency}
              />
            }
            trail={{ href: '/payments', text: 'Payments', here: payment.id }}
          >
            <PaymentChip payment={payment} />
          </PageHead>
          <Lead sentences={leadOf({ ...leadFacts(found), advice, now })} />
          <WhatToDo
            operator={operator}
            recommended={
              isActed ? (steps[0] ?? null) : stepElsewhere(recommended, payment.customerId)
            }
            others={isActed ? steps.slice(1) : steps}
          />
          <div class="columns">
            <div>
              <Card title="History">
                <Timeline steps={history.map(timelineStep)} />
              </Card>
              <Card
                title={payment.walletId === null ? 'What the bank said' : 'What the network said'}
              >
                <Attempts attempts={attempts} />
              </Card>
            </div>
            <div>
              <Card title="Details">
                <Facts facts={factsOf(found, deps)} />
              </Card>
            </div>
          </div>
        </>
      ),
    });
  });
}

const ACTS: Readonly<
  Record<PaymentAct, Pick<ActEntry, 'name' | 'page' | 'title' | 'summary' | 'right' | 'decidedBy'>>
> = {
  RETRY: RETRY_PAYMENT,
  CONFIRM_SETTLED,
  CONFIRM_FAILED,
  SETTLE_LATE_RETURN,
  VOID_TRANSFER,
};

function leadFacts({ payment, attempts }: ShownPayment): Omit<LeadFacts, 'advice' | 'now'> {
  const open = attempts.find(({ phase }) => isOpenPhase(phase as AttemptPhase));
  const { status, statusDetail, heldSince, releaseAt, walletId } = payment;
  return {
    ...{ status, statusDetail, heldSince, releaseAt, isToWallet: walletId !== null },
    nextAskAt: open?.nextAskAt ?? null,
    mayHaveLeft: attempts.some(({ phase }) => !UNSENT_PHASES.some((unsent) => unsent === phase)),
  };
}

const timelineStep = (
  row: OpsHistoryRow,
  index: number,
  all: readonly OpsHistoryRow[],
): TimelineStep => ({
  state: index === all.length - 1 ? 'now' : 'done',
  title: statusWords(row.status).text,
  detail: (
    <>
      {detailWordsOf(row.statusDetail).label}, {actorWords(row.actor)}.{' '}
      <code class="code-beside">{`${row.status} / ${row.statusDetail}`}</code>
    </>
  ),
  time: `${moment(row.at)} UTC · version ${String(row.version)}`,
});

function factsOf(shown: ShownPayment, deps: ConsoleDeps): (readonly [string, Children])[] {
  const { payment, customerName, transfer, lines } = shown;
  return [
    ['Customer', <CustomerLink id={payment.customerId} name={customerName} />],
    ['Environment', environmentWords(payment.environment)],
    ['Rail', payment.rail],
    ['Status', <code class="code-beside">{`${payment.status} / ${payment.statusDetail}`}</code>],
    ['Funds', <Coded {...fundsWords(payment.fundsStatus)} />],
    ['Statement', <StatementLines lines={lines} />],
    ['Reconciliation', <Coded {...reconciliationWords(payment.reconciliationStatus)} />],
    ['Request', <code>{payment.requestId ?? 'not stored'}</code>],
    ['Workflow', <WorkflowLink workflowId={payment.workflowId} deps={deps} />],
    ...(payment.releaseAt === null ? [] : [['Release (UTC)', moment(payment.releaseAt)] as const]),
    ...(transfer?.state === 'WAITING' && transfer.isGivenUp
      ? [
          [
            'Transfer',
            'Given up. The payment fails once it is known that the network did not pay it.',
          ] as const,
        ]
      : []),
  ];
}

const WorkflowLink = (props: { readonly workflowId: string; readonly deps: ConsoleDeps }) => {
  const { workflowId } = props;
  const { temporalUi } = props.deps;
  if (temporalUi === null) return <code>{workflowId}</code>;
  const { url, namespace } = temporalUi;
  const href = `${url}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
  return <a href={href}>{workflowId}</a>;
};

const StatementLines = ({ lines }: { readonly lines: readonly LineOfPayment[] }) =>
  lines.length === 0 ? (
    <>No statement mentions it yet.</>
  ) : (
    <>
      {lines.map((line) => (
        <div key={`${String(line.statementId)} ${String(line.line)}`}>
          <a href={`/statements/${String(line.statementId)}`}>
            {`${line.bankStatementId}, line ${String(line.line)}`}
          </a>
          : <Coded {...lineWords(line)} />
        </div>
      ))}
    </>
  );
