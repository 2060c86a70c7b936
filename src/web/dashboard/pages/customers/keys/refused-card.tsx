import type { RefusedAddress } from '../../../../../db/customers/api-request-store.ts';
import { linkTo } from '../../../../kit/list-pages.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { groupDigits } from '../../../../kit/parts/money.tsx';
import { Table, type Column } from '../../../../kit/parts/table.tsx';
import type { KeyPageProps } from './key-page-props.ts';

/** From where the key was refused and still is: what is forgotten on its list, or a stranger who has the key. */
export const RefusedCard = (props: KeyPageProps & { readonly isWorking: boolean }) =>
  props.refused.length === 0 ? null : (
    <Card title="Refused from" isFlush>
      <p class="nothing">
        {
          'Requests with this key from these addresses were refused (ip_not_allowed). If you do not recognize an address, someone else may have the key. Revoke it.'
        }
      </p>
      <Table
        label="Refused from"
        rows={props.refused}
        keyOf={({ address }) => address}
        columns={columnsFor(props)}
      />
    </Card>
  );

const columnsFor = (
  props: KeyPageProps & { readonly isWorking: boolean },
): readonly Column<RefusedAddress>[] => {
  const { times, can, isWorking } = props;
  const form = `${props.path}/${props.apiKey.id}/addresses/new`;
  return [
    {
      title: 'Address',
      cell: ({ address, lastAt }) => (
        <>
          <code>{address}</code>
          <br />
          <small class="muted">{`last ${times.moment(lastAt)}`}</small>
        </>
      ),
    },
    {
      title: 'Times',
      isNumber: true,
      isMuted: true,
      cell: ({ times: count }) => groupDigits(String(count)),
    },
    ...(can.propose && isWorking
      ? [
          {
            title: 'Change',
            cell: ({ address }: RefusedAddress) => (
              <a class="button button-plain" href={linkTo(form, { range: address })}>
                {props.environment === 'live' ? 'Propose' : 'Add'}
                <span class="spoken"> {address}</span>
              </a>
            ),
          },
        ]
      : []),
  ];
};
