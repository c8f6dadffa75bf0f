import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import type { ImageBuild } from '../../../functions/compose/step.ts'
import { tarOf } from '../../../functions/core/tar/make.ts'
import { paced } from '../../../local/harness/pace.ts'
import { buildPlace, inImage } from '../../testing/contract/build-place.ts'
import { building } from '../../testing/contract/engine-builds.ts'
import { run } from '../../testing/contract/engine-world.ts'
import { docker } from '../../testing/docker.ts'
import { present } from '../../testing/present.ts'

const { engine, project, newDirectory } = buildPlace('secrets')
let directory: string

beforeEach(() => {
  directory = newDirectory()
})

/** Builds a Dockerfile. One that `unique` makes different is in no cache. */
function build(dockerfile: string, secrets: ImageBuild['secrets'], more: Partial<ImageBuild> = {}) {
  mkdirSync(join(directory, 'app'), { recursive: true })
  writeFileSync(join(directory, 'app/Dockerfile'), dockerfile)
  return run(engine, building(project, directory, { secrets, ...more }))
}

const unique = () => randomBytes(8).toString('hex')

test('a Dockerfile reads secrets from files and variables; the image has no trace of them', async () => {
  const [ofFile, ofVariable] = [`file-${unique()}`, `variable-${unique()}`]
  writeFileSync(join(directory, 'key'), `${ofFile}\n`)
  const dockerfile = [
    'FROM busybox',
    'RUN --mount=type=secret,id=key sha256sum < /run/secrets/key > /key',
    'RUN --mount=type=secret,id=token,target=/t,mode=0444 sha256sum < /t > /token',
    'RUN ls -A /run/secrets > /left 2>&1 || true',
  ].join('\n')
  const { id } = await build(dockerfile, [
    { id: 'key', file: join(directory, 'key') },
    { id: 'token', content: ofVariable },
  ])
  const digest = (text: string) =>
    execFileSync('sha256sum', { input: text, encoding: 'utf8' }).trim()
  expect(inImage(id, 'cat /key /token').split('\n')).toEqual([
    digest(`${ofFile}\n`),
    digest(ofVariable),
  ])
  // Older Engines leave the empty places of the mounts.
  expect(inImage(id, 'find / -xdev -path "*/run/secrets/*" -type f -size +0')).toBe('')
  const traces = [
    docker('history', '--no-trunc', present(id)),
    docker('inspect', present(id)),
    docker('events', '--since', '1m', '--until', '0s', '--format', '{{json .}}'),
    // Binary.
    execFileSync('sh', ['-c', `docker save ${present(id)} | tar -xO`], { maxBuffer: 1e8 }),
  ].join('\n')
  expect(traces).not.toContain(ofFile)
  expect(traces).not.toContain(ofVariable)
})

test('a Dockerfile gets no secret that the service does not list', async () => {
  const optional = `FROM busybox\nRUN --mount=type=secret,id=other test ! -e /run/secrets/other # ${unique()}\n`
  expect(await build(optional, [{ id: 'key', content: 'x' }])).toHaveProperty('id')
  const required = `FROM busybox\nRUN --mount=type=secret,id=other,required=true true # ${unique()}\n`
  for (const secrets of [[], [{ id: 'key', content: 'x' }]]) {
    await expect(build(required, secrets)).rejects.toMatchObject({
      status: 500,
      message: expect.stringContaining(
        'the Dockerfile requires the secret other, which build.secrets does not list',
      ),
    })
  }
})

test('two projects with the same Dockerfile and id get their own secrets, also from the cache', async () => {
  const dockerfile = `FROM busybox\nRUN --mount=type=secret,id=key cat /run/secrets/key > /copy; sleep 1 # ${unique()}\n`
  const secretOf = (name: string) => [{ id: 'key', content: `of ${name}` }]
  const builds = ['a', 'b'].map((name) =>
    build(dockerfile, secretOf(name), { project: `${project}-${name}` }),
  )
  const [first, second] = await Promise.all(builds)
  expect(inImage(first?.id, 'cat /copy')).toBe('of a')
  expect(inImage(second?.id, 'cat /copy')).toBe('of b')
  const hosts = { options: { extrahosts: [`${project}-a.stack.invalid:127.0.0.1`] } }
  for (const more of [{}, hosts]) {
    const { id } = await build(dockerfile, [], { project: `${project}-c`, ...more })
    expect(inImage(id, 'cat /copy')).toBe('')
  }
  const again = await build(dockerfile, secretOf('a'), { project: `${project}-a` })
  expect(again.id).toBe(first?.id)
})

test('hides secrets in the output of a command that failed', async () => {
  const value = `hunter2-${unique()}`
  const lines = `first line ${unique()}\nsecond line ${unique()}`
  const secrets = [
    { id: 'key', content: `${value}\n` },
    { id: 'lines', content: lines },
  ]
  const script = 'cat /run/secrets/key; tail -n 1 /run/secrets/lines; echo; echo reason; exit 3'
  const mounts = '--mount=type=secret,id=key --mount=type=secret,id=lines'
  const error = await build(`FROM busybox\nRUN ${mounts} ${script}\n`, secrets).catch((one) => one)
  expect(error.message).toMatch(/exit code: 3\n\*\*\*\n\*\*\*\nreason$/)
  const everything = JSON.stringify([error, error.message, error.detail, String(error.cause)])
  expect(everything).not.toContain(value)
  expect(everything).not.toContain(lines.split('\n')[1])
})

test('422: a secret that is missing, too long, a directory, or a link out of its directory', async () => {
  const dockerfile = 'FROM busybox\nRUN --mount=type=secret,id=key true\n'
  const file = join(directory, 'key')
  const refused = (message: string, secrets = [{ id: 'key', file }] as ImageBuild['secrets']) =>
    expect(build(dockerfile, secrets)).rejects.toMatchObject({
      status: 422,
      message: `Building ${project}-one failed: ${message}`,
    })
  const missing = `the secret "key" is not a file of the host: ${file}`
  await refused(missing)
  symlinkSync('/etc/hostname', file)
  await refused(missing)
  rmSync(file)
  mkdirSync(file)
  await refused(missing)
  rmSync(file, { recursive: true })
  execFileSync('mkfifo', [file])
  await refused(missing)
  rmSync(file)
  const long = 'the secret "key" is over 500 KiB'
  execFileSync('truncate', ['-s', '100G', file])
  await refused(long)
  rmSync(file)
  await refused(long, [{ id: 'key', content: 'x'.repeat(500 * 1024 + 1) }])
  const many = Array.from({ length: 17 }, (_, index) => ({
    id: `key${index}`,
    content: 'x'.repeat(500 * 1024),
  }))
  await refused('the secrets of the build are over 8 MiB', many)
  expect(await build(dockerfile, many.slice(0, 16))).toHaveProperty('id')
})

test('passes on the longest secret, and an empty one', async () => {
  const content = randomBytes(250 * 1024).toString('hex')
  const dockerfile =
    'FROM busybox\nRUN --mount=type=secret,id=long --mount=type=secret,id=empty ' +
    'wc -c < /run/secrets/long > /long && wc -c < /run/secrets/empty > /empty\n'
  const { id } = await build(dockerfile, [
    { id: 'long', content },
    { id: 'empty', content: '' },
  ])
  expect(inImage(id, 'cat /long /empty').split('\n')).toEqual([String(500 * 1024), '0'])
})

test('a context that the Engine fetches gets secrets too', async () => {
  const text = `FROM busybox\nRUN --mount=type=secret,id=key cp /run/secrets/key /copy # ${unique()}\n`
  const archive = await tarOf([{ path: 'Dockerfile', content: Buffer.from(text), mode: 0o644 }])
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/x-tar' }).end(archive)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const context = `http://127.0.0.1:${(server.address() as AddressInfo).port}/app.tar`
  const remote = { context, remote: true, dockerfile: 'Dockerfile' }
  const { id } = await build('', [{ id: 'key', content: 'x' }], remote)
  server.close()
  expect(inImage(id, 'cat /copy')).toBe('x')
})

test('a stopped build leaves no command', async () => {
  const command = `sleep ${1e6 + Math.floor(Math.random() * 1e6)}`
  const text = `FROM busybox\nRUN --mount=type=secret,id=key ${command}\n`
  mkdirSync(join(directory, 'app'))
  writeFileSync(join(directory, 'app/Dockerfile'), text)
  const stop = new AbortController()
  const step = building(project, directory, { secrets: [{ id: 'key', content: 'x' }] })
  const work = engine.execute(step, stop.signal)
  const isRunning = () => execFileSync('ps', ['-eo', 'args']).includes(command)
  await vi.waitFor(() => expect(isRunning()).toBe(true), { timeout: paced(60_000) })
  stop.abort(new Error('shutting down'))
  await expect(work).rejects.toThrow('shutting down')
  await vi.waitFor(() => expect(isRunning()).toBe(false), { timeout: paced(60_000) })
})
