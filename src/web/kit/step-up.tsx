import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Person } from '../../domain/customers/access/person.ts';
import type { FieldProblem } from './forms/form-rules.ts';
import { FORM_FIELD } from './forms/form-token.ts';
import { PASSKEY_PROOF_FIELD, PROOF_FIELD, PROOF_RULES } from './forms/proof.ts';
import { loggedOut, tooMuch } from './page-refusal.ts';
import { Gate } from './parts/gate.tsx';
import { SecondStep } from './parts/second-step.tsx';
import { sendPage } from './send-page.ts';
import { setSessionCookie } from './session-cookie.ts';
import type { ActToProve, ProofVerdict, SentForm } from './web-deps.ts';

const HOUR_S = 3_600;

/** A form by a person, and the act that it asks for. */
interface Asked {
  readonly person: Person;
  readonly form: SentForm;
  readonly toProve: ActToProve;
  readonly act: string;
}

/**
 * Asks for the proof of an act whose fields have been read and found right. True: it was proven, once,
 * and the caller acts now; the session has a new token. False: the second step has been answered, and the
 * caller does nothing more. `act` is the act in words, as "Create the live key deploy".
 */
export async function proveAct(
  request: FastifyRequest,
  reply: FastifyReply,
  act: string,
): Promise<boolean> {
  const { person, sentForm: form, server } = request;
  if (person === null || form === null) throw new Error('a proof is asked of a form by a person');
  const path = request.url.split('?', 1)[0] ?? '';
  const asked = { person, form, act, toProve: { path, fieldsHash: hashFields(form) } };
  const verdict = await judge(request, asked);
  if (verdict?.kind === 'RIGHT') {
    const token = await server.proofs.renew(person);
    if (token === null) throw loggedOut();
    setSessionCookie(reply, person.kind === 'USER' ? 'dashboard' : 'console', token);
    form.isProven = true;
    return true;
  }
  await answerSecondStep(request, reply, asked, verdict);
  return false;
}

/** Judges what was given as a proof; null where nothing was given yet. Of who has a passkey, no code counts. */
async function judge(
  { server }: FastifyRequest,
  { person, form, toProve }: Asked,
): Promise<ProofVerdict | null> {
  if (person.passkey.hasOne) {
    const text = given(form, PASSKEY_PROOF_FIELD) ?? '';
    if (text === '') return null;
    const challenge = form.challenge(toProve.path, toProve.fieldsHash);
    const isRight =
      challenge !== null && (await server.proofs.judgePasskey(person, { text, challenge }));
    return { kind: isRight ? 'RIGHT' : 'NO_PASSKEY' };
  }
  const typed = given(form, PROOF_FIELD);
  if (typed === undefined) return null;
  return server.proofs.judge(person, toProve, typed);
}

/** Asks a person with a passkey for it. Mails a code to a person without one. */
async function answerSecondStep(
  { server }: FastifyRequest,
  reply: FastifyReply,
  { person, form, toProve, act }: Asked,
  verdict: ProofVerdict | null,
): Promise<void> {
  const { hasOne } = person.passkey;
  // A wrong code leaves the one that was mailed as it is, as long as it has tries left.
  if (!hasOne && (verdict === null || verdict.kind === 'OVER')) {
    if (!(await server.proofs.mail(person, toProve, act))) throw tooMuch(HOUR_S);
  }
  const token = reply.newForm(toProve.path);
  const challenge = reply.newChallenge(token, toProve.path, toProve.fieldsHash);
  const passkey = hasOne ? await server.proofs.askForPasskey(person, challenge) : null;
  const page = (
    <Gate>
      <SecondStep
        action={toProve.path}
        token={token}
        act={act}
        fields={fieldsOf(form)}
        problems={problemsOf(verdict)}
        {...(passkey === null ? {} : { passkey })}
      />
    </Gate>
  );
  const title = hasOne ? 'Confirm with your passkey' : 'Confirm with a code';
  await sendPage(reply.code(verdict === null ? 200 : 422), {
    title,
    body: page,
    theme: person.theme,
  });
}

const given = ({ texts }: SentForm, field: string): string | undefined => texts.get(field)?.[0];

function problemsOf(verdict: ProofVerdict | null): readonly FieldProblem[] {
  if (verdict === null || verdict.kind === 'RIGHT') return [];
  if (verdict.kind === 'NO_PASSKEY') {
    return [
      { field: 'passkey', message: 'This is not one of your passkeys, or it took too long.' },
    ];
  }
  return [{ field: PROOF_FIELD, message: messageOf(verdict) }];
}

function messageOf(verdict: ProofVerdict): string {
  if (verdict.kind === 'NO_CODE') return 'Enter the 8 digits from the email.';
  if (verdict.kind === 'OVER') return 'This code was used or expired. We sent you a new one.';
  const left = verdict.kind === 'WRONG' ? verdict.triesLeft : 0;
  return `This code is wrong. ${left === 1 ? '1 try' : `${String(left)} tries`} left.`;
}

function fieldsOf({ texts }: SentForm): Readonly<Record<string, readonly string[]>> {
  const own = [...texts].filter(
    ([name]) => name !== FORM_FIELD && !Object.hasOwn(PROOF_RULES, name),
  );
  return Object.fromEntries(own.sort(([one], [other]) => (one < other ? -1 : 1)));
}

const hashFields = (form: SentForm): string =>
  createHash('sha256')
    .update(JSON.stringify(fieldsOf(form)))
    .digest('hex');
