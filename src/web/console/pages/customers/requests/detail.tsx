import { Type } from 'typebox';
import { openDetails } from '../../../../../modules/customers/access/access-request-details.ts';
import {
  findAccessRequest,
  type AccessRequestRow,
} from '../../../../../db/customers/access-request-store.ts';
import { readCustomerNames } from '../../../../../db/customers/customer-status-store.ts';
import { findUser } from '../../../../../db/customers/user-store.ts';
import { assertNever } from '../../../../../domain/assert-never.ts';
import { maskAddress } from '../../../../../domain/customers/access/mask-address.ts';
import type { AccessRequestDetails } from '../../../../../domain/customers/access/access-request.ts';
import type { Operator } from '../../../../../domain/customers/access/person.ts';
import { durationWords } from '../../../../kit/duration-words.ts';
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
import { CustomerLink } from '../../../parts/customer-link.tsx';
import { Lead } from '../../../parts/lead.tsx';
import { DecisionForms, InviteOwnerForm } from './decision-forms.tsx';
import { mayReadRequests, REQUEST_CHIPS } from './request-words.ts';

const REQUEST_PARAMS = Type.Object({ id: Type.String() });

/** GET /requests/{id}: an access request, where it stands, and the forms that decide it. */
export function registerAccessRequest(app: WebApp, { db, vault, clock }: ConsoleDeps): void {
  app.get(
    '/requests/:id',
    { config: { right: 'see' }, schema: { params: REQUEST_PARAMS } },
    async (request, reply) => {
      const operator = operatorOf(request);
      const { row, customer, owner } = await db.system(async (tx) => {
        const found = await findAccessRequest(tx, request.params.id);
        const [customerId, userId] = [found?.customerId ?? null, found?.userId ?? null];
        const isApproved = customerId !== null && userId !== null;
        const names = customerId === null ? null : await readCustomerNames(tx, [customerId]);
        const customer = names?.get(customerId ?? '');
        return {
          row: found,
          customer,
          owner: isApproved ? await findUser(tx, customerId, userId) : null,
        };
      });
      if (row === null) throw noSuchPage();
      const newForm = (path: string) => reply.newForm(path);
      return sendConsolePage(request, reply, {
        ...{ title: 'Access request', current: '/requests' },
        body: (
          <>
            <PageHead
              title="Access request"
              trail={{ href: '/requests', text: 'Requests', here: row.id }}
            />
            <Lead sentences={sentencesOf(row, mayReadRequests(operator), clock.now())} />
            {mayReadRequests(operator) && row.status === 'WAITING' ? (
              <DecisionForms requestId={row.id} newForm={newForm} />
            ) : null}
            {mayReadRequests(operator) && owner !== null && owner.status === 'INVITED' ? (
              <InviteOwnerForm requestId={row.id} newForm={newForm} />
            ) : null}
            <div class="columns">
              <Told told={openDetails(vault, row)} operator={operator} />
              <Stand row={row} operator={operator} customer={customer} />
            </div>
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
      <Card title="What the applicant wrote">
        <p class="muted">The applicant’s data was erased.</p>
      </Card>
    );
  }
  // Others than those who decide work without personal data; what was written freely may hold some.
  if (!mayReadRequests(operator)) {
    return (
      <Card title="What the applicant wrote">
        <Facts facts={[['Email address', maskAddress(told.address)]]} />
        <p class="muted">Only operators with the role compliance see the rest.</p>
      </Card>
    );
  }
  return (
    <Card title="What the applicant wrote">
      <Facts
        facts={[
          ['Company', told.company],
          ['Name', told.name],
          ['Email address', told.address],
          ['Purpose', told.purpose],
        ]}
      />
    </Card>
  );
};

const Stand = ({
  row,
  operator: { timeZone },
  customer,
}: {
  readonly row: AccessRequestRow;
  readonly operator: Operator;
  /** The customer’s name, once there is one. */
  readonly customer: string | undefined;
}) => (
  <Card title="Status" aside={<Chip {...REQUEST_CHIPS[row.status]} />}>
    <Facts
      facts={[
        ['Sent', momentIn(row.createdAt, timeZone)],
        ...(row.status === 'WAITING'
          ? ([['Expires', momentIn(row.expiresAt, timeZone)]] as const)
          : []),
        ...(row.decidedAt === null
          ? []
          : ([['Decided', momentIn(row.decidedAt, timeZone)]] as const)),
        ...(row.decidedBy === null
          ? []
          : ([['Decided by', <code>{row.decidedBy}</code>]] as const)),
        ...(row.customerId === null
          ? []
          : ([['Customer', <CustomerLink id={row.customerId} name={customer} />]] as const)),
      ]}
    />
  </Card>
);

/** Where it stands, and whom it waits for. */
function sentencesOf(row: AccessRequestRow, mayDecide: boolean, now: Date): readonly string[] {
  switch (row.status) {
    case 'WAITING':
      return [
        `This request has waited for a decision for ${durationWords(now.getTime() - row.createdAt.getTime())}.`,
        mayDecide
          ? 'Check that the company exists and that the email address belongs to it. Then approve or decline the request.'
          : 'An operator with the role compliance decides it.',
      ];
    case 'APPROVED':
      return ['An operator approved this request. The customer exists.'];
    case 'DECLINED':
      return ['An operator declined this request. The applicant was told.'];
    case 'EXPIRED':
      return [
        'This request expired before an operator decided it. The applicant can send a new one.',
      ];
    default:
      return assertNever(row.status);
  }
}
