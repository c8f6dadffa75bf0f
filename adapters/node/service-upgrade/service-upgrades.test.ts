import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { conflict, internalError } from '../../../functions/core/errors.ts'
import type { ServiceUpgrades } from '../../../functions/core/ports/service-upgrades.ts'
import type { ServiceProcess } from '../../../functions/core/records/installation.ts'
import type { ReplacedContainer } from '../../../functions/core/records/upgrade-journal.ts'
import { nameAside } from '../../../functions/core/upgrade/next-step.ts'
import type { SeenHelper, UpgradeHelpers } from '../../docker/service-upgrade/upgrade-helpers.ts'
import { memoryCollection } from '../../testing/memory/collection.ts'
import { present } from '../../testing/present.ts'
import { type JournalFile, journalFile, journalName } from './journal-file.ts'
import { openServiceUpgrades, serviceUpgrades, type UpgradeOptions } from './service-upgrades.ts'

const upgrade = {
  id: '01a20589-4779-72ce-9499-83b352746441',
  containerId: 'old',
  to: { image: 'container-stacks:0.5.0', imageId: 'sha256:new', version: '0.5.0' },
}
const day = 24 * 3_600_000

/** Helper containers that behave as the test says. */
interface TestHelpers extends UpgradeHelpers {
  /** The name of the container of the service; undefined once it is removed. */
  name: string | undefined
  helper: SeenHelper | undefined
  /** What the helper does as soon as it is started. */
  begins(): void
  done: string[]
}

let options: UpgradeOptions
let file: JournalFile
let helpers: TestHelpers
let upgrades: ServiceUpgrades
let time: number

const rename = () => {
  helpers.name = 'service_before_83b352746441'
}

beforeEach(() => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'service-upgrades-'))
  onTestFinished(() => rmSync(dataDirectory, { recursive: true }))
  time = 1_000
  const clock = {
    now: () => time,
    monotonic: () => time,
    async sleep(milliseconds: number) {
      time += milliseconds
    },
  }
  const self: ServiceProcess = {
    id: 'old',
    container: 'old',
    machine: 'm',
    dataDirectory,
    engineId: 'E1',
    store: null,
  }
  options = { self, clock, serviceProcesses: memoryCollection<ServiceProcess>() }
  file = journalFile(dataDirectory)
  helpers = testHelpers()
  const paths = { dataDirectory, socket: '/var/run/docker.sock' }
  upgrades = serviceUpgrades((work) => work(helpers, paths), options)
})

function testHelpers(): TestHelpers {
  const one: TestHelpers = {
    name: 'service',
    helper: undefined,
    begins: rename,
    done: [],
    async replaceable(containerId): Promise<Omit<ReplacedContainer, 'version'>> {
      const restartPolicy = { Name: 'always', MaximumRetryCount: 0 }
      return { containerId, name: 'service', image: 'i:1', imageId: 'sha256:old', restartPolicy }
    },
    nameFor: () => 'container-stacks-helper',
    async create() {
      one.helper = { id: 'helper', isRunning: false, hasRun: false, restarts: 0 }
      return 'helper'
    },
    async start() {
      expect(await options.serviceProcesses.find('helper')).toMatchObject({ container: 'helper' })
      one.helper = { id: 'helper', isRunning: true, hasRun: true, restarts: 0 }
      one.begins()
    },
    find: async (id) =>
      ['helper', 'container-stacks-helper'].includes(id) && one.helper
        ? { ...one.helper }
        : undefined,
    nameOf: async () => one.name,
    lastLine: async () => 'unknown argument --upgrade-helper',
    async remove() {
      one.helper = undefined
      one.done.push('remove helper')
    },
    async restore({ name }, aside) {
      const isRight = one.name !== aside
      if (!isRight) one.name = name
      return isRight
    },
    async removeReplaced(id, aside) {
      one.done.push(`remove ${id} ${aside}`)
      return true
    },
  }
  return one
}

const helperStops = () => {
  if (helpers.helper) helpers.helper.isRunning = false
}

/** Writes what the helper writes at its end. */
async function end(outcome: 'upgraded' | 'taken_back') {
  await file.write({ ...present(await file.read()), outcome, endedAt: time })
  helperStops()
}

test('starts a recorded helper, and resolves once that works', async () => {
  await upgrades.start(upgrade)
  expect(await upgrades.last()).toMatchObject({
    id: upgrade.id,
    startedAt: 1_000,
    from: { containerId: 'old', name: 'service', restartPolicy: { Name: 'always' } },
    to: upgrade.to,
    helper: 'helper',
    direction: 'forward',
    outcome: 'open',
  })
  expect(nameAside(present(await upgrades.last()))).toBe(helpers.name)
})

test('409: an upgrade runs already, of two at once too', async () => {
  const both = await Promise.allSettled([upgrades.start(upgrade), upgrades.start(upgrade)])
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  await expect(upgrades.start(upgrade)).rejects.toMatchObject({
    status: 409,
    reason: 'lease-held',
  })
})

test('409: the container cannot be replaced, and nothing is written', async () => {
  helpers.replaceable = async () => {
    throw conflict('it was started with `--rm`')
  }
  await expect(upgrades.start(upgrade)).rejects.toMatchObject({ status: 409 })
  expect(await upgrades.last()).toBeUndefined()
})

test('409: the Engine is reached by TCP', async () => {
  const far = openServiceUpgrades({ DOCKER_HOST: 'tcp://engine:2375' }, options)
  await expect(far.start(upgrade)).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('not by a mounted socket'),
  })
})

test.each<[string, () => void, string]>([
  [
    'ends at once',
    () => {
      helperStops()
    },
    'the helper container ended at once: unknown argument --upgrade-helper',
  ],
  [
    'is started again',
    () => {
      if (helpers.helper) helpers.helper.restarts = 1
    },
    'the helper container ended at once: unknown argument --upgrade-helper',
  ],
  [
    'does nothing',
    () => {},
    'the helper container did not begin its work: unknown argument --upgrade-helper',
  ],
])('500: leaves nothing of a helper that %s', async (_what, begins, message) => {
  helpers.begins = begins
  await expect(upgrades.start(upgrade)).rejects.toMatchObject({ status: 500, message })
  expect(await upgrades.last()).toMatchObject({ outcome: 'not_started', error: message })
  expect([helpers.helper, helpers.name]).toEqual([undefined, 'service'])
  expect(await options.serviceProcesses.list()).toEqual([])
})

test('an Engine that ends just then does not make a start of a helper fail', async () => {
  let silent = 5
  const { nameOf } = helpers
  helpers.begins = () => {
    rename()
    helpers.nameOf = async (id) => {
      if (silent-- > 0) throw new Error('connect ECONNREFUSED')
      return nameOf(id)
    }
  }
  await upgrades.start(upgrade)
  expect(silent).toBe(-1)
  expect(await upgrades.last()).toMatchObject({ outcome: 'open', helper: 'helper' })
})

test('500: leaves nothing of a helper that the Engine does not create', async () => {
  helpers.create = async () => {
    throw internalError('no space left')
  }
  await expect(upgrades.start(upgrade)).rejects.toMatchObject({ message: 'no space left' })
  expect(await upgrades.last()).toMatchObject({ outcome: 'not_started', error: 'no space left' })
})

test('tidies the helper once it has ended, and the replaced container a day after', async () => {
  await upgrades.start(upgrade)
  await upgrades.tidy(time, true)
  expect(helpers.done).toEqual([])
  await end('upgraded')
  await upgrades.tidy(time + day - 1, true)
  expect(helpers.done).toEqual(['remove helper'])
  expect(await options.serviceProcesses.list()).toEqual([])
  // The process of the replaced container never removes itself.
  await upgrades.tidy(time + day, true)
  expect(helpers.done).toEqual(['remove helper'])
  const next = serviceUpgrades(
    (work) => work(helpers, { dataDirectory: options.self.dataDirectory, socket: '/s' }),
    { ...options, self: { ...options.self, id: 'new', container: 'new' } },
  )
  await next.tidy(time + day, true)
  expect(helpers.done).toEqual(['remove helper', 'remove old service_before_83b352746441'])
})

test('keeps the container that was taken back', async () => {
  await upgrades.start(upgrade)
  await end('taken_back')
  await upgrades.tidy(time + 2 * day, true)
  expect(helpers.done).toEqual(['remove helper'])
})

test('starts a helper that someone stopped, and makes a new one if it was removed', async () => {
  await upgrades.start(upgrade)
  helperStops()
  await upgrades.tidy(time, true)
  expect(helpers.helper?.isRunning).toBe(true)
  await options.serviceProcesses.remove('helper')
  helpers.helper = undefined
  await upgrades.tidy(time, true)
  expect(helpers.helper).toMatchObject({ isRunning: true })
})

test('ends an upgrade whose service was killed before the helper ran', async () => {
  await upgrades.start(upgrade)
  helpers.name = 'service'
  helpers.helper = { id: 'helper', isRunning: false, hasRun: false, restarts: 0 }
  await file.write({ ...present(await file.read()), helper: null })
  await upgrades.tidy(time, true)
  expect(await upgrades.last()).toMatchObject({
    outcome: 'not_started',
    error: 'the service ended before the helper container ran',
  })
  expect(helpers.helper).toBeUndefined()
})

test('is stuck if the helper and the replaced container were removed', async () => {
  await upgrades.start(upgrade)
  helpers.helper = undefined
  helpers.name = undefined
  await upgrades.tidy(time, true)
  expect(await upgrades.last()).toMatchObject({ outcome: 'stuck' })
})

const otherProcess = () =>
  serviceUpgrades(
    (work) => work(helpers, { dataDirectory: options.self.dataDirectory, socket: '/s' }),
    { ...options, self: { ...options.self, id: 'new', container: 'new' } },
  )

test('starts a helper that a killed process created and did not record', async () => {
  await upgrades.start(upgrade)
  await options.serviceProcesses.remove('helper')
  helpers.helper = { id: 'helper', isRunning: false, hasRun: false, restarts: 0 }
  helpers.create = async () => {
    throw conflict('the name is taken')
  }
  await file.write({ ...present(await file.read()), helper: 'removed' })
  await upgrades.tidy(time, true)
  expect(helpers.helper).toMatchObject({ isRunning: true })
  expect(await upgrades.last()).toMatchObject({ helper: 'helper', outcome: 'open' })
})

test('goes on with a helper that begins when the service has given up', async () => {
  helpers.begins = () => {}
  const { nameOf } = helpers
  helpers.nameOf = async (id) => {
    if ((await file.read())?.outcome === 'not_started') rename()
    return nameOf(id)
  }
  await upgrades.start(upgrade)
  expect(await upgrades.last()).toMatchObject({ outcome: 'open', helper: 'helper', error: null })
  expect([helpers.helper?.isRunning, helpers.done]).toEqual([true, []])
})

test('restores the container until it is right, and finds the helper until it is removed', async () => {
  helpers.begins = () => {}
  const { remove } = helpers
  helpers.remove = async () => {
    throw internalError('the Engine does not respond')
  }
  await expect(upgrades.start(upgrade)).rejects.toThrow('does not respond')
  expect(await upgrades.last()).toMatchObject({ outcome: 'not_started', helper: 'helper' })
  helpers.remove = remove
  rename()
  await upgrades.tidy(time, true)
  expect([helpers.name, helpers.done]).toEqual(['service', ['remove helper']])
  expect((await upgrades.last())?.tidiedAt).toBeUndefined()
  time += 60_000
  await upgrades.tidy(time, true)
  expect((await upgrades.last())?.tidiedAt).toBe(time)
})

test('asks the Engine once a minute, and no more once nothing is left', async () => {
  await upgrades.start(upgrade)
  await end('upgraded')
  let asked = 0
  const { find } = helpers
  helpers.find = (id) => {
    asked += 1
    return find(id)
  }
  const next = otherProcess()
  const looks = async (count: number) => {
    const start = asked
    for (let look = 0; look < count; look += 1) await next.tidy(time, true)
    return asked - start
  }
  expect(await looks(1)).toBeGreaterThan(0)
  expect(await looks(5)).toBe(0)
  time += 60_000
  expect(await looks(1)).toBeGreaterThan(0)
  time += day
  expect(await looks(1)).toBeGreaterThan(0)
  expect(helpers.done).toContain('remove old service_before_83b352746441')
  time += 60_000
  expect(await looks(1)).toBe(0)
})

test('keeps the replaced container by a clock that is not trusted for a day of its own', async () => {
  await upgrades.start(upgrade)
  await end('upgraded')
  const next = otherProcess()
  await next.tidy(time + 400 * day, false)
  expect(helpers.done).toEqual(['remove helper'])
  time += day
  await next.tidy(time + 400 * day, false)
  expect(helpers.done).toEqual(['remove helper', 'remove old service_before_83b352746441'])
})

test('keeps the container of the upgrade before until the next one has succeeded', async () => {
  await upgrades.start(upgrade)
  await end('upgraded')
  helpers.name = 'service'
  const next = otherProcess()
  const second = { ...upgrade, id: '01a20589-4779-72ce-9499-000000000002', containerId: 'new' }
  helpers.begins = helperStops
  await expect(next.start(second)).rejects.toThrow('ended at once')
  await next.tidy(time, true)
  expect(helpers.done).not.toContain('remove old service_before_83b352746441')
  helpers.begins = () => {
    helpers.name = 'service_before_000000000003'
  }
  await next.start({ ...second, id: '01a20589-4779-72ce-9499-000000000003' })
  expect((await next.last())?.before).toMatchObject({ id: upgrade.id })
  expect(helpers.done).not.toContain('remove old service_before_83b352746441')
  await end('upgraded')
  await next.tidy(time, true)
  expect(helpers.done).toContain('remove old service_before_83b352746441')
  expect((await next.last())?.before).toBeUndefined()
})

test('a damaged record stops neither a look nor the next upgrade', async () => {
  writeFileSync(join(options.self.dataDirectory, journalName), '{')
  expect(await upgrades.last()).toBeUndefined()
  await expect(upgrades.tidy(time, true)).rejects.toThrow()
  await upgrades.start(upgrade)
  expect(await upgrades.last()).toMatchObject({ outcome: 'open' })
})
