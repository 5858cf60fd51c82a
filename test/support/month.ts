import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { EmbeddedTaxService } from '../../src/service/tax-service.ts';
import { type PipelinePorts, type PortOptions, pipelines, withPorts } from '../entry/close.ts';
import type { Figures, Manifest } from './figures.ts';
import { recordsOf } from './records-of.ts';
import { salesIn, tableRows, type WorkbookTable, workbookTables } from './sheets.ts';
import { filesOf, type Ran, type RunOptions, temporaryFolder, tieout } from './tieout.ts';
import { type MonthData, writeInto, writeMonth } from './write-month.ts';

/**
 * A shop with the exports and the configuration of a month, closed by the command in this process. Its files can be
 * replaced between two commands.
 */
export const month = async (data: MonthData = {}, place?: string) => {
  const folder = place ?? (await temporaryFolder());
  const config = join(folder, 'tieout.yaml');
  const write = (name: string, content: string | Uint8Array): Promise<void> =>
    writeInto(folder, name, content);
  let now: MonthData = data;

  /** Put other exports or settings in the place of those; what is not named stays as it is. */
  const change = async (changes: MonthData): Promise<void> => {
    const before = now;
    now = { ...now, ...changes };
    await writeMonth(folder, now, before);
  };
  await change({});

  const runWith = (how: RunOptions, ...args: readonly string[]): Promise<Ran> =>
    tieout([...args, '--config', config], how);
  const run = (...args: readonly string[]): Promise<Ran> => runWith({}, ...args);
  const out = (period = '2026-10'): string => join(folder, 'out', 'shop', period);
  const book = (period?: string, name = 'variance'): string => join(out(period), `${name}.xlsx`);
  const ports = <Result>(work: (ports: PipelinePorts) => Promise<Result>, how: PortOptions = {}) =>
    withPorts(config, work, how);
  const service = <Result>(work: (service: EmbeddedTaxService) => Promise<Result>): Promise<Result> =>
    ports(({ service: own }) => work(own as EmbeddedTaxService));

  /** The figures of a close that ends by itself, whether or not something is open. */
  const close = async (period = '2026-10', ...args: readonly string[]): Promise<Figures> => {
    const { stdout, stderr } = await run('close', period, '--json', ...args);
    expect(stderr).toBe('');
    return JSON.parse(stdout) as Figures;
  };

  return {
    folder,
    config,
    change,
    /** Put another file into the folder. */
    write,
    /** A file of the folder as text. */
    read: (name: string): Promise<string> => readFile(join(folder, name), 'utf8'),
    /** Run a command with its configuration. */
    run,
    /** The same, in an environment, or in a process of its own. */
    runWith,
    close,
    /** What a command prints with --json, which must end with this code. */
    told: async <Told = Figures>(code: number, ...args: readonly string[]): Promise<Told> => {
      const ran = await run(...args, '--json');
      expect({ args, code: ran.code, stderr: ran.stderr }).toEqual({ args, code, stderr: '' });
      return JSON.parse(ran.stdout) as Told;
    },
    /** The code of the error with which a command ends. */
    refused: async (...args: readonly string[]): Promise<string> => {
      const { stdout } = await run(...args, '--json');
      return (JSON.parse(stdout) as { error: { code: string } }).error.code;
    },
    /** The published folder of a period. */
    out,
    /** A published workbook. */
    book,
    /** The published files of a period with their bytes. */
    files: (period?: string) => filesOf(out(period)),
    /** Everything that is published. */
    published: () => filesOf(join(folder, 'out')),
    rows: (sheet: string, period?: string, name?: string) => tableRows(book(period, name), sheet),
    /** The orders and refunds, whichever table lists them. */
    detail: (period?: string) => salesIn(book(period)),
    tables: (period?: string, name?: string): Promise<ReadonlyMap<string, WorkbookTable>> =>
      workbookTables(book(period, name)),
    /** What the manifest of a period vouches for. */
    manifest: async (period?: string): Promise<Manifest> =>
      JSON.parse(await readFile(join(out(period), 'evidence', 'manifest.json'), 'utf8')),
    /** The lines of a log in the evidence of a period. */
    log: <Line>(name: string, period?: string): Line[] =>
      gunzipSync(readFileSync(join(out(period), 'evidence', `${name}.ndjson.gz`)))
        .toString()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line),
    /** The sales of a period as `tieout show` derives them from its evidence. */
    sales: async <Line>(period?: string): Promise<Line[]> => {
      const { stdout } = await tieout(['show', out(period), '--json']);
      return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
    },
    /** What `tieout verify` finds wrong with a period. */
    verify: async (period?: string): Promise<readonly string[]> => {
      const { stdout } = await tieout(['verify', out(period), '--json']);
      const { periods } = JSON.parse(stdout) as {
        periods: readonly { verdicts: readonly { problem?: string }[] }[];
      };
      return periods.flatMap(({ verdicts }) => verdicts.flatMap(({ problem }) => problem ?? []));
    },
    /** Work with what a pipeline works with. */
    ports,
    /** Close October by its pipeline, which throws what stops it, with other ports where they are changed. */
    closeWith: (changed: (ports: PipelinePorts) => PipelinePorts = (same) => same, how: PortOptions = {}) =>
      ports((given) => pipelines.monthlyClose.run(changed(given), { period: '2026-10' }), how),
    /** Work with the tax service that it brings, as somebody else may. */
    service,
    /** What its tax service holds: `order 1 100.00 10.75`. */
    records: (provider = 'shopify'): Promise<readonly string[]> => service((own) => recordsOf(own, provider)),
  };
};

export type { MonthData, Settings } from './write-month.ts';
export type Month = Awaited<ReturnType<typeof month>>;
