import type { Actor } from '../access/actor.ts'
import { reachOf } from '../access/reach.ts'
import { scopePorts } from '../access/scope.ts'
import {
  Failure,
  internalError,
  isForNow,
  isTransient,
  notFound,
  publicMessage,
} from '../errors.ts'
import { findContainer } from '../hosts/find-container.ts'
import { ignoreError } from '../ignore-error.ts'
import { logFailure } from '../log-failure.ts'
import { renewFeedLease } from '../one-offs/attach.ts'
import { createOneOff } from '../one-offs/create.ts'
import { postStartSteps, runPostStart } from '../one-offs/post-start.ts'
import { removeOneOff } from '../one-offs/remove.ts'
import { startOnce } from '../one-offs/start.ts'
import { entererOf } from '../owners/enter-as-caller.ts'
import { enterContainer } from '../owners/enter-container.ts'
import type { Engine } from '../ports/engine.ts'
import type { ExecOutput } from '../ports/engine-exec.ts'
import type { Needs } from '../ports/ports.ts'
import { ignoreResult, markHandled } from '../promises.ts'
import type { OneOff } from '../records/one-off.ts'
import type { JobRun, StackJob } from '../records/stack-job.ts'
import { isJobOf } from '../stacks/stack-jobs.ts'
import { freeStackLease } from '../stacks/stack-lease.ts'
import { getStack } from '../stacks/stack-record.ts'
import type { JobPorts } from './job-ports.ts'
import { requireJobAccount } from './judge-job.ts'
import { errorMax } from './limits.ts'
import { oneOffOfJob } from './one-off-of-job.ts'
import type { OutputTail } from './output-tail.ts'

/** How a run ended. */
export type JobEnd = Pick<JobRun, 'status' | 'exitCode' | 'error'>

/** How often a run asks again: for its stack, and for the end of its container. Milliseconds. */
const [busyPause, endPause] = [2_000, 1_000]

/**
 * Runs the command of a job in a new container, with the rights that its account has now, and
 * removes the container. The end of its output goes to `tail`. Never throws.
 *
 * @param signal aborted when the lease is lost or the service stops
 */
export async function executeJob(
  job: StackJob,
  run: Pick<JobRun, 'id'>,
  tail: OutputTail,
  signal: AbortSignal,
  ports: JobPorts,
): Promise<JobEnd> {
  const stop = new AbortController()
  const late = internalError(`it did not end within ${job.timeoutSeconds} s`, { reason: 'timeout' })
  void ports.clock.sleep(job.timeoutSeconds * 1000, stop.signal).then(() => stop.abort(late))
  try {
    const either = AbortSignal.any([signal, stop.signal])
    return endOf(await runToEnd(job, run, tail, either, ports))
  } catch (error) {
    if (signal.aborted) return failed('interrupted', stoppedText)
    if (stop.signal.aborted) return failed('failed', lateText(late, error))
    if (!(error instanceof Failure)) logFailure(ports.log, 'a job failed', { job: job.id, error })
    return failed('failed', publicMessage(error, 'the service failed to complete it'))
  } finally {
    stop.abort()
  }
}

const stoppedText = 'the service was stopped while this was running'

const failed = (status: 'failed' | 'interrupted', error: string): JobEnd => ({
  status,
  exitCode: null,
  error: error.slice(0, errorMax),
})

/** Says what the run waited for, if it did not even begin. */
const lateText = (late: Failure, error: unknown): string =>
  error === late ? late.message : `${late.message}: ${publicMessage(error, 'the service failed')}`

function endOf(exitCode: number | null): JobEnd {
  if (exitCode === 0) return { status: 'succeeded', exitCode, error: null }
  const error = exitCode === null ? 'its container was removed' : `it ended with code ${exitCode}`
  return { status: 'failed', exitCode, error }
}

/** A container that was created for a run, and what it runs with. */
interface Created {
  oneOff: OneOff
  containerId: string
  actor: Actor
}

async function runToEnd(
  job: StackJob,
  run: Pick<JobRun, 'id'>,
  tail: OutputTail,
  signal: AbortSignal,
  ports: JobPorts,
): Promise<number | null> {
  const created = await createWhenFree(job, run, signal, ports)
  const { oneOff, actor } = created
  const own = scopePorts(ports, actor)
  const engine = await own.engines.on(oneOff.hostId)
  const over = new AbortController()
  // Without its lease, the sweep removes the container: also if this process is killed.
  ignoreResult(renewFeedLease(oneOff, over.signal, ports), 'renew a lease')
  try {
    await startAndRead(created, engine, tail, signal, own)
    return await exitCodeAtEnd(oneOff, engine, signal, ports)
  } finally {
    over.abort()
    // The sweep makes up for a failure.
    await removeOneOff(oneOff, engine, ports).catch(ignoreError('remove the container of a job'))
  }
}

/** Creates the container. While something is busy, such as a deployment of the stack, it waits. */
async function createWhenFree(
  job: StackJob,
  run: Pick<JobRun, 'id'>,
  signal: AbortSignal,
  ports: JobPorts,
): Promise<Created> {
  for (;;) {
    try {
      return await createNow(job, run, signal, ports)
    } catch (error) {
      if (!isTransient(error) || signal.aborted) throw error
      await ports.clock.sleep(busyPause, signal)
      if (signal.aborted) throw error
    }
  }
}

async function createNow(
  job: StackJob,
  run: Pick<JobRun, 'id'>,
  signal: AbortSignal,
  ports: JobPorts,
): Promise<Created> {
  // A container that a deploy is recreating would be missing, which is no reason to fail.
  await freeStackLease(job.stack, ports)
  const stack = await getStack(job.stack, ports)
  // The operation that it waited for may have deleted the stack, and someone else has its name.
  if (!isJobOf(stack, job)) throw notFound(`stack ${stack.id}: it has no job ${job.name}`)
  const actor = await requireJobAccount(job, stack, ports)
  const own = scopePorts(ports, actor)
  const request = oneOffOfJob(job, stack, actor, run.id, own)
  return { ...(await createOneOff(request, signal, own)), actor }
}

/** Starts the container and reads its output until that ends. */
async function startAndRead(
  { oneOff, containerId, actor }: Created,
  engine: Engine,
  tail: OutputTail,
  signal: AbortSignal,
  ports: JobPorts,
): Promise<void> {
  const where = { hostId: oneOff.hostId, engine }
  const entered = await enterContainer(containerId, where, entererOf(actor, ports), ports)
  const session = await entered.attach({ tty: false }, signal)
  const started = await startOnce(engine, oneOff.container, () =>
    postStartSteps(oneOff, reachOf(actor), ports),
  )
  if (started instanceof Failure) throw started
  session.endInput()
  const hooks = markHandled(runPostStart(started.postStart, oneOff, engine))
  await readOutput(session.output, tail, signal)
  const failure = await hooks
  if (failure && !failure.hasEnded) throw internalError(failure.message, { reason: 'conflict' })
}

/** Reads the output until it ends, or the connection to the host breaks: the command goes on. */
async function readOutput(
  output: AsyncIterable<ExecOutput>,
  tail: OutputTail,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const { data } of output) tail.add(data)
  } catch (error) {
    signal.throwIfAborted()
    tail.cut()
    ignoreError('read the output of a job')(error)
  }
}

/** Returns the exit code of a container once it has ended; null if it was removed. */
async function exitCodeAtEnd(
  { container }: OneOff,
  engine: Engine,
  signal: AbortSignal,
  { clock }: Needs<'clock'>,
): Promise<number | null> {
  for (;;) {
    try {
      const found = await findContainer(container, engine)
      if (!found || found.exitCode !== null) return found?.exitCode ?? null
    } catch (error) {
      // The host can be away for a while, and the command goes on.
      if (!isForNow(error)) throw error
    }
    await clock.sleep(endPause, signal)
    signal.throwIfAborted()
  }
}
