import { containersUsing } from '../../hosts/containers-using.ts'
import { copyPlace, emptyPlace, type PlaceWork, placeName } from '../../hosts/file-places.ts'
import { holderOf } from '../../leases/acquire-with-retry.ts'
import { withLeaseRenewal } from '../../leases/lease-renewal.ts'
import { refuseOwnAmong } from '../../owners/refuse-installation.ts'
import type { Engine } from '../../ports/engine.ts'
import type { MovedPlace, StoppedContainer } from '../../records/backup-run.ts'
import type { FilePlace } from '../../records/host-engine.ts'
import { acquireStackLease } from '../../stacks/stack-lease.ts'
import { changeOrFail } from '../runs/recorder.ts'
import { stopContainer } from '../runs/restart-stopped.ts'
import type { FilledItem } from './fill-items.ts'
import { journalOf } from './journal.ts'
import { recordStacks, recordWritten } from './record-stacks.ts'
import { refuseEndedUndo } from './refuse-ended-undo.ts'
import type { RestoreItem } from './restore-plan.ts'
import type { RestoreWork } from './restore-work.ts'
import { createHelperVolume, helperVolumeName } from './volumes.ts'

/**
 * Puts staged data in its place, while the containers that use it are stopped and their stacks are
 * locked against deployments. Copies the existing content aside, deletes it, and copies the new
 * content in. Then restores the records of the stacks.
 */
export async function replaceItems(
  filled: readonly FilledItem[],
  work: RestoreWork,
): Promise<void> {
  const { plan, recorder, ports } = work
  const staged = filled.filter((one) => one.staged)
  if (staged.length === 0 && plan.stacks.length === 0) return
  const engine = await ports.engines.on(plan.hostId)
  const stacks = new Set(plan.stacks.map(({ name }) => name))
  for (const name of await stacksOf(await containersUsingPlaces(staged, engine), engine)) {
    if (await ports.stacks.find(name)) stacks.add(name)
  }
  await withStackLocks([...stacks].sort(), work, async (signal) => {
    await refuseEndedUndo(work)
    const stopping = await containersUsingPlaces(staged, engine)
    await refuseOwnAmong(stopping, engine)
    const journal = { ...journalOf(recorder.run), phase: 'replacing' as const }
    await changeOrFail(recorder, { journal, stopped: stopping })
    for (const one of stopping) {
      signal.throwIfAborted()
      recorder.progress({ part: `stopping ${one.name}` })
      await stopContainer(one, { hostId: plan.hostId, engine, signal }, ports)
    }
    const on = { engine, owner: recorder.run.id, signal }
    for (const { item, staged: content } of staged) {
      if (content) await replaceOne(item, content, on, work)
    }
    await (work.undo ? recordWritten(work) : recordStacks(work))
  })
}

async function replaceOne(item: RestoreItem, staged: FilePlace, on: PlaceWork, work: RestoreWork) {
  const { place, isOccupied } = item
  work.recorder.progress({ part: `replacing ${placeName(place)}` })
  if (isOccupied) {
    const aside = helperVolumeName(place, 'before', on.owner)
    await recordMove({ place, aside, isWhole: false }, work)
    await createHelperVolume(on.engine, aside, 'before', on.owner)
    const paths = await copyPlace(place, { kind: 'volume', name: aside }, on)
    await recordMove({ place, aside, isWhole: true }, work)
    await emptyPlace(place, on, paths)
  } else await recordMove({ place, aside: null, isWhole: true }, work)
  await copyPlace(staged, place, on)
}

async function recordMove(moved: MovedPlace, { recorder }: RestoreWork): Promise<void> {
  const journal = journalOf(recorder.run)
  const others = journal.moved.filter(({ place }) => placeName(place) !== placeName(moved.place))
  await changeOrFail(recorder, { journal: { ...journal, moved: [...others, moved] } })
}

/** Returns the running containers that use the places to be replaced. */
async function containersUsingPlaces(
  staged: readonly FilledItem[],
  engine: Engine,
): Promise<StoppedContainer[]> {
  const places = staged.map(({ item }) => item.place)
  const volumes = places.flatMap((place) => (place.kind === 'volume' ? [place.name] : []))
  const directories = places.flatMap((place) => (place.kind === 'directory' ? [place.path] : []))
  const found = await containersUsing({ volumes, directories }, engine)
  return found.map(({ id, name }) => ({ id, name }))
}

async function stacksOf(used: StoppedContainer[], engine: Engine): Promise<string[]> {
  const all = await engine.containers({ all: true })
  const ids = new Set(used.map(({ id }) => id))
  return all.flatMap(({ id, stack }) => (ids.has(id) && stack ? [stack] : []))
}

/**
 * Runs `work` while it holds the leases of these stacks.
 *
 * @throws 409 while another operation of a stack is in progress
 */
async function withStackLocks(
  names: string[],
  { recorder, signal, ports }: RestoreWork,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lockFrom = async (index: number, own: AbortSignal): Promise<void> => {
    const name = names[index]
    if (name === undefined) return work(own)
    const holder = holderOf(ports.background.processId, recorder.run.id)
    const lease = await acquireStackLease(name, holder, ports)
    await withLeaseRenewal(lease, own, ports, (held) => lockFrom(index + 1, held.signal))
  }
  await lockFrom(0, signal)
}
