import type { Configuration } from '../close/configuration/schema.ts';

/** The default cap of a remote service, which may bill each call: one question for every 20 sales, and at least 100. */
const SALES_PER_QUESTION = 20;
const QUESTIONS_MIN = 100;
/** The default cap of the embedded service: one question a sale, and at least 1,000. */
const EMBEDDED_MIN = 1_000;

/** Returns how many calls a close of this many sales may make to explain variances. */
export const questionCap = ({ service }: Pick<Configuration, 'service'>, sales: number): number => {
  if (service.maxQuestions !== undefined) return service.maxQuestions;
  return service.url === undefined
    ? Math.max(EMBEDDED_MIN, sales)
    : Math.max(QUESTIONS_MIN, Math.ceil(sales / SALES_PER_QUESTION));
};
