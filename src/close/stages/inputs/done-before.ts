import { digestOf, type Json } from '../../../kernel/digest.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { workParts } from '../../configuration/parts.ts';
import { keepPage, type PageKind, readPage } from '../../workspace/stage-pages.ts';
import { foundState, salesState } from '../../workspace/state-digests.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** A pass over all sales of a period, whose figures follow from the sales and from the results of stages for them. */
export type Pass<Figures> = {
  readonly name: 'coverage' | 'recompute' | 'submit' | 'read back' | 'lost records' | 'reconcile';
  readonly period: FilingPeriod;
  /** The stages that it reads and writes. It stays done as long as none of their results changes. */
  readonly stages: readonly PageKind[];
  /** Returns everything else that it reads and writes. */
  readonly further?: () => Promise<Json>;
  /**
   * Returns the figures of a repeated pass with nothing to do, from those of the first; `undefined` if work was left.
   */
  readonly again: (figures: Figures) => Figures | undefined;
};

/**
 * Runs a pass over the sales of a period, unless it ran before and everything that it reads and writes is unchanged. A
 * pass whose `again` returns `undefined` runs every time: either work was left, or calculations are billed.
 */
export const unlessDone = async <Figures extends object>(
  ports: ClosePorts,
  pass: Pass<Figures>,
  work: () => Promise<Figures>,
): Promise<Figures> => {
  const known = await figuresBefore(ports, pass);
  if (known) return known;
  const figures = await work();
  if (pass.again(figures))
    await keepPage(ports.workspace, 'done', slotOf(pass), {
      input: await inputNow(ports, pass),
      open: 0,
      rows: [figures as Json & object],
    });
  return figures;
};

const figuresBefore = async <Figures extends object>(
  ports: ClosePorts,
  pass: Pass<Figures>,
): Promise<Figures | undefined> => {
  const made = await readPage<Figures>(ports.workspace, 'done', slotOf(pass));
  const [kept] = made?.rows ?? [];
  const known = kept && pass.again(kept);
  return known && made?.input === (await inputNow(ports, pass)) ? known : undefined;
};

const slotOf = <Figures>({ period, name }: Pass<Figures>): string => JSON.stringify([period.label, name]);

const inputNow = async <Figures>(
  ports: ClosePorts,
  { period, stages, further }: Pass<Figures>,
): Promise<string> =>
  digestOf({
    ...workParts(ports),
    sales: await salesState(ports.workspace, period),
    found: await foundState(ports.workspace, period, stages),
    ...(further && { further: await further() }),
  });
