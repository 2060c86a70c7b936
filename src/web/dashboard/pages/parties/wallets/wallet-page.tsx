import { CurlCard } from '../../../parts/curl-card.tsx';
import type { PaymentRow } from '../../../../../db/payments/payment-store.ts';
import type { WalletRow } from '../../../../../db/parties/wallet-store.ts';
import type { Environment } from '../../../../../domain/scope.ts';
import { linkTo } from '../../../../kit/list-pages.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { Facts } from '../../../../kit/parts/facts.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import type { TimeText } from '../../../../kit/time-text.ts';
import { takesProof } from '../../../../../modules/parties/wallets/wallet-view.ts';
import { shortId } from '../../../words/mask.ts';
import {
  OWNERSHIP_WORDS,
  WALLET_DETAILS,
  WALLET_WORDS,
  walletAddress,
} from '../../../words/wallet-words.ts';
import { PaymentTable } from '../../payments/payment-table.tsx';

interface WalletPageProps {
  readonly environment: Environment;
  readonly wallet: WalletRow;
  /** The newest ones. */
  readonly payments: readonly PaymentRow[];
  readonly apiUrl: string;
  readonly times: TimeText;
}

/** One wallet, its address shortened: whether it may be paid to, whose it is, and the newest payments to it. */
export const WalletPage = (props: WalletPageProps) => {
  const { wallet, environment, payments, times } = props;
  const path = `/${environment}/payments`;
  return (
    <>
      <PageHead
        title={walletAddress(wallet)}
        about={WALLET_DETAILS[wallet.status]}
        trail={{ href: `/${environment}/wallets`, text: 'Wallets', here: wallet.id }}
      >
        <Chip {...WALLET_WORDS[wallet.status]} />
      </PageHead>
      <div class="columns">
        <div>
          <Card
            title="Newest payments"
            aside={<a href={linkTo(path, { search: wallet.id })}>All</a>}
            isFlush
          >
            {payments.length === 0 ? (
              <p class="nothing">No payment to this wallet yet.</p>
            ) : (
              <PaymentTable {...{ path, payments, times }} />
            )}
          </Card>
          <CurlCard apiUrl={props.apiUrl} path={`/wallets/${wallet.id}`} />
        </div>
        <div>
          <Card title="Details">
            <WalletFacts {...props} />
          </Card>
        </div>
      </div>
    </>
  );
};

const WalletFacts = ({ wallet, environment, times }: WalletPageProps) => {
  const { endUserId } = wallet;
  return (
    <Facts
      facts={[
        ['Network', wallet.network],
        [
          'End-user',
          endUserId === null ? (
            'Your own'
          ) : (
            <a href={`/${environment}/end-users/${endUserId}`}>{shortId(endUserId)}</a>
          ),
        ],
        ['Kept by', OWNERSHIP_WORDS[wallet.ownership]],
        ['Ownership', proofWords(wallet, times)],
        [`Created (${times.zone})`, times.moment(wallet.createdAt)],
        [`Changed (${times.zone})`, times.moment(wallet.updatedAt)],
        ['Version', String(wallet.version)],
      ]}
    />
  );
};

/** Whether it was proved whose the wallet is, and whether it can be. */
function proofWords(wallet: WalletRow, times: TimeText): string {
  if (wallet.provedAt !== null) return `Proven ${times.moment(wallet.provedAt)}`;
  return takesProof(wallet) ? 'Not proven yet' : 'No proof needed';
}
