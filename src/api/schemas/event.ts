import { Type, type Static } from 'typebox';
import { Timestamp } from './common.ts';

/** The envelope of an event, the same in lists and in webhooks. */
export const EventEnvelope = Type.Object(
  {
    id: Type.String({ examples: ['evt_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    type: Type.String({ examples: ['payment.completed'] }),
    timestamp: Timestamp('The time at which the event happened.'),
    apiVersion: Type.String({ examples: ['v1'] }),
    environment: Type.String({ title: 'Environment', enum: ['test', 'live'] }),
    resource: Type.Object(
      {
        type: Type.String({ examples: ['payment'] }),
        id: Type.String(),
        version: Type.Integer({ minimum: 1 }),
      },
      { additionalProperties: false },
    ),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The resource at that version, without personal data and metadata.',
    }),
    previous: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The previous status. It can equal the current status.',
      }),
    ),
  },
  { title: 'Event', additionalProperties: false, description: 'An event.' },
);

export type EventEnvelope = Static<typeof EventEnvelope>;
