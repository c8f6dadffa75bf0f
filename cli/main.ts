#!/usr/bin/env node
import { run } from './run.ts'

/** The executable: the client with the process's own arguments, streams and environment. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that went away, as `| head` does, is no failure of ours.
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

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
