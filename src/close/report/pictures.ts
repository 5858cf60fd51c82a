import type { NexusWatch } from '../filing/nexus/nexus-watch-of.ts';
import { type Chart, headingHeight } from '../pictures/draw-chart.ts';
import type { Picture } from '../workbook/picture.ts';
import { bridgeChart, exceptionChart, nexusChart, stateChart, taxChart, trendChart } from './charts.ts';
import type { PeriodReport } from './period-report.ts';

type Heading = NonNullable<Chart['heading']>;

export const bridgePicture = (report: PeriodReport): Picture =>
  pictureOf(bridgeChart(report), {
    text: 'From expected to collected, reason by reason',
    lines: [
      'Each bar is what one reason adds to the tax collected, or takes from it.',
      'Brown: charged too much. Blue: too little. The dark bar is what they come to.',
    ],
  });

export const statePicture = (report: PeriodReport): Picture =>
  pictureOf(stateChart(report), {
    text: 'States by variance and registration',
    lines: [
      'Collected minus expected. Brown: charged too much. Blue: too little. Grey: as expected. White: no sales.',
      'A thick frame: the seller is registered there.',
    ],
  });

export const trendPicture = (report: PeriodReport): Picture =>
  pictureOf(trendChart(report), {
    text: 'Collected minus expected, period by period',
    lines: ['Each period as it stood when it was last closed here.'],
  });

export const taxPicture = (report: PeriodReport): Picture =>
  pictureOf(taxChart(report), {
    text: 'Tax expected, period by period',
    lines: ['All states together; each period as it stood when it was last closed here.'],
  });

export const exceptionPicture = (report: PeriodReport): Picture =>
  pictureOf(exceptionChart(report), {
    text: 'Exceptions by reason',
    lines: ['Brown: they wait for a decision. Grey: settled or for information.'],
  });

export const nexusPicture = (watches: readonly NexusWatch[], report: PeriodReport): Picture =>
  pictureOf(nexusChart(watches, report), {
    text: 'States by nexus: how much of the threshold is reached',
    lines: [
      'Blue with a thick frame: registered. Brown with ▲: crossed, and not registered. Light with △: close. Grey: below.',
      'White: no sales, or no threshold.',
    ],
  });

/** Room for the lines of a heading, in pixels. */
const WIDTH_MIN = 760;

/** A chart with a heading of its own, drawn when its workbook is written. */
const pictureOf = (chart: Chart, heading: Heading): Picture => {
  const { description, width, height, margins } = chart;
  const right = Math.max(margins.right, WIDTH_MIN - margins.left - width);
  return {
    title: heading.text,
    description,
    width: width + margins.left + right,
    height: height + margins.top + margins.bottom + headingHeight(heading),
    png: async () => {
      // Imported here because nothing but a workbook needs it.
      const { drawPng } = await import('../pictures/draw-png.ts');
      return drawPng({ ...chart, heading, margins: { ...margins, right } });
    },
  };
};
