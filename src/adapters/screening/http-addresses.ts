import type { AskAddress } from '../../domain/parties/screening/address-screening.ts';
import { readAddressFinding } from './screening-answer.ts';
import { createScreeningCall, type ScreeningCallOptions } from './screening-call.ts';

/** A provider that knows addresses, over HTTP: `POST {url}/addresses`. See docs/how-to/connect-a-kyc-provider.md. */
export function createHttpAddresses(options: ScreeningCallOptions): AskAddress {
  const call = createScreeningCall(options);
  return async ({ network, address, reason }) =>
    readAddressFinding(await call('POST', '/addresses', { network, address, reason }));
}
