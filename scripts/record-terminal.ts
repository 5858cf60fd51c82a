import { spawn } from 'node:child_process';

/**
 * A command on a terminal as an animated SVG: its lines appear when they were printed. Wants `script` of util-linux,
 * which gives the command a terminal.
 */

type Line = { readonly text: string; readonly atMs: number };

const CHARACTER = { width: 7.8, height: 18 };
const MARGIN = 16;
const COLOURS: Readonly<Record<string, string>> = { 31: '#ff8a80', 32: '#7bd88f', 1: '#ffffff' };

export const recordedTerminal = async (prompt: string, command: string): Promise<string> =>
  drawn([{ text: `$ ${prompt}`, atMs: 0 }, ...(await printed(command))]);

/** The lines as they stand in the end, each with the moment at which it was complete. */
const printed = async (command: string): Promise<readonly Line[]> => {
  const terminal = spawn('script', ['-qec', command, '/dev/null'], {
    env: { ...process.env, FORCE_COLOR: '1', TERM: 'xterm-256color' },
  });
  const started = performance.now();
  const lines: Line[] = [];
  let rest = '';
  for await (const piece of terminal.stdout) {
    const parts = `${rest}${String(piece)}`.split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) lines.push({ text: overwritten(part), atMs: performance.now() - started });
  }
  return lines;
};

/** What is left of a line that was cleared and written again. */
const overwritten = (line: string): string => line.replace(/\r$/, '').split('\r\u001b[2K').at(-1) ?? '';

const drawn = (lines: readonly Line[]): string => {
  const columns = Math.max(...lines.map(({ text }) => plain(text).length));
  const width = Math.ceil(columns * CHARACTER.width + 2 * MARGIN);
  const height = lines.length * CHARACTER.height + 2 * MARGIN;
  const rows = lines.map(
    ({ text, atMs }, row) =>
      `<text x="${MARGIN}" y="${MARGIN + (row + 0.75) * CHARACTER.height}" style="animation-delay:${(atMs / 1000).toFixed(1)}s">${spans(text)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${plain(lines[0]?.text ?? '')}</title>
<style>text{font:13px ui-monospace,Menlo,Consolas,monospace;fill:#d8dee9;white-space:pre;animation:show .1s both}@keyframes show{from{opacity:0}}@media(prefers-reduced-motion:reduce){text{animation:none}}</style>
<rect width="100%" height="100%" rx="8" fill="#14181f"/>
${rows.join('\n')}
</svg>
`;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled with them
const CODES = /\u001b\[([\d;]*)m/;

const plain = (text: string): string =>
  text
    .split(CODES)
    .filter((_, index) => index % 2 === 0)
    .join('');

/** Pieces of text in the colours that the codes between them switch on and off. */
const spans = (text: string): string => {
  let colour: string | undefined;
  return text
    .split(CODES)
    .map((piece, index) => {
      if (index % 2 === 1) {
        colour = COLOURS[piece];
        return '';
      }
      const safe = piece.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
      return colour === undefined || safe === '' ? safe : `<tspan fill="${colour}">${safe}</tspan>`;
    })
    .join('');
};
