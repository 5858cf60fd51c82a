import { TieoutError } from '../../../kernel/errors.ts';

export const brokenEvidence = (folder: string, problem: string): TieoutError =>
  new TieoutError({
    code: 'E_PACK_CHANGED',
    message: `${folder} cannot be adopted: ${problem}`,
    nextStep: `Put back a backup of the workspace with \`tieout restore\`, or adopt an unchanged copy of the folder; \`tieout verify ${folder}\` shows what does not hold`,
  });

export const adoptionRefused = (folder: string, why: string): TieoutError =>
  new TieoutError({
    code: 'E_ADOPT_REFUSED',
    message: `${folder} cannot be adopted: ${why}`,
    nextStep:
      'Nothing was changed. `tieout status` shows what the workspace holds; adopt into the workspace that lost the period',
  });
