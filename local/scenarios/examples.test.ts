import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { clientWorld } from '../harness/client.ts'
import { signIn } from '../harness/sign-in.ts'

const program = resolve(import.meta.dirname, '../../examples/python/deploy_safely.py')
const compose = 'services: { web: { image: "busybox:latest", command: sleep 60 } }\n'

/** Runs the example in Python. It is killed if it goes on for long. */
async function deploySafely(server: string, token: string) {
  const directory = mkdtempSync(join(tmpdir(), 'example-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  writeFileSync(join(directory, 'compose.yaml'), compose)
  const { PATH } = process.env
  const env = { PATH, LANG: 'C.UTF-8', SERVER: server, TOKEN: token }
  return new Promise<{ code: unknown; err: string }>((done) => {
    const options = { cwd: directory, env, timeout: 120_000 }
    execFile('python3', [program, 'shop', 'compose.yaml'], options, (error, _, err) =>
      done({ code: error ? error.code : 0, err }),
    )
  })
}

test('an example does not overwrite an `.env` that it may not read', async () => {
  await using world = await clientWorld()
  const { ports } = world
  const verbs = ['read', 'create', 'update', 'delete', 'deploy'] as const
  const permissions = verbs.map((verb) => `stacks:${verb}` as const)
  await ports.roles.create({ id: 'chef', permissions, createdAt: 0 })
  const token = await signIn(ports, { username: 'grace', role: 'chef' })
  const { code, err } = await deploySafely(world.server, token)
  expect([code, err]).toEqual([1, expect.stringMatching(/^shop: .*\.env.*stacks:secrets/)])
  const [stack] = await ports.stacks.list()
  expect(stack).toMatchObject({ contentRevision: 2 })
})

test('an example goes on after a date in `Retry-After`, and stops at an error of a proxy', async () => {
  let requests = 0
  const proxy = createServer((_, response) => {
    requests += 1
    const headers = { 'Retry-After': 'Wed, 21 Oct 2015 07:28:00 GMT' }
    response.writeHead(requests === 1 ? 503 : 404, headers).end('<html></html>')
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  const { port } = proxy.address() as AddressInfo
  const { code, err } = await deploySafely(`http://127.0.0.1:${port}`, 'cst_any')
  expect([code, err, requests]).toEqual([1, expect.stringContaining('shop: 404'), 2])
})
