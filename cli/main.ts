#!/usr/bin/env node
import { beforeEnd } from './before-end.ts'
import { run } from './run.ts'

/** The executable: runs the client with the arguments, streams and environment of the process. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that has gone, as with `| head`, is not a failure.
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`cli: cannot write to standard output: ${error.code}\n`)
  process.exit(1)
})
// The command continues even if nothing reads standard error.
process.stderr.on('error', () => {})

for (const stream of [process.stdout, process.stderr]) {
  // On a terminal that reports a width of 0, as automation creates, output would wrap after each
  // character.
  if (stream.columns === 0) Object.assign(stream, { columns: 80, rows: 24 })
}

// Without `await`, because the executables are made of a CommonJS script.
run(process.argv.slice(2), {
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
  onEnd: beforeEnd(process),
}).then(
  (code) => {
    process.exitCode = code
  },
  (error) => {
    process.stderr.write(`cli: ${String(error)}\n`)
    process.exitCode = 1
  },
)
