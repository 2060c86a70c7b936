import { listAddressesToDecide } from '../../../../../db/customers/address-decision-store.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { timeText } from '../../../../kit/time-text.ts';
import type { RequestSection } from '../requests/section.ts';
import { AddressTable } from './list.tsx';

const SHOWN = 10;

/** The newest addresses that wait; all of them stand on a page of their own. */
export const addressesSection: RequestSection = async (tx, { deps, operator }) => {
  const asked = { before: null, limit: SHOWN };
  const { items, next } = await listAddressesToDecide(tx, asked, deps.clock.now());
  return (
    <Card title="Addresses of live keys" isFlush>
      {items.length === 0 ? (
        <p class="nothing">No address waits.</p>
      ) : (
        <AddressTable rows={items} times={timeText(operator.timeZone)} />
      )}
      {next === null ? null : (
        <p class="more">
          <a href="/requests/addresses">All addresses that wait</a>
        </p>
      )}
    </Card>
  );
};
