import { Type } from 'typebox';
import { isVoidable } from '../../../../modules/onchain/ask-void.ts';
import {
  findTransferForOps,
  type ChainTransferRow,
} from '../../../../db/onchain/chain-transfer-store.ts';
import { findLateReturn, type LateReturnRow } from '../../../../db/payments/late-return-store.ts';
import {
  findPaymentForOps,
  readAttemptsForOps,
  readHistoryForOps,
  type OpsAttempt,
  type OpsHistoryRow,
  type OpsPayment,
} from '../../../../db/operations/ops-store.ts';
import { formatAmount } from '../../../../domain/money/amount.ts';
import type { StatusDetail } from '../../../../domain/payments/payment-states.ts';
import { isForOperators } from '../../../../domain/payments/next-bank-step.ts';
import { noSuchPage } from '../../../kit/page-refusal.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { Facts } from '../../../kit/parts/facts.tsx';
import { Money } from '../../../kit/parts/money.tsx';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import { Timeline } from '../../../kit/parts/timeline.tsx';
import { operatorOf } from '../../../kit/person.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../console-deps.ts';
import { ActLinks, type ActLink } from '../../parts/act-links.tsx';
import { sendConsolePage } from '../../parts/console-page.tsx';
import { moment } from '../../parts/moments.ts';
import { PaymentChip } from '../../parts/payment-columns.tsx';
import { AttemptsTable } from './attempts.tsx';

/** GET /payments/{id}: where it stands, how it came there, and what the bank was asked. */
export function registerPayment(app: WebApp, deps: ConsoleDeps): void {
  const schema = { params: Type.Object({ id: Type.String() }) };
  app.get('/payments/:id', { config: { right: 'see' }, schema }, async (request, reply) => {
    const found = await load(deps, request.params.id);
    if (found === null) throw noSuchPage();
    const { payment, history, attempts } = found;
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
          <div class="columns">
            <div>
              <Card title="History">
                <Timeline steps={history.map(stepOf)} />
              </Card>
              <Card title="Settlement attempts" isFlush>
                <AttemptsTable attempts={attempts} />
              </Card>
            </div>
            <div>
              <Card title="Facts">
                <Facts facts={factsOf(found, deps)} />
              </Card>
              <ActLinks operator={operatorOf(request)} links={actsOn(found)} />
            </div>
          </div>
        </>
      ),
    });
  });
}

interface Shown {
  readonly payment: OpsPayment;
  readonly history: readonly OpsHistoryRow[];
  readonly attempts: readonly OpsAttempt[];
  readonly late: LateReturnRow | null;
  /** Its last transfer over a chain; null where there is none. */
  readonly transfer: ChainTransferRow | null;
}

const load = ({ db }: ConsoleDeps, id: string): Promise<Shown | null> =>
  db.system(async (tx) => {
    const payment = await findPaymentForOps(tx, id);
    if (payment === null) return null;
    const history = await readHistoryForOps(tx, id);
    const attempts = await readAttemptsForOps(tx, id);
    const late = await findLateReturn(tx, id);
    const transfer = payment.walletId === null ? null : await findTransferForOps(tx, id);
    return { payment, history, attempts, late, transfer };
  });

const stepOf = (row: OpsHistoryRow, index: number, all: readonly OpsHistoryRow[]) => ({
  state: index === all.length - 1 ? ('now' as const) : ('done' as const),
  title: `${row.status} / ${row.statusDetail}`,
  detail: row.actor,
  time: `v${String(row.version)} · ${moment(row.at)}`,
});

function factsOf({ payment, transfer }: Shown, { temporalUi }: ConsoleDeps) {
  const { workflowId } = payment;
  const href =
    temporalUi === null
      ? null
      : `${temporalUi.url}/namespaces/${encodeURIComponent(temporalUi.namespace)}/workflows/${encodeURIComponent(workflowId)}`;
  return [
    ['Customer', <a href={`/customers/${payment.customerId}`}>{payment.customerId}</a>],
    ['Environment', payment.environment],
    ['Rail', payment.rail],
    ['Funds', payment.fundsStatus],
    ['Reconciliation', payment.reconciliationStatus],
    ['Request', <code>{payment.requestId ?? 'unknown'}</code>],
    ['Workflow', href === null ? <code>{workflowId}</code> : <a href={href}>{workflowId}</a>],
    ...(payment.releaseAt === null
      ? []
      : [['Release at (UTC)', moment(payment.releaseAt)] as const]),
    ...(transfer?.state === 'WAITING' && transfer.isGivenUp
      ? [
          [
            'Transfer',
            'noted as given up: fails once its network is known not to have paid',
          ] as const,
        ]
      : []),
  ] as const;
}

function actsOn({ payment, attempts, late, transfer }: Shown): readonly ActLink[] {
  const act = (verb: string, text: string): ActLink => ({
    ...{ href: `/payments/${payment.id}/${verb}`, text },
    right: 'decide-payments',
  });
  const isLate = late !== null && late.decision === null && late.amount !== null;
  const isHeldForOperators =
    payment.status === 'ON_HOLD' && isForOperators(payment.statusDetail as StatusDetail);
  // What became of a payment to a wallet is not for operators to say: what is mined decides.
  const isUnknown =
    payment.walletId === null &&
    attempts.length > 0 &&
    (isHeldForOperators || payment.status === 'SENT');
  return [
    ...(isHeldForOperators && payment.reconciliationStatus !== 'EXCEPTION'
      ? [act('retry', 'Retry')]
      : []),
    ...(isUnknown
      ? [
          act('confirm-settled', 'Confirm: the bank paid it'),
          act('confirm-failed', 'Confirm: the bank did not pay it'),
        ]
      : []),
    ...(isLate ? [act('late-return', 'Settle the late return')] : []),
    ...(transfer !== null && isVoidable(transfer) ? [act('void', 'Give the transfer up')] : []),
  ];
}
