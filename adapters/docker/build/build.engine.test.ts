import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { tarOf } from '../../../functions/core/tar/make.ts'
import { paced } from '../../../local/harness/pace.ts'
import { buildPlace, inImage } from '../../testing/contract/build-place.ts'
import { building } from '../../testing/contract/engine-builds.ts'
import { run } from '../../testing/contract/engine-world.ts'
import { atLeast } from '../transport/client.ts'

const { engine, project, newDirectory } = buildPlace('build')
let directory: string

beforeEach(() => {
  directory = newDirectory()
})

function write(files: Record<string, string>) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
}

const listed = (id: string | undefined) =>
  inImage(id, 'cd /app && find . -not -type d | sort').split('\n')

const all = 'FROM busybox\nCOPY . /app\n'

/** Dockerfiles that copy the whole context, by the builder that builds them. */
const builders = [
  ['the old builder', all],
  ['BuildKit', 'FROM busybox\nRUN --mount=type=tmpfs,target=/t true\nCOPY . /app\n'],
] as const

describe.each(builders)('%s', (_, all) => {
  test('.dockerignore excludes files and includes its exceptions', async () => {
    write({
      'app/Dockerfile': all,
      'app/.dockerignore': '*.log\nsecret\nDockerfile\ndocs/**\n!docs/keep.md\n',
      'app/a.log': '',
      'app/a.txt': '',
      'app/secret/key': '',
      'app/docs/x.md': '',
      'app/docs/keep.md': '',
    })
    const { id } = await run(engine, building(project, directory))
    expect(listed(id)).toEqual(['./.dockerignore', './a.txt', './docs/keep.md'])
  })

  test('prefers the ignore file of the Dockerfile', async () => {
    write({
      'app/web.Dockerfile': all,
      'app/web.Dockerfile.dockerignore': 'b\n',
      'app/.dockerignore': 'a\n',
      'app/a': '',
      'app/b': '',
    })
    const dockerfile = `${directory}/app/web.Dockerfile`
    const { id } = await run(engine, building(project, directory, { dockerfile }))
    expect(listed(id)).toContain('./a')
    expect(listed(id)).not.toContain('./b')
  })

  test('does not copy an external or inline Dockerfile into the image', async () => {
    write({ 'Dockerfile.app': all, 'app/a': '', 'app/.dockerignore': 'b', 'app/b': '' })
    const dockerfile = `${directory}/Dockerfile.app`
    const outside = await run(engine, building(project, directory, { dockerfile }))
    expect(listed(outside.id)).toEqual(['./.dockerignore', './a'])
    const inline = await run(engine, building(project, directory, { inline: all }))
    expect(listed(inline.id)).toEqual(['./.dockerignore', './a'])
  })

  test('follows a Dockerfile that links to another file of the context', async () => {
    write({ 'app/docker/Dockerfile.prod': all })
    symlinkSync('docker/Dockerfile.prod', join(directory, 'app/Dockerfile'))
    const { id } = await run(engine, building(project, directory))
    expect(listed(id)).toEqual(['./Dockerfile', './docker/Dockerfile.prod'])
    rmSync(join(directory, 'app/Dockerfile'))
    symlinkSync('none', join(directory, 'app/Dockerfile'))
    await expect(run(engine, building(project, directory))).rejects.toMatchObject({ status: 422 })
  })

  test('keeps modes, links and long names, and makes root the owner', async () => {
    const long = `${'d'.repeat(90)}/${'f'.repeat(120)}`
    write({
      'app/Dockerfile': all,
      'app/run': '#!/bin/sh\necho ran',
      [`app/${long}`]: 'long',
      'app/ü': '',
    })
    chmodSync(join(directory, 'app/run'), 0o750)
    symlinkSync('run', join(directory, 'app/link'))
    linkSync(join(directory, 'app/run'), join(directory, 'app/same'))
    execFileSync('chown', ['7:8', join(directory, 'app/run')])
    const { id } = await run(engine, building(project, directory))
    expect(
      inImage(id, 'cd /app && ./link && ./same && stat -c "%a %u %g" run && readlink link'),
    ).toBe('ran\nran\n750 0 0\nrun')
    expect(inImage(id, `cat /app/${long}; test -e /app/ü && echo , there`)).toBe('long, there')
  })

  test('copies many files, long and empty ones; a pipe stops nothing', async () => {
    write({ 'app/Dockerfile': all, 'app/.dockerignore': 'hidden\n!hidden/deep/kept\n' })
    write({ 'app/hidden/deep/kept': 'kept', 'app/hidden/deep/other': '', 'app/empty': '' })
    for (let index = 0; index < 1500; index += 1) write({ [`app/many/${index}`]: `${index}` })
    const long = randomBytes(3_000_000)
    writeFileSync(join(directory, 'app/long'), long)
    writeFileSync(join(directory, 'app/long-2'), long.subarray(0, 64 * 1024 + 1))
    execFileSync('mkfifo', [join(directory, 'app/pipe')])
    mkdirSync(join(directory, 'app/shared'))
    chmodSync(join(directory, 'app/shared'), 0o3775)
    const { id } = await run(engine, building(project, directory))
    const script = `cd /app && stat -c "%a %F" empty shared hidden hidden/deep
    ls many | wc -l; cat many/* | wc -c; cat long long-2 | sha256sum; find hidden -type f`
    const sum = createHash('sha256')
      .update(long)
      .update(long.subarray(0, 64 * 1024 + 1))
    expect(inImage(id, script).split('\n')).toEqual([
      '644 regular empty file',
      '3775 directory',
      '755 directory',
      '755 directory',
      '1500',
      '4890',
      `${sum.digest('hex')}  -`,
      'hidden/deep/kept',
    ])
  })
})

test('passes arguments, target, labels and tags; returns the warnings', async () => {
  write({
    'app/Dockerfile': 'FROM busybox AS first\nARG A\nRUN echo $A > /a\nFROM first\nRUN exit 1\n',
  })
  const options = { buildargs: { A: 'one two', B: 'x' }, target: 'first', networkmode: 'none' }
  const build = building(project, directory)
  if (build.action !== 'build') throw new Error('no build')
  Object.assign(build.build.options, options)
  const { id, warnings } = await run(engine, build)
  expect(inImage(id, 'cat /a')).toBe('one two')
  expect(warnings).toEqual([expect.stringContaining('B')])
})

test('builds with BuildKit if the Dockerfile needs it, reproducibly', async () => {
  write({
    'app/Dockerfile': 'FROM busybox\nRUN --mount=type=cache,target=/c echo one > /a\nCOPY . /app\n',
    'app/.dockerignore': 'secret',
    'app/secret': '',
    'app/page': '',
  })
  const { id } = await run(engine, building(project, directory))
  expect(inImage(id, 'cat /a')).toBe('one')
  expect(listed(id)).toEqual(['./.dockerignore', './Dockerfile', './page'])
  expect((await run(engine, building(project, directory))).id).toBe(id)
  write({ 'app/Dockerfile': 'FROM busybox\nRUN --mount=type=cache,target=/c echo mine; exit 3\n' })
  await expect(run(engine, building(project, directory))).rejects.toMatchObject({
    status: 500,
    message: expect.stringMatching(/exit code: 3\nmine$/),
  })
})

test('422: options that BuildKit ignores on an Engine before API 1.42', async () => {
  write({ 'app/Dockerfile': 'FROM busybox\nRUN --mount=type=cache,target=/c true\n' })
  const build = building(project, directory, { options: { shmsize: 1024 } })
  const { apiVersion } = await engine.info()
  const message = 'shm_size and ulimits have no effect on this Engine'
  const refused = run(engine, build).then(
    () => false,
    (error) => error.status === 422 && error.message.includes(message),
  )
  expect(await refused).toBe(!atLeast(apiVersion, '1.42'))
})

test('lets the Engine fetch a remote context', async () => {
  const archive = await tarOf([{ path: 'Dockerfile', content: Buffer.from(all), mode: 0o644 }])
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/x-tar' }).end(archive)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const context = `http://127.0.0.1:${(server.address() as AddressInfo).port}/app.tar`
  const remote = { context, remote: true, dockerfile: 'Dockerfile' }
  const { id } = await run(engine, building(project, directory, remote))
  server.close()
  expect(listed(id)).toEqual(['./Dockerfile'])
})

test('builds from a directory outside the stacks directory', async () => {
  const elsewhere = mkdtempSync('/tmp/build-elsewhere-')
  writeFileSync(join(elsewhere, 'Dockerfile'), all)
  const where = { context: elsewhere, dockerfile: `${elsewhere}/Dockerfile` }
  const { id } = await run(engine, building(project, directory, where))
  expect(listed(id)).toEqual(['./Dockerfile'])
  const gone = { context: `${elsewhere}/none`, dockerfile: `${elsewhere}/none/Dockerfile` }
  await expect(run(engine, building(project, directory, gone))).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining('is not a directory on the host'),
  })
  rmSync(elsewhere, { recursive: true })
})

test('422: the context is a file, or the ignore file is invalid', async () => {
  write({ app: 'x' })
  const inline = building(project, directory, { inline: all })
  await expect(run(engine, inline)).rejects.toMatchObject({ status: 422 })
  rmSync(join(directory, 'app'))
  write({ 'app/Dockerfile': all, 'app/.dockerignore': '[a' })
  await expect(run(engine, building(project, directory))).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining('.dockerignore: "[a" is not a valid pattern'),
  })
})

test('stops when the caller aborts', async () => {
  const command = `sleep ${1e6 + Math.floor(Math.random() * 1e6)}`
  write({ 'app/Dockerfile': `FROM busybox\nRUN ${command}\n` })
  const stop = new AbortController()
  const work = engine.execute(building(project, directory), stop.signal)
  const isRunning = () => execFileSync('ps', ['-eo', 'args']).includes(command)
  await vi.waitFor(() => expect(isRunning()).toBe(true), { timeout: paced(60_000) })
  stop.abort(new Error('shutting down'))
  await expect(work).rejects.toThrow('shutting down')
  await vi.waitFor(() => expect(isRunning()).toBe(false), { timeout: paced(60_000) })
})
