import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { openVault } from '../../../../../src/server/runtime/open-vault.ts';
import { vaultConfig } from '../../../../../src/server/config/vault-config.ts';
import { FORM_FIELD, issueFormToken } from '../../../../../src/web/kit/forms/form-token.ts';
import { SAMPLE_KEYS } from '../../../sample-secrets.ts';
import type { FloodOrder, FloodReport } from '../flood-order.ts';

// Sends requests for login codes, or made-up passkeys, at the pace that the parent orders, whether they are answered or not, until it says
// stop. Then it reports by which statuses they were answered, and how soon.

const TICK_MS = 10;
/** What a reverse proxy keeps open to a site at the most. */
const CONNECTIONS_MAX = 256;
/** Requests without an answer. What is due beyond them is not sent, and counted. */
const OPEN_MAX = 4_000;
const ANSWER_MS_MAX = 30_000;

const { ENCRYPTION_KEYS, PEPPER } = SAMPLE_KEYS;
const vault = await openVault(vaultConfig({ encryptionKeys: ENCRYPTION_KEYS, pepper: PEPPER }));
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX });

const PATHS = { codes: '/login', passkeys: '/login/passkey' } as const;

/** Every second one asks for an address that nobody has. */
function addressOf({ addresses }: FloodOrder, nth: number): string {
  const known = addresses[(nth >> 1) % addresses.length];
  return nth % 2 === 0 && known !== undefined ? known : `nobody-${String(nth)}@unknown.example`;
}

/** The answer of an authenticator that no person of the site has. */
function madeUpPasskey(): string {
  const id = randomBytes(16).toString('base64url');
  const response = { clientDataJSON: id, authenticatorData: id, signature: id };
  return JSON.stringify({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });
}

/** A form that a page gave earlier: pages are good for a while, so a flood has collected them before. */
function formOf(order: FloodOrder, nth: number) {
  const { surface, of } = order;
  const visitor = randomBytes(32).toString('base64url');
  const binding = { surface, session: `visitor:${visitor}`, path: PATHS[of] };
  const token = issueFormToken(vault, binding, new Date());
  const given: Record<string, string> =
    of === 'codes' ? { address: addressOf(order, nth) } : { passkey: madeUpPasskey() };
  const body = new URLSearchParams({ [FORM_FIELD]: token, ...given, next: '/' }).toString();
  return { visitor, body };
}

/** The status of the answer; 0 where none came. */
function send(order: FloodOrder, nth: number): Promise<number> {
  const { host, port, network, networks } = order;
  const { visitor, body } = formOf(order, nth);
  const at = nth % networks;
  return new Promise((resolve) => {
    const sent = request(
      {
        ...{
          host: '127.0.0.1',
          port,
          agent,
          method: 'POST',
          path: PATHS[order.of],
          timeout: ANSWER_MS_MAX,
        },
        headers: {
          ...{ host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' },
          ...{ cookie: `__Host-visitor=${visitor}`, 'content-length': body.length },
          'content-type': 'application/x-www-form-urlencoded',
          'x-forwarded-for': `${String(network)}.${String(at >> 8)}.${String(at & 255)}.7`,
        },
      },
      (answer) => {
        answer.resume().once('close', () => {
          resolve(answer.statusCode ?? 0);
        });
      },
    );
    sent.once('error', () => {
      resolve(0);
    });
    sent.once('timeout', () => sent.destroy());
    sent.end(body);
  });
}

function flood(order: FloodOrder): () => Promise<FloodReport> {
  const answers: Record<string, number> = {};
  const waitsMs: number[] = [];
  const open = new Set<Promise<void>>();
  const startedAt = performance.now();
  const before = process.cpuUsage();
  let due = 0;
  let sent = 0;
  const tick = () => {
    for (
      const until = ((performance.now() - startedAt) / 1_000) * order.perSecond;
      due < until;
      due += 1
    ) {
      if (open.size >= OPEN_MAX) continue;
      const nth = sent;
      // From when it was due: a request that waits for a connection is late already.
      const dueAt = startedAt + (due / order.perSecond) * 1_000;
      sent += 1;
      const asked = send(order, nth).then((status) => {
        answers[status] = (answers[status] ?? 0) + 1;
        waitsMs.push(performance.now() - dueAt);
        open.delete(asked);
      });
      open.add(asked);
    }
  };
  const timer = setInterval(tick, TICK_MS);
  return async () => {
    clearInterval(timer);
    const seconds = (performance.now() - startedAt) / 1_000;
    await Promise.all(open);
    waitsMs.sort((a, b) => a - b);
    const waitOf = (share: number) => Math.round(waitsMs[Math.floor(waitsMs.length * share)] ?? 0);
    const { user, system } = process.cpuUsage(before);
    return {
      ...{ sent, unsent: due - sent, perSecond: Math.round(sent / seconds), answers },
      ...{ medianMs: waitOf(0.5), slowMs: waitOf(0.99), senderMs: (user + system) / 1_000 },
    };
  };
}

let stop: (() => Promise<FloodReport>) | undefined;
process.on('message', (message: FloodOrder | 'stop') => {
  if (message !== 'stop') {
    stop = flood(message);
    return;
  }
  void stop?.().then((report) => {
    agent.destroy();
    process.send?.(report, () => {
      process.disconnect();
    });
  });
});
process.once('disconnect', () => process.exit());
