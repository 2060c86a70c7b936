import type { FastifyReply, FastifyRequest } from 'fastify';
import { readAddressRange } from '../../../../../modules/customers/address-range.ts';
import { LABEL_MAX, listAddress } from '../../../../../modules/customers/list-address.ts';
import { lockApiKey, type ApiKeyRow } from '../../../../../db/customers/api-key-list-store.ts';
import { requireFound } from '../../../../../domain/errors/require-found.ts';
import { keyState } from '../../../../../domain/customers/keys/key-life.ts';
import type { FieldProblem } from '../../../../kit/forms/form-rules.ts';
import { readForm, type FormValues } from '../../../../kit/forms/read-form.ts';
import { readQuery } from '../../../../kit/forms/read-query.ts';
import { proveAct } from '../../../../kit/step-up.tsx';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { openPlace, requirePlace, type Place } from '../../../environment.tsx';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { AddressForm } from './address-form.tsx';
import { keyIdOf, actOnKeys, notDone, problemsOfRefusal, requireKey } from './key-acts.ts';
import { sentFormOf } from '../../../../kit/sent-form-of.ts';

const RULES = {
  range: {
    what: 'an IP address or a range',
    lengthMax: 50,
    check: (text: string) => {
      const reading = readAddressRange(text);
      return reading.kind === 'PROBLEM' ? reading.message : null;
    },
  },
  label: {
    ...{ what: 'a label', lengthMax: LABEL_MAX, isOptional: true },
    check: (text: string) =>
      /[\p{C}\p{Zl}\p{Zp}]/u.test(text) ? 'Enter a label on one line.' : null,
  },
} as const;

/** The page offers addresses that the key was refused from: they come as a query. */
const OFFERED = { range: { what: 'a range', lengthMax: 50, isOptional: true } } as const;

/** GET /{env}/keys/{id}/addresses/new and POST /{env}/keys/{id}/addresses */
export function registerProposeAddress(app: WebApp, deps: DashboardDeps): void {
  const right = 'write-addresses';
  app.get('/:env/keys/:keyId/addresses/new', { config: { right } }, async (request, reply) => {
    const place = await openPlace(request, reply, { title: 'Add an IP address', current: '/keys' });
    if (place === null) return reply;
    const key = await requireKey(deps, place, keyIdOf(request));
    const { range } = readQuery(OFFERED, request.query).values;
    return sendForm(request, reply, { place, key, values: { range, label: '' }, problems: [] });
  });
  app.post(
    '/:env/keys/:keyId/addresses',
    { config: { right, form: RULES } },
    async (request, reply) => {
      const place = requirePlace(request);
      const { environment, scope, user } = place;
      const form = sentFormOf(request);
      const key = await requireKey(deps, place, keyIdOf(request));
      requireWorking(key, deps.clock.now());
      const { values, problems } = readForm(RULES, form.texts);
      const again = (wrong: readonly FieldProblem[]) =>
        sendForm(request, reply.code(422), { place, key, values, problems: wrong });
      if (problems.length > 0) return again(problems);
      const verb = environment === 'live' ? 'Propose' : 'Add';
      const act = `${verb} the address ${values.range} for the ${environment} key ${key.name}`;
      if (!(await proveAct(request, reply, act))) return reply;
      try {
        await actOnKeys(deps, place, form, async (tx) => {
          const locked = requireFound(await lockApiKey(tx, scope, key.id));
          requireWorking(locked, deps.clock.now());
          const by = { kind: 'USER', id: user.id } as const;
          await listAddress(deps, tx, scope, { apiKeyId: key.id, ...values, by });
          return { mailIds: [] };
        });
      } catch (error) {
        return again(problemsOfRefusal(error));
      }
      return reply.redirect(`/${environment}/keys/${key.id}`, 303);
    },
  );
}

function requireWorking(key: ApiKeyRow, now: Date): void {
  const state = keyState(key, now);
  if (state === 'EXPIRED' || state === 'REVOKED') throw notDone('This key no longer works.');
}

function sendForm(
  request: FastifyRequest,
  reply: FastifyReply,
  given: {
    readonly place: Place;
    readonly key: ApiKeyRow;
    readonly values: FormValues<typeof RULES>;
    readonly problems: readonly FieldProblem[];
  },
) {
  const { environment } = given.place;
  const path = `/${environment}/keys`;
  const action = `${path}/${given.key.id}/addresses`;
  return sendDashboardPage(request, reply, {
    ...{ title: 'Add an IP address', environment, current: path },
    body: (
      <AddressForm
        {...{ path, action, environment, values: given.values, problems: given.problems }}
        apiKey={given.key}
        token={reply.newForm(action)}
      />
    ),
  });
}
