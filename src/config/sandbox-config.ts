import type { Environment } from '../domain/scope.ts';
import { readLogLevel, type LogLevel } from './log-level.ts';
import { createVariables, type Env, type Variables } from './variables.ts';

/** One pretend provider: where it listens and how it calls back. */
export interface SandboxServerConfig {
  readonly port: number;
  readonly callbackSecret: string;
}

export interface SandboxConfig {
  readonly logLevel: LogLevel;
  readonly host: string;
  /** Where the journals are kept. */
  readonly dataDir: string;
  /** Where the API is, for callbacks: without a slash at its end. */
  readonly apiUrl: string;
  /** Where end-users reach the hosted KYC pages, if not where they listen. */
  readonly kycPublicUrl: string | undefined;
  readonly bank: Readonly<Partial<Record<Environment, SandboxServerConfig>>>;
  readonly kyc: Readonly<Partial<Record<Environment, SandboxServerConfig>>>;
}

/**
 * Reads the sandbox's settings. A server runs where its port is set: SANDBOX_BANK_PORT,
 * SANDBOX_LIVE_BANK_PORT, SANDBOX_KYC_PORT, SANDBOX_LIVE_KYC_PORT; it signs with the same secret that
 * the API checks (BANK_CALLBACK_SECRET and so on).
 */
export function readSandboxConfig(env: Env): SandboxConfig {
  const variables = createVariables(env);
  const config: SandboxConfig = {
    logLevel: readLogLevel(variables),
    host: variables.text('SANDBOX_HOST', '127.0.0.1'),
    dataDir: variables.required('SANDBOX_DATA_DIR', 'the folder of the journals'),
    apiUrl: variables.url('SANDBOX_API_URL') ?? 'http://127.0.0.1:8080',
    kycPublicUrl: variables.url('SANDBOX_KYC_PUBLIC_URL'),
    bank: readBoth(variables, 'BANK'),
    kyc: readBoth(variables, 'KYC'),
  };
  variables.finish();
  return config;
}

function readBoth(variables: Variables, name: string): SandboxConfig['bank'] {
  const test = readOne(variables, `SANDBOX_${name}_PORT`, `${name}_CALLBACK_SECRET`);
  const live = readOne(variables, `SANDBOX_LIVE_${name}_PORT`, `LIVE_${name}_CALLBACK_SECRET`);
  return { ...(test === null ? {} : { test }), ...(live === null ? {} : { live }) };
}

function readOne(
  variables: Variables,
  portName: string,
  secretName: string,
): SandboxServerConfig | null {
  if (variables.optional(portName) === undefined) return null;
  return {
    port: variables.integer(portName, 0, [0, 65_535]),
    callbackSecret: variables.required(secretName, 'whsec_ and base64, the same as the API has'),
  };
}
