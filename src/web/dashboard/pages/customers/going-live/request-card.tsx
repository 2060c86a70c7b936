import { isSameBasis, liveBasis } from '../../../../../modules/customers/live/live-standing.ts';
import type { LiveRequestRow } from '../../../../../db/customers/live-request-store.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Chip, type Tone } from '../../../../kit/parts/chip.tsx';
import { Facts } from '../../../../kit/parts/facts.tsx';
import { Form } from '../../../../kit/parts/form.tsx';
import { timeText, type TimeText } from '../../../../kit/time-text.ts';
import type { Shown } from './checklist-items.tsx';
import { may } from '../../../environment.tsx';

const PATH = '/going-live/request';

/** What came of the last request, and the next one where it can be made. */
export function RequestCard({ standing, user, now, newForm }: Shown) {
  const { request } = standing;
  const basis = liveBasis(standing, now);
  const isLive = user.customer.hasLiveAccess;
  const waits = request !== null && request.decision === null;
  const isOutdated = waits && !isSameBasis(request, basis);
  const mayAsk = basis !== null && !isLive && (!waits || isOutdated);
  const [tone, word] = stateOf(request, { isLive, isOutdated });
  return (
    <Card title="Live access" aside={<Chip tone={tone} text={word} />}>
      <p>{sentenceOf({ isLive, waits, isOutdated, mayAsk })}</p>
      {request === null ? null : <Facts facts={factsOf(request, timeText(user.timeZone))} />}
      {!mayAsk || !may(user, 'ask-for-live-access') ? null : (
        <Form action={PATH} token={newForm(PATH)} submit="Request live access" />
      )}
    </Card>
  );
}

function stateOf(
  request: LiveRequestRow | null,
  { isLive, isOutdated }: { readonly isLive: boolean; readonly isOutdated: boolean },
): readonly [Tone, string] {
  if (isLive) return ['ok', 'Granted'];
  if (request === null) return ['none', 'Not requested'];
  if (isOutdated) return ['wait', 'Outdated'];
  if (request.decision === null) return ['moving', 'Under review'];
  if (request.withdrawnAt !== null) return ['bad', 'Withdrawn'];
  return request.decision === 'DECLINED' ? ['bad', 'Declined'] : ['none', 'Not requested'];
}

function sentenceOf(is: {
  readonly isLive: boolean;
  readonly waits: boolean;
  readonly isOutdated: boolean;
  readonly mayAsk: boolean;
}): string {
  if (is.isLive) return 'Live keys work from their approved IP addresses.';
  if (is.isOutdated && is.mayAsk)
    return 'The company or the terms changed. Request live access again.';
  if (is.isOutdated)
    return 'The company or the terms changed. Complete the checklist, then request live access again.';
  if (is.waits) return 'Two operators decide. Owners are notified by email.';
  if (is.mayAsk) return 'The checklist is complete.';
  return 'When the checklist is complete, an owner can request live access here.';
}

const factsOf = (
  { id, requestedAt, decidedAt, decisionReason, withdrawnAt, withdrawalReason }: LiveRequestRow,
  time: TimeText,
) => [
  ['Request', <code>{id}</code>] as const,
  ['Asked', time.moment(requestedAt)] as const,
  ...(decidedAt === null ? [] : [['Decided', time.moment(decidedAt)] as const]),
  ...(decisionReason === null ? [] : [['Reason', decisionReason] as const]),
  ...(withdrawnAt === null ? [] : [['Withdrawn', time.moment(withdrawnAt)] as const]),
  ...(withdrawalReason === null ? [] : [['Reason', withdrawalReason] as const]),
];
