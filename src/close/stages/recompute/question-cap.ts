import type { Configuration } from '../../configuration/schema.ts';

/** Without a cap in the configuration: one question for so many sales, but so many in the smallest period. */
const SALES_PER_QUESTION = 20;
const QUESTIONS_MIN = 100;

/** Calls that a close of so many sales may make to explain variances. */
export const questionCap = ({ service }: Pick<Configuration, 'service'>, sales: number): number =>
  service.maxQuestions ?? Math.max(QUESTIONS_MIN, Math.ceil(sales / SALES_PER_QUESTION));
