import { expect, test } from 'vitest'
import { internalError } from '../../../functions/core/errors.ts'
import { clientWorld, stackOf } from '../../../local/harness/client.ts'

const compose = `services:
  db: {image: busybox:latest, command: sleep 9, volumes: ["data:/data"]}
volumes: {data: {}}
`

test('0: removes a volume and a network that nothing uses; 1: one that a container uses', async () => {
  await using world = await clientWorld()
  await world.login()
  await stackOf(world, 'shop', compose)
  for (const words of ['volumes delete shop_data', 'networks delete shop_default']) {
    const { code, err } = await world.cli(`${words} --yes`)
    expect([code, err], words).toEqual([1, expect.stringContaining('in use')])
  }
  world.engine.state.containers.clear()
  world.engine.state.touch()
  for (const [word, name] of [
    ['volume', 'shop_data'],
    ['network', 'shop_default'],
  ]) {
    expect(await world.cli(`${word}s rm ${name} --yes`)).toMatchObject({
      code: 0,
      out: `${name} is removed\n`,
    })
    expect((await world.cli(`${word}s list`)).out).not.toContain(name)
    expect((await world.cli(`${word}s rm ${name} --yes`)).code).toBe(1)
    expect((await world.cli(`${word}s rm ${name} --yes --host all`)).code).toBe(2)
  }
})

test('0: --size shows how much data each volume holds; a host that does not answer is named', async () => {
  await using world = await clientWorld()
  await world.login()
  await stackOf(world, 'shop', compose)
  const { volumes, archives, unmeasured } = world.engine.state
  for (const name of ['films', 'share']) volumes.set(name, { name, labels: {} })
  archives.set('volume films', Buffer.alloc(2_100_000))
  unmeasured.add('share')
  const { code, out, err } = await world.cli('volumes list --size')
  expect([code, err]).toEqual([0, ''])
  expect(out.split('\n').map((line) => line.trimEnd())).toEqual([
    expect.stringMatching(/^NAME +DRIVER +STACK +CREATED +SIZE$/),
    expect.stringMatching(/^films .* 2\.1 MB$/),
    expect.stringMatching(/^share .* unknown$/),
    expect.stringMatching(/^shop_data .* 0 B$/),
    '',
  ])
  const listed = JSON.parse((await world.cli('volumes list --size --output json')).out)
  expect(listed.map((one: { bytes: number | null }) => one.bytes)).toEqual([2_100_000, null, 0])
  world.engine.volumeSizes = async () => {
    throw internalError('the disk is slow')
  }
  const all = await world.cli('volumes list --size --host all')
  expect(all).toMatchObject({ code: 0, out: expect.stringMatching(/films .* unknown/) })
  expect(all.err).toMatch(/^host .*: its sizes are missing: the disk is slow\n$/)
  expect(await world.cli('volumes list --size')).toMatchObject({ code: 1, out: '' })
})

test('0: the questions before data goes say how much that is, and the answer what stays', async () => {
  await using world = await clientWorld()
  await world.login()
  await stackOf(world, 'shop', compose)
  const { state } = world.engine
  state.archives.set('volume shop_data', Buffer.alloc(2_100_000))
  const asked = async (words: string) => (await world.cli(words, { keys: 'n' })).err
  for (const words of [
    'volumes delete shop_data',
    'stacks delete shop --volumes',
    'stacks down shop --volumes',
  ]) {
    state.unmeasured.clear()
    expect(await asked(words), words).toContain('(2.1 MB)?')
    state.unmeasured.add('shop_data')
    expect(await asked(words), words).toMatch(/data( in its volumes)?\?/)
  }
  const labels = { 'com.docker.compose.project': 'shop' }
  state.volumes.set('films', { name: 'films', labels })
  expect((await world.cli('stacks delete shop --volumes --yes')).err).toContain(
    'warning: volume films stays: it does not belong to this stack',
  )
})
