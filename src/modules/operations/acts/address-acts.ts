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
  missing: (id) => `There is no address ${id}.`,
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
      : refused(`${range} waits no more: it is ${status}.`, 'It has changed'),
} as const;

export const PROPOSE_ADDRESS = defineAct({
  name: 'addresses.propose',
  ...{ title: 'Propose approval', submit: 'Propose approval' },
  summary:
    'Let a live key be used from an address. It is approved within seven days, or not at all.',
  ...{ ...ADDRESSES, decidedBy: 'TWO' },
  page: '/requests/addresses/:addressId/propose',
  words: ({ range, apiKeyId }) => `Propose approval: the address ${range} of ${apiKeyId}`,
  async run(deps, { subject: { id, range }, act }) {
    return proposed(await deps.db.system((tx) => proposeAddress(deps, tx, id, act)), range);
  },
});

export const DECLINE_ADDRESS = defineAct({
  name: 'addresses.decline',
  ...{ title: 'Decline an address', submit: 'Decline', isDangerous: true },
  summary:
    'Decline an address of a live key. The customer reads the reason, and may propose it again.',
  ...{ ...ADDRESSES, decidedBy: 'ONE' },
  page: '/requests/addresses/:addressId/decline',
  words: ({ range, apiKeyId }) => `Decline: the address ${range} of ${apiKeyId}`,
  run: (deps, { subject: { id, approvalId, range }, act }) =>
    mailing(deps, `Declined: ${range}.`, async (tx) => {
      const deciding = { db: withinTransaction(tx), clock: deps.clock };
      if (approvalId !== null) await decideApproval(deciding, approvalId, 'REFUSED', act);
      return declineAddress(deps, tx, id, act);
    }),
});

export const ADDRESS_ACTS = [PROPOSE_ADDRESS, DECLINE_ADDRESS] as const;
