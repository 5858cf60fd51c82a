import { setImmediate } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { VALUES_MAX } from './bounded-values.ts';

/** Whether a body may be long; a short one has no room for too many values. One that does not say its length may be. */
export const mayBeLong = ({ headers }: FastifyRequest): boolean =>
  !(Number(headers['content-length']) <= VALUES_MAX);

/** Answer others first: a long body takes a while to read, to calculate and to answer, and nothing does all at once. */
export const othersFirst = (): Promise<void> => setImmediate();
