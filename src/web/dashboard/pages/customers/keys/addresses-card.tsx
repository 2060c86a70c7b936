import type { KeyAddressRow } from '../../../../../db/customers/key-address-store.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { Table } from '../../../../kit/parts/table.tsx';
import { ADDRESS_WORDS } from '../../../words/key-words.ts';
import type { KeyPageProps } from './key-page-props.ts';

/** Where a key may be used from: its list, and what waits or was declined. */
export const AddressesCard = (props: KeyPageProps & { readonly isWorking: boolean }) => {
  const { path, apiKey, addresses, can, isWorking } = props;
  const add = (
    <a href={`${path}/${apiKey.id}/addresses/new`}>
      {props.environment === 'live' ? 'Propose an IP address' : 'Add an IP address'}
    </a>
  );
  return (
    <Card title="Addresses" isFlush {...(can.propose && isWorking ? { aside: add } : {})}>
      <p class="nothing">{whereFrom(props)}</p>
      {addresses.length === 0 ? null : <AddressTable {...props} />}
    </Card>
  );
};

/** From where requests of the key are taken now. */
function whereFrom({ environment, apiKey, addresses }: KeyPageProps): string {
  if (addresses.some(({ status }) => status === 'APPROVED')) {
    return 'Only requests from the approved addresses are accepted.';
  }
  if (environment === 'test' && apiKey.isOpenToAnyAddress) {
    return 'Requests from every address are accepted. If you add an address, only requests from the list are accepted.';
  }
  return environment === 'live'
    ? 'All requests are refused. A live key needs an IP address that two operators have approved.'
    : 'All requests are refused, because the list is empty.';
}

const AddressTable = ({ path, apiKey, addresses, names, times, can }: KeyPageProps) => (
  <Table
    label="Addresses"
    rows={addresses}
    keyOf={({ id }) => id}
    columns={[
      {
        title: 'Address',
        cell: ({ range, label, requestedBy, createdAt }) => (
          <>
            <code>{range}</code> {label}
            <br />
            <small class="muted">
              {`${names(requestedBy)}, ${times.moment(createdAt).slice(0, 10)}`}
            </small>
          </>
        ),
      },
      {
        title: 'State',
        cell: ({ status, decisionReason }) => (
          <>
            <Chip {...ADDRESS_WORDS[status]} />{' '}
            {status === 'REJECTED' ? <span class="muted">{decisionReason}</span> : null}
          </>
        ),
      },
      ...(can.remove && addresses.some(isOnList)
        ? [
            {
              title: 'Change',
              cell: (address: KeyAddressRow) =>
                isOnList(address) ? (
                  <a
                    class="button button-plain"
                    href={`${path}/${apiKey.id}/addresses/${address.id}/remove`}
                  >
                    Remove
                    <span class="spoken"> {address.range}</span>
                  </a>
                ) : null,
            },
          ]
        : []),
    ]}
  />
);

const isOnList = ({ status }: KeyAddressRow): boolean =>
  status === 'APPROVED' || status === 'PENDING';
