import type { Json } from '../../../kernel/digest.ts';
import { postedSalesOf } from '../../workspace/sales-of.ts';
import type { Advanced, ClosePorts } from '../close-ports.ts';
import { type Listed, readBack } from '../pull-back/pull-back.ts';
import { type CitiesOfZip, citiesOfZip } from '../recompute/cities-of-zip.ts';
import { recomputePages } from '../recompute/recompute-tax.ts';
import { submitPages } from '../submit/submit-transactions.ts';
import {
  type Batch,
  type BatchFigures,
  type BatchResult,
  type BatchStage,
  differenceOf,
  makerOf,
} from './batch.ts';

/** What became of a batch, or why another worker has to do it. */
export type BatchOutcome = { readonly done: Json } | { readonly refused: string };

/**
 * Does batches of these entities with the functions of the stages. What is done of one already is not done again.
 * What `advanced` throws ends the batch.
 */
export type BatchDoer = (batch: Batch, advanced: Advanced) => Promise<BatchOutcome>;

export const batchDoer = (closes: readonly ClosePorts[]): BatchDoer => {
  const doers = new Map(
    closes.map((close) => [close.workspace.entity, { maker: makerOf(close), ...doingsOf(close) }]),
  );
  return async (batch, advanced) => {
    const own = doers.get(batch.entity);
    if (!own) return { refused: `its configuration has no entity ${batch.entity}` };
    const difference = differenceOf(own.maker, batch.maker);
    if (difference !== undefined) return { refused: difference };
    const figures = await own[batch.stage](batch, advanced);
    return { done: { items: batch.items.length, figures } satisfies BatchResult };
  };
};

type Doing = (batch: Batch, advanced: Advanced) => Promise<BatchFigures>;

const doingsOf = (ports: ClosePorts): Readonly<Record<BatchStage, Doing>> => {
  const cities = citiesOfLastRun(ports);
  const salesOf = ({ period, items }: Batch) =>
    postedSalesOf(ports.workspace, period, items as readonly string[]);
  return {
    recompute: (batch, advanced) =>
      recomputePages(ports, batch.period, salesOf(batch), { cities: cities(batch), advanced }),
    submit: (batch, advanced) => submitPages(ports, salesOf(batch), advanced),
    'pull-back': ({ items }, advanced) => readBack(ports, each(items as readonly Listed[]), advanced),
  };
};

/** The sales of a period do not change while a stage is handed out, so its cities are counted once. */
const citiesOfLastRun = ({ workspace }: ClosePorts): ((batch: Batch) => CitiesOfZip) => {
  let last: { readonly run: string; readonly cities: CitiesOfZip } | undefined;
  return ({ run, period }) => {
    if (last?.run !== run) last = { run, cities: citiesOfZip(workspace, period) };
    return last.cities;
  };
};

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
