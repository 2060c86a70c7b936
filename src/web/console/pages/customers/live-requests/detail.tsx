import { Type } from 'typebox';
import { openCompany } from '../../../../../modules/customers/live/company.ts';
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
import { CustomerLink } from '../../../parts/customer-link.tsx';
import { Lead } from '../../../parts/lead.tsx';
import { stepOf, WhatToDo } from '../../../parts/what-to-do.tsx';
import { durationWords } from '../../../../kit/duration-words.ts';
import {
  findLiveRequestShown,
  type LiveRequestShown,
} from '../../../../../modules/customers/live/live-request-shown.ts';
import { noSuchPage } from '../../../../kit/page-refusal.ts';
import { ProposalsCard } from './proposals-card.tsx';

const PARAMS = Type.Object({ id: Type.String() });

/** GET /requests/live/{id}: a request for live access, where it stands, and what to do. */
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
            trail={{ href: '/requests/live', text: 'Live access', here: id }}
          >
            <Chip tone={tone} text={state} />
          </PageHead>
          <Lead sentences={sentencesOf(shown, clock.now())} />
          <WhatToDo operator={operator} {...stepsFor(shown, operator, clock.now())} />
          <Card title="Details">
            <Facts facts={[...companyFacts(shown, vault), ...requestFacts(shown, time)]} />
          </Card>
          <ProposalsCard approvals={shown.approvals} time={time} now={clock.now()} />
        </>
      ),
    });
  });
}

function stateOf({ request, isLive, isOutdated }: LiveRequestShown): readonly [Tone, string] {
  if (isOutdated) return ['wait', 'Outdated'];
  if (request.decision === null) return ['moving', 'Needs a decision'];
  if (request.withdrawnAt !== null) return ['bad', 'Withdrawn'];
  if (request.decision === 'APPROVED') return isLive ? ['ok', 'Live'] : ['none', 'Approved'];
  return request.decision === 'DECLINED' ? ['bad', 'Declined'] : ['none', 'Outdated'];
}

/** The company as it is now, without names of people. */
function companyFacts({ company, check }: LiveRequestShown, vault: ConsoleDeps['vault']) {
  if (company === null) return [];
  const { business, address } = openCompany(vault, company);
  return [
    ['Registered name', business.legalName],
    [
      'Registration',
      `${business.registrationNumber ?? ''} (${business.incorporationCountry ?? ''})`,
    ],
    ['Registered office', `${address.city}, ${address.country}`],
    ['Company', <code>{company.id}</code>],
    ['Check', check === null ? 'None' : `${check.id}: ${check.status}`],
  ] as const;
}

const requestFacts = ({ request, terms }: LiveRequestShown, time: TimeText) => [
  ['Customer', <CustomerLink id={request.customerId} name={request.customerName} />] as const,
  ['Requested', `${time.moment(request.requestedAt)} by ${request.requestedBy}`] as const,
  [
    'Terms',
    `Version ${String(request.termsVersion)} accepted, version ${String(terms?.version ?? 0)} current`,
  ] as const,
  ...(request.decisionReason === null ? [] : [['Reason', request.decisionReason] as const]),
  ...(request.withdrawalReason === null
    ? []
    : [['Reason of withdrawal', request.withdrawalReason] as const]),
];

const CHECK =
  'First check the company: its registration, its owners, and the terms it accepted. Do not propose it while the check is open.';

function stepsFor(shown: LiveRequestShown, operator: Operator, now: Date) {
  const by = { operator: operator.id, now, mayRepeat: false };
  const { request, isLive } = shown;
  const isOffered = (act: typeof PROPOSE_LIVE_ACCESS): boolean => act.refusal?.(shown, by) === null;
  return {
    recommended: isOffered(PROPOSE_LIVE_ACCESS)
      ? stepOf(PROPOSE_LIVE_ACCESS, request.id, CHECK)
      : null,
    others: [
      ...(isOffered(DECLINE_LIVE_ACCESS) ? [stepOf(DECLINE_LIVE_ACCESS, request.id)] : []),
      ...(isLive ? [stepOf(WITHDRAW_LIVE_ACCESS, request.customerId)] : []),
    ],
  };
}

/** Where it stands, and whom it waits for. */
function sentencesOf(
  { request, isLive, isOutdated, approvals }: LiveRequestShown,
  now: Date,
): readonly string[] {
  const { customerName, decision } = request;
  if (isOutdated || decision === 'OUTDATED') {
    return [
      'This request is outdated: the company or the terms changed since.',
      `${customerName} has to send a new request.`,
    ];
  }
  if (decision === null) {
    const waited = durationWords(now.getTime() - request.requestedAt.getTime());
    return [
      `${customerName} requested live access ${waited} ago. It cannot move real money yet.`,
      approvals.length === 0
        ? 'It waits for two operators: one proposes it, another one approves it.'
        : 'The proposals below show what operators have decided so far.',
    ];
  }
  if (request.withdrawnAt !== null) return ['Live access was withdrawn. Live keys are refused.'];
  if (decision === 'APPROVED') {
    return [
      isLive
        ? `Two operators approved this request. ${customerName} can move real money.`
        : 'Two operators approved this request.',
    ];
  }
  return ['An operator declined this request. The customer can send a new one.'];
}
