import type { VoidedSignatures } from '../close/stages/report/write-report.ts';
import type { CommandIo } from './io.ts';

/** Warns, even when only errors are printed, whose signatures a close has made void, and why. */
export const warnOfVoided = (
  io: Pick<CommandIo, 'warn'>,
  period: string,
  voided: VoidedSignatures | undefined,
): void => {
  if (!voided) return;
  const whose = voided.signatures.map(({ name, role, at }) => `${name} as ${role} of ${at}`).join(' and ');
  const [signature, is] = voided.signatures.length === 1 ? ['signature', 'is'] : ['signatures', 'are'];
  io.warn(
    `${period}: the ${signature} of ${whose} ${is} void: ${voided.why}. Look at what changed, and sign again.\n`,
  );
};

/** Returns the same information as JSON; empty if no signature is void. */
export const voidedFigures = (voided: VoidedSignatures | undefined): object =>
  voided === undefined
    ? {}
    : {
        voided_signatures: {
          why: voided.why,
          signatures: voided.signatures.map(({ role, name, at }) => ({ role, name, at })),
        },
      };
