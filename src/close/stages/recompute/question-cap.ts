import type { Configuration } from '../../configuration/schema.ts';

/** The default cap: one question for every 20 sales, and at least 100 in a period. */
const SALES_PER_QUESTION = 20;
const QUESTIONS_MIN = 100;

/** Returns how many calls a close of this many sales may make to explain variances. */
export const questionCap = ({ service }: Pick<Configuration, 'service'>, sales: number): number =>
  service.maxQuestions ?? Math.max(QUESTIONS_MIN, Math.ceil(sales / SALES_PER_QUESTION));
