import type { FuzzTarget } from './fuzz-target.ts';
import { bodies } from './targets/bodies.ts';
import { configuration } from './targets/configuration.ts';
import { contentRows } from './targets/content-rows.ts';
import { exportRows } from './targets/export-rows.ts';
import { exports, rejectFiles } from './targets/exports.ts';
import { packTexts } from './targets/pack-texts.ts';
import { rateFiles } from './targets/rate-files.ts';
import { workbooks } from './targets/workbooks.ts';

/** Everything that input from elsewhere goes to. The shares come to 100,000. */
export const FUZZ_TARGETS: readonly FuzzTarget[] = [
  bodies,
  configuration,
  exportRows,
  contentRows,
  packTexts,
  rateFiles,
  exports,
  workbooks,
  rejectFiles,
];
