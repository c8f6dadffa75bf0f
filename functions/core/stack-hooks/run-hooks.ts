import { groupBy } from '../group-by.ts'
import { changeHook, isHookDue, taken } from '../hooks/hook-record.ts'
import { leaseTime, withLeaseRenewal } from '../leases/lease-renewal.ts'
import type { Stored } from '../ports/collection.ts'
import type { Source } from '../records/source.ts'
import type { StackRecord } from '../records/stack.ts'
import type { StackHook } from '../records/stack-hook.ts'
import { byServer, turnTime } from '../sources/by-server.ts'
import { isBound } from '../sources/stack-source-record.ts'
import { isHookOf } from '../stacks/stack-hook.ts'
import { deployFollowed, deployPlain } from './deploy-for-hook.ts'
import type { HookPorts } from './hook-ports.ts'
import { ofStacks } from './hook-record.ts'

/** A hook that was called, with its stack. */
interface Called {
  hook: Stored<StackHook>
  stack: Stored<StackRecord> | undefined
}

/**
 * Begins the deployments that requests to hooks asked for, of stacks that follow no source. However
 * many came, one follows, with what is newest then. While the stack is busy, or its host does not
 * respond, it waits. Only one process does so at a time. Never rejects: failures are logged and
 * retried.
 */
export const runHooks = (ports: HookPorts, signal: AbortSignal): Promise<void> =>
  runDue('run-hooks', false, ports, signal, async (called, held) => {
    await Promise.all(called.map((one) => follow(one, held, ports)))
  })

/**
 * As `runHooks`, for stacks that follow sources. They are taken before the first source is asked,
 * so that one look is new enough for all stacks of a source. Those of a server that is slow wait
 * for the next run after a while.
 */
export const runFollowedHooks = (ports: HookPorts, signal: AbortSignal): Promise<void> =>
  runDue('run-followed-hooks', true, ports, signal, async (called, held) => {
    const bySource = groupBy(await takeAll(called, ports), ({ stack }) => stack?.source?.source)
    const sources = new Map((await ports.sources.list()).map((one) => [one.id, one] as const))
    const present: Source[] = []
    for (const [name = '', own] of bySource) {
      const source = sources.get(name)
      if (source) present.push(source)
      // No server is asked for stacks whose source is gone.
      else for (const one of own) await follow(one, held, ports)
    }
    await byServer(present, (own) =>
      followInTurn(
        own.flatMap(({ id }) => bySource.get(id) ?? []),
        held,
        ports,
      ),
    )
  })

/** Takes hooks, and returns them with the one first that has waited longest. */
async function takeAll(called: readonly Called[], ports: HookPorts): Promise<Called[]> {
  const all: Called[] = []
  for (const { hook, stack } of called) {
    const now = await takeSafely(hook, ports)
    if (now) all.push({ hook: now, stack })
  }
  return all.toSorted((a, b) => (a.hook.takenAt ?? 0) - (b.hook.takenAt ?? 0))
}

/** Follows the hooks of one server. Those that are left wait for the next run. */
async function followInTurn(
  called: readonly Called[],
  signal: AbortSignal,
  ports: HookPorts,
): Promise<void> {
  const began = ports.clock.monotonic()
  for (const one of called) {
    if (ports.clock.monotonic() - began > turnTime) return
    await follow(one, signal, ports)
  }
}

/** Does work on the hooks that are due, of stacks that follow a source or of the others. */
async function runDue(
  lease: string,
  follows: boolean,
  ports: HookPorts,
  signal: AbortSignal,
  work: (called: readonly Called[], signal: AbortSignal) => Promise<void>,
): Promise<void> {
  try {
    if ((await dueHooks(follows, ports)).length === 0) return
    const holder = `${ports.background.processId}/${lease}`
    const held = await ports.leases.acquire(lease, holder, leaseTime)
    if (!held) return
    await withLeaseRenewal(held, signal, ports, async (renewed) => {
      // Under the lease: another process may just have deployed.
      await work(await dueHooks(follows, ports), renewed.signal)
    })
  } catch (error) {
    if (!signal.aborted) ports.log.warn('what hooks asked for could not begin', { error })
  }
}

async function dueHooks(follows: boolean, ports: HookPorts): Promise<Called[]> {
  const now = ports.clock.now()
  const due = (await ports.stackHooks.list()).filter((hook) =>
    isHookDue(hook, hook.lastDeployment?.at, now),
  )
  const called: Called[] = []
  for (const hook of due) called.push({ hook, stack: await ports.stacks.find(hook.id) })
  return called.filter(({ stack }) => (stack !== undefined && isBound(stack)) === follows)
}

async function follow(
  { hook, stack }: Called,
  signal: AbortSignal,
  ports: HookPorts,
): Promise<void> {
  if (signal.aborted) return
  try {
    if (!stack || !isHookOf(stack, hook)) {
      await ports.stackHooks.remove(hook.id, hook.revision)
      return
    }
    if (isBound(stack)) return await deployFollowed(hook, stack, ports, signal)
    const now = await take(hook, ports)
    if (now) await deployPlain(now, stack, ports)
  } catch (error) {
    warn(hook.id, error, ports)
  }
}

async function takeSafely(
  hook: StackHook,
  ports: HookPorts,
): Promise<Stored<StackHook> | undefined> {
  try {
    return await take(hook, ports)
  } catch (error) {
    warn(hook.id, error, ports)
    return undefined
  }
}

const take = (hook: StackHook, ports: HookPorts) =>
  changeHook(hook, (now) => taken(now, ports.clock.now()), ofStacks(ports))

function warn(stack: string, error: unknown, ports: HookPorts): void {
  const text = 'what a hook asked for could not begin'
  if (ports.reminders.isDue(`${text} ${stack}`)) ports.log.warn(text, { stack, error })
}
