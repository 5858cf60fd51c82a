import type { FilingPeriod } from '../../../kernel/period.ts';
import { shownCount as shown } from '../../../kernel/shown-figures.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { salesOf } from '../../period-sales/sales-of.ts';
import { submittedIn } from '../../period-sales/submitted-sale.ts';
import type { Advanced, ClosePorts } from '../run/close-ports.ts';

/** The number of sales that submitting a period would send, as far as it is known before the calculations. */
export type SubmissionPlan = {
  readonly toSend: number;
  readonly held: number;
  /** Sales that are not posted, by the reason. */
  readonly notPosted: Readonly<Record<string, number>>;
};

/** Count what submitting would send, without sending anything. */
export const planSubmissions = async (
  ports: ClosePorts,
  period: FilingPeriod,
  advanced: Advanced,
): Promise<StageResult<SubmissionPlan>> => {
  const notPosted: Record<string, number> = {};
  let toSend = 0;
  let held = 0;
  let done = 0;
  for await (const { slot, sales } of salesOf(ports.workspace, period)) {
    const known = await submittedIn(ports, slot);
    for (const { sale, digest, posting, filed } of sales) {
      const row = known.get(sale.key);
      if (filed) held += 1;
      else if (posting !== 'posted') notPosted[posting] = (notPosted[posting] ?? 0) + 1;
      else if (row?.state === 'held' && row.sale === digest) held += 1;
      else toSend += 1;
    }
    done += sales.length;
    advanced(done);
  }
  const plan = { toSend, held, notPosted };
  return { value: plan, summary: submissionText(plan) };
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
