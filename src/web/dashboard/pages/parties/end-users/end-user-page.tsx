import { CurlCard } from '../../../parts/curl-card.tsx';
import type { BankAccountView } from '../../../../../modules/parties/bank-accounts/bank-account-view.ts';
import type { KycRoundRow } from '../../../../../db/parties/kyc-round-store.ts';
import type { PaymentRow } from '../../../../../db/payments/payment-store.ts';
import type { Environment } from '../../../../../domain/scope.ts';
import type { EndUserView } from '../../../../../modules/parties/end-users/end-user-view.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { Facts } from '../../../../kit/parts/facts.tsx';
import { Form } from '../../../../kit/parts/form.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { Table } from '../../../../kit/parts/table.tsx';
import type { TimeText } from '../../../../kit/time-text.ts';
import { END_USER_WORDS, KYC_WORDS } from '../../../words/kyc-words.ts';
import { maskName, maskNumber, shortId } from '../../../words/mask.ts';
import { PaymentTable } from '../../payments/payment-table.tsx';
import { KycRounds } from './kyc-rounds.tsx';
import { maskedFacts, maskedName, typeWord } from './masked-end-user.ts';

interface EndUserPageProps {
  readonly environment: Environment;
  readonly endUser: EndUserView;
  readonly rounds: readonly KycRoundRow[];
  readonly accounts: readonly BankAccountView[];
  /** The newest ones. */
  readonly payments: readonly PaymentRow[];
  readonly apiUrl: string;
  readonly times: TimeText;
  /** Null where it is not to be offered. */
  readonly unmask: { readonly action: string; readonly token: string } | null;
}

/** One end-user, masked: KYC with its reasons, accounts, and the newest payments. */
export const EndUserPage = (props: EndUserPageProps) => {
  const { endUser, environment, times, rounds, payments } = props;
  const list = `/${environment}/payments?search=${endUser.id}`;
  return (
    <>
      <PageHead
        title={maskedName(endUser)}
        trail={{ href: `/${environment}/end-users`, text: 'End-users', here: endUser.id }}
      >
        <Chip {...KYC_WORDS[endUser.kycStatus]} />
      </PageHead>
      <div class="columns">
        <div>
          <Card title="KYC" aside={`${String(rounds.length)} rounds`}>
            <KycRounds rounds={rounds} times={times} />
          </Card>
          <Accounts {...props} />
          <Card title="Newest payments" aside={<a href={list}>All</a>} isFlush>
            {payments.length === 0 ? (
              <p class="nothing">No payment yet.</p>
            ) : (
              <PaymentTable path={`/${environment}/payments`} payments={payments} times={times} />
            )}
          </Card>
        </div>
        <div>
          <Card title="Details">
            <Facts
              facts={[
                ...maskedFacts(endUser),
                ['Type', typeWord(endUser)],
                ['Status', <Chip {...END_USER_WORDS[endUser.status]} />],
                ['External ID', endUser.externalId ?? 'None'],
                [`Created (${times.zone})`, times.moment(new Date(endUser.createdAt))],
                ['Version', String(endUser.version)],
              ]}
            />
            {props.unmask === null ? null : (
              <Form {...props.unmask} submit="Show personal data" isPlain />
            )}
          </Card>
          <CurlCard apiUrl={props.apiUrl} path={`/end-users/${endUser.id}`} />
        </div>
      </div>
    </>
  );
};

const ACCOUNT_TONES = { PENDING: 'moving', ACTIVE: 'ok', DISABLED: 'none' } as const;
const ACCOUNT_TEXTS = { PENDING: 'Pending', ACTIVE: 'Active', DISABLED: 'Disabled' } as const;

const Accounts = ({ accounts }: EndUserPageProps) => (
  <Card title="Bank accounts" isFlush>
    {accounts.length === 0 ? (
      <p class="nothing">No bank account yet.</p>
    ) : (
      <Table
        label="Bank accounts"
        rows={accounts}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Id', cell: ({ id }) => <code>{shortId(id)}</code> },
          {
            title: 'Account',
            cell: ({ country, last4, rail }) => `${country} ${maskNumber(last4)}, ${rail}`,
          },
          { title: 'Holder', isMuted: true, cell: ({ holderName }) => maskName(holderName) },
          {
            title: 'Status',
            cell: ({ status }) => (
              <Chip tone={ACCOUNT_TONES[status]} text={ACCOUNT_TEXTS[status]} />
            ),
          },
        ]}
      />
    )}
  </Card>
);
