import { Ajv, type ValidateFunction } from 'ajv';
import { describe, expect, it } from 'vitest';
import { renderEnvelope, thinEnvelope } from '../../../src/domain/webhooks/events/envelope.ts';
import { resourceTypeOf } from '../../../src/domain/webhooks/events/resource-types.ts';
import { EVENT_TYPES, type EventType } from '../../../src/domain/webhooks/event-types.ts';
import { buildApp } from '../../../src/api/app.ts';
import { documentDeps } from '../../../src/api/openapi/document-deps.ts';
import { EVENT_SCHEMAS, eventSchemaTitle } from '../../../src/api/schemas/events/event-schemas.ts';
import { sampleEvent } from '../../../src/modules/webhooks/samples/sample-event.ts';
import { eventProblems } from '../../support/events-fit.ts';

const AT = new Date('2026-11-22T10:00:00.000Z');
const STAMP = { id: 'evt_00000000000000000000000001', at: AT, environment: 'live' } as const;
const sampleOf = (type: EventType) => renderEnvelope(sampleEvent(type, AT), STAMP);

describe('every type of event', () => {
  it.each(EVENT_TYPES)('%s has a schema and a sample that fits it', (type) => {
    const sample = JSON.parse(sampleOf(type)) as Record<string, unknown>;
    expect(sample).toMatchObject({
      ...{ type, timestamp: AT.toISOString(), environment: 'live', apiVersion: 'v1' },
      resource: { type: resourceTypeOf(type) },
    });
    expect(eventProblems(sample)).toEqual([]);
  });

  it.each(EVENT_TYPES)('%s is refused by its schema with a field too many or too few', (type) => {
    const { data, ...sample } = JSON.parse(sampleOf(type)) as { data: Record<string, unknown> };
    expect(eventProblems({ ...sample, data: { ...data, metadata: {} } })).not.toEqual([]);
    expect(eventProblems({ ...sample, data: { ...data, id: undefined } })).not.toEqual([]);
    expect(eventProblems({ ...sample, data: { ...data, holderName: 'Ada' } })).not.toEqual([]);
    expect(eventProblems({ ...sample, data, more: 1 })).not.toEqual([]);
  });

  it('fits no other status than the one that it is named for', () => {
    const sample = JSON.parse(sampleOf('payment.completed')) as { data: object };
    expect(eventProblems({ ...sample, data: { ...sample.data, status: 'SENT' } })).not.toEqual([]);
    const kyc = JSON.parse(sampleOf('kyc.approved')) as object;
    expect(eventProblems({ ...kyc, type: 'kyc.rejected' })).not.toEqual([]);
  });

  it('names no person or company, whole or thin, and is small', () => {
    for (const type of EVENT_TYPES) {
      const sample = sampleOf(type);
      expect(sample.length).toBeLessThan(4_000);
      expect(sample).not.toMatch(/metadata|individual|business|holderName|"details"|link|secret/);
      const ids = [...sample.matchAll(/"[a-z]{2,3}_([0-9a-z]{26})"/g)].map(([, suffix]) => suffix);
      expect(ids.length, type).toBeGreaterThan(1);
      // Ids of the year 1970: no object has them.
      for (const id of ids) expect(id, type).toMatch(/^0{25}/);
    }
  });
});

describe('the document', async () => {
  const app = buildApp(documentDeps());
  await app.ready();
  const document = app.swagger() as unknown as {
    webhooks: Record<string, { post: Webhook }>;
    components: { schemas: Record<string, unknown> };
  };
  await app.close();
  const ajv = new Ajv({ strict: false, validateFormats: false, discriminator: false });
  ajv.addSchema(JSON.parse(JSON.stringify(document)) as object, 'document');
  const validators = new Map<string, ValidateFunction>();
  const validatorOf = (name: string): ValidateFunction => {
    const $ref = `document#/components/schemas/${name}`;
    const known = validators.get(name) ?? ajv.compile({ $ref });
    validators.set(name, known);
    return known;
  };
  const fits = (name: string, value: unknown) => validatorOf(name)(value);

  it('has one webhook a type, whose examples another validator takes by its schemas', () => {
    expect(Object.keys(document.webhooks)).toEqual(EVENT_TYPES);
    for (const type of EVENT_TYPES) {
      const { schema, examples } =
        document.webhooks[type]?.post.requestBody.content['application/json'] ?? {};
      const title = eventSchemaTitle(type);
      expect(schema).toEqual({
        anyOf: [title, 'ThinEvent'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
      });
      const { full, thin } = examples ?? {};
      const isFitting = fits(title, full?.value);
      expect(isFitting, `${type}: ${ajv.errorsText(validatorOf(title).errors)}`).toBe(true);
      expect(fits('Event', full?.value), type).toBe(true);
      expect(fits('ThinEvent', thin?.value), type).toBe(true);
      expect(fits(title, thin?.value), type).toBe(type === 'ping');
      expect(thin?.value).toEqual(JSON.parse(thinEnvelope(JSON.stringify(full?.value))));
    }
  });

  it('says one schema a type, under a name of its own', () => {
    const titles = EVENT_TYPES.map(eventSchemaTitle);
    expect(new Set(titles).size).toBe(EVENT_TYPES.length);
    expect(Object.keys(EVENT_SCHEMAS)).toEqual(EVENT_TYPES);
    const { oneOf } = document.components.schemas['Event'] as { oneOf: object[] };
    expect(oneOf).toHaveLength(EVENT_TYPES.length);
  });
});

interface Webhook {
  requestBody: {
    content: Record<
      string,
      { schema: object; examples: Record<'full' | 'thin', { value: unknown }> }
    >;
  };
}
