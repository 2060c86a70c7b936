import type { CustomerStatusRow } from '../../../../db/customers/customer-status-store.ts';
import {
  INVITE_OWNER,
  RESUME_CUSTOMER,
  SUSPEND_CUSTOMER,
} from '../../../../modules/operations/acts/customer-acts.ts';
import {
  DECLINE_LIVE_ACCESS,
  PROPOSE_LIVE_ACCESS,
  WITHDRAW_LIVE_ACCESS,
} from '../../../../modules/operations/acts/live-access-acts.ts';
import {
  DECLINE_ADDRESS,
  PROPOSE_ADDRESS,
} from '../../../../modules/operations/acts/address-acts.ts';
import {
  APPROVE_REQUEST,
  DECLINE_REQUEST,
  INVITE_AGAIN,
} from '../../../../modules/operations/acts/access-request-acts.ts';
import type { AccessRequestRow } from '../../../../db/customers/access-request-store.ts';
import type { AddressToDecide } from '../../../../db/customers/address-decision-store.ts';
import type { LiveRequestShown } from '../../../../modules/customers/live/live-request-shown.ts';
import { actPage, type ActPage } from '../../acts/act-page.tsx';
import type { ActView } from '../../acts/act-view.ts';
import { AddressFacts } from './addresses/address-facts.tsx';

const CUSTOMER = {
  current: '/customers',
  trail: ({ id }: CustomerStatusRow) => ({ href: `/customers/${id}`, text: 'Customer', here: id }),
  facts: ({ name }: CustomerStatusRow) => <p>{name}</p>,
};
const LIVE_REQUEST = {
  current: '/requests',
  trail: ({ request: { id, customerId } }: LiveRequestShown) => ({
    ...{ href: `/requests/live/${id}`, text: 'Back', here: customerId },
  }),
  facts: ({ request }: LiveRequestShown) => <p>{request.customerName}</p>,
};
const ADDRESS: Pick<ActView<AddressToDecide>, 'current' | 'trail' | 'facts'> = {
  current: '/requests',
  trail: ({ id, range }) => ({
    ...{ href: `/requests/addresses/${id}`, text: range, here: range },
  }),
  facts: (address, _values, { times }) => <AddressFacts address={address} times={times} />,
};
/** Its forms stand on the page of the request. */
const REQUEST = {
  current: '/requests',
  isFormElsewhere: true,
  trail: ({ id }: AccessRequestRow) => ({ href: `/requests/${id}`, text: 'Request', here: id }),
};

export const CUSTOMER_ACT_PAGES: readonly ActPage[] = [
  actPage(SUSPEND_CUSTOMER, CUSTOMER),
  actPage(RESUME_CUSTOMER, CUSTOMER),
  actPage(INVITE_OWNER, CUSTOMER),
  actPage(WITHDRAW_LIVE_ACCESS, CUSTOMER),
  actPage(PROPOSE_LIVE_ACCESS, { ...LIVE_REQUEST, isProposalShownThere: true }),
  actPage(DECLINE_LIVE_ACCESS, LIVE_REQUEST),
  actPage(PROPOSE_ADDRESS, { ...ADDRESS, isProposalShownThere: true }),
  actPage(DECLINE_ADDRESS, ADDRESS),
  actPage(APPROVE_REQUEST, REQUEST),
  actPage(DECLINE_REQUEST, REQUEST),
  actPage(INVITE_AGAIN, REQUEST),
];
