import { shownCount as shown } from '../kernel/text.ts';

/** The number of sales that submitting a period would send, as far as it is known before the calculations. */
export type SubmissionPlan = {
  readonly toSend: number;
  readonly held: number;
  /** Sales that are not posted, by the reason. */
  readonly notPosted: Readonly<Record<string, number>>;
};

export const submissionText = ({ toSend, held, notPosted }: SubmissionPlan): string => {
  const reasons = Object.entries(notPosted).map(
    ([reason, count]) => `, ${shown(count)} ${WORDS[reason] ?? reason}`,
  );
  return `${shown(toSend)} to send, ${shown(held)} recorded already${reasons.join('')}`;
};

/** Why sales are not posted, if the reason alone is not clear enough. */
const WORDS: Readonly<Record<string, string>> = {
  'needs review': 'held for a person',
  foreign: 'shipped outside the United States',
  'not USD': 'not in US dollars',
};
