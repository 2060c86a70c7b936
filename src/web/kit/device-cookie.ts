import type { FastifyReply, FastifyRequest } from 'fastify';
import { newDevice, readDevice } from '../../modules/customers/access/devices.ts';

/** Tells a browser that has logged in before; of one host, so each surface knows its own. */
const COOKIE = '__Host-device';
const DAY_S = 24 * 3_600;
const LIFE_DAYS = 90;

/** What the browser says it is; undefined where it says nothing. */
export const deviceCookie = ({ cookies }: FastifyRequest): string | undefined => cookies[COOKIE];

/** What the browser says it is, or a new name for it, to be kept by `setDeviceCookie`. */
export const deviceOf = (request: FastifyRequest): string =>
  readDevice(deviceCookie(request)) ?? newDevice();

/** Has the browser keep what it is for 90 days more. */
export function setDeviceCookie(reply: FastifyReply, device: string): void {
  void reply.setCookie(COOKIE, device, {
    ...{ path: '/', httpOnly: true, secure: true, sameSite: 'lax' },
    maxAge: LIFE_DAYS * DAY_S,
  });
}
