import { Type } from 'typebox';
import { Refusal } from '../../domain/errors/refusal.ts';
import type { Problem } from '../../domain/errors/refusal.ts';
import { refuseProblems } from '../../domain/errors/refuse-problems.ts';
import type { App } from '../../web/kit/http/app-type.ts';
import { pointerStep } from '../../web/kit/http/json-pointer.ts';
import { PROBLEMS_MAX } from '../../web/kit/http/storable-text.ts';

const NO_PARAMETERS = Type.Object({}, { additionalProperties: false });

/**
 * Keeps routes that declare no query or no body closed too: an unknown parameter or field is told,
 * never ignored. Without a declared body, none and `{}` are taken.
 */
export function installClosedInput(app: App): void {
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema };
    route.schema.querystring ??= NO_PARAMETERS;
  });
  app.addHook('preValidation', async (request) => {
    const { body } = request;
    if (request.routeOptions.schema?.body !== undefined || body === undefined) return;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      const message = 'This request accepts no body except an empty object.';
      throw new Refusal('validation_failed', message, [
        { path: '', code: 'validation_failed', message },
      ]);
    }
    const problems = Object.keys(body)
      .slice(0, PROBLEMS_MAX)
      .map((name): Problem => {
        return { path: pointerStep(name), code: 'validation_failed', message: NO_FIELD };
      });
    if (problems.length > 0) throw refuseProblems(problems);
  });
}

const NO_FIELD = 'The field is unknown. Check its name, or remove it.';
