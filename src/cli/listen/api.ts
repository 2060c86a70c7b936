import type { Installation } from '../../server/config/listen-config.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import { askApi, type ApiQuestion } from '../shared/ask-api.ts';
import { escapeUnprintable } from './escape-unprintable.ts';

/** The API answers a test of an endpoint only once the endpoint has: 15 s at the most. */
const TIMEOUT_MS = 20_000;

/** An answer of 4xx or 5xx, in one line for the person at the terminal. */
export class ApiRefusal extends PlainError {
  readonly status: number;
  /** JSON pointers to the fields that are refused. */
  readonly paths: readonly string[];
  constructor(what: string, status: number, body: RefusalBody) {
    const details = (body.details ?? []).map(({ path, message }) => `${path} ${message}`);
    const said = [`${body.error ?? 'no code'}: ${body.message ?? ''}`, ...details].join(' ');
    super(escapeUnprintable(`${what} was answered ${status}, ${said}`));
    this.status = status;
    this.paths = (body.details ?? []).map(({ path }) => path);
  }
}

interface RefusalBody {
  readonly error?: string;
  readonly message?: string;
  readonly details?: readonly { readonly path: string; readonly message: string }[];
}

export interface Api {
  /** Throws ApiRefusal for 4xx and 5xx, PlainError where no answer came. */
  call<Body>(method: ApiQuestion['method'], path: string, body?: object): Promise<Body>;
}

/** The API of an installation as a partner's program calls it. */
export function createApi(installation: Installation): Api {
  return {
    async call<Body>(method: ApiQuestion['method'], path: string, body?: object) {
      const question = { method, path, body, timeoutMs: TIMEOUT_MS };
      const { status, text } = await askApi(installation, question).catch((error: unknown) => {
        const code = (error as NodeJS.ErrnoException).code ?? 'no code';
        const { apiUrl } = installation;
        throw new PlainError(
          `${apiUrl} does not answer (${code}). Check that Causeway runs there.`,
        );
      });
      const isJson = text.startsWith('{');
      const json = (isJson ? parse(text) : null) ?? {};
      if (status >= 300) throw new ApiRefusal(`${method} ${path}`, status, json);
      return json as Body;
    },
  };
}

function parse(text: string): object | null {
  try {
    return JSON.parse(text) as object;
  } catch {
    return null;
  }
}
