import multipart from '@fastify/multipart';
import {
  KYC_DOCUMENT_BYTES_MAX,
  KYC_DOCUMENT_TYPES,
} from '../../../../domain/parties/kyc/kyc-document.ts';
import { Refusal } from '../../../../domain/errors/refusal.ts';
import { unreadableForm } from '../../../../web/kit/page-refusal.ts';
import { installOriginCheck } from '../../../../web/kit/plugins/origin-check.ts';
import { sendRefusal } from '../../../../web/kit/plugins/refusals.ts';
import { SECURITY_HEADERS } from '../../../../web/kit/plugins/security-headers.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import type { RateLimits } from '../../../plugins/rate-limit.ts';
import { deadLink, installPageLookUp } from './page-look-up.ts';
import { openKycPage } from './open.ts';
import { removeDocument } from './remove.ts';
import { submitDocuments } from './submit.ts';
import { uploadDocuments } from './upload.ts';

/** Bytes of a form that has only a button. */
const BUTTON_BYTES_MAX = 1_024;

/**
 * The hosted KYC pages, `/kyc/{token}`, for an end-user who has nothing but the link. The token is all that
 * lets in: there are no cookies, and a form must come from a page of this origin. What goes wrong is a page.
 */
export async function registerKycPage(app: App, deps: HttpDeps, limits: RateLimits): Promise<void> {
  // What is gone under the lock was there when the request came: it has the page of all dead links.
  app.setErrorHandler((error, request, reply) => {
    const isGone = error instanceof Refusal && error.code === 'not_found';
    return sendRefusal(isGone ? deadLink() : error, request, reply, null);
  });
  app.addHook('onRequest', async (_request, reply) => {
    void reply.headers(SECURITY_HEADERS);
  });
  installOriginCheck(app, originOf(deps.settings.publicUrl));
  installPageLookUp(app, deps, limits);
  app.removeAllContentTypeParsers();
  await app.register(multipart, {
    throwFileSizeLimit: false,
    limits: {
      // One byte more tells a file that is too large from one that just fits.
      fileSize: KYC_DOCUMENT_BYTES_MAX + 1,
      // Browsers send a part for each field of the form, chosen or not.
      files: KYC_DOCUMENT_TYPES.length,
      parts: KYC_DOCUMENT_TYPES.length,
      fields: 0,
      fieldNameSize: 100,
      headerPairs: 20,
    },
  });
  app.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: BUTTON_BYTES_MAX },
    async (_request: unknown, text: string) => {
      if (text !== '') throw unreadableForm('It has a field that this page does not have.');
    },
  );
  openKycPage(app, deps);
  uploadDocuments(app, deps);
  removeDocument(app, deps);
  submitDocuments(app, deps);
}

/** None where the app is only built to be described: then no form is taken. */
const originOf = (publicUrl: string): string =>
  URL.canParse(publicUrl) ? new URL(publicUrl).origin : '';
