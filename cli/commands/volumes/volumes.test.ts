import { expect, test } from 'vitest'
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
