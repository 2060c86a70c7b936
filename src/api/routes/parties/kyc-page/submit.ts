import { WAYS_TO_ANSWER } from '../../../../domain/parties/kyc/document-asks.ts';
import { submitKycDocuments } from '../../../../modules/parties/kyc/submit-kyc-documents.ts';
import type { FieldProblem } from '../../../../web/kit/forms/form-rules.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { pageOf, pageSchema } from './page-look-up.ts';
import { ASK_NAMES } from './pages/document-names.ts';
import { kycPath, sendKycPageAgain } from './send-kyc-page.tsx';

const NOTHING: FieldProblem = { field: 'documents', message: 'Upload a document first.' };

/** POST /kyc/:token/submission: hands in what was uploaded, once; again is the same as once. */
export function submitDocuments(app: App, deps: HttpDeps): void {
  const { workflows, wakes, settings } = deps;
  app.post(
    '/kyc/:token/submission',
    { config: { public: true }, schema: pageSchema },
    async (request, reply) => {
      const { token } = request.params;
      const { ref } = pageOf(request);
      const submitting = { ...deps, documentLifeMs: settings.kycDocumentLifeMs };
      const submission = await submitKycDocuments(submitting, pageOf(request), token);
      if (submission.kind === 'INCOMPLETE') {
        const problems = submission.missing.map((ask) => ({
          field: WAYS_TO_ANSWER[ask][0]?.[0] ?? 'documents',
          message: `Still needed: ${ASK_NAMES[ask].toLowerCase()}.`,
        }));
        return sendKycPageAgain(deps, request, reply, problems.length > 0 ? problems : [NOTHING]);
      }
      if (submission.kind === 'SUBMITTED') {
        const requestId = request.id;
        const wake = async () => {
          // It may have ended with an approval that asks for documents since.
          await workflows.restartKycCheck(ref, requestId);
          await workflows.wakeKycCheck(ref, requestId, requestId);
        };
        wakes.run('wake kyc check', wake, { requestId });
      }
      return reply.redirect(kycPath(deps, token), 303);
    },
  );
}
