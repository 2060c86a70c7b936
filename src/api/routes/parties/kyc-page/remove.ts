import { Type } from 'typebox';
import { isKycDocumentType } from '../../../../domain/parties/kyc/kyc-document.ts';
import { removeKycUpload } from '../../../../modules/parties/kyc/remove-kyc-upload.ts';
import { noSuchPage } from '../../../../web/kit/page-refusal.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { pageOf } from './page-look-up.ts';
import { kycPath } from './send-kyc-page.tsx';

/** POST /kyc/:token/documents/:type/removal: forgets a file that was not submitted. */
export function removeDocument(app: App, deps: HttpDeps): void {
  app.post(
    '/kyc/:token/documents/:type/removal',
    {
      config: { public: true },
      schema: { hide: true, params: Type.Object({ token: Type.String(), type: Type.String() }) },
    },
    async (request, reply) => {
      const { token, type } = request.params;
      if (!isKycDocumentType(type)) throw noSuchPage();
      await removeKycUpload(deps, pageOf(request), token, type);
      return reply.redirect(kycPath(deps, token), 303);
    },
  );
}
