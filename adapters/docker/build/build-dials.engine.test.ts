import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { release, releaseAll, untilHeld, untilReleased } from '../../../local/harness/held-build.ts'
import { paced } from '../../../local/harness/pace.ts'
import { buildPlace } from '../../testing/contract/build-place.ts'
import { building } from '../../testing/contract/engine-builds.ts'
import { run } from '../../testing/contract/engine-world.ts'
import { present } from '../../testing/present.ts'

const { engine, project, newDirectory } = buildPlace('dials')
const later = `${project}/later:1`

/** Counts the requests of all builders. */
let asked = 0
const server = createServer((_, response) => {
  asked += 1
  response.end('secret')
}).listen(0, '127.0.0.1')
const port = () => (server.address() as AddressInfo).port

afterAll(() => {
  server.close()
  execFileSync('docker', ['rmi', '-f', later], { stdio: 'ignore' })
})

/** Builds a Dockerfile in the context. `limited`: as for a caller without `stacks:privileged`. */
function build(dockerfile: string, limited = true, options = {}) {
  const directory = newDirectory()
  mkdirSync(join(directory, 'app'))
  writeFileSync(join(directory, 'app/Dockerfile'), dockerfile)
  writeFileSync(join(directory, 'app/file'), 'x')
  return run(engine, building(project, directory, { options, ...(limited && { registries: [] }) }))
}

test.each([
  ['an address', () => `FROM busybox\nADD http://127.0.0.1:${port()}/x /x\n`],
  [
    'an address that BuildKit fetches',
    () => `FROM busybox\nADD --chmod=600 http://127.0.0.1:${port()}/x /x\n`,
  ],
  ['a base by address', () => `FROM 127.0.0.1:${port()}/x\n`],
  ['a copy by address', () => `FROM busybox\nCOPY --from=127.0.0.1:${port()}/x / /\n`],
  [
    'a mount by address',
    () => `FROM busybox\nRUN --mount=from=127.0.0.1:${port()}/x,target=/x true\n`,
  ],
  [
    'a mount by address behind many spaces',
    () => `FROM busybox\nRUN${' '.repeat(9000)}--mount=from=127.0.0.1:${port()}/x,target=/x true\n`,
  ],
  [
    'a frontend by address',
    () => `# syntax=127.0.0.1:${port()}/x\nFROM busybox\nRUN --mount=type=tmpfs,target=/x true\n`,
  ],
  ['an argument', () => `ARG B=127.0.0.1:${port()}/x\nFROM \${B}\n`],
])('403: %s in the Dockerfile; connects to nothing', async (_, dockerfile) => {
  asked = 0
  await expect(build(dockerfile())).rejects.toMatchObject({ status: 403 })
  expect(asked).toBe(0)
})

test('403: a base image whose ONBUILD instructions fetch an address; connects to nothing', async () => {
  asked = 0
  const base = await build(`FROM busybox\nONBUILD ADD http://127.0.0.1:${port()}/x /x\n`, false)
  execFileSync('docker', ['tag', present(base.id), later])
  await expect(build(`FROM ${later}\n`)).rejects.toMatchObject({ status: 403 })
  expect(asked).toBe(0)
})

test('builds the same for an unrestricted caller', async () => {
  asked = 0
  expect(await build(`FROM busybox\nADD http://127.0.0.1:${port()}/x /x\n`, false)).toHaveProperty(
    'id',
  )
  expect(asked).toBeGreaterThan(0)
})

test('builds stages, files and commands for a restricted caller', async () => {
  const text =
    'ARG TAG=latest\nFROM busybox:${TAG} AS one\nRUN echo 1 >/a\nFROM busybox\nCOPY --from=one /a /a\nADD ./file /b\n'
  expect(await build(text)).toHaveProperty('id')
})

const moves = (id: string) => execFileSync('docker', ['tag', id, later])

/**
 * Returns two stages that wait for the test. The base image of the second one can be renamed while
 * the first one runs. `word` is in their commands. They are never cached.
 */
const heldStages = () => {
  const word = randomBytes(8).toString('hex')
  const step = `RUN ${untilReleased}; echo ${word}`
  return { word, dockerfile: `FROM busybox AS one\n${step}\nFROM ${later}\n${step}\n` }
}

test('403: the base name points to another image during the build', async () => {
  const address = `http://127.0.0.1:${port()}/x`
  const evil = await build(`FROM busybox\nONBUILD ADD ${address} /x\n`, false)
  const good = await build('FROM busybox\nLABEL x=1\n', false)
  moves(present(good.id))
  asked = 0
  const { word, dockerfile } = heldStages()
  const refused = expect(build(dockerfile)).rejects.toMatchObject({ status: 403 })
  const first = await untilHeld(word)
  moves(present(evil.id))
  await release(first)
  await vi.waitFor(() => expect(asked).toBeGreaterThan(0), { timeout: paced(60_000) })
  moves(present(good.id))
  await releaseAll(word, refused)
})

test('409: the base name points to another image after the build; removes the result', async () => {
  const first = await build('FROM busybox\nLABEL x=1\n', false)
  const other = await build('FROM busybox\nLABEL x=2\n', false)
  moves(present(first.id))
  const built = () =>
    execFileSync('docker', [
      'images',
      '-q',
      '--filter',
      `label=com.docker.compose.project=${project}`,
    ])
      .toString()
      .split('\n')
      .sort()
  const before = built()
  const { word, dockerfile } = heldStages()
  const refused = expect(build(dockerfile)).rejects.toMatchObject({ status: 409 })
  await untilHeld(word)
  moves(present(other.id))
  await releaseAll(word, refused)
  expect(built()).toEqual(before)
})

test('409: a build that fails shows no output if its base became another image', async () => {
  const first = await build('FROM busybox\nLABEL x=1\n', false)
  const other = await build('FROM busybox\nLABEL x=2\n', false)
  moves(present(first.id))
  const { word, dockerfile } = heldStages()
  const refused = expect(build(`${dockerfile}RUN echo fetched; false\n`)).rejects.toMatchObject({
    status: 409,
    message: expect.not.stringContaining('fetched'),
  })
  await untilHeld(word)
  moves(present(other.id))
  await releaseAll(word, refused)
})

test.each(['linux/s390x', '$BUILDPLATFORM', 'linux/${A}'])(
  '403: a base for the platform %s, whose variant was not inspected',
  async (platform) => {
    const first = await build('FROM busybox\nLABEL x=1\n', false)
    execFileSync('docker', ['tag', present(first.id), later])
    const text = `ARG BUILDPLATFORM=linux/s390x\nARG A=s390x\nFROM --platform=${platform} ${later}\n`
    await expect(build(text)).rejects.toMatchObject({ status: 403 })
  },
)

test('403: a base for another platform, for which BuildKit would ask the registry', async () => {
  const copied = 'COPY --chmod=600 file /\n'
  const other = await build(`FROM scratch\n${copied}`, false, { platform: 'linux/s390x' })
  execFileSync('docker', ['tag', present(other.id), later])
  await expect(build(`FROM ${later}\n${copied}`)).rejects.toMatchObject({ status: 403 })
})

test('builds for the platform of the base image', async () => {
  const first = await build('FROM busybox\nLABEL x=1\n', false)
  execFileSync('docker', ['tag', present(first.id), later])
  const platform = execFileSync('docker', ['version', '-f', '{{.Server.Os}}/{{.Server.Arch}}'])
  for (const one of ['$BUILDPLATFORM', '${TARGETPLATFORM}', String(platform).trim()]) {
    expect(await build(`FROM --platform=${one} ${later}\n`)).toHaveProperty('id')
  }
})
