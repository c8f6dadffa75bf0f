#!/usr/bin/env node
import { run } from './run.ts'

/** The executable: the client with the process's own arguments, streams and environment. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that went away, as `| head` does, is no failure of ours.
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`cli: cannot write to standard output: ${error.code}\n`)
  process.exit(1)
})
// Whoever stopped reading what is said on the side still wants the command done.
process.stderr.on('error', () => {})

for (const stream of [process.stdout, process.stderr]) {
  // A terminal that does not know its size, as automation makes them, would be written to one letter a line.
  if (stream.columns === 0) Object.assign(stream, { columns: 80, rows: 24 })
}

process.exitCode = await run(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  platform: process.platform,
  cwd: process.cwd(),
  onInterrupt(listener) {
    // A second interrupt ends the process as usual.
    process.once('SIGINT', listener)
    return () => process.off('SIGINT', listener)
  },
})
