import { Type, type Static } from 'typebox';
import { LOG_LEVEL } from './log-level.ts';
import { callbackSecret } from './provider-config.ts';
import { port, text, url } from './setting-types.ts';
import { readSettings, type Env } from './settings.ts';

/** One pretend provider: where it listens and how it calls back. Missing: it does not run. */
function server(name: string, what: string) {
  const portSetting = port(`SANDBOX_${name}_PORT`, undefined, `${what}; unset: it does not run`);
  return Type.Optional(Type.Object({ port: portSetting, callbackSecret: callbackSecret(name) }));
}

/** One that never calls back. */
function answeringServer(name: string, what: string) {
  const portSetting = port(`SANDBOX_${name}_PORT`, undefined, `${what}; unset: it does not run`);
  return Type.Optional(Type.Object({ port: portSetting }));
}

/** The sandbox's settings. Its servers sign with the same secrets that the API checks. */
export const SANDBOX = Type.Object({
  logLevel: LOG_LEVEL,
  host: text('SANDBOX_HOST', {
    default: '127.0.0.1',
    unit: 'address',
    description: 'where its servers listen',
  }),
  dataDir: text('SANDBOX_DATA_DIR', { unit: 'path', description: 'the folder of the journals' }),
  apiUrl: url('SANDBOX_API_URL', 'where callbacks go', { default: 'http://127.0.0.1:8080' }),
  kycPublicUrl: Type.Optional(
    url('SANDBOX_KYC_PUBLIC_URL', 'where browsers reach the hosted pages', {
      defaultText: 'where it listens',
    }),
  ),
  bank: Type.Object({
    test: server('BANK', 'bank of test, with magic amounts'),
    live: server('LIVE_BANK', 'bank of live, without them'),
  }),
  kyc: Type.Object({
    test: server('KYC', 'KYC provider of test'),
    live: server('LIVE_KYC', 'KYC provider of live'),
  }),
  nameCheck: Type.Object({
    test: answeringServer('NAME_CHECK', 'name check of test, with magic names'),
    live: answeringServer('LIVE_NAME_CHECK', 'name check of live, without them'),
  }),
  mailbox: Type.Optional(
    Type.Object({
      port: port('SANDBOX_MAILBOX_PORT', undefined, 'pages of the mailbox; unset: it does not run'),
      smtpPort: port('SANDBOX_SMTP_PORT', 1025, 'SMTP of the mailbox'),
    }),
  ),
});

export function readSandboxConfig(env: Env): Static<typeof SANDBOX> {
  return readSettings(SANDBOX, env);
}
