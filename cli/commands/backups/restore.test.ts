import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { givenVolume } from '../../../local/harness/backups.ts'
import { clientWorld } from '../../../local/harness/client.ts'

/** Sets up a backup of the volume `photos`, and adds the run's id. */
async function backedUp() {
  const world = await clientWorld()
  await world.login()
  await givenVolume(world, 'photos', 'holidays')
  await world.cli('backups create nightly --volume photos --to nas')
  await world.cli('backups run nightly')
  const [run] = await world.ports.backupRuns.list({ limit: 1 })
  return Object.assign(world, { run: present(run).id })
}

function spoil({ ports }: Awaited<ReturnType<typeof backedUp>>) {
  const { objects } = ports.backupTargets
  const name = present([...objects.keys()].find((one) => one.includes('volume-')))
  objects.set(name, present(objects.get(name)).subarray(0, 600))
}

test('0: verifies an intact backup; 1: reports what is wrong with a damaged one', async () => {
  await using world = await backedUp()
  const whole = await world.cli(`backups verify ${world.run}`)
  expect([whole.code, whole.out]).toEqual([
    0,
    expect.stringMatching(/^the backup is intact: 1 files, /),
  ])
  spoil(world)
  const cut = await world.cli(`backups verify ${world.run}`)
  expect([cut.code, cut.out]).toEqual([1, ''])
  expect(cut.err).toMatch(/the backup is damaged: volume-photos.*cut short/)
})

test('0: restores a missing volume and reports what was done', async () => {
  await using world = await backedUp()
  world.engine.state.volumes.delete('photos')
  world.engine.state.archives.delete('volume photos')
  const done = await world.cli(`backups restore ${world.run} --volume photos --verify`)
  expect([done.code, done.out]).toEqual([
    0,
    expect.stringMatching(/^volume photos: restored in .*, 2\.0 kB\n$/),
  ])
  expect(world.engine.state.volumes.has('photos')).toBe(true)
  const listed = await world.cli('backups runs')
  expect(listed.out.split('\n')[1]).toMatch(/nightly +restore +succeeded/)
})

test('1: does not replace existing data or restore a damaged backup', async () => {
  await using world = await backedUp()
  const there = await world.cli(`backups restore ${world.run}`)
  expect([there.code, there.err]).toEqual([
    1,
    expect.stringContaining('volume photos: already exists'),
  ])
  spoil(world)
  const unwhole = await world.cli(`backups restore ${world.run} --overwrite --verify`)
  expect([unwhole.code, unwhole.err]).toEqual([1, expect.stringContaining('nothing was restored')])
  const failed = await world.cli(`backups restore ${world.run} --overwrite`)
  expect([failed.code, failed.err]).toEqual([1, expect.stringContaining('nothing was changed')])
})

test('2: --service without --stack', async () => {
  await using world = await backedUp()
  expect((await world.cli(`backups restore ${world.run} --service db`)).code).toBe(2)
  expect((await world.cli('backups restore')).code).toBe(2)
})
