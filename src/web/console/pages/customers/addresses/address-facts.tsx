import type { AddressToDecide } from '../../../../../db/customers/address-decision-store.ts';
import { Facts } from '../../../../kit/parts/facts.tsx';
import type { TimeText } from '../../../../kit/time-text.ts';
import { CustomerLink } from '../../../parts/customer-link.tsx';
import { widthOf } from './address-steps.ts';

/** Everything that an operator needs to decide an address. */
export const AddressFacts = (props: {
  readonly address: AddressToDecide;
  readonly times: TimeText;
}) => {
  const { address, times } = props;
  return (
    <Facts
      facts={[
        ['Range', <code>{address.range}</code>],
        ['Size', widthOf(address.range)],
        ['Label', address.label === '' ? 'None' : address.label],
        ['Customer', <CustomerLink id={address.customerId} name={address.customerName} />],
        [
          'Key',
          `${address.keyName} …${address.keyLast4} (${address.apiKeyId}), ${address.environment}`,
        ],
        ['Permissions', address.keyScopes.includes('*') ? 'All' : address.keyScopes.join(', ')],
        [
          'Requested',
          `${times.moment(address.createdAt)} by ${address.requestedBy ?? 'not recorded'}`,
        ],
        ...(address.proposedBy === null
          ? []
          : [['Proposed by', `${address.proposedBy}: ${address.proposalReason ?? ''}`] as const]),
        ...(address.decidedBy === null
          ? []
          : [['Decided by', `${address.decidedBy}. ${address.decisionReason ?? ''}`] as const]),
      ]}
    />
  );
};
