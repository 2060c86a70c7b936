import { assertNever } from '../../domain/assert-never.ts';
import type { RailHours } from '../../domain/payments/corridors/banking-days.ts';
import { Refusal, refuseField, type Problem } from '../../domain/errors/refusal.ts';
import {
  releaseOn,
  SCHEDULE_DAYS_MAX,
  type ReleaseDay,
} from '../../domain/payments/release-day.ts';
import type { OrderRoute, PaymentSchedule } from './order-check.ts';
import type { PaymentOrder } from './payment-order.ts';

/** The same as `schedulePayment`, with what it refuses as problems; no schedule without a rail. */
export function judgeSchedule(
  order: PaymentOrder,
  { destination, corridor: hours }: Pick<OrderRoute, 'destination' | 'corridor'>,
  now: Date,
): { readonly schedule: PaymentSchedule | null; readonly problems: readonly Problem[] } {
  if (order.destination.kind === 'BANK' ? hours === null : destination === null)
    return { schedule: null, problems: [] };
  try {
    return { schedule: schedulePayment(order, hours, now), problems: [] };
  } catch (refused) {
    if (!(refused instanceof Refusal)) throw refused;
    return { schedule: null, problems: refused.details };
  }
}

/**
 * The moment from which an order may leave; none for one that may leave at once. Refuses an order whose
 * rate would be of another day, and a day on which it cannot be released, naming the field.
 */
function schedulePayment(order: PaymentOrder, hours: RailHours | null, now: Date): PaymentSchedule {
  const { scheduledFor } = order;
  if (scheduledFor === null) return { scheduledFor, releaseAt: null };
  // A network has no opening hours that a day could be counted by.
  if (hours === null) throw refuseUnschedulable();
  const isConverted = (order.sourceUnit ?? order.unit) !== order.unit;
  if (isConverted || order.funding !== null || order.quoteId !== null) throw refuseUnschedulable();
  const release = releaseOn(hours, scheduledFor, now);
  if (!release.ok) throw refuseDay(release.problem);
  return { scheduledFor, releaseAt: release.releaseAt };
}

/** A quote ends within the hour, and a rate of today is no rate of that day. */
const refuseUnschedulable = (): Refusal =>
  refuseField(
    'scheduling_not_supported',
    '/scheduledFor',
    'You cannot schedule a payment that has a quote, converts a currency, is funded by a deposit, or goes to a wallet. Remove scheduledFor.',
  );

type DayProblem = Extract<ReleaseDay, { readonly ok: false }>['problem'];

function refuseDay(problem: DayProblem): Refusal {
  if (problem === 'NEVER_OPEN') {
    const message = 'The rail has no banking day on or after the requested day.';
    return refuseField('corridor_unavailable', '/bankAccountId', message);
  }
  return refuseField('validation_failed', '/scheduledFor', describe(problem));
}

function describe(problem: Exclude<DayProblem, 'NEVER_OPEN'>): string {
  switch (problem) {
    case 'NO_DAY':
      return 'scheduledFor must be a day of the calendar, YYYY-MM-DD.';
    case 'PAST':
      return 'scheduledFor must not be over in the time zone of the rail.';
    case 'TOO_FAR':
      return `scheduledFor must be within ${String(SCHEDULE_DAYS_MAX)} days.`;
    default:
      return assertNever(problem);
  }
}
