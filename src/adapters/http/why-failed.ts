import type { Why } from './why.ts';

const DNS_CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ENODATA']);

/** The code for an error of undici, Node's net, dns or tls. Says nothing about what was sent. */
export function whyFailed(error: unknown, isConnected: boolean): Why {
  // Not every error of undici's parser carries a code.
  if (error instanceof Error && error.name === 'HTTPParserError') return 'GARBAGE';
  const code = codeOf(error);
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'CONNECT_TIMEOUT';
  if (code === 'UND_ERR_BODY_TIMEOUT' || code === 'UND_ERR_HEADERS_TIMEOUT') return 'TIMEOUT';
  if (code.startsWith('HPE_') || code.startsWith('UND_ERR_HEADERS')) return 'GARBAGE';
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return 'GARBAGE';
  if (isConnected) return 'RESET';
  if (DNS_CODES.has(code)) return 'DNS_FAILED';
  const isTls = /^ERR_(?:TLS|SSL)|CERT|UNABLE_TO_|^EPROTO$/.test(code);
  return isTls ? 'TLS_FAILED' : 'CONNECT_FAILED';
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
