import { Failure } from '../../../functions/core/errors.ts'
import { StartError } from '../process/start-error.ts'

/** Returns why the service did not start: one line for a known cause, else the stack trace. */
export function startTrouble(error: unknown): string {
  if (error instanceof StartError) return error.message
  if (error instanceof Failure) {
    return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
  }
  const { code, syscall, path, port, message, stack } = error as NodeJS.ErrnoException & {
    port?: number
  }
  const variable =
    port === Number(process.env.SERVICE_AGENT_PORT) ? 'SERVICE_AGENT_PORT' : 'SERVICE_PORT'
  if (syscall === 'listen' && code === 'EADDRINUSE') {
    return `port ${port} is in use: stop the program that listens there, or choose another port with ${variable}`
  }
  if (syscall === 'listen' && code === 'EACCES') {
    return `no permission to listen on port ${port}: choose another port with ${variable}`
  }
  if (path && syscall) {
    return `${path}: ${message.split(',')[0]}. Check that the data directory (SERVICE_DATA_DIR) is writable.`
  }
  return stack ?? String(error)
}
