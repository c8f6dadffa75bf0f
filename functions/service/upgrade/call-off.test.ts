import { expect, test } from 'vitest'
import { memoryBackground } from '../../../adapters/testing/memory/background.ts'
import { present } from '../../../adapters/testing/present.ts'
import { type BackupWorld, backupWorld } from '../../../local/harness/backups.ts'
import { call } from '../../../local/harness/call.ts'
import {
  installService,
  nextImageId,
  nextVersion,
} from '../../../local/harness/installed-service.ts'
import { pauseLease } from '../../core/leases/pause.ts'
import cancel from '../../operations/cancel.ts'
import getOperation from '../../operations/get.ts'
import recover from '../../operations/recover-operations.ts'
import create from './create.ts'

// A request to cancel can meet the moment at which the helper container takes over.

/** A process that upgrades, the request to cancel it, and the one call at which they meet. */
interface Meeting {
  /** Which call of the process, from 1. */
  at: number
  /** The request is stored and answered before the call or after it. */
  order: 'before' | 'after'
  /** The process is killed there: no later call of it has an effect or an answer. */
  isKilled?: boolean
}

type Calls = (made: () => unknown) => unknown

/** Returns the port of a process, with each call of it given to `calls`. */
const watched = <Port extends object>(port: Port, calls: Calls): Port =>
  new Proxy(port, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => calls(() => Reflect.apply(value, target, given))
    },
  })

function latch() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

const never = () => new Promise(() => {})

/**
 * Begins an upgrade that waits for a deployment, and a request to cancel it that has read it and
 * comes no further. Then ends the deployment. The request goes on when they meet.
 */
async function met({ at, order, isKilled = false }: Meeting) {
  const here = await backupWorld()
  await installService(here)
  const { ports } = here
  const held = present(await ports.leases.acquire('stack:shop', 'other/d1', 60_000))
  const death = latch()
  let isDead = false
  let meet: (() => Promise<unknown>) | undefined
  let count = 0
  const counted: Calls = async (made) => {
    if (isDead) return never()
    const isMeeting = meet !== undefined && ++count === at
    if (isMeeting && order === 'before') await meet?.()
    if (isMeeting && isKilled) isDead = true
    const result = isDead && order === 'before' ? undefined : await made()
    if (isMeeting && order === 'after') await meet?.()
    if (!isDead) return result
    death.open()
    return never()
  }
  const background = memoryBackground('upgrading')
  const upgrading = {
    ...ports,
    background,
    leases: watched(ports.leases, (made) => (isDead ? never() : made())),
    operations: watched(ports.operations, counted),
    serviceUpgrades: watched(ports.serviceUpgrades, counted),
  }
  const { json } = await call(create, {
    ports: upgrading,
    as: 'admin',
    route: 'POST /service/upgrade',
    body: { version: nextVersion, image_id: nextImageId, without_backup: true },
  })
  const path = { id: String(json.id) }
  const operation = async () => (await call(getOperation, { ports, as: 'admin', path })).json
  await expect.poll(async () => (await operation()).result?.step).toBe('waiting')
  const cancelling = await beginCancel(ports, path)
  meet = cancelling.goOn
  await ports.leases.release(held)
  ports.clock.advance(1_000)
  const isStarted = expect.poll(() => ports.serviceUpgrades.started.length).toBe(1)
  await Promise.race([isStarted.catch(() => {}), background.settled(), death.opened])
  return { ports, operation, background, isMet: count >= at, answer: await cancelling.goOn() }
}

/** Sends a request to cancel, up to its write. `goOn` lets it write, and returns its answer. */
async function beginCancel({ operations, ...ports }: BackupWorld['ports'], path: { id: string }) {
  const [read, write] = [latch(), latch()]
  const requestCancel: typeof operations.requestCancel = async (...given) => {
    read.open()
    await write.opened
    return operations.requestCancel(...given)
  }
  const own = { ...ports, operations: { ...operations, requestCancel } }
  const answer = call(cancel, { ports: own, as: 'admin', path })
  await read.opened
  const goOn = () => {
    write.open()
    return answer
  }
  return { goOn }
}

const orders = ['before', 'after'] as const

test.each(orders)(
  '202 or 409: a request %s each call is refused or has its effect',
  async (order) => {
    const statuses = new Set<number>()
    for (let at = 1; ; at += 1) {
      const { ports, operation, answer, isMet, background } = await met({ at, order })
      const { status, json } = answer
      statuses.add(status)
      const { started } = ports.serviceUpgrades
      expect([at, status, started.length]).toEqual([at, status, status === 202 ? 0 : 1])
      if (status === 202) {
        await background.settled()
        expect(await operation()).toMatchObject({
          status: 'interrupted',
          error: 'cancelled by admin',
        })
        expect((await ports.leases.peek(pauseLease)).held).toBe(false)
      } else {
        expect([status, json.error]).toEqual([409, expect.stringContaining('being replaced')])
        ports.clock.advance(5_000)
        expect((await operation()).status).toBe('running')
        expect((await ports.leases.peek(pauseLease)).held).toBe(true)
        ports.serviceUpgrades.change({ outcome: 'upgraded', endedAt: ports.clock.now() })
        ports.clock.advance(1_000)
        await background.settled()
      }
      if (!isMet) break
    }
    expect([...statuses]).toEqual([202, 409])
  },
)

test.each(orders)(
  'a kill at each call, with a request %s it, replaces nothing that was called off',
  async (order) => {
    const statuses = new Set<number>()
    for (let at = 1; ; at += 1) {
      const { ports, operation, answer, isMet } = await met({ at, order, isKilled: true })
      if (!isMet) break
      statuses.add(answer.status)
      const { started } = ports.serviceUpgrades
      expect([202, 409]).toContain(answer.status)
      if (answer.status === 202) expect([at, started]).toEqual([at, []])
      // Another process looks after the lease has expired, and again after 15 minutes.
      for (const passed of [60_000, 16 * 60_000]) {
        ports.clock.advance(passed)
        await recover.with({ ...ports, background: memoryBackground('other') })()
      }
      const { status, result } = await operation()
      expect([at, status]).toEqual([at, started.length > 0 ? 'running' : 'interrupted'])
      if (started.length > 0) expect(result.step).toBe('replacing')
    }
    expect([...statuses]).toEqual([202, 409])
  },
)
