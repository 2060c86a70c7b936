import type { ScreeningProvider } from '../../domain/parties/screening/screening-provider.ts';
import { readListVersion, readScreening } from './screening-answer.ts';
import { createScreeningCall, type ScreeningCallOptions } from './screening-call.ts';

interface HttpScreeningOptions extends ScreeningCallOptions {
  readonly maxAgeMs: number;
}

/**
 * A screening provider over HTTP: `POST {url}/screenings` and `GET {url}/list`. See
 * docs/how-to/connect-a-kyc-provider.md.
 */
export function createHttpScreening(options: HttpScreeningOptions): ScreeningProvider {
  const call = createScreeningCall(options);
  return {
    listVersion: async () => readListVersion(await call('GET', '/list')),
    screen: async (subjects) =>
      readScreening(await call('POST', '/screenings', { subjects }), subjects),
    screenNow: null,
    maxAgeMs: options.maxAgeMs,
  };
}
