import { Type } from 'typebox';
import { findDepositReview } from '../../../../../db/onchain/deposit-review-store.ts';
import { findDepositForOps, type OpsDeposit } from '../../../../../db/onchain/ops-deposit-store.ts';
import { formatAmount } from '../../../../../domain/money/amount.ts';
import { noSuchPage } from '../../../../kit/page-refusal.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Facts } from '../../../../kit/parts/facts.tsx';
import { Money } from '../../../../kit/parts/money.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import type { Children } from '../../../../kit/parts/types.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import { moment } from '../../../parts/moments.ts';
import { DepositChip } from './deposit-columns.tsx';

/** GET /deposits/{id}: what came, where it lies, and what became of it. */
export function registerDeposit(app: WebApp, { db }: ConsoleDeps): void {
  const schema = { params: Type.Object({ id: Type.String() }) };
  app.get('/deposits/:id', { config: { right: 'see' }, schema }, async (request, reply) => {
    const [deposit, review] = await db.system(async (tx) => [
      await findDepositForOps(tx, request.params.id),
      await findDepositReview(tx, request.params.id),
    ]);
    if (deposit === null) throw noSuchPage();
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
          <Card title="Facts">
            <Facts facts={factsOf(deposit, review !== null)} />
          </Card>
        </>
      ),
    });
  });
}

const paymentLink = (id: string) => <a href={`/payments/${id}`}>{id}</a>;

/** What it was looked at for, in a word: an operator's answer about its sender, or that a look-up found it on a list. */
const reviewed = ({ review, status }: OpsDeposit): string =>
  review ?? (status === 'BLOCKED' || status === 'KEPT' ? status : 'was BLOCKED');

function factsOf(deposit: OpsDeposit, isReviewed: boolean): [string, Children][] {
  const { id, customerId, paymentId, depositAddressId, onwardPaymentId, onwardCode } = deposit;
  return [
    ['Customer', <a href={`/customers/${customerId}`}>{customerId}</a>],
    ['Environment', deposit.environment],
    ['Network', deposit.network],
    ['For', paymentId === null ? <code>{depositAddressId}</code> : paymentLink(paymentId)],
    ['Address', <code>{deposit.to}</code>],
    ['Sender', <code>{deposit.from}</code>],
    ['Transaction', <code>{deposit.txHash}</code>],
    ['Block', <code>{`${String(deposit.blockNumber)} ${deposit.blockHash}`}</code>],
    ['Applied to', deposit.appliedTo ?? '–'],
    ['Reason', deposit.reason ?? '–'],
    ['Paid on', onwardPaymentId === null ? (onwardCode ?? '–') : paymentLink(onwardPaymentId)],
    ['Review', isReviewed ? <a href={`/reviews/deposits/${id}`}>{reviewed(deposit)}</a> : '–'],
    ['Version', String(deposit.version)],
    ['Seen (UTC)', moment(deposit.createdAt)],
    ['Changed (UTC)', moment(deposit.updatedAt)],
  ];
}
