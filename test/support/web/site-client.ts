import { once } from 'node:events';
import {
  Agent,
  request as send,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';

export interface SiteAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const UNESCAPED = { '&quot;': '"', '&lt;': '<', '&gt;': '>', '&amp;': '&' } as const;

/** Asks a site on a port of this machine under the host that it answers to; Node does not find that host. */
export function openSiteClient({ host, port }: { readonly host: string; readonly port: number }) {
  // A connection costs as much as a small page.
  const agent = new Agent({ keepAlive: true });
  return {
    async ask(path: string, headers: OutgoingHttpHeaders = {}, body?: string): Promise<SiteAnswer> {
      const method = body === undefined ? 'GET' : 'POST';
      const sent = send({
        ...{ host: '127.0.0.1', port, method, path, agent },
        headers: { host, ...headers },
      });
      sent.end(body);
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      return { status: answer.statusCode ?? 0, headers: answer.headers, body: text };
    },
    close: () => {
      agent.destroy();
    },
  };
}

/** The hidden fields of the form of a page that is sent to `action`; the first one there is. */
export function hiddenFields(html: string, action: string): URLSearchParams {
  const forms = [...html.matchAll(/<form[^>]*method="post"[^>]*>.*?<\/form>/gs)];
  const form = forms.find(([text]) => text.includes(`action="${action}"`))?.[0];
  if (form === undefined) throw new Error(`the page has no form for ${action}`);
  const fields = new URLSearchParams();
  for (const [input] of form.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    const of = (name: string) =>
      (new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1] ?? '').replace(
        /&(?:quot|lt|gt|amp);/g,
        (entity) => UNESCAPED[entity as keyof typeof UNESCAPED],
      );
    fields.append(of('name'), of('value'));
  }
  return fields;
}
