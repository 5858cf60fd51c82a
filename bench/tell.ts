import type { Measured } from './cost.ts';

const seconds = (ms: number): string => (ms / 1_000).toFixed(2);
const grouped = (value: number): string => Math.round(value).toLocaleString('en-US');
/** By processor time, which other work on the machine changes least. */
const perSecond = ({ rows, cpuMs }: Measured): string => grouped((1_000 * rows) / Math.max(1, cpuMs));

/** One line for anyone who watches. */
export const bySecond = (measured: Measured): string => {
  const { part, rows, unit, wallMs, cpuMs, peakMb } = measured;
  const cost = `${seconds(wallMs)} s, ${seconds(cpuMs)} s of processor, peak ${peakMb} MB`;
  return `${part.padEnd(20)} ${grouped(rows)} ${unit}: ${cost}, ${perSecond(measured)} a second of processor`;
};

/** The lines of a table in Markdown. */
export const table = (all: readonly Measured[]): readonly string[] => {
  const rows = [
    ['part', 'size', 'wall, s', 'processor, s', 'peak, MB', 'per second of processor'],
    ...all.map((one) => [
      one.part,
      `${grouped(one.rows)} ${one.unit}`,
      seconds(one.wallMs),
      seconds(one.cpuMs),
      String(one.peakMb),
      perSecond(one),
    ]),
  ];
  return aligned(rows);
};

/** Rows as a table in Markdown, the first one its head. */
export const aligned = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), rule, ...body.map(line)];
};

/** How we stand beside the rival, on the clock and by processor time. */
export const ratioLines = (
  orders: number,
  ours: Measured | undefined,
  rival: Measured | undefined,
): readonly string[] => {
  if (!ours || !rival) return [`${grouped(orders)} orders: no rival here`];
  const of = (mine: number, other: number): string => (mine / Math.max(1, other)).toFixed(2);
  return [
    `${grouped(orders)} orders, of the rival's cost: ${of(ours.wallMs, rival.wallMs)} on the clock, ${of(ours.cpuMs, rival.cpuMs)} of the processor.`,
  ];
};
