import type {
  BeneficiaryRow,
  PaymentLimitRow,
} from '../../../../../db/payments/payment-limit-write-store.ts';
import { formatAmount } from '../../../../../domain/money/amount.ts';
import { linkTo } from '../../../../kit/list-pages.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { EmptyState } from '../../../../kit/parts/empty-state.tsx';
import { TextField } from '../../../../kit/parts/field.tsx';
import { Form } from '../../../../kit/parts/form.tsx';
import { groupDigits } from '../../../../kit/parts/money.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { Table } from '../../../../kit/parts/table.tsx';
import type { TimeText } from '../../../../kit/time-text.ts';
import type { ActorNames } from '../../../parts/actor-names.ts';

interface LimitsPageProps {
  readonly path: string;
  readonly limits: readonly PaymentLimitRow[];
  /** What was let go today, in UTC; '' is the customer. */
  readonly used: readonly { apiKeyId: string; currency: string; amount: bigint }[];
  readonly beneficiaries: readonly BeneficiaryRow[];
  readonly keyNames: ReadonlyMap<string, string>;
  readonly names: ActorNames;
  readonly times: TimeText;
  readonly mayWrite: boolean;
  /** Stands in the form of a beneficiary. */
  readonly destination: string;
  readonly formOf: (action: string) => { readonly action: string; readonly token: string };
}

/** The limits of one environment: of all payments, and of API keys. */
export const LimitsPage = (props: LimitsPageProps) => {
  const { path, limits, mayWrite } = props;
  return (
    <>
      <PageHead
        title="Payment limits"
        about="A payment over a limit waits until another user approves it."
      >
        {mayWrite && limits.length > 0 ? (
          <a class="button" href={`${path}/new`}>
            Set a limit
          </a>
        ) : null}
      </PageHead>
      {limits.length === 0 ? <NoLimits {...props} /> : <Limits {...props} />}
      <Beneficiaries {...props} />
    </>
  );
};

const NoLimits = ({ path, mayWrite }: LimitsPageProps) => (
  <EmptyState
    title="No limit yet"
    {...(mayWrite ? { action: { href: `${path}/new`, text: 'Set a limit' } } : {})}
  >
    Payments of all API keys are sent without approval. With a limit, a stolen key costs at most the
    limit.
  </EmptyState>
);

const amountText = (minor: bigint | null, currency: string): string =>
  minor === null ? 'no limit' : groupDigits(formatAmount(minor, currency));

const Limits = ({
  path,
  limits,
  used,
  keyNames,
  names,
  times,
  mayWrite,
  formOf,
}: LimitsPageProps) => {
  const usedOf = ({ apiKeyId, currency }: PaymentLimitRow): bigint =>
    used.find((one) => one.apiKeyId === (apiKeyId ?? '') && one.currency === currency)?.amount ??
    0n;
  const nameOf = ({ apiKeyId }: PaymentLimitRow): string =>
    apiKeyId === null ? 'All payments' : (keyNames.get(apiKeyId) ?? apiKeyId);
  return (
    <Card title="Limits" aside="amounts with fees, days in UTC" isFlush>
      <Table
        label="Payment limits"
        rows={limits}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'For',
            cell: (limit) => (
              <>
                {nameOf(limit)}
                <br />
                <small class="muted">
                  {`${names(limit.setBy)}, ${times.moment(limit.setAt).slice(0, 10)}`}
                </small>
              </>
            ),
          },
          { title: 'Currency', cell: ({ currency }) => currency },
          {
            title: 'One payment',
            isNumber: true,
            cell: ({ perPayment, currency }) => amountText(perPayment, currency),
          },
          {
            title: 'One day',
            isNumber: true,
            cell: ({ perDay, currency }) => amountText(perDay, currency),
          },
          {
            title: 'Today',
            isNumber: true,
            isMuted: true,
            cell: (limit) => amountText(usedOf(limit), limit.currency),
          },
          {
            title: 'Beneficiaries',
            cell: ({ allowedBeneficiariesOnly }) => (allowedBeneficiariesOnly ? 'allowed' : 'any'),
          },
          ...(mayWrite
            ? [
                {
                  title: 'Change',
                  cell: (limit: PaymentLimitRow) => (
                    <a
                      class="button button-plain"
                      href={linkTo(`${path}/new`, {
                        key: limit.apiKeyId ?? '',
                        currency: limit.currency,
                      })}
                    >
                      Change<span class="spoken"> {`${nameOf(limit)} ${limit.currency}`}</span>
                    </a>
                  ),
                },
                {
                  title: 'Remove',
                  cell: (limit: PaymentLimitRow) => (
                    <Form {...formOf(`${path}/${limit.id}/remove`)}>
                      <input type="hidden" name="version" value={limit.version} />
                      <button type="submit" class="button button-plain">
                        Remove<span class="spoken"> {`${nameOf(limit)} ${limit.currency}`}</span>
                      </button>
                    </Form>
                  ),
                },
              ]
            : []),
        ]}
      />
      <p class="nothing">
        Where a limit is set, payments from a currency without one wait for approval too.
      </p>
    </Card>
  );
};

const Beneficiaries = (props: LimitsPageProps) => {
  const { path, beneficiaries, names, times, mayWrite, destination, formOf } = props;
  return (
    <>
      <Card title="Allowed beneficiaries" isFlush>
        {beneficiaries.length === 0 ? (
          <p class="nothing">
            No beneficiary is allowed yet. A limit can hold payments to all others.
          </p>
        ) : (
          <Table
            label="Allowed beneficiaries"
            rows={beneficiaries}
            keyOf={({ destinationId }) => destinationId}
            columns={[
              {
                title: 'Bank account or wallet',
                cell: ({ destinationId }) => <code>{destinationId}</code>,
              },
              { title: 'Allowed by', isMuted: true, cell: ({ allowedBy }) => names(allowedBy) },
              {
                title: 'Allowed',
                isMuted: true,
                cell: ({ allowedAt }) => times.moment(allowedAt),
              },
              ...(mayWrite
                ? [
                    {
                      title: 'Change',
                      cell: ({ destinationId }: BeneficiaryRow) => (
                        <Form {...formOf(`${path}/beneficiaries/${destinationId}/remove`)}>
                          <button type="submit" class="button button-plain">
                            Remove<span class="spoken"> {destinationId}</span>
                          </button>
                        </Form>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </Card>
      {mayWrite ? (
        <Card title="Allow a beneficiary">
          <Form {...formOf(`${path}/beneficiaries`)} submit="Allow" isPlain>
            <TextField
              name="destination"
              label="ID of the bank account or wallet"
              hint="It begins with ba_ or wal_. The page of a payment that waits for it shows it."
              value={destination}
            />
          </Form>
        </Card>
      ) : null}
    </>
  );
};
