import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type EngineClient, engineClient } from './client.ts'
import { transportFrom } from './connect.ts'
import { fileMemory } from './file-memory.ts'
import { findHostLinks, writeHostFiles } from './files.ts'
import { type Helpers, helpers } from './helper.ts'
import { helperImageId } from './helper-image.ts'
import { helperImage } from './labels.ts'
import { readHostFiles } from './read-files.ts'

// Containers are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const client = engineClient(transportFrom(process.env), 'local')
const opened: Helpers[] = []
let root: string
let stacks: string

const opening = (from: EngineClient = client) => {
  const one = helpers(from, stacks)
  opened.push(one)
  return one
}
const docker = (...words: string[]) => execFileSync('docker', words, { encoding: 'utf8' }).trim()
const text = (path: string) => readFile(path, 'utf8')
const file = (path: string, content = 'x') => ({ path, content: Buffer.from(content), mode: 0o644 })
const host = (from: Helpers) => ({ client, helpers: from, memory: fileMemory() })

beforeEach(async () => {
  root = await mkdtemp('/tmp/docker-helper-')
  stacks = `${root}/stacks`
  await mkdir(`${stacks}/web`, { recursive: true })
  await mkdir(`${stacks}/other`)
  await writeFile(`${stacks}/other/.env`, 'PASSWORD=other')
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.remove()))
  await rm(root, { recursive: true, force: true })
})
afterAll(() => client.close())

test('a helper sees the directory of its stack and no other', async () => {
  const mounts = await opening().lend(`${stacks}/web`, 'read', async ({ id }) =>
    JSON.parse(docker('inspect', '--format', '{{json .HostConfig.Binds}}', id)),
  )
  expect(mounts).toEqual([`${stacks}/web:/files`])
})

test('one helper serves a stack until it is removed from the Engine, then another does', async () => {
  const one = opening()
  const lent = () => one.lend(`${stacks}/web`, 'read', async ({ id }) => id)
  const first = await lent()
  expect(await lent()).toBe(first)
  docker('rm', '--force', String(first))
  await expect(readHostFiles(host(one), `${stacks}/web`, ['none'])).resolves.toEqual([])
  expect(await lent()).not.toBe(first)
})

test('409: finds a link also when the helpers were removed from the Engine meanwhile', async () => {
  const one = opening()
  await symlink('/etc', `${stacks}/web/l`)
  const prune = () => {
    for (const volume of [stacks, `${stacks}/web`]) {
      const ids = docker('ps', '--all', '--quiet', '--filter', `volume=${volume}`)
      docker('rm', '--force', ...ids.split('\n'))
    }
  }
  expect(await findHostLinks(host(one), `${stacks}/web`, ['l'])).toHaveLength(1)
  prune()
  expect(await findHostLinks(host(one), `${stacks}/web`, ['l'])).toHaveLength(1)
  prune()
  expect(await one.isRealDirectory(`${stacks}/web`)).toBe(true)
})

test('processes that come and go on one Engine do not disturb each other', async () => {
  const processes = Array.from({ length: 6 }, () => opening())
  const lent = (one: Helpers) => one.lend(`${stacks}/web`, 'read', async ({ id }) => id)
  for (const leaving of processes.slice(0, 3)) {
    const [ids] = await Promise.all([Promise.all(processes.map(lent)), leaving.remove()])
    expect(new Set(ids).size).toBe(processes.length)
  }
})

test('keeps at most sixteen unused helpers on the Engine, and none after the end', async () => {
  const one = opening()
  const ids: string[] = []
  for (let stack = 0; stack < 20; stack += 1) {
    await mkdir(`${stacks}/s${stack}`)
    ids.push((await one.lend(`${stacks}/s${stack}`, 'read', async ({ id }) => id))!)
  }
  const left = () => {
    const all = docker('ps', '--all', '--quiet', '--no-trunc').split('\n')
    return ids.filter((id) => all.includes(id)).length
  }
  await vi.waitFor(() => expect(left()).toBeLessThanOrEqual(16), 10_000)
  await one.remove()
  expect(left()).toBe(0)
})

test('reading a directory that is missing does not make it', async () => {
  const one = opening()
  expect(await readHostFiles(host(one), `${stacks}/new`, ['compose.yaml'])).toEqual([])
  expect(existsSync(`${stacks}/new`)).toBe(false)
  await writeHostFiles(host(one), `${stacks}/new`, [file('compose.yaml', 'one')])
  expect(await text(`${stacks}/new/compose.yaml`)).toBe('one')
})

test('an image that took our name is not run', async () => {
  const forged = `FROM busybox\nRUN echo theirs > /unlink && chmod +x /unlink\nVOLUME /files\n`
  execFileSync('docker', ['build', '--tag', helperImage, '-'], {
    input: forged,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...process.env, DOCKER_BUILDKIT: '0' },
  })
  const theirs = docker('inspect', '--format', '{{.Id}}', helperImage)
  const fresh = engineClient(transportFrom(process.env), 'local')
  try {
    const running = opening()
    const beginning = opening(fresh)
    for (const one of [running, beginning]) {
      const image = await one.lend(`${stacks}/web`, 'write', async ({ id }) =>
        docker('inspect', '--format', '{{.Image}}', id),
      )
      expect(image).not.toBe(theirs)
    }
    await writeHostFiles(host(beginning), `${stacks}/web`, [file('a'), file('b')])
    await writeHostFiles(host(beginning), `${stacks}/web`, [], ['a'])
    expect(await readdir(`${stacks}/web`)).toEqual(['b'])
    expect(await helperImageId(fresh)).not.toBe(theirs)
  } finally {
    fresh.close()
    docker('rmi', '--force', theirs)
  }
})

test('409: refuses to write through a link in a stack, and to read through it', async () => {
  const one = opening()
  await symlink('../other', `${stacks}/web/sub`)
  await symlink('/etc', `${stacks}/web/l`)
  const directory = `${stacks}/web`
  for (const path of ['sub/.env', 'l/passwd', 'sub/deep/x']) {
    const failure = { status: 409, message: expect.stringContaining('is a link to') }
    await expect(writeHostFiles(host(one), directory, [file(path)])).rejects.toMatchObject(failure)
    await expect(readHostFiles(host(one), directory, [path])).rejects.toMatchObject(failure)
    await expect(one.lend(`${directory}/${path}`, 'read', async () => 1)).rejects.toMatchObject(
      failure,
    )
  }
  expect(await readdir(`${stacks}/other`)).toEqual(['.env'])
  expect(await text(`${stacks}/other/.env`)).toBe('PASSWORD=other')
})

test('deletes what is not behind a link, and names the link', async () => {
  const one = opening()
  await symlink('../other', `${stacks}/web/sub`)
  await writeFile(`${stacks}/web/a`, 'a')
  await expect(
    writeHostFiles(host(one), `${stacks}/web`, [], ['sub/.env', 'a']),
  ).rejects.toMatchObject({ status: 409, message: expect.stringContaining('sub in') })
  expect(await readdir(`${stacks}/web`)).toEqual(['sub'])
  expect(await text(`${stacks}/other/.env`)).toBe('PASSWORD=other')
})

test('replaces a link that stands where a file is written, and deletes one without its target', async () => {
  const one = opening()
  await symlink('../other/.env', `${stacks}/web/.env`)
  await symlink('../other/.env', `${stacks}/web/gone`)
  expect(await readHostFiles(host(one), `${stacks}/web`, ['.env'])).toEqual([])
  await writeHostFiles(host(one), `${stacks}/web`, [file('.env', 'A=1')], ['gone'])
  expect(await text(`${stacks}/web/.env`)).toBe('A=1')
  expect(await readdir(`${stacks}/web`)).toEqual(['.env'])
  expect(await text(`${stacks}/other/.env`)).toBe('PASSWORD=other')
})

test("409: refuses a stack's directory that is a link itself", async () => {
  const one = opening()
  await symlink(`${stacks}/other`, `${stacks}/linked`)
  const failure = { status: 409, message: expect.stringContaining('linked in') }
  const directory = `${stacks}/linked`
  await expect(readHostFiles(host(one), directory, ['.env'])).rejects.toMatchObject(failure)
  await expect(writeHostFiles(host(one), directory, [file('.env')])).rejects.toMatchObject(failure)
  await expect(one.refuseLink(`${directory}/data`)).rejects.toMatchObject(failure)
  expect(await text(`${stacks}/other/.env`)).toBe('PASSWORD=other')
})

test('finds the first link of each path, also when the link is in the middle', async () => {
  const one = opening()
  await mkdir(`${stacks}/web/real/deep`, { recursive: true })
  await symlink('/etc', `${stacks}/web/l`)
  await symlink('../../other', `${stacks}/web/real/sub`)
  const paths = ['real/deep', 'l', 'l/passwd', 'real/sub/.env', 'none/x']
  const links = await findHostLinks(host(one), `${stacks}/web`, paths)
  expect(links.map(({ path }) => path)).toEqual(['l', 'real/sub'])
})

test('tells a real directory in the stacks directory from links, files and what is elsewhere', async () => {
  const one = opening()
  await symlink(`${stacks}/other`, `${stacks}/linked`)
  await writeFile(`${stacks}/file`, '')
  await mkdir(`${stacks}/web/real`)
  await symlink('real', `${stacks}/web/l`)
  const real = (path: string) => one.isRealDirectory(path)
  expect(await real(`${stacks}/web`)).toBe(true)
  expect(await real(`${stacks}/web/real`)).toBe(true)
  for (const path of ['linked', 'file', 'none', 'web/l', 'web/none', '../x']) {
    expect(await real(`${stacks}/${path}`), path).toBe(false)
  }
  expect(await real('/etc')).toBe(false)
  expect(await real(stacks)).toBe(false)
})
