import { Type, type Static } from 'typebox';
import { LOG_LEVEL } from './log-level.ts';
import { MONITOR } from './monitor-config.ts';
import { callbackSecret } from './provider-config.ts';
import { perEnvironment } from './setting-scope.ts';
import { port, text, url } from './setting-types.ts';
import { readSettings, type Env } from './settings.ts';

/** The port of one sandbox provider. Without it, the provider does not run. */
const serverPort = (name: string, server: string) =>
  port(
    `SANDBOX_${name}_PORT`,
    undefined,
    `The port of the sandbox ${server}. Without it, the ${server} does not run.`,
  );

/** A provider that sends callbacks. */
const server = (name: string, what: string) =>
  Type.Optional(
    Type.Object({ port: serverPort(name, what), callbackSecret: callbackSecret(name) }),
  );

/** A provider that never sends callbacks. */
const answeringServer = (name: string, what: string) =>
  Type.Optional(Type.Object({ port: serverPort(name, what) }));

/** The sandbox's settings. Its servers sign with the same secrets that the API checks. */
export const SANDBOX = Type.Object({
  logLevel: LOG_LEVEL,
  monitor: MONITOR,
  host: text('SANDBOX_HOST', {
    default: '127.0.0.1',
    unit: 'address',
    description: 'The address that the sandbox servers listen on.',
  }),
  dataDir: text('SANDBOX_DATA_DIR', {
    unit: 'path',
    description: 'The folder of the sandbox journals.',
  }),
  apiUrl: url('SANDBOX_API_URL', 'The API that receives the sandbox callbacks.', {
    default: 'http://127.0.0.1:8080',
  }),
  kycPublicUrl: Type.Optional(
    url('SANDBOX_KYC_PUBLIC_URL', 'The URL under which browsers reach the sandbox KYC pages.', {
      defaultText: 'its own address',
    }),
  ),
  bank: perEnvironment(() => server('BANK', 'bank')),
  kyc: perEnvironment(() => server('KYC', 'KYC provider')),
  nameCheck: perEnvironment(() => answeringServer('NAME_CHECK', 'name check')),
  mailbox: Type.Optional(
    Type.Object({
      port: port(
        'SANDBOX_MAILBOX_PORT',
        undefined,
        'The port of the sandbox mailbox pages. Without it, the mailbox does not run.',
      ),
      smtpPort: port('SANDBOX_SMTP_PORT', 1025, 'The SMTP port of the sandbox mailbox.'),
    }),
  ),
});

export function readSandboxConfig(env: Env): Static<typeof SANDBOX> {
  return readSettings(SANDBOX, env);
}
