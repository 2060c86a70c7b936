import { once } from 'node:events';
import { request as send, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { freePort } from '../../../src/cli/embedded/ports.ts';
import type { KycAsk } from '../../../src/domain/parties/kyc/document-asks.ts';
import { createHttpLogger } from '../../../src/api/logger.ts';
import { createKycHarness, SECRETS, type KycHarness } from './kyc-harness.ts';

export interface VisitorAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** One file of a form: the field's name, what the browser calls it, and its bytes. */
export type FilePart = readonly [name: string, filename: string, bytes: Uint8Array, type?: string];

const BOUNDARY = '----visitor';

/** A form as browsers write it. */
export function writeForm(parts: readonly FilePart[]): Buffer {
  const written = parts.map(([name, filename, bytes, type = 'application/octet-stream']) =>
    Buffer.concat([
      Buffer.from(
        `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"; filename="${filename}"\r\n` +
          `content-type: ${type}\r\n\r\n`,
      ),
      bytes,
      Buffer.from('\r\n'),
    ]),
  );
  return Buffer.concat([...written, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** The API listening, and end-users who follow links of KYC checks. */
export async function startKycVisits() {
  const port = await freePort();
  const origin = `http://127.0.0.1:${String(port)}`;
  const log: string[] = [];
  const logger = createHttpLogger('trace', { write: (line) => void log.push(line) });
  const harness: KycHarness = await createKycHarness(SECRETS, { publicUrl: origin, logger });
  await harness.app.listen({ port, host: '127.0.0.1' });

  /** One request over a connection of its own, as a browser sends it from a page of ours. */
  async function ask(
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: Uint8Array } = {},
  ): Promise<VisitorAnswer> {
    const sent = send({
      ...{ host: '127.0.0.1', port, method, path, agent: false },
      headers: {
        ...(method === 'POST' && { 'sec-fetch-site': 'same-origin', origin }),
        ...(body !== undefined && { 'content-length': String(body.length) }),
        ...headers,
      },
    });
    sent.on('error', () => undefined);
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    return {
      status: answer.statusCode ?? 0,
      headers: answer.headers,
      body: Buffer.concat(chunks).toString(),
    };
  }

  /** A check whose provider asks for documents, and its link. */
  async function newLink(
    asks: readonly KycAsk[] = ['IDENTITY', 'PROOF_OF_ADDRESS'],
    last = 'Planted',
  ) {
    const endUserId = await harness.addEndUser(last);
    const { id, link } = (await harness.post(`/end-users/${endUserId}/kyc`)).json();
    const kycCheckId = id as string;
    await harness.giveProviderUrl(kycCheckId, 'https://kyc.example/hosted/1', asks);
    const path = new URL(link.url as string).pathname;
    return { endUserId, kycCheckId, path, token: path.split('/').at(-1) ?? '' };
  }

  return {
    ...{ harness, origin, port, log, ask, newLink },
    upload: (path: string, parts: readonly FilePart[], headers: Record<string, string> = {}) =>
      ask('POST', `${path}/documents`, {
        headers: { 'content-type': FORM_TYPE, ...headers },
        body: writeForm(parts),
      }),
    submit: (path: string, headers: Record<string, string> = {}) =>
      ask('POST', `${path}/submission`, {
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: Buffer.alloc(0),
      }),
    remove: (path: string, type: string) =>
      ask('POST', `${path}/documents/${type}/removal`, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: Buffer.alloc(0),
      }),
    /** The types of what was uploaded, and of what was submitted. */
    async standing(kycCheckId: string) {
      const types = async (table: string) =>
        harness.database.db.system(async (tx) => {
          const rows = await tx.query<{ type: string }>(
            `SELECT type FROM ${table} WHERE kyc_check_id = $1 ORDER BY type`,
            [kycCheckId],
          );
          return rows.map(({ type }) => type);
        });
      return { uploads: await types('kyc_uploads'), documents: await types('kyc_documents') };
    },
    close: () => harness.close(),
  };
}

export type KycVisits = Awaited<ReturnType<typeof startKycVisits>>;
