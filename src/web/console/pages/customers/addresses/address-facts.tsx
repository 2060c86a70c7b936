import type { AddressToDecide } from '../../../../../db/customers/address-decision-store.ts';
import { Facts } from '../../../../kit/parts/facts.tsx';
import type { TimeText } from '../../../../kit/time-text.ts';
import { widthOf } from './address-steps.ts';

/** All that an operator needs to decide about an address. */
export const AddressFacts = (props: {
  readonly address: AddressToDecide;
  readonly times: TimeText;
}) => {
  const { address, times } = props;
  return (
    <Facts
      facts={[
        ['Address', <code>{address.range}</code>],
        ['Width', widthOf(address.range)],
        ['Label', address.label === '' ? 'none' : address.label],
        ['Customer', `${address.customerName} (${address.customerId})`],
        [
          'Key',
          `${address.keyName} …${address.keyLast4} (${address.apiKeyId}), ${address.environment}`,
        ],
        ['May do', address.keyScopes.includes('*') ? 'Everything' : address.keyScopes.join(', ')],
        [
          'Asked for',
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
