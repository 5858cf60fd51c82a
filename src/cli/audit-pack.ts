import { Command } from 'commander';
import type { ExitCode } from '../kernel/exit-code.ts';
import type { AuditOptions } from './audit-entities.ts';
import { withEntities, withLog } from './close-options.ts';
import type { CommandIo } from './io.ts';

/** Builds `tieout audit-pack 2026-10`: checks whether the workspace would write the published files again. */
export const auditPackCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withLog(withEntities(new Command('audit-pack')))
    .argument('<period>', 'a closed period, such as 2026-10')
    .option('-o, --output <folder>', 'find the published folder here instead of in `output`')
    .option('--content <folder>', 'the tax content that the period was closed with')
    .option('--into <folder>', 'keep the rewritten files in this empty folder')
    .option('-q, --quiet', 'print only errors')
    .action(async (period: string, options: AuditOptions) => {
      const { auditEntities } = await import('./audit-entities.ts');
      exit(await auditEntities(io, options, period));
    });
