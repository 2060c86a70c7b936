import { createProofs } from '../../modules/customers/access/proofs.ts';
import { findPerson } from '../../modules/customers/access/sessions.ts';
import { httpSettings } from '../config/config.ts';
import type { Surface } from '../../domain/customers/access/rights.ts';
import { ConfigError } from '../config/settings.ts';
import { registerConsole } from '../../web/console/register-console.ts';
import { registerDashboard } from '../../web/dashboard/register-dashboard.ts';
import { createHttpLogger } from '../../api/logger.ts';
import {
  createMailDispatch,
  type MailDispatch,
} from '../../modules/customers/mail/dispatch-mails.ts';
import { sendMail } from '../../modules/customers/mail/send-mail.ts';
import { buildWebApp } from '../../web/kit/web-app.ts';
import type { WebApp } from '../../web/kit/web-deps.ts';
import { keepRescuing } from './keep-rescuing.ts';
import { openMailRelay } from './open-mail-relay.ts';
import { codeOf, type Resources } from './resources.ts';

interface RunningWeb {
  /** Where it listens, which is not where browsers reach it. */
  readonly dashboardAddress: string;
  readonly consoleAddress: string;
  stop(): Promise<void>;
}

/** Builds dashboard and console, each on a port of its own, and listens. Neither needs Temporal to be up. */
export async function startWeb(resources: Resources): Promise<RunningWeb> {
  const { config, vault, clock } = resources;
  const { http, web } = config;
  const { operatorKeys } = resources;
  if (config.operators.operatorKeys !== undefined && operatorKeys.origin !== web.opsUrl) {
    throw new ConfigError([`OPERATOR_KEYS_FILE is of ${operatorKeys.origin}, and not of OPS_URL`]);
  }
  const mails = openMailDispatch(resources);
  const dispatchMail = (id: string) => {
    mails.dispatch(id, 'commit');
  };
  const common = {
    ...{ vault, clock, logger: createHttpLogger(config.logLevel) },
    trustedProxies: http.trustedProxies,
  };
  const pages = {
    ...{ db: resources.db, vault, clock, workflows: resources.workflows, dispatchMail },
    ...{ corridors: resources.corridors, wakes: resources.wakes },
    ...{ dashboardUrl: web.dashboardUrl, opsUrl: web.opsUrl, apiUrl: http.publicUrl },
    webhookAllowLoopbackInTest: http.webhookAllowLoopbackInTest,
  };
  const dashboardPages = {
    ...pages,
    networks: httpSettings(config).networks,
    isCompanyCheckServed: config.providers.kyc.live !== undefined,
  };
  const { temporalUiUrl } = web;
  const consolePages = {
    ...pages,
    getClient: () => resources.getClient(),
    operatorKeys: resources.operatorKeys,
    kycApprovalDays: config.kyc.approvalDays,
    temporalUi:
      temporalUiUrl === undefined
        ? null
        : { url: temporalUiUrl, namespace: resources.temporal.namespace },
  };
  const find = { vault, clock, operatorsNeedPasskeys: config.operators.opsPasskey === 'required' };
  const surfaceAt = (surface: Surface, origin: string) => ({
    ...{ ...common, surface, origin },
    proofs: createProofs({ db: resources.db, vault, clock, dispatchMail, origin }),
    findPerson: (token: string, isUse: boolean) =>
      findPerson(find, resources.db, surface, token, isUse),
  });
  const dashboard = await buildWebApp(surfaceAt('dashboard', web.dashboardUrl), (app) => {
    registerDashboard(app, dashboardPages);
  });
  const console = await buildWebApp(surfaceAt('console', web.opsUrl), (app) => {
    registerConsole(app, consolePages);
  });
  const listen = (app: WebApp, port: number) => app.listen({ host: http.host, port });
  const stopping = new AbortController();
  const rescuing = keepRescuing(mails, resources.log, stopping.signal);
  return {
    dashboardAddress: await listen(dashboard, web.dashboardPort),
    consoleAddress: await listen(console, web.opsPort),
    async stop() {
      stopping.abort();
      await Promise.all([dashboard.close(), console.close(), rescuing]);
      await mails.drained();
    },
  };
}

function openMailDispatch({ config, db, vault, clock, workflows, log }: Resources): MailDispatch {
  const relay = openMailRelay(config);
  return createMailDispatch({
    ...{ db, clock, workflows },
    send: (mailId) => sendMail({ db, vault, clock, relay }, mailId),
    onFailure: (mailId, error) => {
      log.warn({ mailId, code: codeOf(error) }, 'a mail could not be sent; it is tried again');
    },
  });
}
