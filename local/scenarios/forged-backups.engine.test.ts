import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Header, pack } from 'tar-stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askDocker, docker } from '../../adapters/testing/docker.ts'
import { present } from '../../adapters/testing/present.ts'
import createJob from '../../functions/backup-jobs/create.ts'
import runJob from '../../functions/backup-jobs/run.ts'
import restore from '../../functions/backup-runs/restore.ts'
import { manifestName } from '../../functions/core/backups/contents/object-form.ts'
import type { BackupManifest } from '../../functions/core/records/backup-manifest.ts'
import type { BackupRun } from '../../functions/core/records/backup-run.ts'
import createStack from '../../functions/stacks/create.ts'
import { call } from '../harness/call.ts'
import { realEngineWorld } from '../harness/real-engine-world.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { unique } from '../harness/unique.ts'

const world = realEngineWorld()
const { stacksDirectory } = world
const { clock } = world.ports
const ports = {
  ...world.ports,
  systemArchive: { read: () => none(), hasAuthority: async () => true },
  // A restore retries a deploy that fails with 409 for half a minute.
  clock: {
    ...clock,
    sleep: (ms: number, signal?: AbortSignal) => clock.sleep(Math.min(ms, 20), signal),
  },
}
const prefix = unique('forgedbackup')
const loose = `${prefix}loose`
const stack = `${prefix}stack`
const victim = join(stacksDirectory, 'victim')

async function* none(): AsyncGenerator<Uint8Array> {}

const compose = `services:
  web:
    image: busybox:latest
    command: sleep 3600
    init: true
    volumes: ["./sub:/x"]
`

let run: BackupRun

beforeAll(async () => {
  mkdirSync(victim)
  writeFileSync(join(victim, 'kept'), 'kept')
  docker('volume', 'create', loose)
  await ports.settings.save({ 'stacks.shared_volumes': [loose] })
  const body = { name: stack, compose }
  expect((await call(createStack, { ports, as: 'operator', body })).status).toBe(201)
  const sources = [
    { kind: 'volume', name: loose },
    { kind: 'stack', name: stack },
  ]
  const target = { kind: 'local', path: 'forged' }
  const job = { name: 'nightly', sources, target }
  const made = await call(createJob, { ports, as: 'admin', body: job })
  const begun = await call(runJob, { ports, as: 'admin', path: { id: made.json.id } })
  await ports.background.settled()
  run = present(await ports.backupRuns.find(begun.json.id))
  expect(run).toMatchObject({ status: 'succeeded', error: null })
})

afterAll(async () => {
  await removeFromEngine(prefix)
  await world.close()
})

const volumes = () =>
  docker('volume', 'ls', '-q', '--filter', `name=${prefix}`).split('\n').filter(Boolean)

type Entry = Partial<Header> & { name: string; content?: string }

async function tar(entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack()
  for (const { content = '', ...header } of entries) archive.entry(header, content)
  archive.finalize()
  const parts: Buffer[] = []
  for await (const part of archive) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** Replaces an archive at the target and updates all digests, up to the run's record. */
async function forge(kind: 'volume' | 'stack', content: Buffer) {
  const { objects } = ports.backupTargets
  const keyOf = (name: string) => `${run.directory}/${name}`
  const manifestKey = keyOf(manifestName(run.encrypted))
  const manifest: BackupManifest = JSON.parse(String(objects.get(manifestKey)))
  const digest = sha256(content)
  const own = { bytes: content.length, sha256: digest }
  const within = { tar_bytes: content.length, tar_sha256: digest }
  const forged = manifest.objects.map((one) =>
    one.kind === kind ? { ...one, ...own, ...within } : one,
  )
  objects.set(keyOf(present(manifest.objects.find((one) => one.kind === kind)).name), content)
  const text = Buffer.from(JSON.stringify({ ...manifest, objects: forged }))
  objects.set(manifestKey, text)
  await ports.backupRuns.save({ ...run, sha256: sha256(text) })
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function restored(kind: 'volume' | 'stack', name: string) {
  const body = { sources: [{ kind, name }], overwrite: true }
  const path = { id: run.id }
  const answer = await call(restore, { ports, as: 'operator', path, body })
  expect([answer.status, answer.text]).toEqual([202, expect.any(String)])
  await ports.background.settled()
  return present(await ports.backupRuns.find(answer.json.id))
}

const data: Entry = { name: 'data/', type: 'directory', mode: 0o755 }
const planted = { type: 'file', content: 'planted' } as const
const link = (name: string, linkname: string, type: 'symlink' | 'link' = 'symlink'): Entry => ({
  name,
  linkname,
  type,
})

test.each<[string, Entry[]]>([
  ['a link to a directory', [data, link('data/l', victim), { name: 'data/l/planted', ...planted }]],
  [
    'a link above',
    [data, link('data/l', '../../..'), { name: `data/l${victim}/planted`, ...planted }],
  ],
  ['a link in place of the volume', [link('data', victim), { name: 'data/planted', ...planted }]],
  ['a hard link', [data, link('data/h', `${victim}/kept`, 'link'), { name: 'data/h', ...planted }]],
  ['a path above', [data, { name: `data/../..${victim}/planted`, ...planted }]],
  [
    'many steps above',
    [data, { name: `${'../'.repeat(20)}${victim.slice(1)}/planted`, ...planted }],
  ],
  ['an absolute path', [data, { name: `${victim}/planted`, ...planted }]],
  ['a file in place of the helper’s program', [data, { name: 'unlink', mode: 0o755, ...planted }]],
])('writes nothing beside the volume from an archive with %s', async (_what, entries) => {
  await forge('volume', await tar(entries))
  const ended = await restored('volume', loose)
  expect(['succeeded', 'failed']).toContain(ended.status)
  expect(readdirSync(victim)).toEqual(['kept'])
  expect(existsSync('/planted')).toBe(false)
  expect(volumes()).toEqual([loose])
  expect(docker('ps', '-aq', '--filter', `volume=${loose}`)).toBe('')
})

test('starts no container on a link that an archive brings into the stack’s directory', async () => {
  const { objects } = ports.backupTargets
  const [key] = [...objects.keys()].filter((one) => one.includes(`stack-${stack}`))
  const before = present(objects.get(present(key)))
  const saved = before.subarray(512, before.indexOf(0, 512)).toString()
  const entries = [{ name: 'stack.json', content: saved }, data, link('data/sub', victim)]
  await forge('stack', await tar(entries))
  const ended = await restored('stack', stack)
  expect(ended).toMatchObject({ status: 'failed', error: expect.stringContaining('link') })
  expect(await askDocker('ps', '-aq', '--filter', `name=${stack}`)).toBe('')
  expect(readdirSync(victim)).toEqual(['kept'])
})
