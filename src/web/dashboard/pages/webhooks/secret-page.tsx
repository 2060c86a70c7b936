import type { FastifyReply, FastifyRequest } from 'fastify';
import { Card } from '../../../kit/parts/card.tsx';
import { CodeBlock } from '../../../kit/parts/code-block.tsx';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import type { Children } from '../../../kit/parts/types.ts';
import type { Place } from '../../environment.tsx';
import { sendDashboardPage } from '../../parts/dashboard-page.tsx';

/** Answers 201 with a signing secret, which no other page shows. */
export function sendSecretPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { environment }: Place,
  made: {
    readonly id: string;
    readonly title: string;
    readonly secret: string;
    readonly about: Children;
  },
) {
  const list = `/${environment}/webhooks`;
  return sendDashboardPage(request, reply.code(201), {
    ...{ title: made.title, environment, current: list },
    body: (
      <>
        <PageHead
          title={made.title}
          trail={{ href: list, text: 'Webhooks', here: made.id }}
          about={made.about}
        />
        <Card title="Signing secret">
          <p>Copy the secret now. It is shown only once.</p>
          <CodeBlock id="secret" text={made.secret} />
          <p>
            <a href={`${list}/${made.id}`}>Go to the endpoint</a>
          </p>
        </Card>
      </>
    ),
  });
}
