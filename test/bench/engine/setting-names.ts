import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The settings of the bench by their names today, and by those of checkouts without prefixes for test. */
const EARLIER: Readonly<Record<string, string>> = {
  TEST_BANK_URL: 'BANK_URL',
  TEST_SANDBOX_BANK_PORT: 'SANDBOX_BANK_PORT',
  LIVE_SANDBOX_BANK_PORT: 'SANDBOX_LIVE_BANK_PORT',
  TEST_SANDBOX_KYC_PORT: 'SANDBOX_KYC_PORT',
  LIVE_SANDBOX_KYC_PORT: 'SANDBOX_LIVE_KYC_PORT',
  TEST_SANDBOX_NAME_CHECK_PORT: 'SANDBOX_NAME_CHECK_PORT',
  LIVE_SANDBOX_NAME_CHECK_PORT: 'SANDBOX_LIVE_NAME_CHECK_PORT',
};

/** The same environment in the names that the checkout declares. */
export function inNamesOf(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Record<string, string> {
  // The file that gives settings their prefix: a checkout without it has the earlier names.
  if (existsSync(join(folder, 'src/server/config/setting-scope.ts'))) return { ...environment };
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [EARLIER[name] ?? name, value]),
  );
}
