import { expect, test } from 'vitest'
import { nameImage } from '../../adapters/testing/memory/engine-images.ts'
import { memoryOwnProcess } from '../../adapters/testing/memory/host-gauges.ts'
import { present } from '../../adapters/testing/present.ts'
import { recoverOperations } from '../../functions/core/operations/recover-operations.ts'
import { storeFormat, version } from '../../functions/core/version.ts'
import { clientWorld } from '../../local/harness/client.ts'
import { installService, nextVersion } from '../../local/harness/installed-service.ts'
import { givenContainer, givenStack } from '../../local/harness/world.ts'

/** A client of a service that runs in a container, for whose image there is a newer one. */
async function withContainer() {
  const world = await clientWorld()
  await world.login()
  const id = await givenContainer(world, 'service-1', {
    hostConfig: { Binds: ['stacks_data:/data'] },
    labels: {
      'com.docker.compose.project': 'stacks',
      'com.docker.compose.project.working_dir': '/srv/stacks',
    },
  })
  const { state } = world.engine
  present(state.containers.get(id)).imageId = present(state.images.get('busybox:latest'))
  nameImage(state, 'busybox:next', 'sha256:aa11')
  state.imageLabels.set('sha256:aa11', {
    'org.opencontainers.image.title': 'Container Stacks',
    'org.opencontainers.image.version': version,
    'container-stacks.store-format.reads': String(storeFormat.reads + 1),
    'container-stacks.store-format.writes': String(storeFormat.reads + 1),
  })
  const place = { ...memoryOwnProcess.place, container: id }
  Object.assign(world.ports, { ownProcess: { ...memoryOwnProcess, place } })
  return world
}

test('0: shows what an upgrade replaces, what was found, and the way', async () => {
  await using world = await withContainer()
  const { code, out, err } = await world.cli('upgrade busybox:next --check')
  expect(code).toBe(0)
  expect(out).toMatch(/^running image +busybox:latest \(\w+\)$/m)
  expect(out).toMatch(/^container +service-1$/m)
  expect(out).toMatch(new RegExp(`^new version +${version.replaceAll('.', '\\.')}$`, 'm'))
  expect(out).toMatch(/^result +by hand only, with no way back but a copy of the store$/m)
  expect(out).toMatch(/^one way: the new version converts the store/m)
  expect(err).toContain('in /srv/stacks: docker compose up --detach; see docs/install-container.md')
})

test('0: prints the response of the API as JSON', async () => {
  await using world = await withContainer()
  const { code, out } = await world.cli('upgrade --check --output json')
  expect([code, JSON.parse(out)]).toMatchObject([
    0,
    { image: 'busybox:latest', result: 'current', findings: [{ reason: 'same_image' }] },
  ])
})

test('1: refuses a version that skips one, also without a container', async () => {
  await using world = await clientWorld()
  await world.login()
  const { code, out, err } = await world.cli('upgrade 99.0.0 --check')
  expect(code).toBe(1)
  expect(out).toMatch(/^new version +99\.0\.0$/m)
  expect(out).toMatch(/^refused: version 99\.0\.0 skips a minor version/m)
  expect(err).toContain('this upgrade is refused')
})

/** A newer image that the service can replace itself by. */
async function upgradable() {
  const world = await clientWorld()
  await world.login()
  await installService(world)
  const { serviceUpgrades } = world.ports
  const { start } = serviceUpgrades
  const endWith = (change: Parameters<typeof serviceUpgrades.change>[0]) => {
    serviceUpgrades.start = async (upgrade) => {
      await start(upgrade)
      serviceUpgrades.change({ endedAt: world.ports.clock.now(), ...change })
      world.ports.background.run('recovery', async () => {
        await expect
          .poll(async () => (await world.ports.leases.peek(`operation:${upgrade.id}`)).held)
          .toBe(false)
        await recoverOperations(world.ports)
      })
    }
  }
  return Object.assign(world, { endWith })
}

test('0: upgrades the service and waits for the end', async () => {
  await using world = await upgradable()
  world.endWith({ outcome: 'upgraded' })
  const { code, out } = await world.cli(`upgrade ${nextVersion} --yes --without-backup`)
  expect([code, out]).toEqual([0, `the service was upgraded to ${nextVersion}\n`])
  expect(world.ports.serviceUpgrades.started).toMatchObject([{ to: { version: nextVersion } }])
})

test('1: the upgrade was taken back: says why, with the log of the new version', async () => {
  await using world = await upgradable()
  world.endWith({ outcome: 'taken_back', error: 'it was not healthy', log: ['no such key'] })
  const { code, out, err } = await world.cli(`upgrade ${nextVersion} --yes --without-backup`)
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain('the version from before runs again: it was not healthy')
  expect(err).toContain('no such key')
})

test('0: calls off an upgrade that waits; 1: there is none, the service is only paused', async () => {
  await using world = await upgradable()
  const none = await world.cli('upgrade --cancel')
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('no upgrade of the service')])
  await givenStack(world)
  await world.ports.leases.acquire('stack:shop', 'other/d1', 60_000)
  const started = await world.cli(`upgrade ${nextVersion} --yes --without-backup --detach`)
  expect(started.code, started.err).toBe(0)
  const { code, out } = await world.cli('upgrade --cancel')
  expect([code, out]).toEqual([0, 'the upgrade is being called off; nothing is replaced\n'])
  world.ports.clock.advance(1_000)
  await world.ports.background.settled()
  expect(world.ports.serviceUpgrades.started).toEqual([])
  await world.cli('service pause --detach')
  const paused = await world.cli('upgrade --cancel')
  expect([paused.code, paused.err]).toEqual([1, expect.stringContaining('cli service resume')])
  await world.cli('service resume')
  world.ports.clock.advance(1_000)
  await world.ports.background.settled()
})

test('1: without a backup job, it says how to make one', async () => {
  await using world = await upgradable()
  const { code, err } = await world.cli(`upgrade ${nextVersion} --yes`)
  const ways = /`cli backups create .*`, or upgrade with --without-backup/
  expect([code, err]).toEqual([1, expect.stringMatching(ways)])
})

test('1: leaves an upgrade without a way back to commands on the host', async () => {
  await using world = await withContainer()
  const { code, err } = await world.cli('upgrade busybox:next --yes --without-backup')
  expect([code, err]).toEqual([1, expect.stringContaining('cannot do this upgrade itself')])
  expect(world.ports.serviceUpgrades.started).toEqual([])
})

test('0: the image that runs already is no upgrade', async () => {
  await using world = await withContainer()
  expect((await world.cli('upgrade --yes')).code).toBe(0)
})

test.each([
  ['upgrade 99.0.0', '--yes'],
  ['upgrade --yes --backup-job one --without-backup', 'exclude each other'],
  ['upgrade 0.5.0 --cancel', 'give no image'],
])('2: %s', async (line, said) => {
  await using world = await clientWorld()
  await world.login()
  const { code, err } = await world.cli(line)
  expect([code, err]).toEqual([2, expect.stringContaining(said)])
})
