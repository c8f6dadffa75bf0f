import type { Standing } from '../../acts-as/judge-later-work.ts'
import { conflict, internalError } from '../../errors.ts'
import { ignoreError } from '../../ignore-error.ts'
import { type EntryPorts, enterContainer } from '../../owners/enter-container.ts'
import type { Engine } from '../../ports/engine.ts'
import type { Needs } from '../../ports/ports.ts'
import type { BackupHook, BackupJob } from '../../records/backup-job.ts'
import { runningContainers, serviceNamed } from '../contents/containers-of-services.ts'
import { hookEnterer } from '../jobs/hook-rights.ts'

/** What runs the hooks of a job. */
export interface HookWork {
  job: BackupJob
  engine: Engine
  /** The rights of the job when the run began: they hold for the `after` hook, too. */
  standing: Standing
  ports: EntryPorts & Needs<'clock'>
}

/** Milliseconds for a command. */
const hookDeadline = 60 * 60 * 1000
/** Characters of the output's end that the error of a failed command includes. */
const outputMax = 500

/**
 * Runs a hook in the first running container of its service.
 *
 * @throws 403 if the account of the job might not enter the container when it was saved, or may not
 *   now
 * @throws 409 if no container of the service runs, or `service` does not say which stack's it is
 * @throws 500 if the command exits with another code than 0 or takes longer than an hour
 */
export async function runHook(
  { service, command }: BackupHook,
  { job, engine, standing, ports }: HookWork,
  signal: AbortSignal,
): Promise<void> {
  const named = serviceNamed(service, job)
  if (!named) throw conflict(`service ${service}: must name the stack, as <stack>/<service>`)
  const [container] = await runningContainers(named, engine)
  if (!container) throw conflict(`service ${named.service} of stack ${named.stack} is not running`)
  const host = { hostId: job.hostId, engine }
  const entered = await enterContainer(container.id, host, hookEnterer(job, standing, ports), ports)
  const stop = new AbortController()
  const tooLong = internalError(`it did not end within ${hookDeadline / 60_000} minutes`, {
    reason: 'timeout',
  })
  void ports.clock.sleep(hookDeadline, stop.signal).then(() => stop.abort(tooLong))
  const either = AbortSignal.any([signal, stop.signal])
  const session = await entered.exec({ command, tty: false }, either).catch((error) => {
    stop.abort()
    throw error
  })
  let isOver = false
  let output = ''
  try {
    session.endInput()
    for await (const { data } of session.output) {
      output = (output + Buffer.from(data).toString('utf8')).slice(-outputMax)
    }
    const code = await session.exitCode()
    isOver = true
    if (code === 0) return
    const words = output.trim()
    const ended = code === null ? 'its container was removed' : `it ended with code ${code}`
    throw internalError(words === '' ? ended : `${ended}: ${words}`, { reason: 'conflict' })
  } finally {
    stop.abort()
    if (!isOver) await session.hangUp().catch(ignoreError('hang up a backup hook'))
  }
}
