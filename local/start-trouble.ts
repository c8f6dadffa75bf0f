import { DataError } from '../adapters/node/data/check.ts'

/** The service cannot start. The message is meant for the person who started it. */
export class StartError extends Error {
  override name = 'StartError'
}

/** Returns why the service did not start: one line for a known cause, else the stack trace. */
export function startTrouble(error: unknown): string {
  if (error instanceof StartError || error instanceof DataError) return error.message
  const { code, syscall, path, port, message, stack } = error as NodeJS.ErrnoException & {
    port?: number
  }
  const variable =
    port === Number(process.env.SERVICE_AGENT_PORT) ? 'SERVICE_AGENT_PORT' : 'SERVICE_PORT'
  if (syscall === 'listen' && code === 'EADDRINUSE') {
    return `port ${port} is taken: stop what listens there, or choose another with ${variable}`
  }
  if (syscall === 'listen' && code === 'EACCES') {
    return `port ${port} may not be listened on: choose another with ${variable}`
  }
  if (path && syscall) {
    return `${path}: ${message.split(',')[0]}. Is the data directory (SERVICE_DATA_DIR) yours to write?`
  }
  return stack ?? String(error)
}
