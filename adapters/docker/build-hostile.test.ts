import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { building } from '../contract/engine-builds.ts'
import { removeImages } from '../contract/engine-clean.ts'
import { run } from '../contract/engine-world.ts'
import { transportFrom } from './connect.ts'
import { dockerEngine } from './engine.ts'

vi.setConfig({ testTimeout: 60_000 })

const transport = transportFrom(process.env)
const stacksDirectory = mkdtempSync('/tmp/build-hostile-')
const engine = dockerEngine({ transport, host: 'local', stacksDirectory })
const project = `hostile-${randomBytes(4).toString('hex')}`

afterAll(async () => {
  await engine.close()
  await removeImages(transport, project)
  rmSync(stacksDirectory, { recursive: true })
})

const fifo = (path: string) => execFileSync('mkfifo', [path])

/** Builds a context that `make` fills, as for a caller without `stacks:privileged`. */
function build(make: (app: string) => void, dockerfile = 'FROM busybox\nCOPY . /x\n') {
  const directory = mkdtempSync(join(stacksDirectory, 'one-'))
  const app = join(directory, 'app')
  mkdirSync(app)
  writeFileSync(join(app, 'Dockerfile'), dockerfile)
  make(app)
  return run(engine, building(project, directory, { registries: [] }))
}

const has = (id: string, path: string) =>
  execFileSync('docker', [
    'run',
    '--rm',
    '--network=none',
    id,
    'sh',
    '-c',
    `ls -la ${path}`,
  ]).toString()

const within = <T>(work: Promise<T>) =>
  Promise.race([
    work,
    new Promise<T>((_, reject) => setTimeout(() => reject(new Error('still going on')), 15_000)),
  ])

test.each(['.dockerignore', 'Dockerfile.dockerignore'])(
  'a %s that is a FIFO does not hold the builder',
  async (name) => {
    const { id } = await within(build((app) => fifo(join(app, name))))
    expect(id).toBeDefined()
  },
)

test('a .dockerignore that links out of the context ignores nothing', async () => {
  const { id } = await within(
    build((app) => symlinkSync('/etc/hostname', join(app, '.dockerignore'))),
  )
  expect(id).toBeDefined()
})

test('a Dockerfile that links out of the context is none', async () => {
  const made = build((app) => {
    rmSync(join(app, 'Dockerfile'))
    symlinkSync('/etc/passwd', join(app, 'Dockerfile'))
  })
  await expect(within(made)).rejects.toMatchObject({ status: 422 })
})

test('a Dockerfile that is a FIFO is none', async () => {
  const made = build((app) => {
    rmSync(join(app, 'Dockerfile'))
    fifo(join(app, 'Dockerfile'))
  })
  await expect(within(made)).rejects.toMatchObject({ status: 422 })
})

test('links out of the context stay links', async () => {
  const { id } = await within(build((app) => symlinkSync('/etc/shadow', join(app, 'out'))))
  expect(has(id!, '/x/out')).toMatch(/out -> \/etc\/shadow/)
})

test.each([
  ['a FIFO', (app: string) => fifo(join(app, 'pipe'))],
  ['a device', (app: string) => void execFileSync('mknod', [join(app, 'zero'), 'c', '1', '5'])],
])('%s in a context holds nothing up', async (_, make) => {
  const { id } = await within(build(make))
  expect(id).toBeDefined()
})

test('a socket in a context holds nothing up', async () => {
  let close = () => {}
  const made = build((app) => {
    const server = createServer().listen(join(app, 'socket'))
    close = () => void server.close()
  })
  await within(made).finally(() => close())
})

test('names with line feeds and control characters are taken along', async () => {
  const { id } = await within(
    build((app) => {
      writeFileSync(join(app, 'a\nb\u001b[31m'), '')
      writeFileSync(join(app, Buffer.from([0x66, 0xff]).toString('latin1')), '')
    }),
  )
  expect(id).toBeDefined()
})
