import type { FastifyReply, FastifyRequest } from 'fastify';
import { listApiKeys } from '../../../../../db/customers/api-key-list-store.ts';
import { listLimits } from '../../../../../db/payments/payment-limit-write-store.ts';
import { keyState } from '../../../../../domain/customers/keys/key-life.ts';
import { formatAmount } from '../../../../../domain/money/amount.ts';
import { setLimit } from '../../../../../modules/payments/limits/change-limits.ts';
import type { FieldProblem } from '../../../../kit/forms/form-rules.ts';
import { readForm, type FormValues } from '../../../../kit/forms/read-form.ts';
import { readQuery } from '../../../../kit/forms/read-query.ts';
import { noSuchPage } from '../../../../kit/page-refusal.ts';
import { sentFormOf } from '../../../../kit/sent-form-of.ts';
import { proveAct } from '../../../../kit/step-up.tsx';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { openPlace, requirePlace, type Place } from '../../../environment.tsx';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { LimitForm } from './limit-form.tsx';
import { LIMIT_RULES, limitOf, refusedChange } from './limit-rules.ts';

/** Newest keys that a limit can be set for; more than ten work at a time. */
const KEYS_SHOWN = 100;

const QUERY = {
  key: { what: 'a key', lengthMax: 40, isOptional: true },
  currency: { what: 'a currency', lengthMax: 10, isOptional: true },
} as const;

/** GET /{env}/limits/new, of a limit that is there too, and POST /{env}/limits */
export function registerSetLimit(app: WebApp, deps: DashboardDeps): void {
  const right = 'write-payment-limits';
  app.get('/:env/limits/new', { config: { right } }, async (request, reply) => {
    const place = await openPlace(request, reply, { title: 'Set a limit', current: '/limits' });
    if (place === null) return reply;
    const { key, currency } = readQuery(QUERY, request.query).values;
    const { scope } = place;
    const limits = await deps.db.read(scope, (tx) => listLimits(tx, scope));
    const found = limits.find((one) => (one.apiKeyId ?? '') === key && one.currency === currency);
    const text = (minor: bigint | null): string =>
      minor === null ? '' : formatAmount(minor, currency);
    const values = {
      ...{ key, currency, seen: String(found?.version ?? 0) },
      perPayment: text(found?.perPayment ?? null),
      perDay: text(found?.perDay ?? null),
      beneficiaries: found?.allowedBeneficiariesOnly === true ? 'allowed' : 'any',
    };
    return sendForm(deps, request, reply, { place, values, problems: [] });
  });
  app.post('/:env/limits', { config: { right, form: LIMIT_RULES } }, async (request, reply) => {
    const place = requirePlace(request);
    const { scope, environment, user } = place;
    const form = sentFormOf(request);
    const { values, problems } = readForm(LIMIT_RULES, form.texts);
    const reading = limitOf(values);
    const wrong = problems.length > 0 ? problems : reading.problems;
    if (wrong.length > 0 || reading.limit === null) {
      return sendForm(deps, request, reply.code(422), { place, values, problems: wrong });
    }
    const keys = await readKeys(deps, place);
    const { limit } = reading;
    const name = keys.find(({ id }) => id === limit.apiKeyId)?.name;
    if (limit.apiKeyId !== null && name === undefined) throw noSuchPage();
    const act = `Set the ${environment} limit of ${name ?? 'all payments'} in ${limit.currency}`;
    if (!(await proveAct(request, reply, act))) return reply;
    await deps.db.write(scope, async (tx) => {
      await form.use(tx);
      const outcome = await setLimit(deps, tx, scope, {
        ...{ ...limit, seenVersion: Number(values.seen) },
        user: { kind: 'USER', id: user.id },
      });
      if (outcome !== 'DONE') throw refusedChange(outcome);
    });
    return reply.redirect(`/${environment}/limits`, 303);
  });
}

/** Those that work now. */
async function readKeys({ db, clock }: DashboardDeps, { scope }: Place) {
  const page = await db.list(scope, (tx) =>
    listApiKeys(tx, scope, { before: null, limit: KEYS_SHOWN }),
  );
  return page.items.filter((key) => ['ACTIVE', 'REPLACED'].includes(keyState(key, clock.now())));
}

async function sendForm(
  deps: DashboardDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  given: {
    readonly place: Place;
    readonly values: FormValues<typeof LIMIT_RULES>;
    readonly problems: readonly FieldProblem[];
  },
) {
  const { place, values, problems } = given;
  const { environment } = place;
  const path = `/${environment}/limits`;
  return sendDashboardPage(request, reply, {
    ...{ title: 'Set a limit', environment, current: path },
    body: (
      <LimitForm
        {...{ path, values, problems, token: reply.newForm(path) }}
        keys={await readKeys(deps, place)}
      />
    ),
  });
}
