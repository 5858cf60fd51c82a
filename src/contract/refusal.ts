import * as z from 'zod';
import { TieoutError } from '../kernel/errors.ts';
import { compiled } from './compiled.ts';

/** Every answer that is not a success has this body. `detail` is a list only when several parameters fail at once. */
export const RefusalBody = z
  .object({ status: z.number().int(), error: z.string(), detail: z.union([z.string(), z.array(z.string())]) })
  .meta({ id: 'RefusalBody' });
export type RefusalBody = z.output<typeof RefusalBody>;

/** The statuses the service answers with, and their names on the wire. */
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

/** The service answered, and the answer was no: sending the same request again cannot help. */
export class ServiceRefusal extends TieoutError {
  readonly status: number;
  readonly body: RefusalBody;

  constructor(status: number, detail: string | string[], name?: string) {
    const body = { status, error: name ?? statusName(status), detail };
    super({
      code: 'E_SERVICE_REFUSED',
      recovery: 'fix-input',
      message: `The tax service answered ${status} ${body.error}: ${[detail].flat().join('; ')}`,
      nextStep: 'Correct the record that was refused, or the configuration it was built from, and run again.',
      details: { ...body },
    });
    this.status = status;
    this.body = body;
  }
}

/** Whether the service holds no record of the id that was asked for. */
export const isGone = (error: unknown): boolean => error instanceof ServiceRefusal && error.status === 404;

const statusName = (status: number): string =>
  status in STATUS_NAMES ? STATUS_NAMES[status as RefusalStatus] : 'Error';

/**
 * Read a body, a query or a parameter by its schema. What is missing or of the wrong form is a 406 that names the
 * parameter, and the others when there are several; text that no database can keep is a 422.
 *
 * @throws {ServiceRefusal} 406, 422
 */
export const accept = <Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> => {
  refuseLongLists(input);
  const result = compiled(schema).safeParse(input ?? {}, { reportInput: true });
  if (result.success) return result.data;
  const { issues } = result.error;
  const problems = [...new Set(issues.slice(0, PROBLEMS_MAX).map(problemOf))];
  const [first = 'the request is malformed'] = problems;
  throw new ServiceRefusal(issues.some(isUnprocessable) ? 422 : 406, problems.length > 1 ? problems : first);
};

/** Problems that one refusal names. */
const PROBLEMS_MAX = 100;
/** Entries of any list; what is beyond them is refused before each of them is looked at. */
export const ENTRIES_MAX = 10_000;

const refuseLongLists = (input: unknown): void => {
  for (const [name, value] of Object.entries(input ?? {}))
    if (Array.isArray(value) && value.length > ENTRIES_MAX)
      throw new ServiceRefusal(406, `${name} must have at most ${ENTRIES_MAX} entries`);
};

const isUnprocessable = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'custom' && issue.params?.['status'] === 422;

const problemOf = (issue: z.core.$ZodIssue): string => {
  const parameter = issue.path
    .map((part) => (typeof part === 'number' ? `[${part}]` : String(part)))
    .join('.');
  const name = parameter.replaceAll('.[', '[') || 'the body';
  if (issue.code === 'custom') return `${name} ${issue.message}`;
  if (isMissing(issue)) return `${name} is missing`;
  if (issue.code === 'too_big' || issue.code === 'too_small' || issue.code === 'invalid_format') {
    return `${name} ${issue.message}`;
  }
  return `${name} is invalid`;
};

/** zod reports a missing key as a wrong type or value; the input that it saw tells the two apart. */
const isMissing = (issue: z.core.$ZodIssue): boolean =>
  (issue.code === 'invalid_type' || issue.code === 'invalid_union' || issue.code === 'invalid_value') &&
  (issue.input === undefined || issue.input === null || issue.input === '');
