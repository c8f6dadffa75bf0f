import { Failure } from '../../errors.ts'
import { placeName } from '../../hosts/file-places.ts'
import type { Bytes } from '../../ports/backup-targets.ts'
import type { FilePlace } from '../../records/host-engine.ts'
import { changeOrFail } from '../runs/recorder.ts'
import { journalOf } from './journal.ts'
import type { RestoreItem } from './restore-plan.ts'
import type { RestoreWork } from './restore-work.ts'
import { createHelperVolume, createVolume, helperVolumeName } from './volumes.ts'

/** An item whose content is on the host, either in its place or in a staging volume. */
export interface FilledItem {
  item: RestoreItem
  /** The staging volume; undefined if the content is in its place. */
  staged: FilePlace | undefined
}

/**
 * Copies the whole backup to the host: into new volumes directly, and into staging volumes for
 * directories and for places that are not empty. Verifies the digest of each archive.
 */
export async function fillItems(work: RestoreWork): Promise<FilledItem[]> {
  const { plan, recorder } = work
  const filled: FilledItem[] = []
  for (const item of plan.items) {
    recorder.progress({ part: placeName(item.place) })
    filled.push(await fillItem(item, work))
    recorder.progress({ done: filled.length })
  }
  return filled
}

async function fillItem(item: RestoreItem, work: RestoreWork): Promise<FilledItem> {
  const { plan, recorder, signal, backup, ports } = work
  const { run } = recorder
  const { place, object } = item
  const engine = await ports.engines.on(plan.hostId)
  const isStaged = item.isOccupied || place.kind === 'directory'
  const name = isStaged
    ? helperVolumeName(place, 'staged', run.id)
    : (place as { name: string }).name
  const to: FilePlace = { kind: 'volume', name }
  if (isStaged) await createHelperVolume(engine, name, 'staged', run.id)
  else {
    const { volumes } = await engine.resolve({ networks: [], images: [], volumes: [name] })
    // Recorded before the volume is created, so that recovery finds it.
    if (!Object.hasOwn(volumes, name)) await recordCreated(name, work)
    await createVolume(engine, name, item.body ?? { Name: name })
  }
  try {
    const archive = counted(backup.archive(object, signal), work)
    await engine.writeArchive(to, archive, run.id, signal)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure(error.status, withName(object.name, error.message), { cause: error })
  }
  return { item, staged: isStaged ? to : undefined }
}

const withName = (name: string, message: string) =>
  message.startsWith(name) ? message : `${name}: ${message}`

async function recordCreated(name: string, { recorder }: RestoreWork): Promise<void> {
  const journal = journalOf(recorder.run)
  await changeOrFail(recorder, { journal: { ...journal, made: [...journal.made, name] } })
}

async function* counted(source: Bytes, { recorder }: RestoreWork): Bytes {
  let { bytes } = recorder.run.progress
  for await (const chunk of source) {
    bytes += chunk.length
    recorder.progress({ bytes })
    yield chunk
  }
}
