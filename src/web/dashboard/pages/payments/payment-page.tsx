import { CurlCard } from '../../parts/curl-card.tsx';
import type { ApiRequestRow } from '../../../../db/customers/api-request-store.ts';
import type { DepositRow } from '../../../../db/onchain/deposit-store.ts';
import type { PaymentRow } from '../../../../db/payments/payment-store.ts';
import type { ResourceDeliveryRow } from '../../../../db/webhooks/resource-delivery-store.ts';
import { formatAmount } from '../../../../domain/money/amount.ts';
import { isFinal } from '../../../../domain/payments/payment-states.ts';
import type { Environment } from '../../../../domain/scope.ts';
import type { PaymentArrival } from '../../../../modules/payments/payment-arrival.ts';
import type { TimelineRow } from '../../../../modules/payments/timeline-row.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { Chip } from '../../../kit/parts/chip.tsx';
import { Form } from '../../../kit/parts/form.tsx';
import { LiveRegion } from '../../../kit/parts/live-region.tsx';
import { Money } from '../../../kit/parts/money.tsx';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import { ProgressSteps } from '../../../kit/parts/progress-steps.tsx';
import { Timeline } from '../../../kit/parts/timeline.tsx';
import type { Children } from '../../../kit/parts/types.ts';
import type { TimeText } from '../../../kit/time-text.ts';
import { STATUS_WORDS } from '../../../kit/words/payment-status.ts';
import { detailWords } from '../../words/payment-words.ts';
import { timelineSteps } from '../../words/timeline-steps.ts';
import { progressOf } from '../../words/where-the-money-is.ts';
import { ApprovalCard, type ApprovalProps } from './approval-card.tsx';
import { DeliveriesCard } from './deliveries-card.tsx';
import { PaymentDeposits } from './payment-deposits.tsx';
import { PaymentFacts, type BeneficiaryView } from './payment-facts.tsx';
import { RequestsCard } from './requests-card.tsx';

interface ActForm {
  readonly action: string;
  readonly token: string;
}

interface PaymentPageProps {
  readonly environment: Environment;
  readonly payment: PaymentRow;
  readonly beneficiary: BeneficiaryView;
  readonly timeline: readonly TimelineRow[];
  readonly arrival: PaymentArrival;
  /** What came to its address, newest first; null where it has none. */
  readonly deposits: readonly DepositRow[] | null;
  /** The deposit that it pays on or refunds. */
  readonly ofDeposit: string | null;
  readonly deliveries: readonly ResourceDeliveryRow[];
  readonly requests: readonly ApiRequestRow[];
  readonly apiUrl: string;
  readonly times: TimeText;
  /** Null where it is not to be offered. */
  readonly cancel: ActForm | null;
  readonly unmask: ActForm | null;
  /** Null where it does not wait for a user. */
  readonly approval: ApprovalProps | null;
}

/** How often a payment that moves is looked at, and one that only a return could still change. */
const MOVING_MS = 2_000;
const STILL_MS = 30_000;

/** One payment: where its money is, what happened and what comes next. */
export const PaymentPage = (props: PaymentPageProps) => {
  const { payment, environment, times } = props;
  const { status, statusDetail, unit } = payment;
  const isStill = isFinal(status) || status === 'COMPLETED';
  const live = { everyMs: isStill ? STILL_MS : MOVING_MS, says: 'The payment has changed.' };
  return (
    <>
      <PageHead
        title={<Money amount={formatAmount(payment.amount, unit)} currency={unit} />}
        trail={{ href: `/${environment}/payments`, text: 'Payments', here: payment.id }}
      >
        <LiveRegion id="status" {...live}>
          <Chip {...STATUS_WORDS[status]} />
        </LiveRegion>
      </PageHead>
      <div class="columns">
        <div>
          <LiveRegion id="progress" {...live}>
            <div class="stack">
              <Card title="Where the money is" aside={detailWords(statusDetail)}>
                <ProgressSteps {...progressOf(payment)} />
              </Card>
              <Outcome payment={payment} />
              <Card title="Timeline" aside={`version ${String(payment.version)}`}>
                <Timeline steps={timelineSteps(props.timeline, times)} />
              </Card>
            </div>
          </LiveRegion>
          <PaymentDeposits {...props} live={live} />
          <CurlCard apiUrl={props.apiUrl} path={`/payments/${payment.id}`} />
        </div>
        <div>
          {props.approval === null ? null : (
            <Offer id="approval">
              <ApprovalCard {...props.approval} version={payment.version} live={live} />
            </Offer>
          )}
          <Card title="Details">
            <LiveRegion id="facts" {...live}>
              <PaymentFacts {...props} />
            </LiveRegion>
            {props.unmask === null ? null : (
              <Form {...props.unmask} submit="Show personal data" isPlain />
            )}
          </Card>
          <DeliveriesCard {...props} live={live} />
          <RequestsCard {...props} live={live} />
          {props.cancel === null ? null : (
            <Offer id="cancel">
              <Card title="Cancel">
                <Form {...props.cancel} submit="Cancel this payment" isDangerous>
                  <LiveRegion id="version" {...live}>
                    <input type="hidden" name="version" value={payment.version} />
                  </LiveRegion>
                  <p class="muted">
                    Nothing has been sent yet. The full amount goes back to your balance. You cannot
                    undo this. You confirm it with a code.
                  </p>
                </Form>
              </Card>
            </Offer>
          )}
        </div>
      </div>
    </>
  );
};

/** Why it failed or came back, and what to do about it. */
const Outcome = ({ payment: { failure, returnInfo } }: { readonly payment: PaymentRow }) => {
  const reason = returnInfo ?? failure;
  return reason?.message === undefined ? null : (
    <Card
      title={returnInfo === null ? 'Why it failed' : 'Why it came back'}
      aside={<code>{reason.code}</code>}
    >
      <p>{reason.message}</p>
    </Card>
  );
};

/**
 * A part of the page, which refreshes itself, with a form: it is taken away once the page that was asked for again
 * offers it no more. It is never replaced, so what was entered stays.
 */
const Offer = ({ id, children }: { readonly id: string; readonly children: Children }) => (
  <div id={id} data-offer>
    {children}
  </div>
);
