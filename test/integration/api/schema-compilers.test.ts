import Fastify from 'fastify';
import { expect, it } from 'vitest';
import type { App } from '../../../src/web/kit/http/app-type.ts';
import { declareCaller, installAuthentication } from '../../../src/api/plugins/authentication.ts';
import { installClosedInput } from '../../../src/api/plugins/closed-input.ts';
import { installEntityTags } from '../../../src/api/plugins/entity-tags.ts';
import { installRateLimits } from '../../../src/api/plugins/rate-limit.ts';
import { registerV1Routes } from '../../../src/api/routes/v1.ts';
import { AJV_OPTIONS } from '../../../src/api/schema-compilers.ts';
import { createTestApp } from '../../support/test-app.ts';

it('every schema of the API compiles, before a request needs it', async () => {
  const harness = await createTestApp();
  // Fastify's own compilers compile all schemas at once.
  const app: App = Fastify({ ajv: { customOptions: AJV_OPTIONS } });
  let schemas = 0;
  try {
    app.addHook('onRoute', ({ schema }) => {
      schemas += Object.keys(schema?.response ?? {}).length;
    });
    const limits = installRateLimits(app, harness.deps);
    declareCaller(app);
    installAuthentication(app, harness.deps, limits);
    installClosedInput(app);
    installEntityTags(app);
    registerV1Routes(app, harness.deps);
    await app.ready();
    expect(schemas).toBeGreaterThan(500);
  } finally {
    await app.close();
    await harness.close();
  }
});
