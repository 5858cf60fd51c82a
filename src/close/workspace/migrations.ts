import type { MigrationSet } from '../../database/migrate.ts';
import { initial } from './migrations/0001-initial.ts';
import { controlTotals } from './migrations/0002-control-totals.ts';
import { periods } from './migrations/0003-periods.ts';
import { refundAdjustments } from './migrations/0004-refund-adjustments.ts';
import { certificates } from './migrations/0005-certificates.ts';
import { approvals } from './migrations/0006-approvals.ts';
import { trend } from './migrations/0007-trend.ts';
import { keptFigures } from './migrations/0008-kept-figures.ts';
import { drawnFrom } from './migrations/0009-drawn-from.ts';
import { askedAgain } from './migrations/0010-asked-again.ts';
import { runNumbers } from './migrations/0011-run-numbers.ts';
import { answering } from './migrations/0012-answering.ts';
import { outdatedClosings } from './migrations/0013-outdated-closings.ts';
import { readingZones } from './migrations/0014-reading-zones.ts';
import { rateClaims } from './migrations/0015-rate-claims.ts';
import { keySignatures } from './migrations/0016-key-signatures.ts';

export const WORKSPACE_MIGRATIONS: MigrationSet = {
  name: 'workspace',
  steps: [
    { name: '0001-initial', up: initial },
    { name: '0002-control-totals', up: controlTotals },
    { name: '0003-periods', up: periods },
    { name: '0004-refund-adjustments', up: refundAdjustments },
    { name: '0005-certificates', up: certificates },
    { name: '0006-approvals', up: approvals },
    { name: '0007-trend', up: trend },
    { name: '0008-kept-figures', up: keptFigures },
    { name: '0009-drawn-from', up: drawnFrom },
    { name: '0010-asked-again', up: askedAgain },
    { name: '0011-run-numbers', up: runNumbers },
    { name: '0012-answering', up: answering },
    { name: '0013-outdated-closings', up: outdatedClosings },
    { name: '0014-reading-zones', up: readingZones },
    { name: '0015-rate-claims', up: rateClaims },
    { name: '0016-key-signatures', up: keySignatures },
  ],
};
