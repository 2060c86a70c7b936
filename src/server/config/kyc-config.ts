import { Type } from 'typebox';
import type { Environment } from '../../domain/scope.ts';
import { perEnvironment } from './setting-scope.ts';
import { integer, text } from './setting-types.ts';

const DAYS_MAX = 3_650;

/**
 * Five years: the longest that Article 26(2) of Regulation (EU) 2024/1624 lets customer information go
 * without being brought up to date, where the risk is not higher (then one year).
 */
const LIVE_DAYS = 1_825;

function approvalDays(environment: Environment) {
  return integer('KYC_APPROVAL_DAYS', [0, DAYS_MAX], {
    default: environment === 'test' ? 0 : LIVE_DAYS,
    unit: 'days',
    description:
      'The number of days that a KYC approval is valid. An earlier end from the provider wins. With 0, only the provider sets an end.',
  });
}

const CLAMD = /^clamd:\/\/(?:\[[0-9a-f:]+\]|[a-z0-9.-]+)(?::[0-9]{1,5})?\/?$/i;
const CLAMD_PORT = 3310;

/** How long what the KYC provider approved may stand, and how long documents wait for it. */
export const KYC = Type.Object({
  approvalDays: perEnvironment(approvalDays),
  documentDays: integer('KYC_DOCUMENT_DAYS', [1, 365], {
    default: 30,
    unit: 'days',
    description:
      'The number of days that a submitted document waits for the KYC provider. Causeway erases it after that. A document that the provider accepts is erased at once.',
  }),
  scannerUrl: Type.Optional(
    text(
      'DOCUMENT_SCANNER_URL',
      {
        must: 'the address of clamd: clamd://host:port',
        unit: 'URL',
        defaultText: '-',
        description:
          'The malware scanner for documents, ClamAV: `clamd://127.0.0.1:3310`. The API sends it each file that an end-user uploads, and keeps no file that it does not call clean. Its `StreamMaxLength` must be 10 MB or more.',
      },
      (given) => CLAMD.test(given),
    ),
  ),
});

/** Where the scanner of a URL listens. */
export function scannerAddress(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(url);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? CLAMD_PORT : Number(port),
  };
}
