import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildPlace, inImage } from '../../testing/contract/build-place.ts'
import { building } from '../../testing/contract/engine-builds.ts'
import { run } from '../../testing/contract/engine-world.ts'
import { present } from '../../testing/present.ts'

const { engine, project, newDirectory } = buildPlace('hostile')

const fifo = (path: string) => execFileSync('mkfifo', [path])

/** Builds a context that `make` fills, as for a caller without `stacks:privileged`. */
function build(make: (app: string) => void, dockerfile = 'FROM busybox\nCOPY . /x\n') {
  const directory = newDirectory()
  const app = join(directory, 'app')
  mkdirSync(app)
  writeFileSync(join(app, 'Dockerfile'), dockerfile)
  make(app)
  return run(engine, building(project, directory, { registries: [] }))
}

const has = (id: string, path: string) => inImage(id, `ls -la ${path}`)

const within = <T>(work: Promise<T>) =>
  Promise.race([
    work,
    new Promise<T>((_, reject) => setTimeout(() => reject(new Error('still running')), 90_000)),
  ])

test.each(['.dockerignore', 'Dockerfile.dockerignore'])(
  'a %s that is a FIFO does not block the builder',
  async (name) => {
    const { id } = await within(build((app) => fifo(join(app, name))))
    expect(has(present(id), '/x/Dockerfile')).toContain('/x/Dockerfile')
  },
)

test('ignores a .dockerignore that links out of the context', async () => {
  const { id } = await within(
    build((app) => {
      // Without the link it would leave out everything.
      const outside = join(newDirectory(), 'ignore')
      writeFileSync(outside, '*\n')
      symlinkSync(outside, join(app, '.dockerignore'))
    }),
  )
  expect(has(present(id), '/x/Dockerfile')).toContain('/x/Dockerfile')
})

test('rejects a Dockerfile that links out of the context', async () => {
  const made = build((app) => {
    rmSync(join(app, 'Dockerfile'))
    symlinkSync('/etc/passwd', join(app, 'Dockerfile'))
  })
  await expect(within(made)).rejects.toMatchObject({ status: 422 })
})

test('rejects a Dockerfile that is a FIFO', async () => {
  const made = build((app) => {
    rmSync(join(app, 'Dockerfile'))
    fifo(join(app, 'Dockerfile'))
  })
  await expect(within(made)).rejects.toMatchObject({ status: 422 })
})

test('copies links out of the context as links', async () => {
  const { id } = await within(build((app) => symlinkSync('/etc/shadow', join(app, 'out'))))
  expect(has(present(id), '/x/out')).toMatch(/out -> \/etc\/shadow/)
})

test.each([
  ['a FIFO', (app: string) => fifo(join(app, 'pipe'))],
  ['a device', (app: string) => void execFileSync('mknod', [join(app, 'zero'), 'c', '1', '5'])],
])('%s in a context does not block a build', async (_, make) => {
  const { id } = await within(build(make))
  expect(has(present(id), '/x/Dockerfile')).toContain('/x/Dockerfile')
})

test('a socket in a context does not block a build', async () => {
  let close = () => {}
  const made = build((app) => {
    const server = createServer().listen(join(app, 'socket'))
    close = () => void server.close()
  })
  const { id } = await within(made).finally(() => close())
  expect(has(present(id), '/x/Dockerfile')).toContain('/x/Dockerfile')
})

test('copies files with line feeds and control characters in their names', async () => {
  const { id } = await within(
    build((app) => {
      writeFileSync(join(app, 'a\nb\u001b[31m'), '')
      writeFileSync(join(app, Buffer.from([0x66, 0xff]).toString('latin1')), '')
    }),
  )
  expect(inImage(present(id), 'ls -1 /x')).toContain('a?b?[31m\nf??')
})
