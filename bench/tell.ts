import { cpus, loadavg } from 'node:os';
import type { Measured } from './cost.ts';

/** The machine and how busy it is. */
export const machine = (): string => {
  const processors = cpus();
  const [load = 0] = loadavg();
  const model = processors[0]?.model ?? 'unknown';
  return `${processors.length} cores, ${model}, Node ${process.version}, load ${load.toFixed(1)}`;
};

const seconds = (ms: number): string => (ms / 1_000).toFixed(2);
const grouped = (value: number): string => Math.round(value).toLocaleString('en-US');

/** One line of what was measured; the speed by processor time, which other work on the machine changes least. */
export const bySecond = ({ part, rows, unit, wallMs, cpuMs, peakMb }: Measured): string => {
  const figures = [
    `${grouped(rows)} ${unit}: ${seconds(wallMs)} s`,
    `${seconds(cpuMs)} s of processor`,
    `peak ${peakMb} MB`,
    `${grouped((1_000 * rows) / Math.max(1, cpuMs))} a second of processor`,
  ];
  return `${part.padEnd(20)} ${figures.join(', ')}`;
};

const share = (one: number, other: number): string => (one / Math.max(1, other)).toFixed(2);

/** How one stands beside another, on the clock and by processor time. */
export const beside = (one: Measured, other: Measured): string => {
  const clock = share(one.wallMs, other.wallMs);
  const processor = share(one.cpuMs, other.cpuMs);
  return `${clock} on the clock, ${processor} of the processor`;
};
