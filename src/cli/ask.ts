/** One question to the person at a terminal. */
import { createInterface } from 'node:readline';
import { Writable, type Readable } from 'node:stream';

/** Where a question is put and answered. */
export interface AskingStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Asks on `output` and reads one line.
 *
 * @param isHidden what is typed is not shown
 * @returns the line without its end; null when the input ended, or Ctrl+C was pressed
 */
export function ask({ input, output }: AskingStreams, question: string, isHidden: boolean): Promise<string | null> {
  return new Promise((resolve) => {
    // Line editing repeats what is typed on its output: what must not be seen is edited into nothing.
    const echo = isHidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : output;
    const lines = createInterface({ input, output: echo, terminal: true });
    let answer: string | null = null;
    lines.once('line', (line) => {
      answer = line;
      lines.close();
    });
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => {
      if (isHidden || answer === null) output.write('\n');
      resolve(answer);
    });
    if (isHidden) output.write(question);
    else {
      lines.setPrompt(question);
      lines.prompt();
    }
  });
}
