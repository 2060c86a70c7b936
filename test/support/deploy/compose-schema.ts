const text = { type: 'string', minLength: 1 } as const;
const texts = { type: 'array', items: text, minItems: 1 } as const;
const duration = { type: 'string', pattern: '^[0-9]+(ms|s|m|h)$' } as const;

/** The part of the Compose specification that our file uses; a property beyond it is a typo or news. */
export const composeSchema = {
  type: 'object',
  required: ['name', 'services', 'networks', 'volumes'],
  additionalProperties: false,
  patternProperties: { '^x-': {} },
  properties: {
    name: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]*$' },
    volumes: { type: 'object', additionalProperties: { type: ['object', 'null'] } },
    networks: { type: 'object', additionalProperties: { type: ['object', 'null'] } },
    services: {
      type: 'object',
      propertyNames: { pattern: '^[a-zA-Z0-9._-]+$' },
      additionalProperties: {
        type: 'object',
        required: ['image'],
        additionalProperties: false,
        properties: {
          image: text,
          build: text,
          init: { type: 'boolean' },
          restart: { type: 'string', pattern: '^(no|always|unless-stopped|on-failure(:[0-9]+)?)$' },
          stop_grace_period: duration,
          profiles: texts,
          networks: texts,
          cap_drop: { const: ['ALL'] },
          cap_add: { ...texts, items: { type: 'string', pattern: '^[A-Z_]+$' } },
          security_opt: { const: ['no-new-privileges:true'] },
          read_only: { const: true },
          tmpfs: { ...texts, items: { type: 'string', pattern: '^/' } },
          entrypoint: texts,
          command: texts,
          environment: { type: 'object', additionalProperties: text },
          volumes: { ...texts, items: { type: 'string', pattern: '^[^:]+:/[^:]+(:ro)?$' } },
          ports: {
            ...texts,
            items: { type: 'string', pattern: '^127\\.0\\.0\\.1:[0-9]+:[0-9]+$' },
          },
          depends_on: {
            type: 'object',
            additionalProperties: {
              type: 'object',
              required: ['condition'],
              additionalProperties: false,
              properties: {
                condition: { enum: ['service_healthy', 'service_completed_successfully'] },
              },
            },
          },
          healthcheck: {
            type: 'object',
            additionalProperties: false,
            properties: {
              disable: { const: true },
              test: texts,
              interval: duration,
              timeout: duration,
              start_period: duration,
              retries: { type: 'integer', minimum: 1 },
            },
          },
        },
      },
    },
  },
} as const;
