import { Socket } from 'node:net';
import type { App } from '../../web/kit/http/app-type.ts';
import { answerParserError } from '../parser-error.ts';

/** How long a body may take to arrive, in milliseconds: of a route that takes files, and of every other. */
export const UPLOAD_TIME_MS = 300_000;
export const BODY_TIME_MS = 30_000;

/**
 * Ends a request whose body takes too long, as the server itself ends one whose files do: it knows one
 * time for all. Routes that take files say so. `bodyTimeMs` is the time of all others.
 */
export function installBodyTime(app: App, bodyTimeMs = BODY_TIME_MS): void {
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    const { headers, socket } = raw;
    const length = headers['content-length'] ?? '0';
    const hasBody = length !== '0' || headers['transfer-encoding'] !== undefined;
    if (!hasBody || routeOptions.config.takesFiles === true) return;
    const timer = setTimeout(() => {
      if (raw.complete || !(socket instanceof Socket)) return;
      answerParserError(new Error('the body took too long'), socket);
    }, bodyTimeMs);
    timer.unref();
    raw.once('end', () => clearTimeout(timer));
    raw.once('close', () => clearTimeout(timer));
  });
}
