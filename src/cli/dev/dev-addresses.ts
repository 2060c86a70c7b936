import type { DevConfig } from '../../server/config/dev-config.ts';
import { assertPortFree, freePort } from '../embedded/ports.ts';

/** The ports of the parts that we start ourselves, each free when it was looked at. */
export interface DevPorts {
  readonly api: number;
  readonly dashboard: number;
  readonly ops: number;
  readonly postgres: number;
  readonly temporal: number;
  readonly temporalUi: number;
  readonly bank: number;
  readonly liveBank: number;
  readonly kyc: number;
  readonly liveKyc: number;
  readonly nameCheck: number;
  readonly liveNameCheck: number;
  readonly mailbox: number;
  readonly smtp: number;
  readonly chain: number;
  /** Of `/metrics` and the probes, by process. */
  readonly monitors: Readonly<Record<MonitoredPart, number>>;
}

/** Processes that have a monitor. */
const MONITORED_PARTS = ['api', 'worker', 'dashboard', 'console', 'chain', 'sandbox'] as const;

export type MonitoredPart = (typeof MONITORED_PARTS)[number];

/** Fixes every port now: clients hold on to an address across a restart of what is behind it. */
export async function choosePorts(config: DevConfig): Promise<DevPorts> {
  const choose = async (port: number, what: string, variable: string): Promise<number> => {
    if (port === 0) return freePort();
    await assertPortFree(port, what, variable);
    return port;
  };
  const { test, live } = config.sandboxPorts;
  return {
    api: await choose(config.apiPort, 'the API', 'PORT'),
    dashboard: await choose(config.dashboardPort, 'the dashboard', 'DASHBOARD_PORT'),
    ops: await choose(config.opsPort, "the operators' console", 'OPS_PORT'),
    postgres: await choose(config.postgresPort, 'PostgreSQL', 'POSTGRES_PORT'),
    temporal: await choose(config.temporalPort, 'the Temporal server', 'TEMPORAL_PORT'),
    temporalUi: await choose(config.temporalUiPort, 'Temporal UI', 'TEMPORAL_UI_PORT'),
    bank: await choose(test.bank, 'the sandbox bank', 'TEST_SANDBOX_BANK_PORT'),
    liveBank: await choose(live.bank, 'the live sandbox bank', 'LIVE_SANDBOX_BANK_PORT'),
    kyc: await choose(test.kyc, 'the sandbox KYC provider', 'TEST_SANDBOX_KYC_PORT'),
    liveKyc: await choose(live.kyc, 'the live KYC provider', 'LIVE_SANDBOX_KYC_PORT'),
    nameCheck: await choose(
      test.nameCheck,
      'the sandbox name check',
      'TEST_SANDBOX_NAME_CHECK_PORT',
    ),
    liveNameCheck: await choose(
      live.nameCheck,
      'the live sandbox name check',
      'LIVE_SANDBOX_NAME_CHECK_PORT',
    ),
    mailbox: await choose(config.mailboxPort, 'the sandbox mailbox', 'SANDBOX_MAILBOX_PORT'),
    chain: await choose(config.chainPort, 'the sandbox chains', 'SANDBOX_CHAIN_PORT'),
    smtp: await choose(config.smtpPort, "the sandbox mailbox's SMTP", 'SANDBOX_SMTP_PORT'),
    monitors: await freePorts(),
  };
}

async function freePorts(): Promise<Record<MonitoredPart, number>> {
  const ports = new Map<MonitoredPart, number>();
  for (const part of MONITORED_PARTS) ports.set(part, await freePort());
  return Object.fromEntries(ports) as Record<MonitoredPart, number>;
}
