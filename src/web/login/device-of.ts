import type { FastifyRequest } from 'fastify';
import { newDevice, readDevice } from '../../modules/customers/access/devices.ts';
import { deviceCookie } from '../kit/device-cookie.ts';

/** What the browser says it is, or a new name for it, to be kept by `setDeviceCookie`. */
export const deviceOf = (request: FastifyRequest): string =>
  readDevice(deviceCookie(request)) ?? newDevice();
