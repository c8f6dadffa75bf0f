import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import restore from '../../functions/backup-runs/restore.ts'
import { manifestName } from '../../functions/core/backups/contents/object-form.ts'
import type { SavedStack } from '../../functions/core/backups/contents/saved-stack.ts'
import type { BackupManifest, BackupObject } from '../../functions/core/records/backup-manifest.ts'
import type { BackupRun } from '../../functions/core/records/backup-run.ts'
import { type ArchiveFile, tarOf } from '../../functions/core/tar/make.ts'
import { type BackupWorld, backupWorld, givenJob, givenVolume, runJob } from './backups.ts'
import { call } from './call.ts'
import type { TestCaller } from './sign-in.ts'
import { givenStack } from './world.ts'

/** A backup at a target that the test can change. */
export type Backup = BackupWorld & { run: BackupRun }

/**
 * Sets up a backup of the stack `shop` and of the volume `loose`, and a stack `victim` with a
 * volume.
 */
export async function makeBackup(
  before?: (here: BackupWorld) => Promise<unknown>,
): Promise<Backup> {
  const here = await backupWorld()
  await before?.(here)
  const compose = `services: {a: {image: "busybox:latest", command: sleep 9, volumes: ["data:/d"]}}
volumes: {data: {}}`
  await givenStack(here, 'victim', { compose })
  await givenVolume(here, 'victim_data', 'secrets')
  const sources = [
    { kind: 'stack', name: 'shop' },
    { kind: 'volume', name: 'loose' },
  ]
  return { ...here, run: await runJob(here, await givenJob(here, { sources })) }
}

/** Returns the digest in hex. */
export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const keyOf = ({ run }: Backup, name: string) => `${run.directory}/${name}`
const stored = (here: Backup, name: string) =>
  present(here.ports.backupTargets.objects.get(keyOf(here, name)))
/** Returns the manifest at the target. */
export const manifestOf = (here: Backup): BackupManifest =>
  JSON.parse(String(stored(here, manifestName(here.run.encrypted))))

/** Replaces the manifest at the target and, as the worst case, its digest in the run's record. */
export async function forge(here: Backup, text: string, { isRecorded = true } = {}) {
  const bytes = Buffer.from(text)
  here.ports.backupTargets.objects.set(keyOf(here, manifestName(here.run.encrypted)), bytes)
  if (!isRecorded) return
  const run = present(await here.ports.backupRuns.find(here.run.id))
  await here.ports.backupRuns.save({ ...run, sha256: sha256(bytes) })
}

/**
 * Replaces objects of the manifest so that it describes the stored replacements. As the worst case,
 * the record of the run allows to read all of its volumes.
 */
export async function forgeObjects(
  here: Backup,
  change: (object: BackupObject) => Partial<BackupObject>,
  options?: { isRecorded: boolean },
) {
  const manifest = manifestOf(here)
  const objects = manifest.objects.map((object) => ({ ...object, ...change(object) }))
  await forge(here, JSON.stringify({ ...manifest, objects }), options)
  const run = present(await here.ports.backupRuns.find(here.run.id))
  const volumes = objects.map(({ source: name }) => ({
    name,
    owner: null,
    isEarlier: true as const,
  }))
  await here.ports.backupRuns.save({ ...run, volumes })
}

/** Replaces the content of an object. The manifest has the right digests for it. */
export async function forgeContent(here: Backup, kind: BackupObject['kind'], content: Uint8Array) {
  const { name } = present(manifestOf(here).objects.find((object) => object.kind === kind))
  here.ports.backupTargets.objects.set(keyOf(here, name), Buffer.from(content))
  const digest = sha256(content)
  const bytes = content.length
  await forgeObjects(here, (object) =>
    object.name === name
      ? { bytes, sha256: digest, tar_bytes: bytes, tar_sha256: digest, files: 1 }
      : {},
  )
}

/**
 * Replaces the stack's description in its archive.
 *
 * @param entries what follows it
 */
export async function forgeStack(
  here: Backup,
  change: (saved: SavedStack) => Partial<SavedStack>,
  entries: ArchiveFile[] = [],
) {
  const { name } = present(manifestOf(here).objects.find(({ kind }) => kind === 'stack'))
  const bytes = stored(here, name)
  // The header of a tar entry has the size in octal at byte 124.
  const size = Number.parseInt(bytes.subarray(124, 136).toString(), 8)
  const saved = JSON.parse(bytes.subarray(512, 512 + size).toString())
  const content = Buffer.from(JSON.stringify({ ...saved, ...change(saved) }))
  await forgeContent(
    here,
    'stack',
    await tarOf([{ path: 'stack.json', content, mode: 0o600 }, ...entries]),
  )
}

/** Requests a restore and returns its outcome, and whether the host is unchanged. */
export async function tryRestore(here: Backup, body: object, as: TestCaller = 'operator') {
  const before = stateOf(here)
  const { ports, run } = here
  const answer = await call(restore, { ports, as, path: { id: run.id }, body })
  await ports.background.settled()
  const ended = answer.status === 202 ? await ports.backupRuns.find(answer.json.id) : undefined
  const isAsBefore = JSON.stringify(stateOf(here)) === JSON.stringify(before)
  return { status: answer.status, text: answer.json.error as string, ended, isAsBefore }
}

const stateOf = ({ engine: { state } }: Backup) => [
  [...state.archives].map(([name, bytes]) => `${name} ${sha256(bytes)}`).sort(),
  [...state.volumes.keys()].sort(),
  [...state.files.keys()].sort(),
]

/** Restores the stack. */
export const restoreStackBody = { sources: [{ kind: 'stack', name: 'shop' }], overwrite: true }
/** Restores all sources. */
export const restoreAllBody = { overwrite: true }
/** The expected outcome of a refused restore: nothing is changed. */
export const refusedRestore = (status: number, text: string) => ({
  status,
  text: expect.stringContaining(text),
  isAsBefore: true,
})
