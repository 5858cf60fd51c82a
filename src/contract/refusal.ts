import * as z from 'zod';
import { TieoutError } from '../kernel/errors.ts';

/** The body of every answer that is not a success. `detail` is a list only when several parameters fail at once. */
export const RefusalBody = z.object({
  status: z.number().int(),
  error: z.string(),
  detail: z.union([z.string(), z.array(z.string())]),
});
export type RefusalBody = z.output<typeof RefusalBody>;

/** The statuses that the service answers with, and their names on the wire. */
export const STATUS_NAMES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;
export type RefusalStatus = keyof typeof STATUS_NAMES;

/** A negative answer of the service: sending the same request again cannot help. */
export class ServiceRefusal extends TieoutError {
  readonly status: number;
  readonly body: RefusalBody;

  constructor(status: number, detail: string | string[], name?: string) {
    const body = { status, error: name ?? statusName(status), detail };
    super({
      code: 'E_SERVICE_REFUSED',
      message: `The tax service answered ${status} ${body.error}: ${[detail].flat().join('; ')}`,
      nextStep: 'Correct the record that was refused, or the configuration it was built from, and run again.',
      details: { ...body },
    });
    this.status = status;
    this.body = body;
  }
}

/** Whether the service has no record of the requested id. */
export const isGone = (error: unknown): boolean => error instanceof ServiceRefusal && error.status === 404;

/** Returns a refusal, for callers that keep it as an answer; any other error is thrown on. */
export const asRefusal = (error: unknown): ServiceRefusal => {
  if (error instanceof ServiceRefusal) return error;
  throw error;
};

const statusName = (status: number): string =>
  status in STATUS_NAMES ? STATUS_NAMES[status as RefusalStatus] : 'Error';
