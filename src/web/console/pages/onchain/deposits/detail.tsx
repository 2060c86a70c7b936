import { Type } from 'typebox';
import { readCustomerNames } from '../../../../../db/customers/customer-status-store.ts';
import { findDepositReview } from '../../../../../db/onchain/deposit-review-store.ts';
import { findDepositForOps, type OpsDeposit } from '../../../../../db/onchain/ops-deposit-store.ts';
import { formatAmount } from '../../../../../domain/money/amount.ts';
import { noSuchPage } from '../../../../kit/page-refusal.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Facts } from '../../../../kit/parts/facts.tsx';
import { Money } from '../../../../kit/parts/money.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import type { Children } from '../../../../kit/parts/types.ts';
import { operatorOf } from '../../../../kit/person.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { Coded } from '../../../parts/coded.tsx';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import { CustomerLink } from '../../../parts/customer-link.tsx';
import { Lead } from '../../../parts/lead.tsx';
import { moment } from '../../../parts/moments.ts';
import { WhatToDo, type Step } from '../../../parts/what-to-do.tsx';
import {
  APPLIED_WORDS,
  DEPOSIT_REASON_WORDS,
  depositSentences,
} from '../../../words/deposit-words.ts';
import { environmentWords } from '../../../words/payment-fact-words.ts';
import { DepositChip } from './deposit-columns.tsx';

/** GET /deposits/{id}: where a deposit stands, what to do, and where it came from. */
export function registerDeposit(app: WebApp, { db }: ConsoleDeps): void {
  const schema = { params: Type.Object({ id: Type.String() }) };
  app.get('/deposits/:id', { config: { right: 'see' }, schema }, async (request, reply) => {
    const found = await db.system(async (tx) => {
      const deposit = await findDepositForOps(tx, request.params.id);
      if (deposit === null) throw noSuchPage();
      const review = await findDepositReview(tx, deposit.id);
      const names = await readCustomerNames(tx, [deposit.customerId]);
      return { deposit, isReviewed: review !== null, name: names.get(deposit.customerId) };
    });
    const { deposit } = found;
    return sendConsolePage(request, reply, {
      title: `Deposit ${deposit.id}`,
      current: '/payments',
      body: (
        <>
          <PageHead
            title={
              <Money
                amount={formatAmount(deposit.amount, deposit.asset)}
                currency={deposit.asset}
              />
            }
            trail={{ href: '/payments', text: 'Payments', here: deposit.id }}
          >
            <DepositChip deposit={deposit} />
          </PageHead>
          <Lead sentences={depositSentences(deposit)} />
          <WhatToDo operator={operatorOf(request)} recommended={reviewStep(deposit)} others={[]} />
          <Card title="Details">
            <Facts facts={factsOf(found)} />
          </Card>
        </>
      ),
    });
  });
}

/** Null where nothing is to be decided. */
const reviewStep = ({ id, status, review }: OpsDeposit): Step | null =>
  status === 'BLOCKED' || (status === 'SEEN' && review === 'HELD')
    ? {
        title: 'Open the review',
        about: 'The review shows the sender and the acts that decide about the deposit.',
        href: `/reviews/deposits/${id}`,
        right: 'see',
      }
    : null;

const paymentLink = (id: string) => <a href={`/payments/${id}`}>{id}</a>;

function factsOf(found: {
  readonly deposit: OpsDeposit;
  readonly isReviewed: boolean;
  readonly name: string | undefined;
}): (readonly [string, Children])[] {
  const { deposit, isReviewed, name } = found;
  const { id, customerId, paymentId, depositAddressId, onwardPaymentId, onwardCode } = deposit;
  const { appliedTo, reason } = deposit;
  return [
    ['Customer', <CustomerLink id={customerId} name={name} />],
    ['Environment', environmentWords(deposit.environment)],
    ['Network', deposit.network],
    [
      'Deposited for',
      paymentId === null ? <code>{depositAddressId}</code> : paymentLink(paymentId),
    ],
    ['Address', <code>{deposit.to}</code>],
    ['Sender', <code>{deposit.from}</code>],
    ['Transaction', <code>{deposit.txHash}</code>],
    ['Block', <code>{`${String(deposit.blockNumber)} ${deposit.blockHash}`}</code>],
    [
      'Applied to',
      appliedTo === null ? '–' : <Coded words={APPLIED_WORDS[appliedTo]} code={appliedTo} />,
    ],
    [
      'Why there',
      reason === null ? '–' : <Coded words={DEPOSIT_REASON_WORDS[reason]} code={reason} />,
    ],
    ['Paid on as', onwardPaymentId === null ? (onwardCode ?? '–') : paymentLink(onwardPaymentId)],
    ['Review', isReviewed ? <a href={`/reviews/deposits/${id}`}>Open the review</a> : 'None'],
    ['Status', <code class="code-beside">{deposit.status}</code>],
    ['Version', String(deposit.version)],
    ['Seen (UTC)', moment(deposit.createdAt)],
    ['Changed (UTC)', moment(deposit.updatedAt)],
  ];
}
