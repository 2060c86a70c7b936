import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Environment } from '../../../../../domain/scope.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { CodeBlock } from '../../../../kit/parts/code-block.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';

/** Answers 201 with a new key's token. Nothing else ever shows it: asked for again, the form was sent before. */
export function sendToken(
  request: FastifyRequest,
  reply: FastifyReply,
  key: {
    readonly id: string;
    readonly name: string;
    readonly token: string;
    readonly environment: Environment;
    readonly apiUrl: string;
    /** Of a rotation: until when the old key works. */
    readonly oldEnds?: string;
  },
) {
  const { environment, id, name } = key;
  const path = `/${environment}/keys`;
  return sendDashboardPage(request, reply.code(201), {
    ...{ title: 'The new key', environment, current: path },
    body: (
      <>
        <PageHead
          title={name}
          about="The key is shown only once. Copy it to where your program reads it."
          trail={{ href: path, text: 'API keys', here: id }}
        />
        <Card title="The key">
          <CodeBlock id="token" text={key.token} />
        </Card>
        <Card title="Try it">
          <CodeBlock
            id="command"
            text={`export CAUSEWAY_KEY='${environment === 'live' ? 'cw_live_…' : 'cw_test_…'}'\ncurl ${key.apiUrl}/api/v1/balances \\\n  -H "Authorization: Bearer $CAUSEWAY_KEY"`}
          />
        </Card>
        <p>
          {key.oldEnds === undefined ? null : `The old key works until ${key.oldEnds}. `}
          {environment === 'live'
            ? 'A live key works only from approved IP addresses. '
            : 'A test key with an empty IP list works from everywhere. '}
          <a href={`${path}/${id}`}>See the key and its IP addresses</a>
        </p>
      </>
    ),
  });
}
