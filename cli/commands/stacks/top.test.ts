import { expect, test } from 'vitest'
import { end } from '../../../adapters/testing/memory/engine-life.ts'
import { present } from '../../../adapters/testing/present.ts'
import { changeContainer } from '../../../local/harness/bundle.ts'
import { clientWorld, stackOf } from '../../../local/harness/client.ts'

const compose = `services:
  web:
    image: busybox:latest
    command: [sleep, "9"]
  job:
    image: busybox:latest
    command: [sleep, "8"]
    restart: "no"
`

async function withShop() {
  const world = await clientWorld()
  await world.login()
  await stackOf(world, 'shop', compose)
  const exit = (service: string, code: number) => {
    const { state } = world.engine
    const found = [...state.containers.values()].find(({ name }) => name === `shop-${service}-1`)
    end(state, present(found), code)
    state.touch()
  }
  return Object.assign(world, { exit })
}

test('0: top shows the processes of all services, or of the named ones', async () => {
  await using world = await withShop()
  const all = await world.cli('stacks top shop')
  expect(all.code).toBe(0)
  expect(all.out).toMatch(/^CONTAINER +PID +USER +TIME +COMMAND\n/)
  expect(all.out).toMatch(/^shop-web-1 +\d+ +root +00:00:00 +sleep 9$/m)
  expect(all.out).toMatch(/^shop-job-1 +\d+ +root +00:00:00 +sleep 8$/m)
  expect((await world.cli('stacks top shop web')).out).not.toContain('shop-job-1')
  const json = await world.cli('stacks top shop web --output json')
  expect(JSON.parse(json.out)).toMatchObject([{ container: 'shop-web-1', command: 'sleep 9' }])
  expect(await world.cli('stacks top shop none')).toMatchObject({ code: 1, out: '' })
})

test('0: top continues if the only container of a service is removed after it was listed', async () => {
  await using world = await withShop()
  changeContainer(world, 'shop-job-1', { Labels: { 'com.docker.compose.service': 'extra' } })
  expect((await world.cli('stacks top shop')).out).toContain('shop-job-1')
  const { runs } = world.engine
  world.engine.runs = async (containers) => {
    const found = await runs(containers)
    if (world.engine.state.containers.size > 1) {
      await world.engine.removeContainer('shop-job-1', { force: true })
    }
    return found
  }
  const { code, out } = await world.cli('stacks top shop')
  expect([code, out.includes('shop-web-1'), out.includes('shop-job-1')]).toEqual([0, true, false])
})

test('3: wait ends when the containers have ended, with the exit code', async () => {
  await using world = await withShop()
  const wait = world.cli('stacks wait shop job')
  const isOver = wait.then(() => true)
  expect(await Promise.race([isOver, new Promise((resolve) => setTimeout(resolve, 700))])).not.toBe(
    true,
  )
  world.exit('job', 3)
  world.ports.clock.advance(2000)
  expect(await wait).toMatchObject({
    code: 3,
    out: expect.stringMatching(/^CONTAINER +EXIT CODE\nshop-job-1 +3\n$/),
  })
})

test('0: wait for several services that end well', async () => {
  await using world = await withShop()
  world.exit('job', 0)
  world.exit('web', 0)
  world.ports.clock.advance(2000)
  expect(await world.cli('stacks wait shop job web')).toMatchObject({ code: 0 })
})

test('1: wait for a service without a container, or that does not exist', async () => {
  await using world = await withShop()
  expect((await world.cli('stacks wait shop none')).err).toContain('it has no service none')
  await world.cli('stacks stop shop')
  const gone = await world.cli('stacks wait shop job')
  expect(gone).toMatchObject({ code: 1, err: expect.stringContaining('it has no container') })
})
