import { listAddressesToDecide } from '../../../../../db/customers/address-decision-store.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { timeText } from '../../../../kit/time-text.ts';
import type { RequestSection } from '../requests/section.ts';
import { AddressTable } from './list.tsx';

const SHOWN = 10;

/** The newest addresses that wait. Their own page shows all of them. */
export const addressesSection: RequestSection = async (tx, { deps, operator }) => {
  const asked = { before: null, limit: SHOWN };
  const { items, next } = await listAddressesToDecide(tx, asked, deps.clock.now());
  return (
    <Card title="IP addresses of live keys" isFlush>
      {items.length === 0 ? (
        <p class="nothing">No IP address needs a decision.</p>
      ) : (
        <AddressTable rows={items} times={timeText(operator.timeZone)} />
      )}
      {next === null ? null : (
        <p class="more">
          <a href="/requests/addresses">Show all IP addresses</a>
        </p>
      )}
    </Card>
  );
};
