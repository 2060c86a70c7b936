import type { BalanceRow } from '../../../../db/ledger/balance-store.ts';
import type { User } from '../../../../domain/customers/access/person.ts';
import { dayText } from '../../../../domain/ledger/statement-day.ts';
import { formatAmount } from '../../../../domain/money/amount.ts';
import { totalOfDays, type DayFigures } from '../../../../modules/payments/payment-figures.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { DayBars } from '../../../kit/parts/day-bars.tsx';
import { EmptyState } from '../../../kit/parts/empty-state.tsx';
import { Figures } from '../../../kit/parts/figures.tsx';
import { groupDigits, Money } from '../../../kit/parts/money.tsx';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import { Table } from '../../../kit/parts/table.tsx';
import { BalanceTable } from '../ledger/balances/balances.tsx';
import { AttentionCard, type AttentionProps } from './attention-card.tsx';

interface HomePageProps extends AttentionProps {
  readonly user: User;
  /** Oldest first; today last. */
  readonly days: readonly DayFigures[];
  readonly balances: readonly BalanceRow[];
  readonly apiUrl: string;
  /** There was never a payment. */
  readonly isNew: boolean;
}

/** Balances that are shown; the page of balances has all. */
const BALANCES_SHOWN = 6;

/** What needs attention, payments and volume of 30 days, and balances. */
export const HomePage = (props: HomePageProps) => {
  const { days, environment } = props;
  const count = days.reduce((sum, { payments }) => sum + payments, 0n);
  return (
    <>
      <PageHead title="Home" about={`The last ${String(days.length)} days (UTC).`}>
        <a class="button button-plain" href={`/${environment}/payments`}>
          All payments
        </a>
      </PageHead>
      {props.isNew ? <Welcome {...props} /> : null}
      <Figures
        figures={[
          { name: 'Payments accepted', value: groupDigits(count.toString()) },
          { name: 'Accepted today', value: groupDigits((days.at(-1)?.payments ?? 0n).toString()) },
        ]}
      />
      <AttentionCard {...props} />
      <div class="columns">
        <div>
          <Charts days={days} total={count} />
        </div>
        <div>
          <Balances {...props} />
          <Volume days={days} />
        </div>
      </div>
    </>
  );
};

const Charts = ({
  days,
  total,
}: {
  readonly days: readonly DayFigures[];
  readonly total: bigint;
}) => {
  const [main] = totalOfDays(days);
  const currency = main?.[0] ?? null;
  const partial = days.filter(({ isPartial }) => isPartial).length;
  const volumes = days.map(({ day, byCurrency }) => ({
    name: dayText(day),
    value: (currency === null ? undefined : byCurrency.get(currency)?.minor) ?? 0n,
  }));
  return (
    <>
      <Card title="Payments per day" aside={`${groupDigits(total.toString())} accepted`}>
        {partial === 0 ? null : (
          <p class="muted">{`${String(partial)} days are still being counted. Reload the page.`}</p>
        )}
        <DayBars
          label={`Payments accepted per day, ${rangeText(days)}: ${total.toString()} in total.`}
          unit="Payments"
          bars={days.map(({ day, payments }) => ({
            ...{ name: dayText(day), value: payments, text: groupDigits(payments.toString()) },
          }))}
        />
      </Card>
      {currency === null || main === undefined ? null : (
        <Card
          title={`${currency} per day`}
          aside={<Money amount={formatAmount(main[1].minor, currency)} currency={currency} />}
        >
          <DayBars
            label={`Volume in ${currency} per day, ${rangeText(days)}: ${formatAmount(main[1].minor, currency)} in total.`}
            unit={currency}
            bars={volumes.map((bar) => ({
              ...{ ...bar, text: groupDigits(formatAmount(bar.value, currency)) },
            }))}
          />
        </Card>
      )}
    </>
  );
};

const rangeText = (days: readonly DayFigures[]): string =>
  `${dayText(days[0]?.day ?? 0)} to ${dayText(days.at(-1)?.day ?? 0)}`;

const Volume = ({ days }: { readonly days: readonly DayFigures[] }) => {
  const totals = totalOfDays(days);
  return totals.length === 0 ? null : (
    <Card title="Volume" aside="as accepted" isFlush>
      <Table
        label="Volume by currency"
        rows={totals}
        keyOf={([currency]) => currency}
        columns={[
          { title: 'Currency', cell: ([currency]) => currency },
          {
            title: 'Payments',
            isNumber: true,
            isMuted: true,
            cell: ([, { payments }]) => groupDigits(payments.toString()),
          },
          {
            title: 'Amount',
            isNumber: true,
            cell: ([currency, { minor }]) => groupDigits(formatAmount(minor, currency)),
          },
        ]}
      />
    </Card>
  );
};

/** Those that were used first: what is reserved, then what there is. */
const Balances = ({ balances, environment }: HomePageProps) => {
  const used = [...balances].sort(
    (one, other) => Number(other.reserved > 0n) - Number(one.reserved > 0n),
  );
  return (
    <Card
      title="Balances"
      aside={<a href={`/${environment}/balances`}>{`All ${String(balances.length)}`}</a>}
      isFlush
    >
      {balances.length === 0 ? (
        <p class="nothing">No money yet.</p>
      ) : (
        <BalanceTable balances={used.slice(0, BALANCES_SHOWN)} isShort />
      )}
    </Card>
  );
};

const Welcome = ({ environment, apiUrl }: HomePageProps) => (
  <EmptyState
    title="No payment yet"
    action={{ href: `/${environment}/keys`, text: 'Get an API key' }}
    command={`curl '${apiUrl}/api/v1/balances' \\\n` + '  -H "Authorization: Bearer $CAUSEWAY_KEY"'}
  >
    With a key, you register an end-user, add a bank account, and pay. Each step appears here.
  </EmptyState>
);
