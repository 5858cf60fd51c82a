import { styleText } from 'node:util';
import type { Paint, Tone } from '../cli/io.ts';

const STYLES = { good: 'green', bad: 'red', heading: 'bold' } as const satisfies Record<Tone, string>;

/** Colours where a terminal shows them. Node heeds NO_COLOR, and FORCE_COLOR where there is no terminal. */
export const terminalPaint: Paint = (tone, text, stream = 'stdout') =>
  styleText(STYLES[tone], text, { stream: process[stream] });
