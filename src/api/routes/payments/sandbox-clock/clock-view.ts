import type { Static } from 'typebox';
import type { SandboxClockRow } from '../../../../db/customers/sandbox-clock-store.ts';
import { ADVANCED_SECONDS_MAX, formatSpan } from '../../../../domain/sandbox/clock-advance.ts';
import type { SandboxClock } from '../../../schemas/sandbox.ts';

/** The clock as the API shows it. Null: it was never moved. */
export function viewClock(row: SandboxClockRow | null): Static<typeof SandboxClock> {
  const advancedSeconds = row?.advancedSeconds ?? 0;
  return {
    advancedBy: formatSpan(advancedSeconds),
    remaining: formatSpan(ADVANCED_SECONDS_MAX - advancedSeconds),
    advancedAt: row?.advancedAt.toISOString() ?? null,
  };
}
