import {
  findAddressToDecide,
  type AddressToDecide,
} from '../../../../../db/customers/address-decision-store.ts';
import { requireFound } from '../../../../../domain/errors/require-found.ts';
import {
  DECLINE_ADDRESS,
  PROPOSE_ADDRESS,
} from '../../../../../modules/operations/acts/address-acts.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import { timeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import { AddressFacts } from './address-facts.tsx';
import { Lead } from '../../../parts/lead.tsx';
import { stepOf, WhatToDo, type Step } from '../../../parts/what-to-do.tsx';
import { actsOf, stateOf, widthOf } from './address-steps.ts';

/** GET /requests/addresses/{id} */
export function registerAddress(app: WebApp, { db, clock }: ConsoleDeps): void {
  app.get(
    '/requests/addresses/:addressId',
    { config: { right: 'see' } },
    async (request, reply) => {
      const { addressId } = request.params as { readonly addressId: string };
      const operator = operatorOf(request);
      const address = requireFound(
        await db.system((tx) => findAddressToDecide(tx, addressId, clock.now())),
      );
      const acts = actsOf(address).map((act) =>
        stepOf(ACTS[act], address.id, act === 'propose' ? CHECK : ''),
      );
      const { approvalId } = address;
      const [first, ...others] = approvalId === null ? acts : [seeApproval(approvalId), ...acts];
      return sendConsolePage(request, reply, {
        ...{ title: address.range, current: '/requests' },
        body: (
          <>
            <PageHead
              title={address.range}
              trail={{ href: '/requests/addresses', text: 'Addresses', here: address.id }}
            >
              <Chip {...stateOf(address)} />
            </PageHead>
            <Lead sentences={sentencesOf(address, operator.id)} />
            <WhatToDo operator={operator} recommended={first ?? null} others={others} />
            <Card title="Details">
              <AddressFacts address={address} times={timeText(operator.timeZone)} />
            </Card>
          </>
        ),
      });
    },
  );
}

const ACTS = { propose: PROPOSE_ADDRESS, decline: DECLINE_ADDRESS } as const;

const CHECK =
  'First ask the customer, by telephone or on a known channel, whether the range is theirs. Do not propose a range that is wider than the customer needs.';

const seeApproval = (approvalId: string): Step => ({
  title: 'Open the proposal',
  about:
    'One operator proposed this range. The proposal shows who, and another operator decides there.',
  href: `/approvals/${approvalId}`,
  right: 'decide-addresses',
});

/** Where it stands, and whom it waits for. */
function sentencesOf(address: AddressToDecide, operatorId: string): readonly string[] {
  switch (address.status) {
    case 'PENDING':
      return [
        `${address.customerName} wants to use a live key from ${widthOf(address.range)}. The key does not work from there yet.`,
        address.approvalId === null || address.proposedBy === null
          ? 'It waits for two operators: one proposes it, another one approves it.'
          : address.proposedBy === operatorId
            ? 'You proposed it. Another operator has to approve it.'
            : 'An operator proposed it. A second operator has to approve it.',
      ];
    case 'APPROVED':
      return ['Two operators approved this range. The key works from there.'];
    case 'REJECTED':
      return ['An operator declined this range. The customer can propose it again.'];
    default:
      return ['The customer removed this range. The key does not work from there.'];
  }
}
