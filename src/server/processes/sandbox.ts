import { join } from 'node:path';
import { pino } from 'pino';
import { monitorAlone } from '../monitor/monitor-process.ts';
import { systemClock } from '../runtime/system-clock.ts';
import { runMain } from '../runtime/run-main.ts';
import { untilSignal } from '../runtime/until-signal.ts';
import { readEnvironment } from '../config/environment.ts';
import { readSandboxConfig } from '../config/sandbox-config.ts';
import { ENVIRONMENTS } from '../../domain/scope.ts';
import { exitWithParent } from '../runtime/exit-with-parent.ts';
import { createSandboxBank } from '../../sandbox/bank/sandbox-bank.ts';
import { createSandboxKyc } from '../../sandbox/kyc/sandbox-kyc.ts';
import { createSandboxMailbox } from '../../sandbox/mailbox/sandbox-mailbox.ts';
import { createSandboxNameCheck } from '../../sandbox/name-check/sandbox-name-check.ts';

runMain(async () => {
  const asked = untilSignal();
  exitWithParent();
  const config = readSandboxConfig(readEnvironment(process.env, 'sandbox'));
  const log = pino({ level: config.logLevel, base: { process: 'sandbox' } });
  const open: { close(): Promise<void> }[] = [];
  for (const environment of ENVIRONMENTS) {
    const journalFile = (name: string) => join(config.dataDir, `${name}-${environment}.jsonl`);
    const bankConfig = config.bank[environment];
    if (bankConfig !== undefined) {
      const bank = await createSandboxBank({
        journalFile: journalFile('bank'),
        callbackUrl: `${config.apiUrl}/api/v1/rails/http-bank/callbacks`,
        callbackSecret: bankConfig.callbackSecret,
        clock: systemClock,
        magic: environment === 'test',
        log,
      });
      open.push(bank);
      const url = await bank.listen(bankConfig.port, config.host);
      log.info({ environment, url }, 'sandbox bank is listening');
    }
    const kycConfig = config.kyc[environment];
    if (kycConfig !== undefined) {
      const kyc = await createSandboxKyc({
        journalFile: journalFile('kyc'),
        callbackUrl: `${config.apiUrl}/api/v1/kyc/callbacks`,
        callbackSecret: kycConfig.callbackSecret,
        ...(config.kycPublicUrl === undefined ? {} : { publicUrl: config.kycPublicUrl }),
        clock: systemClock,
        log,
      });
      open.push(kyc);
      const url = await kyc.listen(kycConfig.port, config.host);
      log.info({ environment, url }, 'sandbox KYC provider is listening');
    }
    const nameCheckConfig = config.nameCheck[environment];
    if (nameCheckConfig !== undefined) {
      const nameCheck = createSandboxNameCheck({ magic: environment === 'test', log });
      open.push(nameCheck);
      const url = await nameCheck.listen(nameCheckConfig.port, config.host);
      log.info({ environment, url }, 'sandbox name check is listening');
    }
  }
  if (config.mailbox !== undefined) {
    const mailbox = createSandboxMailbox({ clock: systemClock, log });
    open.push(mailbox);
    const { port, smtpPort } = config.mailbox;
    const ports = { http: port, smtp: smtpPort };
    log.info(await mailbox.listen(ports, config.host), 'the sandbox mailbox listens');
  }
  const monitor = await monitorAlone(config.monitor, { asked, log });
  await asked;
  for (const server of open.reverse()) await server.close();
  await monitor.stop();
  return 0;
});
