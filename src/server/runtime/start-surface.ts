import { createHttpLogger } from '../../api/logger.ts';
import type { LoginProvider } from '../../domain/customers/access/login-provider.ts';
import type { Surface } from '../../domain/customers/access/rights.ts';
import { createProofs } from '../../modules/customers/access/proofs.ts';
import { findPerson } from '../../modules/customers/access/sessions.ts';
import {
  createMailDispatch,
  type MailDispatch,
} from '../../modules/customers/mail/dispatch-mails.ts';
import { sendMail } from '../../modules/customers/mail/send-mail.ts';
import type { LoginProviderSettings } from '../config/login-provider-config.ts';
import { buildWebApp } from '../../web/kit/web-app.ts';
import type { WebApp } from '../../web/kit/web-deps.ts';
import { countFailedLogins } from '../monitor/count-requests.ts';
import { keepRescuing } from './keep-rescuing.ts';
import { openLoginProvider } from './open-login-provider.ts';
import { openMailRelay } from './open-mail-relay.ts';
import { codeOf, type Resources } from './resources.ts';
import { createUntrustedProxyWarning } from './warn-untrusted-proxy.ts';

export interface RunningSurface {
  /** Where it listens, which is not where browsers reach it. */
  readonly address: string;
  stop(): Promise<void>;
}

interface SurfaceSettings {
  readonly surface: Surface;
  /** Scheme and host in browsers. */
  readonly origin: string;
  readonly host: string;
  readonly port: number;
  readonly loginProvider: LoginProviderSettings;
  readonly register: (app: WebApp, pages: PageDeps) => void;
}

/**
 * Serves one surface. While Temporal is down it also sends the mails that its database role sees: those that its own
 * people log in with.
 */
export async function startSurface(
  resources: Resources,
  { surface, origin, host, port, loginProvider, register }: SurfaceSettings,
): Promise<RunningSurface> {
  const { config, db, vault, clock } = resources;
  const mails = openMailDispatch(resources);
  const dispatchMail = (id: string) => {
    mails.dispatch(id, 'commit');
  };
  const provider = openLoginProvider(loginProvider, origin);
  const pages = { ...pageDeps(resources, dispatchMail), provider };
  const find = { vault, clock, operatorsNeedPasskeys: config.operators.opsPasskey === 'required' };
  const app = await buildWebApp(
    {
      ...{ surface, origin, vault, clock, logger: createHttpLogger(config.logLevel) },
      trustedProxies: config.http.trustedProxies,
      onUntrustedProxy: createUntrustedProxyWarning(resources),
      proofs: createProofs({ db, vault, clock, dispatchMail, origin }),
      findPerson: (token, isUse) => findPerson(find, db, surface, token, isUse),
    },
    (web) => {
      countFailedLogins(web, surface, resources.metrics);
      register(web, pages);
    },
  );
  const stopping = new AbortController();
  const rescuing = keepRescuing(mails, resources.log, stopping.signal);
  return {
    address: await app.listen({ host, port }),
    async stop() {
      stopping.abort();
      await Promise.all([app.close(), rescuing]);
      await mails.drained();
    },
  };
}

type PageDeps = ReturnType<typeof pageDeps> & { readonly provider: LoginProvider | null };

/** What the pages of both surfaces are made with. */
function pageDeps(resources: Resources, dispatchMail: (id: string) => void) {
  const { config, db, vault, clock, workflows, corridors, wakes } = resources;
  const { http, web } = config;
  return {
    ...{ db, vault, clock, workflows, dispatchMail, corridors, wakes },
    ...{ dashboardUrl: web.dashboardUrl, opsUrl: web.opsUrl, apiUrl: http.publicUrl },
    webhookAllowLoopbackInTest: http.webhookAllowLoopbackInTest,
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
