import { hasCustomer } from '../../../db/customers/customer-store.ts';
import {
  findReleaseStopById,
  listReleaseStops,
  type ReleaseFilter,
} from '../../../db/operations/release-stop-store.ts';
import { RAILS } from '../../../domain/payments/corridors/rail.ts';
import { ENVIRONMENTS } from '../../../domain/scope.ts';
import { resumeRelease, stopRelease } from '../../payments/stop-release.ts';
import { switchRestoreMode } from '../../payments/switch-restore-mode.ts';
import { wakeStoppedPayments } from '../../payments/wake-stopped-payments.ts';
import { choicesOf } from './act-input.ts';
import { defineAct, NO_SUBJECT, refused, type ActInput } from './operator-act.ts';

/** The payments that a stop applies to: all, or those that match every given value. */
const FILTER = {
  environment: {
    ...{ label: 'Environment', what: 'an environment', lengthMax: 40, isOptional: true },
    choices: choicesOf(ENVIRONMENTS),
    option: '--environment <name>',
    help: 'test or live',
  },
  rail: {
    ...{ label: 'Rail', what: 'a rail', lengthMax: 40, isOptional: true },
    choices: choicesOf(RAILS),
    option: '--rail <name>',
    help: 'only payments over this rail',
  },
  customer: {
    ...{ label: 'Customer', what: 'a customer', lengthMax: 100, isOptional: true },
    hint: 'cus_... Leave it empty for all customers.',
    option: '--customer <id>',
    help: 'cus_...; only payments of this customer',
  },
} as const satisfies Readonly<Record<string, ActInput>>;

/** A value that is left out matches everything. */
const filterOf = (values: {
  readonly environment?: string;
  readonly rail?: string;
  readonly customer?: string;
}): ReleaseFilter => ({
  environment: ENVIRONMENTS.find((one) => one === values.environment) ?? null,
  ...{ rail: values.rail || null, customerId: values.customer || null },
});

/** The payments that a stop applies to, in words. */
export function filterText({ environment, rail, customerId }: ReleaseFilter): string {
  const parts = [environment, rail, customerId].filter((part) => part !== null);
  return parts.length === 0 ? 'Everything' : parts.join(', ');
}

export const STOP_RELEASE = defineAct({
  name: 'release.stop',
  ...{ title: 'Stop payments', submit: 'Stop', isDangerous: true },
  summary:
    'Stops payments from leaving. New payments are still accepted and wait. Payments that the bank already has continue.',
  ...{ right: 'decide-payments', decidedBy: 'ONE', inputs: FILTER, subject: NO_SUBJECT },
  page: '/release/stop',
  command: { line: 'release stop', isAllNamed: true },
  words: (_subject, values) => `Stop payments: ${filterText(filterOf(values))}`,
  check: async ({ db }, _subject, { customer }) =>
    customer === '' || (await db.system((tx) => hasCustomer(tx, customer)))
      ? []
      : [{ field: 'customer', message: `There is no customer ${customer}.` }],
  async run(deps, { values, act }) {
    const filter = filterOf(values);
    await stopRelease(deps, filter, act);
    return {
      kind: 'DONE',
      text: `Stopped: ${filterText(filter)}. New payments are accepted and wait as ON_HOLD / RELEASE_STOPPED. Payments that the bank already has continue.`,
    };
  },
});

export const RESUME_RELEASE = defineAct({
  name: 'release.resume',
  ...{ title: 'Resume payments', submit: 'Resume' },
  summary:
    'Ends a stop. The payments that it held can leave again, unless another stop applies to them.',
  ...{ right: 'decide-payments', decidedBy: 'ONE', inputs: {} },
  subject: {
    find: async ({ db }, id): Promise<ReleaseFilter | null> =>
      /^[0-9]{1,18}$/.test(id) ? db.system((tx) => findReleaseStopById(tx, BigInt(id))) : null,
    missing: (id) => `There is no stop ${id}.`,
  },
  page: '/release/:id/resume',
  command: {
    line: 'release resume',
    isAllNamed: true,
    locator: {
      inputs: FILTER,
      find: (_deps, values) => Promise.resolve(filterOf(values)),
      missing: () => '',
    },
  },
  words: (stop) => `Resume payments: ${filterText(stop)}`,
  async run(deps, { subject, act }) {
    const ended = await resumeRelease(deps, subject, act);
    if (ended.length === 0) {
      return refused(
        `There is no active stop for exactly: ${filterText(subject)}.`,
        'Already resumed',
      );
    }
    return {
      kind: 'DONE',
      text: `Resumed: ${filterText(subject)}.`,
      // Thousands may wait. Payments that are not woken now check again by themselves.
      after: (showProgress) => wake(deps, subject, showProgress),
    };
  },
});

async function wake(
  deps: Parameters<typeof wakeStoppedPayments>[0] & Parameters<typeof resumeRelease>[0],
  filter: ReleaseFilter,
  showProgress: (text: string) => void,
): Promise<string> {
  const { woken, isComplete } = await wakeStoppedPayments(deps, filter, (count) =>
    showProgress(`Resuming payments: ${String(count)}`),
  );
  const left = await deps.db.system((tx) => listReleaseStops(tx, 1));
  const continued = woken === 1 ? '1 payment continues.' : `${String(woken)} payments continue.`;
  return [
    isComplete
      ? continued
      : `${continued} Temporal did not answer for the others. They check again by themselves (HOLD_CHECK_MS).`,
    left.length === 0
      ? 'No stop is active.'
      : 'Other stops are active. See: npm run ops -- release list',
  ].join('\n');
}

const RESTORE_END_TEXT =
  'Sends payments without asking the bank first again. End restore mode only when you know the outcome of every payment that may have been sent before the restore. Otherwise a payment may be paid twice.';

export const BEGIN_RESTORE = defineAct({
  name: 'restore.begin',
  ...{ title: 'Begin restore mode', submit: 'Begin' },
  summary:
    'Asks the bank before each first send. Use it after you restored the database to an earlier time, so that no payment is sent twice. Payments take longer.',
  ...{ right: 'decide-payments', decidedBy: 'ONE', inputs: {}, subject: NO_SUBJECT },
  page: '/release/restore-begin',
  command: { line: 'restore begin' },
  words: () => 'Begin restore mode',
  async run(deps, { act }) {
    return (await switchRestoreMode(deps, 'begin', act))
      ? {
          kind: 'DONE',
          text: 'Restore mode is on. The bank is asked before each first send.',
        }
      : refused('Restore mode is already on. See: npm run ops -- restore status', 'No change');
  },
});

export const END_RESTORE = defineAct({
  name: 'restore.end',
  ...{ title: 'End restore mode', submit: 'End', summary: RESTORE_END_TEXT },
  ...{ right: 'decide-payments', decidedBy: 'ONE', inputs: {}, subject: NO_SUBJECT },
  page: '/release/restore-end',
  command: { line: 'restore end' },
  words: () => 'End restore mode',
  async run(deps, { act }) {
    return (await switchRestoreMode(deps, 'end', act))
      ? { kind: 'DONE', text: 'Restore mode is off.' }
      : refused('Restore mode is not on.', 'No change');
  },
});

export const RELEASE_ACTS = [STOP_RELEASE, RESUME_RELEASE, BEGIN_RESTORE, END_RESTORE] as const;
