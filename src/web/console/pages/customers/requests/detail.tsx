import { Type } from 'typebox';
import { openDetails } from '../../../../../modules/customers/access/access-request-details.ts';
import {
  findAccessRequest,
  type AccessRequestRow,
} from '../../../../../db/customers/access-request-store.ts';
import { findUser } from '../../../../../db/customers/user-store.ts';
import { maskAddress } from '../../../../../domain/customers/access/mask-address.ts';
import type { AccessRequestDetails } from '../../../../../domain/customers/access/access-request.ts';
import type { Operator } from '../../../../../domain/customers/access/person.ts';
import { momentIn } from '../../../../kit/moment-in.ts';
import { noSuchPage } from '../../../../kit/page-refusal.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { Facts } from '../../../../kit/parts/facts.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import { DecisionForms, InviteOwnerForm } from './decision-forms.tsx';
import { mayReadRequests, REQUEST_CHIPS } from './request-words.ts';

const REQUEST_PARAMS = Type.Object({ id: Type.String() });

/** GET /requests/{id} of a request for access: what was told, and to who may decide, how. */
export function registerAccessRequest(app: WebApp, { db, vault }: ConsoleDeps): void {
  app.get(
    '/requests/:id',
    { config: { right: 'see' }, schema: { params: REQUEST_PARAMS } },
    async (request, reply) => {
      const operator = operatorOf(request);
      const { row, owner } = await db.system(async (tx) => {
        const found = await findAccessRequest(tx, request.params.id);
        const [customerId, userId] = [found?.customerId ?? null, found?.userId ?? null];
        const isApproved = customerId !== null && userId !== null;
        return { row: found, owner: isApproved ? await findUser(tx, customerId, userId) : null };
      });
      if (row === null) throw noSuchPage();
      const newForm = (path: string) => reply.newForm(path);
      return sendConsolePage(request, reply, {
        ...{ title: 'Request for access', current: '/requests' },
        body: (
          <>
            <PageHead
              title="Request for access"
              trail={{ href: '/requests', text: 'Requests', here: row.id }}
            />
            <div class="columns">
              <Told told={openDetails(vault, row)} operator={operator} />
              <Stand row={row} operator={operator} />
            </div>
            {mayReadRequests(operator) && row.status === 'WAITING' ? (
              <DecisionForms requestId={row.id} newForm={newForm} />
            ) : null}
            {mayReadRequests(operator) && owner !== null && owner.status === 'INVITED' ? (
              <InviteOwnerForm requestId={row.id} newForm={newForm} />
            ) : null}
          </>
        ),
      });
    },
  );
}

const Told = (props: {
  readonly told: AccessRequestDetails | null;
  readonly operator: Operator;
}) => {
  const { told, operator } = props;
  if (told === null) {
    return (
      <Card title="What was told">
        <p class="muted">It has been erased.</p>
      </Card>
    );
  }
  // Others than those who decide work without personal data; what was written freely may hold some.
  if (!mayReadRequests(operator)) {
    return (
      <Card title="What was told">
        <Facts facts={[['E-mail address', maskAddress(told.address)]]} />
        <p class="muted">Operators of compliance see the rest.</p>
      </Card>
    );
  }
  return (
    <Card title="What was told">
      <Facts
        facts={[
          ['Company', told.company],
          ['Name', told.name],
          ['E-mail address', told.address],
          ['To pay', told.purpose],
        ]}
      />
    </Card>
  );
};

const Stand = ({
  row,
  operator: { timeZone },
}: {
  readonly row: AccessRequestRow;
  readonly operator: Operator;
}) => (
  <Card title="Where it stands" aside={<Chip {...REQUEST_CHIPS[row.status]} />}>
    <Facts
      facts={[
        ['Sent', momentIn(row.createdAt, timeZone)],
        ...(row.status === 'WAITING'
          ? ([['Open until', momentIn(row.expiresAt, timeZone)]] as const)
          : []),
        ...(row.decidedAt === null
          ? []
          : ([['Decided', momentIn(row.decidedAt, timeZone)]] as const)),
        ...(row.decidedBy === null ? [] : ([['By', <code>{row.decidedBy}</code>]] as const)),
        ...(row.customerId === null
          ? []
          : ([
              ['Customer', <a href={`/customers/${row.customerId}`}>{row.customerId}</a>],
            ] as const)),
      ]}
    />
  </Card>
);
