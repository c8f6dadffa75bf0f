import { expect, onTestFinished, test } from 'vitest'
import { memoryEngine } from '../../adapters/testing/memory/engine.ts'
import { agentHost } from '../../adapters/testing/memory/hosts.ts'
import { clientWorld, stackOf } from '../../local/harness/client.ts'

const nasId = '019a0000-0000-7000-8000-000000000001'
const otherId = '019a0000-0000-7000-8000-000000000002'
const compose = 'services:\n  web: {image: busybox:latest, command: sleep 9}\n'

/** A world with the hosts `nas`, which has an Engine, and `nas-2`. */
async function withNas() {
  const world = await clientWorld()
  onTestFinished(() => world[Symbol.asyncDispose]())
  await world.login()
  const engine = memoryEngine({ now: () => world.ports.clock.now() })
  world.ports.engines.byHost.set(nasId, engine)
  await world.ports.hosts.create({ ...agentHost(nasId), name: 'nas' })
  await world.ports.hosts.create({ ...agentHost(otherId), name: 'nas-2' })
  return world
}

test.each(['nas', 'NAS', nasId, nasId.slice(0, 36), '019a0000-0000-7000-8000-000000000001'])(
  '0: --host %s',
  async (host) => {
    const world = await withNas()
    const words = `stacks create shop --file - --host ${host}`
    const created = await world.cli(words, { stdin: compose })
    expect(created).toMatchObject({ code: 0, out: 'shop is saved on host nas\n' })
    expect((await world.cli(`stacks list --host ${host}`)).out).toMatch(/shop +nas +not_deployed/)
    expect((await world.cli(`stacks deploy shop --host ${host}`)).code).toBe(0)
    expect((await world.cli(`stacks status shop --host ${host}`)).code).toBe(0)
    expect((await world.cli(`containers list --host ${host}`)).out).toContain('shop-web-1')
  },
)

test('1: the stack is on another host, which is named', async () => {
  const world = await withNas()
  await world.cli('stacks create shop --file - --host nas', { stdin: compose })
  const { code, err } = await world.cli('stacks plan shop --host nas-2')
  expect({ code, err }).toEqual({ code: 1, err: 'cli: stack shop is on host nas, not on nas-2\n' })
})

test('2: an ambiguous prefix lists the candidates', async () => {
  const world = await withNas()
  const { code, err } = await world.cli('containers list --host 019a0000')
  expect(code).toBe(2)
  expect(err).toContain('"019a0000" is ambiguous: 2 hosts match')
  expect(err).toContain(`${nasId} (nas), ${otherId} (nas-2)`)
  expect((await world.cli('hosts revoke 019a0000 --yes')).code).toBe(2)
})

test('0: hosts are updated and revoked by name', async () => {
  const world = await withNas()
  expect((await world.cli('hosts update nas --name attic --tag home')).out).toBe(
    'attic is updated\n',
  )
  const address = async (text: string) => {
    expect((await world.cli(`hosts update attic --address ${text}`)).code).toBe(0)
    const hosts = JSON.parse((await world.cli('hosts list --output json')).out)
    return hosts.find((one: { name: string }) => one.name === 'attic').address
  }
  expect(await address('nas.lan')).toBe('nas.lan')
  expect(await address('none')).toBeNull()
  expect((await world.cli('hosts revoke Attic --yes')).out).toBe('attic is revoked\n')
  expect((await world.cli('hosts delete attic --yes')).out).toBe('attic is deleted\n')
  const gone = await world.cli('hosts revoke attic --yes')
  expect(gone).toMatchObject({ code: 1, err: 'cli: there is no host "attic"\n' })
})

test('0: a deployment is given by the beginning of its id, or as previous', async () => {
  await using world = await clientWorld()
  await world.login()
  await stackOf(world, 'shop', compose)
  const stdin = compose.replace('sleep 9', 'sleep 8')
  await world.cli('stacks update shop --file -', { stdin })
  await world.cli('stacks deploy shop')
  const list = await world.cli('stacks deployments shop --output json')
  const [, first] = JSON.parse(list.out)
  const none = await world.cli('stacks rollback shop nothing')
  expect(none).toMatchObject({ code: 1, err: 'cli: there is no deployment "nothing"\n' })
  const done = await world.cli('stacks rollback shop previous')
  expect([done.code, done.err]).toEqual([0, expect.stringContaining('recreated  container')])
  const web = [...world.engine.state.containers.values()].find(({ name }) => name === 'shop-web-1')
  expect(web?.body.Cmd).toEqual(['sleep', '9'])
  const shown = await world.cli(`stacks deployments shop ${first.id}`)
  expect(shown.out).toMatch(/^host +Cellar$/m)
})

test('0: tokens, users and rules are given by name', async () => {
  await using world = await clientWorld()
  await world.login()
  await world.cli('tokens create ci')
  expect((await world.cli('tokens revoke CI --yes')).out).toBe('ci is revoked\n')
  await world.cli('tokens create twice')
  await world.cli('tokens create twice')
  expect((await world.cli('tokens revoke twice --yes')).code).toBe(2)
  const audit = await world.cli('audit list --user-id ADA --action api-tokens')
  expect([audit.code, audit.out]).toEqual([0, expect.stringContaining('api-tokens.create')])
  expect((await world.cli('audit list --user-id mallory')).code).toBe(1)
  expect((await world.cli('alerts rules nothing')).err).toBe(
    'cli: there is no alert rule "nothing"\n',
  )
})
