import { ServiceRefusal } from '../../contract/refusal.ts';

/**
 * The result of `work`, or a 503 when it takes longer than the deadline. The work itself goes on: a write that was
 * begun is finished, and anyone who asks again learns what became of it.
 */
export const withDeadline = async <Result>(work: Promise<Result>, deadlineMs: number): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ServiceRefusal(503, `the request took longer than ${deadlineMs} ms`)),
      deadlineMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
