import type { Config } from '../config/config.ts';
import { createSandboxBankDesk } from '../../adapters/http-bank/sandbox-desk.ts';
import type { HttpDeps } from '../../api/deps.ts';
import { createSandboxKycDesk } from '../../adapters/kyc/sandbox-desk.ts';
import { openProviderDispatcher } from './provider-dispatcher.ts';

/** To the end of the TLS handshake, ms: the desks' calls may take five seconds. */
const CONNECT_TIMEOUT_MS = 2_000;

/** What directs bank and KYC provider of the test environment, where they are configured. Live has none. */
export function openSandboxDesks(config: Config): Pick<HttpDeps, 'bankDesk' | 'kycDesk'> {
  const bank = config.providers.bank.test;
  const kyc = config.providers.kyc.test;
  return {
    ...(bank === undefined
      ? {}
      : {
          bankDesk: createSandboxBankDesk(
            bank.url,
            openProviderDispatcher(bank, CONNECT_TIMEOUT_MS),
          ),
        }),
    ...(kyc === undefined
      ? {}
      : {
          kycDesk: createSandboxKycDesk({
            url: kyc.url,
            dispatcher: openProviderDispatcher(kyc, CONNECT_TIMEOUT_MS),
          }),
        }),
  };
}
