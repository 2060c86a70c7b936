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
  const { person, sentForm: form } = request;
  if (person === null || form === null) throw new Error('a proof is asked of a form by a person');
  const path = pathOf(request);
  const asked = { person, form, act, toProve: { path, fieldsHash: hashFields(form) } };
  const verdict = await judge(request, asked);
  if (verdict?.kind === 'RIGHT') {
    await renewSession(request, reply);
    form.isProven = true;
    return true;
  }
  await answerSecondStep(request, reply, asked, verdict);
  return false;
}

/** Gives the session of who has proven an act a new token. Throws PageRefusal where it is over. */
export async function renewSession(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { person, server } = request;
  if (person === null) throw new Error('a session is of a person');
  const token = await server.proofs.renew(person);
  if (token === null) throw loggedOut();
  setSessionCookie(reply, person.kind === 'USER' ? 'dashboard' : 'console', token);
}

/**
 * Asks a person's authenticator to sign a decision: the form's fields come again with the answer. `isWrong`: what came was no
 * signature of it.
 */
export async function askForSignature(
  request: FastifyRequest,
  reply: FastifyReply,
  act: string,
  wanted: { readonly approvalId: string; readonly challenge: string; readonly isWrong: boolean },
): Promise<void> {
  const { person, sentForm: form, server } = request;
  if (person === null || form === null)
    throw new Error('a signature is asked of a form by a person');
  const { approvalId, challenge, isWrong } = wanted;
  const path = pathOf(request);
  await sendSecondStep(
    reply,
    { person, form, act, path },
    isWrong ? { kind: 'NO_PASSKEY' } : null,
    {
      passkey: await server.proofs.askForPasskey(person, challenge),
      approvalId,
      token: reply.newForm(path),
    },
  );
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
  await sendSecondStep(reply, { person, form, act, path: toProve.path }, verdict, {
    token,
    ...(passkey === null ? {} : { passkey }),
  });
}

async function sendSecondStep(
  reply: FastifyReply,
  { person, form, act, path }: Pick<Asked, 'person' | 'form' | 'act'> & { readonly path: string },
  verdict: ProofVerdict | null,
  asked: { readonly token: string; readonly passkey?: string; readonly approvalId?: string },
): Promise<void> {
  const page = (
    <Gate>
      <SecondStep
        action={path}
        act={act}
        fields={fieldsOf(form)}
        problems={problemsOf(verdict)}
        {...asked}
      />
    </Gate>
  );
  const title = asked.passkey !== undefined ? 'Confirm with your passkey' : 'Confirm with a code';
  await sendPage(reply.code(verdict === null ? 200 : 422), {
    title,
    body: page,
    theme: person.theme,
  });
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? '';

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
