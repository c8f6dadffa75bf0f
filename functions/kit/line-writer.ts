/** Where lines are written: standard output, or a buffer that a test reads. */
export interface TextStream {
  write(text: string): unknown
  on(event: 'error', listener: () => void): unknown
}

/** How long a line waits for more lines, in milliseconds, and how many characters may wait. */
const usualPause = 10
const charactersMax = 64 * 1024

/**
 * Returns a function that writes lines. Lines of a few milliseconds are written together, because a
 * system call costs more than a line. The rest is written when the process exits. Write errors, as
 * after the reader has gone, are ignored. With a pause of 0 milliseconds each line is written at
 * once.
 */
export function lineWriter(stream: TextStream, pause = usualPause): (line: string) => void {
  let waiting = ''
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const text = waiting
    waiting = ''
    if (text) stream.write(text)
  }
  stream.on('error', () => {})
  process.once('exit', flush)
  return (line) => {
    waiting += `${line}\n`
    if (waiting.length > charactersMax || pause === 0) flush()
    else timer ??= setTimeout(flush, pause)
  }
}
