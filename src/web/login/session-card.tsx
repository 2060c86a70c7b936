import type { OwnSession } from '../../db/customers/own-session-store.ts';
import { ActionButton } from '../kit/parts/action-button.tsx';
import { Card } from '../kit/parts/card.tsx';
import { Table } from '../kit/parts/table.tsx';
import type { SettingsProps } from './settings-props.ts';
import { momentIn } from '../kit/moment-in.ts';

const OTHERS = '/settings/sessions/end-others';
const endPath = ({ id }: OwnSession): string => `/settings/sessions/${id}/end`;

/** Where the person is logged in. Ending one holds from its next request on. */
export const SessionCard = ({ person, settings: { sessions }, reply }: SettingsProps) => {
  const isThis = ({ id }: OwnSession): boolean => id === person.sessionId;
  const when = (at: Date): string => momentIn(at, person.timeZone);
  return (
    <Card
      title="Where you are logged in"
      isFlush
      aside={
        sessions.length > 1 ? (
          <ActionButton action={OTHERS} token={reply.newForm(OTHERS)} text="End all others" />
        ) : undefined
      }
    >
      <Table
        label="Your sessions"
        rows={sessions}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Browser', cell: ({ browser }) => browser },
          { title: 'Since', cell: ({ createdAt }) => when(createdAt), isMuted: true },
          { title: 'Last used', cell: ({ lastUsedAt }) => when(lastUsedAt), isMuted: true },
          {
            title: 'End',
            cell: (session) =>
              isThis(session) ? (
                'This one'
              ) : (
                <ActionButton
                  action={endPath(session)}
                  token={reply.newForm(endPath(session))}
                  text="End"
                  label={`End the session of ${session.browser} since ${when(session.createdAt)}`}
                />
              ),
          },
        ]}
      />
    </Card>
  );
};
