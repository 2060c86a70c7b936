import { Type } from 'typebox';
import { openCompany } from '../../../../../modules/customers/live/company.ts';
import { OPERATOR_RIGHTS } from '../../../../../domain/customers/access/operator-rights.ts';
import type { Operator } from '../../../../../domain/customers/access/person.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Chip, type Tone } from '../../../../kit/parts/chip.tsx';
import { Facts } from '../../../../kit/parts/facts.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import { timeText, type TimeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import {
  DECLINE_LIVE_ACCESS,
  PROPOSE_LIVE_ACCESS,
  WITHDRAW_LIVE_ACCESS,
} from '../../../../../modules/operations/acts/live-access-acts.ts';
import { hrefOf } from '../../../acts/act-href.ts';
import {
  findLiveRequestShown,
  type LiveRequestShown,
} from '../../../../../modules/customers/live/live-request-shown.ts';
import { noSuchPage } from '../../../../kit/page-refusal.ts';
import { ProposalsCard } from './proposals-card.tsx';

const PARAMS = Type.Object({ id: Type.String() });

/** GET /requests/live/{id}: what a customer asks on, and what can be done. */
export function registerLiveRequest(app: WebApp, deps: ConsoleDeps): void {
  const { db, vault, clock } = deps;
  const config = { right: 'see' } as const;
  app.get('/requests/live/:id', { config, schema: { params: PARAMS } }, async (request, reply) => {
    const shown = await db.system((tx) => findLiveRequestShown(tx, request.params.id, clock.now()));
    if (shown === null) throw noSuchPage();
    const operator = operatorOf(request);
    const time = timeText(operator.timeZone);
    const { id } = shown.request;
    const [tone, state] = stateOf(shown);
    return sendConsolePage(request, reply, {
      ...{ title: 'Request for live access', current: '/requests' },
      body: (
        <>
          <PageHead
            title={shown.request.customerName}
            about="Asks for live access."
            trail={{ href: '/requests/live', text: 'Live access', here: id }}
          >
            <Chip tone={tone} text={state} />
          </PageHead>
          <Card title="What it asks on">
            <Facts facts={[...companyFacts(shown, vault), ...requestFacts(shown, time)]} />
          </Card>
          <ProposalsCard approvals={shown.approvals} time={time} now={clock.now()} />
          <Acts shown={shown} operator={operator} now={clock.now()} />
        </>
      ),
    });
  });
}

function stateOf({ request, isLive, isOutdated }: LiveRequestShown): readonly [Tone, string] {
  if (isOutdated) return ['wait', 'Outdated: the customer asks anew'];
  if (request.decision === null) return ['moving', 'Waits'];
  if (request.withdrawnAt !== null) return ['bad', 'Withdrawn'];
  if (request.decision === 'APPROVED') return isLive ? ['ok', 'Live'] : ['none', 'Approved'];
  return request.decision === 'DECLINED' ? ['bad', 'Declined'] : ['none', 'Outdated'];
}

/** As it is now: names of people are left out. */
function companyFacts({ company, check }: LiveRequestShown, vault: ConsoleDeps['vault']) {
  if (company === null) return [];
  const { business, address } = openCompany(vault, company);
  return [
    ['Registered name', business.legalName],
    [
      'Registration',
      `${business.registrationNumber ?? ''} (${business.incorporationCountry ?? ''})`,
    ],
    ['Seat', `${address.city}, ${address.country}`],
    ['Company', <code>{company.id}</code>],
    ['Check', check === null ? 'none' : `${check.id}: ${check.status}`],
  ] as const;
}

const requestFacts = ({ request, terms }: LiveRequestShown, time: TimeText) => [
  ['Customer', <a href={`/customers/${request.customerId}`}>{request.customerId}</a>] as const,
  ['Asked', `${time.moment(request.requestedAt)} by ${request.requestedBy}`] as const,
  [
    'Terms',
    `version ${String(request.termsVersion)}; in force ${String(terms?.version ?? 0)}`,
  ] as const,
  ...(request.decisionReason === null ? [] : [['Reason', request.decisionReason] as const]),
  ...(request.withdrawalReason === null
    ? []
    : [['Withdrawn because', request.withdrawalReason] as const]),
];

const Acts = (props: {
  readonly shown: LiveRequestShown;
  readonly operator: Operator;
  readonly now: Date;
}) => {
  const by = { operator: props.operator.id, now: props.now, mayRepeat: false };
  const { request, isLive } = props.shown;
  const roles: readonly string[] = OPERATOR_RIGHTS['decide-live-access'].roles;
  const acts = [
    ...[PROPOSE_LIVE_ACCESS, DECLINE_LIVE_ACCESS]
      .filter((act) => act.refusal?.(props.shown, by) === null)
      .map((act) => ({ title: act.title, href: hrefOf(act, request.id) })),
    ...(isLive
      ? [
          {
            title: WITHDRAW_LIVE_ACCESS.title,
            href: hrefOf(WITHDRAW_LIVE_ACCESS, request.customerId),
          },
        ]
      : []),
  ];
  if (!roles.includes(props.operator.role) || acts.length === 0) return null;
  return (
    <Card title="What can be done">
      <ul class="acts">
        {acts.map(({ title, href }) => (
          <li key={href}>
            <a class="button button-plain" href={href}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
};
