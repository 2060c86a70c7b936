import {
  findAddressToDecide,
  type AddressToDecide,
} from '../../../db/customers/address-decision-store.ts';
import { decideApproval } from '../../approvals/decide-approval.ts';
import { withinTransaction } from '../../approvals/within-transaction.ts';
import { declineAddress, proposeAddress } from '../../customers/decide-address.ts';
import { defineAct, proposed, refused, type ActSubject } from './operator-act.ts';
import { mailing, ON_ITS_PAGE } from './customer-act-parts.ts';

const ADDRESS: ActSubject<AddressToDecide> = {
  find: ({ db, clock }, id) => db.system((tx) => findAddressToDecide(tx, id, clock.now())),
  missing: (id) => `There is no IP address entry ${id}.`,
};

/** What was seen is what is decided about: the version of the address, and the proposal, if any. */
const ADDRESSES = {
  right: 'decide-addresses',
  inputs: {},
  subject: ADDRESS,
  command: ON_ITS_PAGE,
  seen: ({ version, approvalId }: AddressToDecide) => ({
    version: String(version),
    approval: approvalId ?? '',
  }),
  refusal: ({ status, range }: AddressToDecide) =>
    status === 'PENDING'
      ? null
      : refused(`${range} is no longer pending. Its status is ${status}.`, 'It has changed'),
} as const;

export const PROPOSE_ADDRESS = defineAct({
  name: 'addresses.propose',
  ...{ title: 'Propose to approve an address', submit: 'Propose approval' },
  summary:
    'Allows a live key to be used from this address after a second operator approves. The proposal expires after 7 days.',
  ...{ ...ADDRESSES, decidedBy: 'TWO' },
  page: '/requests/addresses/:addressId/propose',
  words: ({ range, apiKeyId }) => `Propose approval of address ${range} for ${apiKeyId}`,
  async run(deps, { subject: { id, range }, act }) {
    return proposed(await deps.db.system((tx) => proposeAddress(deps, tx, id, act)), range);
  },
});

export const DECLINE_ADDRESS = defineAct({
  name: 'addresses.decline',
  ...{ title: 'Decline an address', submit: 'Decline', isDangerous: true },
  summary: 'Declines the address. The customer sees the reason and can request the address again.',
  ...{ ...ADDRESSES, decidedBy: 'ONE' },
  page: '/requests/addresses/:addressId/decline',
  words: ({ range, apiKeyId }) => `Decline address ${range} for ${apiKeyId}`,
  run: (deps, { subject: { id, approvalId, range }, act }) =>
    mailing(deps, `Declined: ${range}.`, async (tx) => {
      const deciding = { db: withinTransaction(tx), clock: deps.clock };
      if (approvalId !== null) await decideApproval(deciding, approvalId, 'REFUSED', act);
      return declineAddress(deps, tx, id, act);
    }),
});

export const ADDRESS_ACTS = [PROPOSE_ADDRESS, DECLINE_ADDRESS] as const;
