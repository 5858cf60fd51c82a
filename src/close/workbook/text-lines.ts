/**
 * Break prose into lines of at most so many characters. A long note stands in several rows of one column and flows
 * over the empty cells beside it: no merged cells, and no row heights to guess.
 */
export const textLines = (prose: string, width: number): string[] =>
  prose.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else {
        line = line === '' ? word : `${line} ${word}`;
      }
    }
    return [...lines, line];
  });
