/** Where lines go: standard output, or what a test reads. */
export interface TextStream {
  write(text: string): unknown
  on(event: 'error', listener: () => void): unknown
}

/**
 * Writes lines, all of a turn of the event loop at once. What is left is written when the process exits. A reader that
 * has gone is not an error of the service.
 */
export function lineWriter(stream: TextStream): (line: string) => void {
  let waiting = ''
  const flush = () => {
    const text = waiting
    waiting = ''
    if (text) stream.write(text)
  }
  stream.on('error', () => {})
  process.once('exit', flush)
  return (line) => {
    if (!waiting) setImmediate(flush)
    waiting += `${line}\n`
  }
}
