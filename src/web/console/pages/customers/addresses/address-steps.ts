import type { AddressToDecide } from '../../../../../db/customers/address-decision-store.ts';
import type { Tone } from '../../../../kit/parts/chip.tsx';

/** Where an address stands between two operators. */
export function stateOf({ status, approvalId, proposedBy }: AddressToDecide): {
  readonly tone: Tone;
  readonly text: string;
} {
  if (status === 'APPROVED') return { tone: 'ok', text: 'Approved' };
  if (status === 'REJECTED') return { tone: 'bad', text: 'Declined' };
  if (status === 'REMOVED') return { tone: 'none', text: 'Removed' };
  if (approvalId === null || proposedBy === null)
    return { tone: 'wait', text: 'Needs two operators' };
  return { tone: 'moving', text: 'Needs a second operator' };
}

/** Approving takes place on the page of the proposal. */
export type AddressActName = 'propose' | 'decline';

/** What an operator can do about it here. A proposal is approved on its own page. */
export function actsOf(address: AddressToDecide): readonly AddressActName[] {
  if (address.status !== 'PENDING') return [];
  return address.approvalId === null ? ['propose', 'decline'] : ['decline'];
}

/** How many addresses a range has, in words: /16 is 65,536 of them. */
export function widthOf(range: string): string {
  const [network = '', prefix = ''] = range.split('/');
  const bits = Number(prefix);
  if (network.includes(':')) return bits === 128 ? 'one address' : `an IPv6 range of /${prefix}`;
  const count = 2 ** (32 - bits);
  return count === 1 ? 'one address' : `${count.toLocaleString('en-US')} addresses`;
}
