import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyedHashes } from '../../vault/keyed-hash.ts';

/** Tells a browser that has logged in before; of one host, so each surface knows its own. */
const COOKIE = '__Host-device';
/** What tags are hashed for. */
const PURPOSE = 'device-tag';
const DAY_S = 24 * 3_600;
const LIFE_DAYS = 90;

/** What the browser says it is; undefined where it says nothing. */
export const deviceCookie = ({ cookies }: FastifyRequest): string | undefined =>
  cookies[COOKIE]?.split('.', 1)[0];

/** Has the browser keep what it is for 90 days more. */
export function setDeviceCookie(reply: FastifyReply, device: string): void {
  void reply.setCookie(COOKIE, `${device}.${reply.deviceTag(device)}`, {
    ...{ path: '/', httpOnly: true, secure: true, sameSite: 'lax' },
    maxAge: LIFE_DAYS * DAY_S,
  });
}

/** What shows, without a look at PostgreSQL, that a device's name was made here. */
export const tagOfDevice = (vault: KeyedHashes, device: string): string =>
  vault.keyedHash(PURPOSE, device).toString('base64url');

/** The device of a cookie that was made here; null for any other. It says nothing of whose it is. */
export function taggedDevice(vault: KeyedHashes, { cookies }: FastifyRequest): string | null {
  const [device, tag = ''] = cookies[COOKIE]?.split('.') ?? [];
  if (device === undefined) return null;
  return vault.isKeyedHash(Buffer.from(tag, 'base64url'), PURPOSE, device) ? device : null;
}
