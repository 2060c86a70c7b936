import {
  ATTENTION_COUNTED,
  type Attention,
} from '../../../../db/payments/payment-attention-store.ts';
import type { WebhookEndpointRow } from '../../../../db/webhooks/webhook-endpoint-store.ts';
import type { User } from '../../../../domain/customers/access/person.ts';
import { formatAmount } from '../../../../domain/money/amount.ts';
import type { Environment } from '../../../../domain/scope.ts';
import { Card } from '../../../kit/parts/card.tsx';
import { Chip, type Tone } from '../../../kit/parts/chip.tsx';
import { durationWords } from '../../../kit/duration-words.ts';
import { groupDigits, Money } from '../../../kit/parts/money.tsx';
import { Table } from '../../../kit/parts/table.tsx';
import type { Children } from '../../../kit/parts/types.ts';
import type { TimeText } from '../../../kit/time-text.ts';
import { shortId } from '../../words/mask.ts';
import { STATUS_WORDS } from '../../../kit/words/payment-status.ts';
import { detailWords } from '../../words/payment-words.ts';

export interface AttentionProps {
  readonly environment: Environment;
  readonly user: User;
  readonly attention: Attention;
  /** Endpoints that fail, or that were switched off because they did. */
  readonly failing: readonly WebhookEndpointRow[];
  readonly times: TimeText;
  readonly now: Date;
}

interface AttentionLine {
  readonly key: string;
  readonly href: string;
  readonly what: Children;
  readonly chip: { readonly tone: Tone; readonly text: string };
  readonly amount: Children;
  /** What it is about, and who acts. */
  readonly says: string;
}

/** "3 payments", and from the number up to which is counted on "1,000 payments or more". */
function countText(count: number, noun: string): string {
  const text = `${groupDigits(String(count))} ${noun}${count === 1 ? '' : 's'}`;
  return count >= ATTENTION_COUNTED ? `${text} or more` : text;
}

/** Everything that a user should look at: a sentence for each state, then what it is about. */
export const AttentionCard = (props: AttentionProps) => {
  const lines = [
    ...paymentLines(props),
    ...endpointLines(props),
    ...kycLines(props),
    ...liveLines(props),
  ];
  const states = stateSentences(props);
  return (
    <Card title="What needs attention" isFlush>
      {states.map(({ href, text }) => (
        <p key={href} class="more">
          <a href={href}>{text}</a>
        </p>
      ))}
      {lines.length === 0 ? (
        <p class="nothing">Nothing needs your attention.</p>
      ) : (
        <Table
          label="What needs attention"
          rows={lines}
          keyOf={({ key }) => key}
          hrefOf={({ href }) => href}
          columns={[
            { title: 'What', cell: ({ what }) => what },
            { title: 'State', cell: ({ chip }) => <Chip {...chip} /> },
            { title: 'Amount', isNumber: true, cell: ({ amount }) => amount },
            { title: 'Why', isMuted: true, cell: ({ says }) => says },
          ]}
        />
      )}
    </Card>
  );
};

/** One sentence for each state that there is, with the way to exactly these. */
function stateSentences({ attention, failing, environment, now }: AttentionProps) {
  const { held, oldestHeldSince } = attention;
  return [
    ...(held === 0 || oldestHeldSince === null
      ? []
      : [
          {
            href: `/${environment}/payments?status=ON_HOLD`,
            text: `${countText(held, 'payment')} ${held === 1 ? 'is' : 'are'} on hold. ${held === 1 ? 'It' : 'The oldest'} has waited ${durationWords(now.getTime() - oldestHeldSince.getTime())}.`,
          },
        ]),
    ...(failing.length === 0
      ? []
      : [
          {
            href: `/${environment}/webhooks`,
            text: `${countText(failing.length, 'webhook endpoint')} ${failing.length === 1 ? 'is' : 'are'} failing or disabled.`,
          },
        ]),
  ];
}

const paymentLines = ({ attention, environment }: AttentionProps): AttentionLine[] =>
  attention.payments.map(({ id, status, statusDetail, amount, unit, ...payment }) => ({
    key: id,
    href: `/${environment}/payments/${id}`,
    what: <code>{shortId(id)}</code>,
    chip: STATUS_WORDS[status],
    amount: <Money amount={formatAmount(amount, unit)} currency={unit} />,
    says: payment.returnInfo?.message ?? payment.failure?.message ?? detailWords(statusDetail),
  }));

const endpointLines = ({ failing, environment, times }: AttentionProps): AttentionLine[] =>
  failing.map(({ id, url, status, failingSince, disabledAt }) => {
    const host = new URL(url).host;
    const isOff = status === 'DISABLED';
    const since = isOff ? disabledAt : failingSince;
    return {
      key: id,
      href: `/${environment}/webhooks/${id}`,
      what: <code>{shortId(id)}</code>,
      chip: isOff ? { tone: 'bad', text: 'Disabled' } : { tone: 'wait', text: 'Failing' },
      amount: '',
      says: `${host} ${isOff ? 'has been disabled' : 'has failed'} since ${since === null ? 'a while ago' : times.moment(since)}.`,
    };
  });

function kycLines({ attention, environment, times }: AttentionProps): AttentionLine[] {
  const { expiring, firstExpiry } = attention;
  if (expiring === 0 || firstExpiry === null) return [];
  return [
    {
      key: 'kyc',
      href: `/${environment}/end-users?kyc=APPROVED`,
      what: 'KYC',
      chip: { tone: 'wait', text: 'Expiring' },
      amount: '',
      says: `${countText(expiring, 'approval')} ${expiring === 1 ? 'ends' : 'end'} within 30 days, the first at ${times.moment(firstExpiry)}. Start new checks.`,
    },
  ];
}

/** Every user sees what is left before going live, in test, until the customer has live access. */
const liveLines = ({ user, environment }: AttentionProps): AttentionLine[] =>
  user.customer.hasLiveAccess || environment === 'live'
    ? []
    : [
        {
          key: 'live',
          href: '/going-live',
          what: 'Going live',
          chip: { tone: 'none', text: 'Not live yet' },
          amount: '',
          says: 'The checklist shows what is left to do before you can move real money.',
        },
      ];
