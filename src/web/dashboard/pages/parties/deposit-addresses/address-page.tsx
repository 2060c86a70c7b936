import { CurlCard } from '../../../parts/curl-card.tsx';
import type { DepositAddressRow } from '../../../../../db/parties/deposit-address-store.ts';
import type { DepositRow } from '../../../../../db/onchain/deposit-store.ts';
import type { ListedNetwork } from '../../../../../domain/onchain/network-setup.ts';
import { formatAmount } from '../../../../../domain/money/amount.ts';
import { ANY_STABLECOIN } from '../../../../../domain/money/currencies.ts';
import type { Environment } from '../../../../../domain/scope.ts';
import { linkTo } from '../../../../kit/list-pages.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { CodeBlock } from '../../../../kit/parts/code-block.tsx';
import { Facts } from '../../../../kit/parts/facts.tsx';
import { groupDigits } from '../../../../kit/parts/money.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import type { Children } from '../../../../kit/parts/types.ts';
import type { TimeText } from '../../../../kit/time-text.ts';
import { shortId } from '../../../words/mask.ts';
import { shortAddress } from '../../../words/short-address.ts';
import { ADDRESS_WORDS } from '../../../words/wallet-words.ts';
import { DepositTable } from '../../onchain/deposits/deposit-table.tsx';

interface AddressPageProps {
  readonly environment: Environment;
  readonly address: DepositAddressRow;
  /** The newest ones. */
  readonly deposits: readonly DepositRow[];
  /** Of the environment, as they are listed now. */
  readonly networks: readonly Pick<ListedNetwork, 'network' | 'assets'>[];
  readonly apiUrl: string;
  readonly times: TimeText;
}

/** One deposit address: where it takes what, what becomes of it, and what came. */
export const AddressPage = (props: AddressPageProps) => {
  const { address, environment, deposits } = props;
  const path = `/${environment}/deposits`;
  return (
    <>
      <PageHead
        title={shortAddress(address.address)}
        trail={{
          ...{ href: `/${environment}/deposit-addresses`, text: 'Deposit addresses' },
          here: address.id,
        }}
      >
        <Chip {...ADDRESS_WORDS[address.status]} />
      </PageHead>
      <div class="columns">
        <div>
          <Card title="Address" aside="The same on every network">
            <CodeBlock id="address" text={address.address} isWord />
          </Card>
          <Card
            title="Newest deposits"
            aside={<a href={linkTo(path, { search: address.id })}>All</a>}
            isFlush
          >
            {deposits.length === 0 ? (
              <p class="nothing">No deposit has arrived yet.</p>
            ) : (
              <DepositTable {...{ path, deposits }} />
            )}
          </Card>
          <CurlCard apiUrl={props.apiUrl} path={`/deposit-addresses/${address.id}`} />
        </div>
        <div>
          <Card title="Details">
            <AddressFacts {...props} />
          </Card>
          <Card title="Accepted tokens">
            <Facts
              facts={props.networks.map(({ network, assets }) => [
                network,
                assets.map(({ asset }) => asset).join(', '),
              ])}
            />
            <p class="muted">Other tokens that are sent there are not detected.</p>
          </Card>
        </div>
      </div>
    </>
  );
};

const AddressFacts = ({ address, environment, times }: AddressPageProps) => {
  const { endUserId, minAmount } = address;
  return (
    <Facts
      facts={[
        [
          'End-user',
          endUserId === null ? (
            'Your own'
          ) : (
            <a href={`/${environment}/end-users/${endUserId}`}>{shortId(endUserId)}</a>
          ),
        ],
        ['Paid on to', destinationOf(address, environment)],
        [
          'Minimum',
          minAmount === 0n ? 'None' : groupDigits(formatAmount(minAmount, ANY_STABLECOIN)),
        ],
        [`Created (${times.zone})`, times.moment(address.createdAt)],
        [`Changed (${times.zone})`, times.moment(address.updatedAt)],
        ['Version', String(address.version)],
      ]}
    />
  );
};

/** An account is on its end-user's page, a wallet on its own. */
function destinationOf(
  { endUserId, bankAccountId, walletId }: DepositAddressRow,
  environment: Environment,
): Children {
  if (walletId !== null) {
    return <a href={`/${environment}/wallets/${walletId}`}>{shortId(walletId)}</a>;
  }
  if (bankAccountId === null) return 'Your balance';
  return <a href={`/${environment}/end-users/${endUserId ?? ''}`}>{shortId(bankAccountId)}</a>;
}
