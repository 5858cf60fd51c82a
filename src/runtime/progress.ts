import { shownCount } from '../kernel/text.ts';

/** The reports of a run to the person or the mail that watches it. Figures for machines go elsewhere. */
export type Progress = {
  /** A stage begins. */
  readonly started: (stage: string) => void;
  /** Records done so far in the stage; `total` when it is known. */
  readonly advanced: (stage: string, done: number, total?: number) => void;
  /** The stage is done; `summary` is a short clause such as `321 orders, 25 refunds`. */
  readonly finished: (stage: string, summary: string) => void;
};

export const silentProgress: Progress = { started: () => {}, advanced: () => {}, finished: () => {} };

const CLEAR_LINE = '\r\u001b[2K';
/** No one can read a line that changes more often. */
const REDRAW_MS = 100;

/** Show one line that is rewritten in place, for a terminal: the stage, and what is done of its records. */
export const terminalProgress = (
  write: (text: string) => void,
  nowMs: () => number = () => performance.now(),
): Progress => {
  let drawnMs = Number.NEGATIVE_INFINITY;
  const draw = (text: string): void => {
    drawnMs = nowMs();
    write(`${CLEAR_LINE}  ${text}`);
  };
  return {
    started: (stage) => draw(`${stage} …`),
    advanced: (stage, done, total = done) => {
      if (done === 0 || nowMs() - drawnMs < REDRAW_MS) return;
      draw(`${stage} … ${shownCount(done)}${total > done ? ` of ${shownCount(total)}` : ''}`);
    },
    finished: (stage, summary) => write(onOwnLine(`${stage.padEnd(10)} ${summary}`)),
  };
};

/** Return a line for a terminal that also shows progress. */
export const onOwnLine = (text: string): string => `${CLEAR_LINE}  ${text}\n`;

/** `3.2 s`, `48 s`, `125 min` */
export const shownSeconds = (seconds: number): string => {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
};

/** Print one plain line for each finished stage, for logs and cron mail. */
export const plainProgress = (write: (text: string) => void): Progress => ({
  started: () => {},
  advanced: () => {},
  finished: (stage, summary) => write(`${stage}: ${summary}\n`),
});
