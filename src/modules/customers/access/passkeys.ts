import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Assertion } from '../../../domain/approvals/operator-keys.ts';
import type { Asking } from '../../../db/customers/login-challenge-store.ts';
import { recordPasskeyUse, type PasskeyRow } from '../../../db/customers/passkey-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import { parseAnswer } from './passkey-answer.ts';

/** Which site the passkeys are of (WebAuthn level 2, section 5.1.2: the RP ID is its host). */
export interface PasskeySite {
  readonly origin: string;
  readonly clock: Clock;
}

/** What an authenticator answered, as the browser's JSON of it, and what it was asked. */
export interface PasskeyAnswer {
  readonly text: string;
  /** In base64url: random, and of one form that is sent once. */
  readonly challenge: string;
}

/** What is kept of an authenticator that was shown for the first time. */
export interface ShownPasskey {
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: bigint;
  readonly transports: readonly string[];
}

const TIMEOUT_MS = 120_000;
const rpIdOf = (origin: string): string => new URL(origin).hostname;
const bytesOf = (challenge: string) => new Uint8Array(Buffer.from(challenge, 'base64url'));

const describe = ({ credentialId, transports }: PasskeyRow) => ({
  id: credentialId.toString('base64url'),
  transports: [...transports],
});

/** The credential that an answer says it is of; null where it is no answer. */
export function credentialOf(text: string): Buffer | null {
  const { id } = (parseAnswer(text) ?? {}) as { readonly id?: unknown };
  return typeof id === 'string' && id !== '' ? Buffer.from(id, 'base64url') : null;
}

/**
 * What a browser is asked for one of these passkeys with, as JSON. Where none are named, it offers those that it has for
 * this site.
 */
export async function passkeyRequest(
  { origin }: PasskeySite,
  passkeys: readonly PasskeyRow[],
  challenge: string,
): Promise<string> {
  const options = await generateAuthenticationOptions({
    rpID: rpIdOf(origin),
    challenge: bytesOf(challenge),
    allowCredentials: passkeys.map(describe),
    userVerification: 'required',
    timeout: TIMEOUT_MS,
  });
  return JSON.stringify(options);
}

/** What a browser is asked to make a passkey with, as JSON; none of those that there are already. */
export async function passkeyCreation(
  { origin }: PasskeySite,
  person: { readonly id: string; readonly name: string },
  passkeys: readonly PasskeyRow[],
  challenge: string,
): Promise<string> {
  const options = await generateRegistrationOptions({
    rpName: 'Causeway',
    rpID: rpIdOf(origin),
    userID: new Uint8Array(Buffer.from(person.id)),
    userName: person.name,
    userDisplayName: person.name,
    challenge: bytesOf(challenge),
    attestationType: 'none',
    excludeCredentials: passkeys.map(describe),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    timeout: TIMEOUT_MS,
  });
  return JSON.stringify(options);
}

/** Was that signed by one of the passkeys, for this challenge? A counter that went back is a copy's. */
export async function isPasskeyAnswer(
  site: PasskeySite,
  db: Asking,
  passkeys: readonly PasskeyRow[],
  answer: PasskeyAnswer,
): Promise<boolean> {
  return (await readAssertion(site, db, passkeys, answer)) !== null;
}

/** What one of the passkeys signed for this challenge; null where it did not. A counter that went back is a copy's. */
export async function readAssertion(
  { origin, clock }: PasskeySite,
  db: Asking,
  passkeys: readonly PasskeyRow[],
  answer: PasskeyAnswer,
): Promise<Assertion | null> {
  const response = parseAnswer(answer.text) as AuthenticationResponseJSON | null;
  const passkey = passkeys.find((one) => describe(one).id === response?.id);
  if (response === null || passkey === undefined) return null;
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: answer.challenge,
    expectedOrigin: origin,
    expectedRPID: rpIdOf(origin),
    requireUserVerification: true,
    credential: {
      ...describe(passkey),
      publicKey: new Uint8Array(passkey.publicKey),
      counter: Number(passkey.counter),
    },
  }).catch(() => null);
  if (verified?.verified !== true) return null;
  const { newCounter } = verified.authenticationInfo;
  if (!(await recordPasskeyUse(db, passkey.id, newCounter, clock.now()))) return null;
  const { authenticatorData, clientDataJSON, signature } = response.response;
  const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');
  return {
    ...{ credentialId: passkey.credentialId, authenticatorData: bytes(authenticatorData) },
    ...{ clientData: bytes(clientDataJSON), signature: bytes(signature) },
  };
}

/** The authenticator that answered; null where that is no answer to this challenge. */
export async function readShownPasskey(
  { origin }: PasskeySite,
  answer: PasskeyAnswer,
): Promise<ShownPasskey | null> {
  const response = parseAnswer(answer.text) as RegistrationResponseJSON | null;
  if (response === null) return null;
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: answer.challenge,
    expectedOrigin: origin,
    expectedRPID: rpIdOf(origin),
    requireUserVerification: true,
  }).catch(() => null);
  if (verified?.verified !== true) return null;
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  return {
    credentialId: Buffer.from(id, 'base64url'),
    publicKey: Buffer.from(publicKey),
    counter: BigInt(counter),
    transports: transports.slice(0, 10).map((name) => name.slice(0, 20)),
  };
}
