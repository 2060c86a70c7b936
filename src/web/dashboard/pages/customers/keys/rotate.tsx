import type { FastifyReply, FastifyRequest } from 'fastify';
import { rotateApiKey } from '../../../../../modules/customers/rotate-api-key.ts';
import type { ApiKeyRow } from '../../../../../db/customers/api-key-list-store.ts';
import { keyState, OVERLAP_HOURS_MAX } from '../../../../../domain/customers/keys/key-life.ts';
import type { FieldProblem } from '../../../../kit/forms/form-rules.ts';
import { readForm } from '../../../../kit/forms/read-form.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { TextField } from '../../../../kit/parts/field.tsx';
import { Form } from '../../../../kit/parts/form.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { proveAct } from '../../../../kit/step-up.tsx';
import { timeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { isOpenForNew, openPlace, requirePlace, type Place } from '../../../environment.tsx';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import {
  keyIdOf,
  actOnKeys,
  keyRandom,
  notDone,
  problemsOfRefusal,
  requireKey,
} from './key-acts.ts';
import { sentFormOf } from '../../../../kit/sent-form-of.ts';
import { sendToken } from './token-page.tsx';

const OVERLAP_DEFAULT = '24';

const RULES = {
  overlap: {
    what: 'how long the old key works on',
    lengthMax: 4,
    check: (text: string) =>
      /^(0|[1-9][0-9]{0,2})$/.test(text) && Number(text) <= OVERLAP_HOURS_MAX
        ? null
        : `Enter whole hours from 0 to ${String(OVERLAP_HOURS_MAX)}.`,
  },
} as const;

/** GET and POST /{env}/keys/{id}/rotate: 201 with the new token, this once. */
export function registerRotateKey(app: WebApp, deps: DashboardDeps): void {
  const path = '/:env/keys/:keyId/rotate';
  app.get(path, { config: { right: 'write-keys' } }, async (request, reply) => {
    const place = await openPlace(request, reply, {
      ...{ title: 'Rotate a key', current: '/keys' },
      // The key that takes its place is a new one.
      purpose: 'MAKE',
    });
    if (place === null) return reply;
    const key = await requireKey(deps, place, keyIdOf(request));
    return sendForm(request, reply, { place, key, overlap: OVERLAP_DEFAULT, problems: [] });
  });
  app.post(path, { config: { right: 'write-keys', form: RULES } }, async (request, reply) => {
    const place = requirePlace(request);
    const { scope, user } = place;
    const form = sentFormOf(request);
    const key = await requireKey(deps, place, keyIdOf(request));
    // Before a code is mailed for what cannot be done.
    if (!isOpenForNew(place)) {
      throw notDone('A new live key needs live access, which was withdrawn.');
    }
    if (keyState(key, deps.clock.now()) !== 'ACTIVE') {
      throw notDone('This key no longer works or is already being replaced.');
    }
    const { values, problems } = readForm(RULES, form.texts);
    const { overlap } = values;
    if (problems.length > 0) {
      return sendForm(request, reply.code(422), { place, key, overlap, problems });
    }
    if (!(await proveAct(request, reply, `Rotate the ${scope.environment} key ${key.name}`))) {
      return reply;
    }
    const rotated = await actOnKeys(deps, place, form, (tx) =>
      rotateApiKey(deps, tx, scope, {
        ...{ keyId: key.id, random: keyRandom(), overlapHours: Number(overlap) },
        by: { kind: 'USER', id: user.id },
      }),
    ).catch((error: unknown) => {
      problemsOfRefusal(error);
      throw error;
    });
    const oldEnds = timeText(user.timeZone).moment(rotated.oldEndsAt);
    return sendToken(request, reply, { ...place, ...rotated, oldEnds, apiUrl: deps.apiUrl });
  });
}

function sendForm(
  request: FastifyRequest,
  reply: FastifyReply,
  given: {
    readonly place: Place;
    readonly key: ApiKeyRow;
    readonly overlap: string;
    readonly problems: readonly FieldProblem[];
  },
) {
  const { place, key, overlap, problems } = given;
  const { environment } = place;
  const path = `/${environment}/keys`;
  const action = `${path}/${key.id}/rotate`;
  return sendDashboardPage(request, reply, {
    ...{ title: `Rotate ${key.name}`, environment, current: path },
    body: (
      <>
        <PageHead
          title={`Rotate ${key.name}`}
          trail={{ href: `${path}/${key.id}`, text: key.name, here: 'rotate' }}
          about="A new key with the same scopes and approved IP addresses replaces this one. IP addresses that need approval stay with the old key."
        />
        <Card title="Overlap">
          <Form {...{ action, token: reply.newForm(action), problems }} submit="Rotate the key">
            <TextField
              {...{ name: 'overlap', label: 'Hours that the old key keeps working', problems }}
              value={overlap}
              inputMode="numeric"
              hint={`0 to ${String(OVERLAP_HOURS_MAX)}. With 0 it is refused at once.`}
            />
          </Form>
        </Card>
      </>
    ),
  });
}
