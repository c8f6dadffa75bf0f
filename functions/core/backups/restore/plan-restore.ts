import { compact } from '../../../compose/create/container-body.ts'
import { volumeBody } from '../../../compose/create/volume-body.ts'
import { ownEntry } from '../../../compose/lookup.ts'
import type { Project } from '../../../compose/project.ts'
import type { PlacedReference } from '../../../compose/references.ts'
import { requirePermissions } from '../../access/grant.ts'
import { reachOf } from '../../access/reach.ts'
import { conflict, invalid, notFound, unusable } from '../../errors.ts'
import { hostNameOf } from '../../hosts/host-name.ts'
import { targetHost } from '../../hosts/target.ts'
import { ignoreFailure } from '../../ignore-error.ts'
import { refuseControlledVolumes } from '../../owners/controlled-volumes.ts'
import { entererOf } from '../../owners/enter-as-caller.ts'
import { enterJoined } from '../../owners/enter-joined.ts'
import { refuseOwnFiles, refuseOwnStack } from '../../owners/refuse-installation.ts'
import { refuseReservedStack } from '../../owners/reserved-names.ts'
import type { Engine } from '../../ports/engine.ts'
import type { Needs } from '../../ports/ports.ts'
import type { BackupObject } from '../../records/backup-manifest.ts'
import type { BackupRun } from '../../records/backup-run.ts'
import type { StackRecord } from '../../records/stack.ts'
import { checkFirstUse, checkNewDirectory } from '../../stacks/foreign-files.ts'
import { type LoadPorts, loadTexts } from '../../stacks/load-project.ts'
import type { StackPlace } from '../../stacks/shared-directory.ts'
import type { OpenBackup } from '../contents/open-backup.ts'
import { checkNetworks } from './check-networks.ts'
import { findOccupied } from './check-places.ts'
import { currentVolumeName, type RestoredStack, readSaved } from './read-saved.ts'
import type { RestorePlan, RestoreRequest, Restorer, RestoreSource } from './restore-plan.ts'
import { checkVolumeOwners, checkVolumeSources } from './volume-owners.ts'

export type PlanPorts = LoadPorts &
  Needs<'clock' | 'deployments' | 'engines' | 'hosts' | 'owners' | 'stacks'>

interface Planning {
  backup: OpenBackup
  request: RestoreRequest
  host: { id: string; stacksDirectory: string }
  caller: Restorer
  engine: Engine
  run: BackupRun
  owner: string
  signal: AbortSignal
  ports: PlanPorts
}

/**
 * Returns the plan of a restore, from the backup and the state of the host.
 *
 * @throws 400 if the request is contradictory
 * @throws 403 if a stack reaches further than the caller may let it, joins a network that it may
 *   not or overlaps with the directory of another one, the caller may not read or replace the data
 *   of a volume, or may not enter a container that has it
 * @throws 404 if the backup does not contain a source
 * @throws 409 if something exists already and `overwrite` is not set, or the service itself runs in
 *   a stack
 * @throws 422 if a stack does not load, or for the state of the service
 */
export async function planRestore(
  run: BackupRun,
  request: RestoreRequest,
  caller: Restorer,
  opened: { backup: OpenBackup; owner: string; signal: AbortSignal },
  ports: PlanPorts,
): Promise<RestorePlan> {
  const { id, stacksDirectory } = await targetHost(request.host ?? run.hostId, caller, ports)
  const engine = await ports.engines.on(id)
  const host = { id, stacksDirectory }
  const planning: Planning = { ...opened, request, host, caller, engine, run, ports }
  const plan: RestorePlan = { hostId: id, items: [], stacks: [], leftOut: [] }
  for (const source of sourcesOf(planning)) await addSource(source, plan, planning)
  await checkVolumeOwners(plan, caller, engine, ports)
  await refuseControlling(plan, planning)
  await checkVolumeSources(plan, run, caller, ports)
  await checkNetworks(plan, caller, engine, ports)
  await findOccupied(plan, request, { engine, ...opened })
  return plan
}

/**
 * Checks that the caller may enter the containers of the stacks that are replaced, and that none
 * that controls the host has a volume that is: they may stay, and run what was restored.
 *
 * @throws 403 if there is one
 */
async function refuseControlling({ stacks, items }: RestorePlan, planning: Planning) {
  const { caller, engine, host, ports } = planning
  const enterer = entererOf(caller, ports)
  if (enterer.reach === 'host') return
  for (const { existing: stack } of stacks) {
    if (!stack) continue
    const ids = (await engine.projectContainers(stack.id)).map(({ id }) => id)
    await enterJoined(ids, { ...enterer, stack }, engine, ports)
  }
  const volumes = items.flatMap(({ place }) => (place.kind === 'volume' ? place.name : []))
  await refuseControlledVolumes(volumes, enterer.reach, { hostId: host.id, engine }, ports)
}

function sourcesOf({ request, backup }: Planning): RestoreSource[] {
  const { objects } = backup.manifest
  const inStacks = objects.filter(({ kind, stack }) => kind === 'stack' || stack === null)
  const all = inStacks.map(({ kind, source }) => ({ kind, name: source }) as RestoreSource)
  if (objects.length === 0) throw unusable('the backup is empty')
  const named = request.sources ?? all.filter(({ kind }) => kind !== 'system')
  if (named.some(({ kind }) => kind === 'system') || named.length === 0) {
    throw unusable(
      'the state of the service cannot be restored by a running service: use npm run restore with an empty data directory',
    )
  }
  const whole = named.filter((source) => source.kind === 'stack' && !source.services)
  if (request.stackName !== undefined && (whole.length !== 1 || named.length !== 1)) {
    throw invalid('body.stack_name: allowed only for a single stack that is restored as a whole')
  }
  return named
}

async function addSource(source: RestoreSource, plan: RestorePlan, planning: Planning) {
  if (source.kind === 'system') return
  const { objects } = planning.backup.manifest
  const object = objects.find(
    ({ kind, source: name }) => kind === source.kind && name === source.name,
  )
  if (!object) {
    const found = objects.map(({ kind, source: name }) => `${kind} ${name}`).join(', ')
    throw notFound(`${source.kind} ${source.name}: not in the backup, which contains ${found}`)
  }
  if (source.kind === 'stack') return addStack(object, source.services, plan, planning)
  if (planning.request.overwrite) {
    requirePermissions(planning.caller, ['containers:operate'], 'overwrite: what it does')
  }
  const owner = objects.find(({ kind, source: name }) => kind === 'stack' && name === object.stack)
  const loading = owner && load(owner, owner.source, planning)
  const loaded = await loading?.catch(ignoreFailure('load the stack of a volume'))
  addVolume(object, loaded, plan)
}

async function addStack(
  object: BackupObject,
  services: string[] | undefined,
  plan: RestorePlan,
  planning: Planning,
): Promise<void> {
  const { backup, request, host, caller, ports, run } = planning
  const name = request.stackName ?? object.source
  const needed = ['stacks:create', 'stacks:update', 'stacks:deploy', 'stacks:secrets'] as const
  requirePermissions(caller, needed, 'restoring a stack: what it does')
  const loaded = await load(object, name, planning)
  const own = backup.manifest.objects.filter(({ stack }) => stack === object.source)
  const existing = await ports.stacks.find(name)
  if (existing && existing.hostId !== host.id) {
    throw conflict(`stack ${name}: it is on the host ${await hostNameOf(existing.hostId, ports)}`)
  }
  if (!existing) refuseReservedStack(name, reachOf(caller))
  const usual = `${host.stacksDirectory}/${name}`
  await refuseOwnStack(name, planning.engine)
  await refuseOwnFiles({ id: name, directory: existing?.directory ?? usual }, planning.engine)
  const { left_out: leftOut = [] } = backup.manifest
  const isAsked = (service: string | null) =>
    !services || (service !== null && services.includes(service))
  for (const one of leftOut) {
    if (one.stack !== object.source || !isAsked(one.service)) continue
    plan.leftOut.push({ ...one, stack: name })
  }
  if (services) {
    const used = volumesOf(loaded, services)
    const selected = own.filter(({ source }) => used.has(volumeOf(source, loaded).name))
    if (selected.length === 0) {
      throw notFound(`stack ${name}: the backup contains no volumes of ${services.join(', ')}`)
    }
    for (const volume of selected) addVolume(volume, loaded, plan)
    return
  }
  const { saved } = loaded
  // An adopted stack stays where it was found. On another host or under another name it gets the
  // usual directory.
  // The directory in a backup is not trusted: anyone with write access to the target can change it.
  const isPlaced = reachOf(caller) === 'host' || saved.directory === usual
  const adopted = saved.adopted && isPlaced && host.id === run.hostId && name === saved.name
  const directory = existing?.directory ?? (adopted ? saved.directory : usual)
  await checkDirectory({ id: name, hostId: host.id, directory }, existing, planning)
  const place = { kind: 'directory', path: directory } as const
  plan.stacks.push({ ...loaded, name, directory, adopted: existing?.adopted ?? adopted, existing })
  plan.items.push({ object, place, isOccupied: false, isOwn: false, body: null })
  for (const volume of own) addVolume(volume, loaded, plan)
}

/** @throws 409 or 403 if a restore of a stack would replace files of others in its directory */
async function checkDirectory(
  place: StackPlace,
  existing: StackRecord | undefined,
  { caller, engine, ports }: Planning,
): Promise<void> {
  if (!existing) {
    await checkNewDirectory(place, caller, ports)
    return
  }
  const user = { stack: existing, reach: reachOf(caller), accountId: caller.account.id }
  await checkFirstUse(user, engine, ports)
}

/** A stack of the backup, loaded under the name it is restored as. */
interface Loaded extends RestoredStack {
  object: BackupObject
  project: Project
  references: PlacedReference[]
  secretFiles: string[]
}

async function load(object: BackupObject, name: string, planning: Planning): Promise<Loaded> {
  const { backup, host, caller, ports, signal } = planning
  const { saved, texts } = await readSaved(backup.archive(object, signal), object.source, ports)
  const place = {
    id: name,
    composeFiles: saved.compose_files,
    directory: `${host.stacksDirectory}/${name}`,
  }
  const reading = { environment: saved.environment, reach: reachOf(caller) }
  const { project, references, secretFiles } = await loadTexts(place, texts, reading, ports)
  return { object, saved, texts, project, references, secretFiles }
}

const volumeOf = (source: string, { saved, project }: Loaded) =>
  currentVolumeName(saved, source, project.volumes)

function volumesOf({ project }: Loaded, services: string[]): Set<string> {
  const used = services.flatMap((name) => {
    const service = ownEntry(project.services, name) ?? ownEntry(project.disabled_services, name)
    if (!service) throw notFound(`service ${name}: the stack in the backup has no such service`)
    return (service.volumes ?? []).flatMap(({ type, source }) =>
      type === 'volume' && source ? [ownEntry(project.volumes, source)?.name ?? source] : [],
    )
  })
  return new Set(used)
}

function addVolume(object: BackupObject, loaded: Loaded | undefined, plan: RestorePlan): void {
  const { key, name } = loaded
    ? volumeOf(object.source, loaded)
    : { key: undefined, name: object.source }
  const isThere = plan.items.some(({ place }) => place.kind === 'volume' && place.name === name)
  if (isThere) return
  const body = loaded && key ? compact(volumeBody(loaded.project, key)) : { Name: name }
  plan.items.push({
    object,
    place: { kind: 'volume', name },
    isOccupied: false,
    isOwn: false,
    body,
  })
}
