import type { DepositRow } from '../../../../db/onchain/deposit-store.ts';
import type { Environment } from '../../../../domain/scope.ts';
import { linkTo } from '../../../kit/list-pages.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { LiveRegion } from '../../../kit/parts/live-region.tsx';
import { DepositTable } from '../onchain/deposits/deposit-table.tsx';

/** What came to a payment's address; nothing where it has none. */
export const PaymentDeposits = (props: {
  readonly environment: Environment;
  readonly payment: { readonly id: string };
  readonly deposits: readonly DepositRow[] | null;
  readonly live: { readonly everyMs: number; readonly says: string };
}) => {
  const { deposits, environment, payment } = props;
  if (deposits === null) return null;
  const path = `/${environment}/deposits`;
  return (
    <Card title="Deposits" aside={<a href={linkTo(path, { search: payment.id })}>All</a>} isFlush>
      <LiveRegion id="deposits" {...props.live}>
        {deposits.length === 0 ? (
          <p class="nothing">No deposit has arrived yet.</p>
        ) : (
          <DepositTable {...{ path, deposits }} />
        )}
      </LiveRegion>
    </Card>
  );
};
