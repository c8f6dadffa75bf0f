import { expect, test } from 'vitest'
import { memoryClock } from '../../adapters/testing/memory/clock.ts'
import { memoryPorts, memorySetupSecret } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { accountOf } from '../../local/harness/sign-in.ts'
import setup from './create.ts'

const body = { secret: memorySetupSecret, username: ' Anna ', password: 'correct horse battery' }

test('201: creates the first admin', async () => {
  const ports = memoryPorts()
  const { status, json, text } = await call(setup, { body, ports })
  expect(status).toBe(201)
  expect(json).toMatchObject({ username: 'Anna', role: 'admin', scope_tags: [], disabled: false })
  expect(text).not.toContain(body.password)
  const account = await ports.accounts.findByUsername('anna')
  expect(await ports.passwords.verify(body.password, account?.passwordHash)).toBe(true)
})

test('201: one of many simultaneous requests succeeds', async () => {
  const ports = memoryPorts()
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      call(setup, { body: { ...body, username: `admin-${index}` }, ports }),
    ),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(9)
  expect(await ports.accounts.list()).toHaveLength(1)
})

test('400: a password that is too short or too long, or an invalid name', async () => {
  const wrong = [
    { password: 'short' },
    { password: 'x'.repeat(1025) },
    { username: ' ' },
    { username: 'a\u0000b' },
    { secret: undefined },
    { role: 'admin' },
  ]
  for (const change of wrong) {
    const ports = memoryPorts()
    expect((await call(setup, { body: { ...body, ...change }, ports })).status).toBe(400)
    expect(await ports.accounts.any()).toBe(false)
  }
})

test('403: a wrong secret does not use up the setup secret', async () => {
  const ports = memoryPorts()
  const answer = await call(setup, { body: { ...body, secret: 'a guess at it' }, ports })
  expect(answer.status).toBe(403)
  expect(await ports.accounts.any()).toBe(false)
  expect((await call(setup, { body, ports })).status).toBe(201)
})

test('404: setup is complete, whatever the secret', async () => {
  const ports = memoryPorts()
  await call(setup, { body, ports })
  expect((await call(setup, { body, ports })).status).toBe(404)
  expect((await call(setup, { body: { ...body, secret: 'a guess' }, ports })).status).toBe(404)
})

test('404: an account exists, even if the setup secret was not used', async () => {
  const ports = memoryPorts()
  await accountOf(ports, 'viewer')
  expect((await call(setup, { body, ports })).status).toBe(404)
})

test('409: another process holds the lock for too long', async () => {
  const clock = memoryClock()
  clock.sleep = async (milliseconds) => clock.advance(milliseconds)
  const ports = memoryPorts({ clock })
  const lease = await ports.leases.acquire('admins', 'another process', 60_000)
  expect((await call(setup, { body, ports })).status).toBe(409)
  await ports.leases.release(present(lease))
  expect((await call(setup, { body, ports })).status).toBe(201)
})

test('409: stops a process whose lock expired before it writes', async () => {
  const ports = memoryPorts()
  const { open } = ports.setup
  ports.setup.open = () => {
    ports.clock.advance(6000)
    return open()
  }
  expect((await call(setup, { body, ports })).status).toBe(409)
  expect(await ports.accounts.any()).toBe(false)
})
