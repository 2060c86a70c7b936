import { randomBytes } from 'node:crypto';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';
import { forgedForm, formTooOld } from '../page-refusal.ts';

/** The name that a form's token is sent under. */
export const FORM_FIELD = 'form';

/** How long a page may stay open before its forms are too old: a session's longest life. */
const LIFE_MS = 12 * 3_600_000;

const PURPOSE = 'form-token';
const ID_BYTES = 16;
/** 16 bytes of id, 36 base of the seconds since 1970 that it is good until, a keyed hash of 32 or 33 bytes. */
const TOKEN = /^([A-Za-z0-9_-]{22})\.([0-9a-z]{6,8})\.([A-Za-z0-9_-]{43,44})$/;

/** Whose form it is, and what it may be sent to. */
interface FormBinding {
  readonly surface: string;
  /** The session, or the visitor's cookie where no one is logged in. */
  readonly session: string;
  /** The path that it is posted to, ids included. */
  readonly path: string;
}

/** A form that carries our own token. Used once it is in `form_uses`. */
interface FormId {
  readonly id: Buffer;
  readonly expiresAt: Date;
}

/** A new token for a form on a page that is being made. */
export function issueFormToken(vault: KeyedHashes, binding: FormBinding, now: Date): string {
  const id = randomBytes(ID_BYTES).toString('base64url');
  const until = Math.floor((now.getTime() + LIFE_MS) / 1_000).toString(36);
  return `${id}.${until}.${vault.keyedHash(PURPOSE, textOf(binding, id, until)).toString('base64url')}`;
}

/**
 * Reads a token that was sent. Throws PageRefusal: 403 where it is none of ours, or of another session or
 * path; 409 where it is too old. Says nothing of whether it was used.
 */
export function readFormToken(
  vault: KeyedHashes,
  binding: FormBinding,
  token: string,
  now: Date,
): FormId {
  const [, id, until, mac] = TOKEN.exec(token) ?? [];
  if (id === undefined || until === undefined || mac === undefined) throw forgedForm();
  const text = textOf(binding, id, until);
  if (!vault.isKeyedHash(Buffer.from(mac, 'base64url'), PURPOSE, text)) throw forgedForm();
  const expiresAt = new Date(Number.parseInt(until, 36) * 1_000);
  if (expiresAt <= now) throw formTooOld();
  return { id: Buffer.from(id, 'base64url'), expiresAt };
}

/** When the form of a token was made; null for what is no token. Says nothing of whether it is ours. */
export function formMadeAt(token: string): Date | null {
  const [, , until] = TOKEN.exec(token) ?? [];
  return until === undefined ? null : new Date(Number.parseInt(until, 36) * 1_000 - LIFE_MS);
}

const textOf = ({ surface, session, path }: FormBinding, id: string, until: string): string =>
  JSON.stringify([surface, session, path, id, until]);
