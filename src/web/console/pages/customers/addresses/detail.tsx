import {
  findAddressToDecide,
  type AddressToDecide,
} from '../../../../../db/customers/address-decision-store.ts';
import { requireFound } from '../../../../../domain/errors/require-found.ts';
import { rolesWith } from '../../../../../domain/customers/access/rights.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import { timeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import { AddressFacts } from './address-facts.tsx';
import { actsOf, stepOf } from './address-steps.ts';

const WORDS = { propose: 'Propose approval', decline: 'Decline' } as const;

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
      const isTheirs = (rolesWith('console', 'decide-addresses') ?? []).includes(operator.role);
      return sendConsolePage(request, reply, {
        ...{ title: address.range, current: '/requests' },
        body: (
          <>
            <PageHead
              title={address.range}
              trail={{ href: '/requests/addresses', text: 'Addresses', here: address.id }}
            >
              <Chip {...stepOf(address)} />
            </PageHead>
            <Card title="What it is about">
              <AddressFacts address={address} times={timeText(operator.timeZone)} />
            </Card>
            {isTheirs ? <Acts address={address} operatorId={operator.id} /> : null}
          </>
        ),
      });
    },
  );
}

const Acts = (props: { readonly address: AddressToDecide; readonly operatorId: string }) => {
  const { address, operatorId } = props;
  const acts = actsOf(address);
  if (acts.length === 0) return null;
  const { approvalId } = address;
  return (
    <Card title="Decide">
      {address.proposedBy === operatorId ? (
        <p>You proposed it. Another operator has to approve it.</p>
      ) : null}
      <div class="actions">
        {approvalId === null ? null : (
          <a class="button" href={`/approvals/${approvalId}`}>
            See the approval
          </a>
        )}
        {acts.map((act) => (
          <a
            key={act}
            class={act === 'decline' ? 'button button-plain' : 'button'}
            href={`/requests/addresses/${address.id}/${act}`}
          >
            {WORDS[act]}
          </a>
        ))}
      </div>
    </Card>
  );
};
