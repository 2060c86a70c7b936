import { pino, type DestinationStream, type Logger } from 'pino';
import { describeFault } from '../web/kit/http/describe-fault.ts';

/**
 * The log of the HTTP surface: JSON lines of what is named in the calls. Requests, answers and errors
 * that Fastify logs on its own shrink to nothing that a caller wrote.
 */
export function createHttpLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeFault, req: () => undefined, res: () => undefined },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
