import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
