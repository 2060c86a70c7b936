import {
  listAddressesToDecide,
  type AddressToDecide,
} from '../../../../../db/customers/address-decision-store.ts';
import { readQuery } from '../../../../kit/forms/read-query.ts';
import { listPage, pagesAround } from '../../../../kit/list-pages.ts';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { EmptyState } from '../../../../kit/parts/empty-state.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { Pager } from '../../../../kit/parts/pager.tsx';
import { Table } from '../../../../kit/parts/table.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import { timeText, type TimeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import { stepOf } from './address-steps.ts';

const LIST = 'addresses-to-decide';
const PATH = '/requests/addresses';
const QUERY = {
  cursor: { what: 'a place in the list', lengthMax: 100, isOptional: true },
} as const;

/** GET /requests/addresses: what customers want live keys to be used from. */
export function registerAddresses(app: WebApp, { db, clock }: ConsoleDeps): void {
  app.get(PATH, { config: { right: 'see' } }, async (request, reply) => {
    const { cursor } = readQuery(QUERY, request.query).values;
    const asked = listPage(cursor, LIST);
    const page = await db.system((tx) => listAddressesToDecide(tx, asked, clock.now()));
    const pages = pagesAround({ path: PATH, query: {} }, cursor, page, LIST);
    const isEmpty = page.items.length === 0 && pages.newest === null;
    return sendConsolePage(request, reply, {
      ...{ title: 'Addresses that wait', current: '/requests' },
      body: (
        <>
          <PageHead
            title="Addresses that wait"
            about="A live key works from an address once two operators have approved it."
          />
          {isEmpty ? (
            <EmptyState title="No address waits">
              What customers propose for their live keys comes here.
            </EmptyState>
          ) : (
            <div class="card card-flush">
              <AddressTable rows={page.items} times={timeText(operatorOf(request).timeZone)} />
              <Pager {...pages} />
            </div>
          )}
        </>
      ),
    });
  });
}

export const AddressTable = (props: {
  readonly rows: readonly AddressToDecide[];
  readonly times: TimeText;
}) => (
  <Table
    label="Addresses that wait"
    rows={props.rows}
    keyOf={({ id }) => id}
    hrefOf={({ id }) => `${PATH}/${id}`}
    columns={[
      { title: 'Address', cell: ({ range }) => <code>{range}</code> },
      { title: 'State', cell: (address) => <Chip {...stepOf(address)} /> },
      { title: 'Customer', cell: ({ customerName }) => customerName },
      { title: 'Key', cell: ({ keyName, keyLast4 }) => `${keyName} …${keyLast4}` },
      {
        title: 'Asked for',
        isMuted: true,
        cell: ({ createdAt }) => props.times.moment(createdAt),
      },
    ]}
  />
);
