import { CurlCard } from '../../../parts/curl-card.tsx';
import type { DepositRow } from '../../../../../db/onchain/deposit-store.ts';
import { formatAmount } from '../../../../../domain/money/amount.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { CodeBlock } from '../../../../kit/parts/code-block.tsx';
import { LiveRegion } from '../../../../kit/parts/live-region.tsx';
import { Money } from '../../../../kit/parts/money.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { Table } from '../../../../kit/parts/table.tsx';
import { Timeline } from '../../../../kit/parts/timeline.tsx';
import type { Children } from '../../../../kit/parts/types.ts';
import { depositSteps } from '../../../words/deposit-steps.ts';
import { DEPOSIT_WORDS } from '../../../../kit/words/deposit-status.ts';
import { appliedWords, DEPOSIT_DETAILS } from '../../../words/deposit-words.ts';
import { STATUS_WORDS } from '../../../../kit/words/payment-status.ts';
import { DeliveriesCard } from '../../payments/deliveries-card.tsx';
import { DepositFacts } from './deposit-facts.tsx';
import type { DepositPageProps } from './deposit-page-props.ts';

/** How often a deposit that moves is looked at, and one that hardly will. */
const MOVING_MS = 2_000;
const STILL_MS = 30_000;

/** One deposit: where it is, what happened, and what became of it. */
export const DepositPage = (props: DepositPageProps) => {
  const { deposit, environment, confirmations, times } = props;
  const { status, amount, asset } = deposit;
  const isMoving = status === 'SEEN' || status === 'CREDITED';
  const live = { everyMs: isMoving ? MOVING_MS : STILL_MS, says: 'The deposit has changed.' };
  return (
    <>
      <PageHead
        title={<Money amount={formatAmount(amount, asset)} currency={asset} />}
        trail={{ href: `/${environment}/deposits`, text: 'Deposits', here: deposit.id }}
      >
        <LiveRegion id="status" {...live}>
          <Chip {...DEPOSIT_WORDS[status]} />
        </LiveRegion>
      </PageHead>
      <div class="columns">
        <div>
          <LiveRegion id="progress" {...live}>
            <div class="stack">
              <Card title="Status" aside={appliedWords(deposit)}>
                <p>{DEPOSIT_DETAILS[status]}</p>
              </Card>
              <Card title="Timeline" aside={`version ${String(deposit.version)}`}>
                <Timeline steps={depositSteps(props.history, confirmations, times)} />
              </Card>
            </div>
          </LiveRegion>
          <Card title="Transaction" aside={deposit.network}>
            <CodeBlock id="transaction" text={deposit.txHash} isWord />
          </Card>
          <Card title="Address" aside="Where it arrived">
            <CodeBlock id="address" text={deposit.to} isWord />
          </Card>
          <CurlCard apiUrl={props.apiUrl} path={`/deposits/${deposit.id}`} />
        </div>
        <div>
          <Card title="Details">
            <LiveRegion id="facts" {...live}>
              <DepositFacts {...props} />
            </LiveRegion>
          </Card>
          <ExitsCard {...props} live={live} />
          <DeliveriesCard {...props} live={live} />
        </div>
      </div>
    </>
  );
};

const KINDS = { PAID_ON: 'Paid on', REFUND: 'Refund' } as const;

/** The payments that it left by. */
const ExitsCard = (
  props: DepositPageProps & {
    readonly live: { readonly everyMs: number; readonly says: string };
  },
) => (
  <Card title="Paid on and refunded" isFlush>
    <LiveRegion id="exits" {...props.live}>
      {props.exits.length === 0 ? (
        <p class="nothing">{nothingLeft(props.deposit)}</p>
      ) : (
        <Table
          label="Payments made from it"
          rows={props.exits}
          keyOf={({ paymentId }) => paymentId}
          hrefOf={({ paymentId }) => `/${props.environment}/payments/${paymentId}`}
          columns={[
            { title: 'Payment', cell: ({ kind }) => KINDS[kind] },
            { title: 'Status', cell: ({ status }) => <Chip {...STATUS_WORDS[status]} /> },
            {
              title: 'Amount',
              isNumber: true,
              cell: ({ amount, currency }) => (
                <Money amount={formatAmount(amount, currency)} currency={currency} />
              ),
            },
          ]}
        />
      )}
    </LiveRegion>
  </Card>
);

/** Why none has, with the code that a request for the payment would have been answered with. */
function nothingLeft({ onward }: DepositRow): Children {
  const code = onward?.code ?? null;
  if (code === null) return 'No payment was made from this deposit.';
  return (
    <>
      It was not paid on: <code>{code}</code>
    </>
  );
}
