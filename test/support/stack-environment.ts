/** The file of a data folder that says why its stack did not start. */
export const START_FAILURE = 'start-failure.txt';

/** What the stack of a project has of its own, by the project's name in vitest.config.ts. */
export const STACK_SETTINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // As a partner runs it.
  stack: { DEV_ROLES: 'combined', LIVE_STATEMENT_FETCH_MS: '5000' },
  // On a busy machine four refused sends take more than 30 s, after which a payment would be STALLED.
  volume: {
    ...{ DEV_ROLES: 'combined', LIVE_STATEMENT_FETCH_MS: '5000' },
    TEST_STALLED_AFTER_MS: '60000',
  },
  // A payment whose fate the bank never tells is handed to a person sooner; every rule is the same.
  'volume-alone': { TEST_STALLED_AFTER_MS: '12000' },
};

/** Every port free, API and worker as two processes, and no variable of the shell that runs the tests. */
export function stackEnvironment(dataDir: string): Record<string, string> {
  const keep = ['PATH', 'HOME', 'TMPDIR', 'XDG_CACHE_HOME', 'TEMPORAL_CLI_PATH', 'GOPROXY'];
  const inherited = keep.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const ports = [
    ...['PORT', 'DASHBOARD_PORT', 'OPS_PORT', 'POSTGRES_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT'],
    ...['TEST_SANDBOX_BANK_PORT', 'LIVE_SANDBOX_BANK_PORT'],
    ...['TEST_SANDBOX_KYC_PORT', 'LIVE_SANDBOX_KYC_PORT'],
    ...['TEST_SANDBOX_NAME_CHECK_PORT', 'LIVE_SANDBOX_NAME_CHECK_PORT'],
    ...['SANDBOX_MAILBOX_PORT', 'SANDBOX_SMTP_PORT', 'SANDBOX_CHAIN_PORT'],
  ].map((name) => [name, '0'] as const);
  return {
    ...Object.fromEntries([...inherited, ...ports]),
    DATA_DIR: dataDir,
    DEV_ROLES: 'split',
    // As talkative as can be: what is searched for leaks should have had a chance to leak.
    LOG_LEVEL: 'debug',
  };
}
