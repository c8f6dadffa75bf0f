import type { Actor } from '../access/actor.ts'
import { beginDeploy } from '../deploy/begin-deploy.ts'
import { plainOptions } from '../deploy/request.ts'
import { isForNow, publicMessage } from '../errors.ts'
import { leaseTime, withLeaseRenewal } from '../leases/lease-renewal.ts'
import type { Stored } from '../ports/collection.ts'
import type { StackRecord } from '../records/stack.ts'
import type { StackHook } from '../records/stack-hook.ts'
import type { HookPorts } from './hook-ports.ts'
import { changeHook, isOf, isWaiting } from './hook-record.ts'
import { judgeHook } from './judge-hook.ts'
import { reportHook } from './report-hook.ts'

/** The shortest time from one deployment for a hook to the next. Milliseconds. */
const deployEvery = 5_000

/**
 * Begins the deployments that requests to hooks asked for. However many came, one follows, with
 * what is newest then. While the stack is busy, or its host does not respond, it waits. Only one
 * process does so at a time. Never rejects: failures are logged and retried.
 */
export async function runHooks(ports: HookPorts, signal: AbortSignal): Promise<void> {
  try {
    if (!(await ports.stackHooks.list()).some(isDue(ports.clock.now()))) return
    const holder = `${ports.background.processId}/run-hooks`
    const lease = await ports.leases.acquire('run-hooks', holder, leaseTime)
    if (!lease) return
    await withLeaseRenewal(lease, signal, ports, async (held) => {
      // Under the lease: another process may just have deployed.
      const due = (await ports.stackHooks.list()).filter(isDue(ports.clock.now()))
      await Promise.all(due.map((hook) => follow(hook, held.signal, ports)))
    })
  } catch (error) {
    if (!signal.aborted) ports.log.warn('what hooks asked for could not begin', { error })
  }
}

/** A clock that was set back delays nothing. */
const isDue = (now: number) => (hook: StackHook) => {
  const since = now - (hook.lastDeployment?.at ?? 0)
  return isWaiting(hook) && (since >= deployEvery || since < 0)
}

async function follow(
  hook: Stored<StackHook>,
  signal: AbortSignal,
  ports: HookPorts,
): Promise<void> {
  if (signal.aborted) return
  try {
    const stack = await ports.stacks.find(hook.id)
    if (!stack || !isOf(stack, hook)) {
      await ports.stackHooks.remove(hook.id, hook.revision)
      return
    }
    const taken = await changeHook(hook, take, ports)
    if (taken) await deployFor(taken, stack, ports)
  } catch (error) {
    const text = 'what a hook asked for could not begin'
    if (ports.reminders.isDue(`${text} ${hook.id}`)) ports.log.warn(text, { stack: hook.id, error })
  }
}

/**
 * Lets the deployment that begins now follow the requests until now, and no later one: it may have
 * looked for the newest images already when that comes.
 */
const take = (now: StackHook): Partial<StackHook> | undefined =>
  isWaiting(now) ? { askedAt: null, takenAt: now.takenAt ?? now.askedAt } : undefined

async function deployFor(
  hook: StackHook,
  stack: Stored<StackRecord>,
  ports: HookPorts,
): Promise<void> {
  const standing = await judgeHook(hook, stack, ports)
  if (standing.kind === 'blocked') return record(hook, stack, refusal(standing.reason), ports)
  if (!stack.deployed) return record(hook, stack, refusal('the stack is not deployed'), ports)
  try {
    const options = { ...plainOptions, pull: 'always' as const, byHook: true as const }
    const deploymentId = await beginDeploy(stack, options, standing.actor, ports)
    await record(hook, stack, { deploymentId, error: null }, ports, standing.actor)
  } catch (error) {
    // Such as another operation of the stack: the next pass tries again.
    if (isForNow(error)) throw error
    const reason = publicMessage(error, 'the service failed')
    await record(hook, stack, refusal(reason), ports, standing.actor)
  }
}

const refusal = (error: string) => ({ deploymentId: null, error })

/** Records what followed the requests that were taken. */
async function record(
  { id, address, takenAt }: StackHook,
  { hostId }: StackRecord,
  what: { deploymentId: string | null; error: string | null },
  ports: HookPorts,
  actor?: Actor,
): Promise<void> {
  const at = ports.clock.now()
  // After a pause of this process, another one may have taken later requests.
  const change = (now: StackHook) => ({
    ...(now.takenAt === takenAt && { takenAt: null }),
    lastDeployment: { at, ...what },
  })
  await changeHook({ id, address }, change, ports)
  await reportHook({ id, hostId }, what, actor?.account, ports)
}
