/** Every port free, API and worker as two processes, and nothing of whoever runs the tests. */
export function stackEnvironment(dataDir: string): Record<string, string> {
  const keep = ['PATH', 'HOME', 'TMPDIR', 'XDG_CACHE_HOME', 'TEMPORAL_CLI_PATH', 'GOPROXY'];
  const inherited = keep.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const ports = [
    ...['PORT', 'POSTGRES_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT'],
    ...['SANDBOX_BANK_PORT', 'SANDBOX_LIVE_BANK_PORT'],
    ...['SANDBOX_KYC_PORT', 'SANDBOX_LIVE_KYC_PORT'],
  ].map((name) => [name, '0'] as const);
  return {
    ...Object.fromEntries([...inherited, ...ports]),
    DATA_DIR: dataDir,
    DEV_ROLES: 'split',
    // As talkative as can be: what is searched for leaks should have had a chance to leak.
    LOG_LEVEL: 'debug',
  };
}
