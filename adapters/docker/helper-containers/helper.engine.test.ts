import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, symlink, writeFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { paced } from '../../../local/harness/pace.ts'
import { present } from '../../testing/present.ts'
import { fileMemory } from '../files/file-memory.ts'
import { findHostLinks, writeHostFiles } from '../files/files.ts'
import { readHostFiles } from '../files/read-files.ts'
import { removeEmptyDirectory } from '../files/remove-directory.ts'
import { helperImage } from '../names/labels.ts'
import { type EngineClient, engineClient } from '../transport/client.ts'
import { transportFrom } from '../transport/connect.ts'
import { type Helpers, helpers } from './helper.ts'
import { helperImageId } from './helper-image.ts'

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

test('a helper sees only the directory of its stack', async () => {
  const mounts = await opening().lend(`${stacks}/web`, 'read', async ({ id }) =>
    JSON.parse(docker('inspect', '--format', '{{json .HostConfig.Binds}}', id)),
  )
  expect(mounts).toEqual([`${stacks}/web:/files`])
})

test('reuses one helper for a stack and replaces it once removed', async () => {
  const one = opening()
  const lent = () => one.lend(`${stacks}/web`, 'read', async ({ id }) => id)
  const first = await lent()
  expect(await lent()).toBe(first)
  docker('rm', '--force', String(first))
  await expect(readHostFiles(host(one), `${stacks}/web`, ['none'])).resolves.toEqual([])
  expect(await lent()).not.toBe(first)
})

test('409: finds a link even after the helpers were removed', async () => {
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

test('processes that share an Engine do not interfere', async () => {
  const processes = Array.from({ length: 6 }, () => opening())
  const lent = (one: Helpers) => one.lend(`${stacks}/web`, 'read', async ({ id }) => id)
  for (const leaving of processes.slice(0, 3)) {
    const [ids] = await Promise.all([Promise.all(processes.map(lent)), leaving.remove()])
    expect(new Set(ids).size).toBe(processes.length)
  }
})

test('keeps at most sixteen idle helpers, and none after shutdown', async () => {
  const one = opening()
  const ids: string[] = []
  for (let stack = 0; stack < 20; stack += 1) {
    await mkdir(`${stacks}/s${stack}`)
    ids.push(present(await one.lend(`${stacks}/s${stack}`, 'read', async ({ id }) => id)))
  }
  const left = () => {
    const all = docker('ps', '--all', '--quiet', '--no-trunc').split('\n')
    return ids.filter((id) => all.includes(id)).length
  }
  await vi.waitFor(() => expect(left()).toBeLessThanOrEqual(16), paced(60_000))
  await one.remove()
  expect(left()).toBe(0)
})

test('reading a missing directory does not create it', async () => {
  const one = opening()
  expect(await readHostFiles(host(one), `${stacks}/new`, ['compose.yaml'])).toEqual([])
  expect(existsSync(`${stacks}/new`)).toBe(false)
  await writeHostFiles(host(one), `${stacks}/new`, [file('compose.yaml', 'one')])
  expect(await text(`${stacks}/new/compose.yaml`)).toBe('one')
})

test('does not run a foreign image with the helper name', async () => {
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

test('409: refuses to write or read through a link in a stack', async () => {
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

test('deletes files that are not behind a link, and names the link', async () => {
  const one = opening()
  await symlink('../other', `${stacks}/web/sub`)
  await writeFile(`${stacks}/web/a`, 'a')
  await expect(
    writeHostFiles(host(one), `${stacks}/web`, [], ['sub/.env', 'a']),
  ).rejects.toMatchObject({ status: 409, message: expect.stringContaining('sub in') })
  expect(await readdir(`${stacks}/web`)).toEqual(['sub'])
  expect(await text(`${stacks}/other/.env`)).toBe('PASSWORD=other')
})

test('a write replaces a link; a delete removes a link but not its target', async () => {
  const one = opening()
  await symlink('../other/.env', `${stacks}/web/.env`)
  await symlink('../other/.env', `${stacks}/web/gone`)
  expect(await readHostFiles(host(one), `${stacks}/web`, ['.env'])).toEqual([])
  await writeHostFiles(host(one), `${stacks}/web`, [file('.env', 'A=1')], ['gone'])
  expect(await text(`${stacks}/web/.env`)).toBe('A=1')
  expect(await readdir(`${stacks}/web`)).toEqual(['.env'])
  expect(await text(`${stacks}/other/.env`)).toBe('PASSWORD=other')
})

test('409: refuses a stack directory that is a link', async () => {
  const one = opening()
  await symlink(`${stacks}/other`, `${stacks}/linked`)
  const failure = { status: 409, message: expect.stringContaining('linked in') }
  const directory = `${stacks}/linked`
  await expect(readHostFiles(host(one), directory, ['.env'])).rejects.toMatchObject(failure)
  await expect(writeHostFiles(host(one), directory, [file('.env')])).rejects.toMatchObject(failure)
  await expect(one.refuseLink(`${directory}/data`)).rejects.toMatchObject(failure)
  expect(await text(`${stacks}/other/.env`)).toBe('PASSWORD=other')
})

test('finds the first link of each path, even in the middle', async () => {
  const one = opening()
  await mkdir(`${stacks}/web/real/deep`, { recursive: true })
  await symlink('/etc', `${stacks}/web/l`)
  await symlink('../../other', `${stacks}/web/real/sub`)
  const paths = ['real/deep', 'l', 'l/passwd', 'real/sub/.env', 'none/x']
  const links = await findHostLinks(host(one), `${stacks}/web`, paths)
  expect(links.map(({ path }) => path)).toEqual(['l', 'real/sub'])
})

test('distinguishes a real stack directory from links, files and other places', async () => {
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

test('removes the directory of a stack and the empty directories in it, and nothing else', async () => {
  const one = opening()
  const clean = (name: string, ...paths: string[]) =>
    removeEmptyDirectory(host(one), `${stacks}/${name}`, paths)
  const left = async (path: string) => (await readdir(`${stacks}/${path}`)).sort()
  await mkdir(`${stacks}/web/conf/d`, { recursive: true })
  await mkdir(`${stacks}/web/own`)
  await clean('web', 'compose.yaml', 'conf/d/site')
  expect(await left('web')).toEqual(['own'])
  await rmdir(`${stacks}/web/own`)
  await clean('web', 'compose.yaml', 'conf/d/site')
  await clean('gone', 'compose.yaml')
  await clean('other', '.env')
  expect(await left('')).toEqual(['other'])
  expect(await left('other')).toEqual(['.env'])
})

test('removes no directory through a link, and no link', async () => {
  const one = opening()
  await mkdir(`${root}/outside/d`, { recursive: true })
  await mkdir(`${stacks}/empty`)
  await symlink('../empty', `${stacks}/web/conf`)
  await symlink(`${root}/outside`, `${stacks}/web/far`)
  await symlink(`${root}/outside`, `${stacks}/linked`)
  await removeEmptyDirectory(host(one), `${stacks}/web`, ['conf/x', 'far/d/x'])
  await removeEmptyDirectory(host(one), `${stacks}/linked`, ['d/x'])
  await removeEmptyDirectory(host(one), `${root}/outside`, ['d/x'])
  expect((await readdir(stacks)).sort()).toEqual(['empty', 'linked', 'other', 'web'])
  expect((await readdir(`${stacks}/web`)).sort()).toEqual(['conf', 'far'])
  expect(await readdir(`${root}/outside`)).toEqual(['d'])
})
