import { digestOf, type Json } from '../../kernel/digest.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { workParts } from '../configuration/parts.ts';
import { keepPage, type PageStage, readPage } from '../workspace/stage-pages.ts';
import { foundState, salesState } from '../workspace/state-digests.ts';
import type { ClosePorts } from './close-ports.ts';

/** A pass over all sales of a period, whose figures follow from them and from what stages found about them. */
export type Pass<Figures> = {
  readonly name: 'coverage' | 'recompute' | 'submit' | 'reconcile';
  readonly period: FilingPeriod;
  /** What it reads, and what it writes: it is done as long as neither has changed. */
  readonly stages: readonly PageStage[];
  /** The figures of a pass that had nothing to do, from those of one that had; `undefined` where something was left to do. */
  readonly again: (figures: Figures) => Figures | undefined;
};

/**
 * Make a pass over the sales of a period, unless it was made and everything that it reads and writes is what it was then. Where
 * the calculations of a service cost something, nobody takes that for granted: the pass looks at each sale.
 */
export const unlessDone = async <Figures extends object>(
  ports: ClosePorts,
  { name, period, stages, again }: Pass<Figures>,
  work: () => Promise<Figures>,
): Promise<Figures> => {
  const { workspace } = ports;
  const slot = JSON.stringify([period.label, name]);
  const inputNow = async (): Promise<string> =>
    digestOf({
      ...workParts(ports),
      sales: await salesState(workspace, period),
      found: await foundState(workspace, period, stages),
    });
  const made = await readPage<Figures>(workspace, 'done', slot);
  const [kept] = made?.rows ?? [];
  const known = kept && again(kept);
  if (known && made?.input === (await inputNow())) return known;
  const figures = await work();
  await keepPage(workspace, 'done', slot, {
    input: await inputNow(),
    open: 0,
    rows: [figures as Json & object],
  });
  return figures as Figures;
};
