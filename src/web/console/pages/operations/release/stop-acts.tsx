import { hasCustomer } from '../../../../../db/customers/customer-store.ts';
import {
  findReleaseStopById,
  type ReleaseFilter,
  type ReleaseStop,
} from '../../../../../db/operations/release-stop-store.ts';
import { RAILS } from '../../../../../domain/payments/corridors/rail.ts';
import { ENVIRONMENTS } from '../../../../../domain/scope.ts';
import { resumeRelease, stopRelease } from '../../../../../modules/payments/stop-release.ts';
import { wakeStoppedPayments } from '../../../../../modules/payments/wake-stopped-payments.ts';
import type { FormValues } from '../../../../kit/forms/read-form.ts';
import { noSuchPage, PageRefusal } from '../../../../kit/page-refusal.ts';
import { SelectField, TextField } from '../../../../kit/parts/field.tsx';
import type { WebApp } from '../../../../kit/web-deps.ts';
import { serveAct } from '../../../acts/serve-act.tsx';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { sayWhenBusy } from './busy.ts';
import { filterText } from './filter-text.ts';

/** One of a list, or left out. */
const oneOf = (what: string, known: readonly string[]) =>
  ({
    ...{ what, lengthMax: 40, isOptional: true },
    check: (text: string) => (known.includes(text) ? null : 'Choose one of those.'),
  }) as const;
const FILTER = {
  environment: oneOf('an environment', ENVIRONMENTS),
  rail: oneOf('a rail', RAILS),
  customer: { what: 'a customer', lengthMax: 100, isOptional: true },
} as const;

const trail = (here: string) => ({ href: '/release', text: 'Release', here });
const options = (all: string, known: readonly string[]) => [
  { value: '', text: all },
  ...known.map((value) => ({ value, text: value })),
];

/** /release/stop and /release/{id}/resume, by one operator each. */
export function serveStopActs(app: WebApp, deps: ConsoleDeps): void {
  const common = { current: '/release', right: 'decide-payments', actingIn: 'system' } as const;
  serveAct(app, deps, {
    ...common,
    ...{ path: '/release/stop', fields: FILTER, load: () => Promise.resolve(null) },
    page: (_subject, values) => ({
      ...{ title: 'Stop payments', submit: 'Stop' },
      words: `Stop payments from leaving: ${filterText(filterOf(values))}`,
      ...{ trail: trail('stop'), isDangerous: true },
      about: (
        <p>
          Nothing of what is chosen leaves from then on; with no choice, nothing at all. Payments
          are accepted and wait; what the bank already has goes on.
        </p>
      ),
    }),
    inputs: (_subject, values, problems) => (
      <>
        <SelectField
          name="environment"
          label="Environment"
          value={values.environment ?? ''}
          problems={problems}
          options={options('Both', ENVIRONMENTS)}
        />
        <SelectField
          name="rail"
          label="Rail"
          value={values.rail ?? ''}
          problems={problems}
          options={options('Every rail', RAILS)}
        />
        <TextField
          name="customer"
          label="Customer"
          hint="cus_...; empty for every customer."
          value={values.customer ?? ''}
          problems={problems}
        />
      </>
    ),
    check: async (_subject, { customer }) =>
      customer === '' || (await deps.db.system((tx) => hasCustomer(tx, customer)))
        ? []
        : [{ field: 'customer', message: 'There is no such customer.' }],
    async perform({ values, act, deps: acting }) {
      await stopRelease(acting, filterOf(values), act).catch(sayWhenBusy);
      return '/release';
    },
  });
  serveAct(app, deps, {
    ...common,
    ...{ path: '/release/:id/resume', fields: {} },
    load: ({ id }) => loadStop(deps, id),
    page: (stop: ReleaseStop) => ({
      ...{ title: 'Resume payments', submit: 'Resume', trail: trail(filterText(stop)) },
      words: `Resume payments: ${filterText(stop)}`,
      about: (
        <p>
          {filterText(stop)} may leave again. Another stop that concerns a payment still holds it
          back.
        </p>
      ),
    }),
    async perform({ subject, act, deps: acting }) {
      const ended = await resumeRelease(acting, subject, act).catch(sayWhenBusy);
      if (ended.length === 0) {
        throw new PageRefusal(409, 'It is resumed already', 'Nothing was changed.');
      }
      // Thousands may wait: those that are not woken now look again by themselves.
      void wakeStoppedPayments(deps, subject, () => undefined).catch(() => undefined);
      return '/release';
    },
  });
}

/** What is to be stopped: what was left out is all of it. */
const filterOf = (values: Partial<FormValues<typeof FILTER>>): ReleaseFilter => ({
  environment: ENVIRONMENTS.find((one) => one === values.environment) ?? null,
  ...{ rail: values.rail || null, customerId: values.customer || null },
});

async function loadStop({ db }: ConsoleDeps, id: string): Promise<ReleaseStop> {
  const found = /^[0-9]{1,18}$/.test(id)
    ? await db.system((tx) => findReleaseStopById(tx, BigInt(id)))
    : null;
  if (found === null) throw noSuchPage();
  return found;
}
