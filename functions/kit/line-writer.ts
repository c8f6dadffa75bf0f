/** Where lines go: standard output, or what a test reads. */
export interface TextStream {
  write(text: string): unknown
  on(event: 'error', listener: () => void): unknown
}

/** How long a line waits for others, in milliseconds, and how much may wait, in characters. */
const pause = 10
const charactersMax = 64 * 1024

/**
 * Writes lines, those of a few milliseconds at once: a system call costs more than a line. What is left is written when
 * the process exits. A reader that has gone is not an error of the service.
 */
export function lineWriter(stream: TextStream): (line: string) => void {
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
    if (waiting.length > charactersMax) flush()
    else timer ??= setTimeout(flush, pause)
  }
}
