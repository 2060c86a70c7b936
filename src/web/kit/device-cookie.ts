import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Vault } from '../../vault/vault.ts';

/** Tells a browser that has logged in before; of one host, so each surface knows its own. */
const COOKIE = '__Host-device';
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
export const tagOfDevice = (vault: Pick<Vault, 'keyedHash'>, device: string): string =>
  vault.keyedHash('device-tag', device).toString('base64url');

/** The device of a cookie that was made here; null for any other. It says nothing of whose it is. */
export function taggedDevice(
  vault: Pick<Vault, 'keyedHash'>,
  { cookies }: FastifyRequest,
): string | null {
  const [device, tag = ''] = cookies[COOKIE]?.split('.') ?? [];
  if (device === undefined) return null;
  const [shown, right] = [Buffer.from(tag), Buffer.from(tagOfDevice(vault, device))];
  return shown.length === right.length && timingSafeEqual(shown, right) ? device : null;
}
