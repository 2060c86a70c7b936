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

/** What a stop concerns: everything, or what all of the values given have in common. */
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
    help: 'of one rail',
  },
  customer: {
    ...{ label: 'Customer', what: 'a customer', lengthMax: 100, isOptional: true },
    hint: 'cus_...; empty for every customer.',
    option: '--customer <id>',
    help: 'cus_..., as customers add printed it',
  },
} as const satisfies Readonly<Record<string, ActInput>>;

/** What is to be stopped: what was left out is all of it. */
const filterOf = (values: {
  readonly environment?: string;
  readonly rail?: string;
  readonly customer?: string;
}): ReleaseFilter => ({
  environment: ENVIRONMENTS.find((one) => one === values.environment) ?? null,
  ...{ rail: values.rail || null, customerId: values.customer || null },
});

/** What a stop concerns, in words. */
export function filterText({ environment, rail, customerId }: ReleaseFilter): string {
  const parts = [environment, rail, customerId].filter((part) => part !== null);
  return parts.length === 0 ? 'Everything' : parts.join(', ');
}

export const STOP_RELEASE = defineAct({
  name: 'release.stop',
  ...{ title: 'Stop payments', submit: 'Stop', isDangerous: true },
  summary:
    'Let no more payments leave, from when this is done. Payments are accepted and wait; what the bank already has goes on.',
  ...{ right: 'decide-payments', decidedBy: 'ONE', inputs: FILTER, subject: NO_SUBJECT },
  page: '/release/stop',
  command: { line: 'release stop', isAllNamed: true },
  words: (_subject, values) => `Stop payments from leaving: ${filterText(filterOf(values))}`,
  check: async ({ db }, _subject, { customer }) =>
    customer === '' || (await db.system((tx) => hasCustomer(tx, customer)))
      ? []
      : [{ field: 'customer', message: `There is no customer ${customer}.` }],
  async run(deps, { values, act }) {
    const filter = filterOf(values);
    await stopRelease(deps, filter, act);
    return {
      kind: 'DONE',
      text: `Stopped: ${filterText(filter)}. Payments are accepted and wait as ON_HOLD / RELEASE_STOPPED; what the bank already has goes on.`,
    };
  },
});

export const RESUME_RELEASE = defineAct({
  name: 'release.resume',
  ...{ title: 'Resume payments', submit: 'Resume' },
  summary:
    'End a stop: what it concerns may leave again. Another stop that concerns a payment still holds it back.',
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
        `No stop is in force for exactly this: ${filterText(subject)}.`,
        'It is resumed already',
      );
    }
    return {
      kind: 'DONE',
      text: `Resumed: ${filterText(subject)}.`,
      // Thousands may wait: those that are not woken now look again by themselves.
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
    showProgress(`waking payments: ${String(count)}`),
  );
  const left = await deps.db.system((tx) => listReleaseStops(tx, 1));
  return [
    isComplete
      ? `${String(woken)} payments go on.`
      : `${String(woken)} payments go on; Temporal did not answer for the others, which look again by themselves (HOLD_CHECK_MS).`,
    left.length === 0
      ? 'No stop is in force.'
      : 'Other stops are in force. See: npm run ops -- release list',
  ].join('\n');
}

const RESTORE_END_TEXT =
  'Send payments without asking the bank first again. All that the database before the restore may have sent must be known by then.';

export const BEGIN_RESTORE = defineAct({
  name: 'restore.begin',
  ...{ title: 'Begin restore mode', submit: 'Begin' },
  summary:
    'Ask the bank before every first send, after the database was restored to an earlier moment: payments take longer, and none is sent twice.',
  ...{ right: 'decide-payments', decidedBy: 'ONE', inputs: {}, subject: NO_SUBJECT },
  page: '/release/restore-begin',
  command: { line: 'restore begin' },
  words: () => 'Begin restore mode',
  async run(deps, { act }) {
    return (await switchRestoreMode(deps, 'begin', act))
      ? {
          kind: 'DONE',
          text: 'Restore mode is on: the bank is asked before every first send.',
        }
      : refused(
          'Restore mode is on already. See: npm run ops -- restore status',
          'It is so already',
        );
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
      : refused('Restore mode is not on.', 'It is so already');
  },
});

export const RELEASE_ACTS = [STOP_RELEASE, RESUME_RELEASE, BEGIN_RESTORE, END_RESTORE] as const;
