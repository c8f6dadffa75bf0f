import { stat } from 'node:fs/promises'
import { Failure } from '../../../functions/core/errors.ts'
import type { Needs } from '../../../functions/core/ports/ports.ts'
import type { Host } from '../../../functions/core/records/host.ts'

/**
 * Asks the Engine of this machine whether it can write in the directory of the stacks, and logs
 * what to change if it cannot. The directory is one of the Engine's host. This process may not see
 * it, such as in a container.
 *
 * @param socket the Engine's socket, if it is on one
 */
export async function checkEngine(
  { id, stacksDirectory }: Pick<Host, 'id' | 'stacksDirectory'>,
  socket: string | undefined,
  { engines, log }: Needs<'engines' | 'log'>,
): Promise<void> {
  const engine = await engines.on(id)
  try {
    await engine.apiVersion()
  } catch (error) {
    const hint = (await accessHint(error, socket)) ?? 'start it, or set DOCKER_HOST'
    log.warn('the Docker Engine of this machine does not respond', { hint, error })
    return
  }
  try {
    await engine.checkDirectory(stacksDirectory)
  } catch (error) {
    const { message, detail } = error instanceof Failure ? error : { message: String(error) }
    log.warn('the Docker Engine cannot write in the directory of stacks', {
      directory: stacksDirectory,
      error: detail ?? message,
      hint: 'set SERVICE_STACKS_DIR (CONTAINER_STACKS_DIR for compose.yaml) to a directory of its host that it can write to',
    })
  }
}

/** Returns how to get access to the socket, or undefined if that is not what is missing. */
async function accessHint(error: unknown, socket: string | undefined): Promise<string | undefined> {
  if (socket === undefined || !isRefused(error)) return undefined
  const { gid } = await stat(socket)
  // A container has the group of the socket beside that of its user.
  return [process.getgid?.(), ...(process.getgroups?.() ?? [])].includes(gid)
    ? `${socket} cannot be used: a policy such as SELinux may forbid it (security_opt: label=disable)`
    : `${socket} belongs to group ${gid}, which the service is not in: set DOCKER_GID=${gid} for compose.yaml, or add its user to that group`
}

/** Returns whether the system does not let this process use a file, by the error or its cause. */
function isRefused(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as NodeJS.ErrnoException & { cause?: unknown }
  return code === 'EACCES' || code === 'EPERM' || (cause !== undefined && isRefused(cause))
}
