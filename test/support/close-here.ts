import { join } from 'node:path';
import type { ClosePorts } from '../../src/index.ts';
import { type PipelinePorts, type PortOptions, pipelines, withPorts } from '../entry/close.ts';

/** Work in this process with the ports of the configuration in a folder, with its databases and its output there. */
export const portsHere = <Result>(
  folder: string,
  work: (ports: PipelinePorts) => Promise<Result>,
  more: PortOptions = {},
): Promise<Result> =>
  withPorts(join(folder, 'tieout.yaml'), work, { output: join(folder, 'out'), version: '0', ...more });

/** Close October 2026 of the configuration in a folder. */
export const closeHere = (folder: string, changed: (ports: ClosePorts) => ClosePorts = (ports) => ports) =>
  portsHere(folder, ({ progress, ...ports }) =>
    pipelines.monthlyClose.run({ ...changed(ports), progress }, { period: '2026-10' }),
  );
