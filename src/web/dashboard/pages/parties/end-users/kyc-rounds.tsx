import type { KycRoundRow } from '../../../../../db/parties/kyc-round-store.ts';
import { Chip } from '../../../../kit/parts/chip.tsx';
import type { TimeText } from '../../../../kit/time-text.ts';
import { KYC_WORDS } from '../../../words/kyc-words.ts';

/** Rounds of KYC, newest first, each with its reasons. */
export const KycRounds = (props: {
  readonly rounds: readonly KycRoundRow[];
  readonly times: TimeText;
}) =>
  props.rounds.length === 0 ? (
    <p class="muted">No KYC check was started. A payment needs an approved end-user.</p>
  ) : (
    <ol class="rounds">
      {props.rounds.map(({ id, round, status, reasons, ...row }) => (
        <li key={id}>
          <p>
            <b>Round {round}</b> <Chip {...KYC_WORDS[status]} />
          </p>
          {reasons.map(({ code, message }) => (
            <p key={code}>
              {message} <code>{code}</code>
            </p>
          ))}
          <p class="muted">
            Started {props.times.moment(row.createdAt)}, changed {props.times.moment(row.updatedAt)}
            {row.expiresAt === null ? '' : `, good until ${props.times.moment(row.expiresAt)}`}
          </p>
        </li>
      ))}
    </ol>
  );
