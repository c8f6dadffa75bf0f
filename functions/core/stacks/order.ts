import type { Stored } from '../collection.ts'
import type { Plan } from '../compose/plan/draft.ts'
import type { MovedImage } from '../compose/plan/moved-images.ts'
import { checkPins, pinImages } from '../compose/plan/pinned.ts'
import type { PlanQuestion } from '../compose/plan/question.ts'
import { wanted } from '../compose/plan/wanted.ts'
import type { Project, Reach } from '../compose/project.ts'
import type { Engine, Resolved, Snapshot } from '../engine/engine.ts'
import { forbidden } from '../errors.ts'
import {
  checkFetched,
  decideImages,
  type ImageEvidence,
  recordedImages,
  refuseMoved,
  warnOfMoved,
} from '../images/decide-images.ts'
import { checkImageAccess, type ImageUser } from '../images/image-access.ts'
import { imageOwners } from '../images/image-owners.ts'
import { type NameChanges, nameChanges } from '../images/name-changes.ts'
import {
  checkReferences,
  type ReferencePorts,
  type ReferenceUser,
} from '../owners/check-references.ts'
import { ownThings } from '../owners/own-things.ts'
import type { OwnedName } from '../owners/ports.ts'
import type { Needs } from '../ports.ts'
import { started } from '../promises.ts'
import { driftAgainst, type FoundDrift, findDrift } from './drift.ts'
import { type HostChanges, hostChanges } from './host-changes.ts'
import { type LoadedFiles, type LoadPorts, loadFiles } from './project.ts'
import {
  bringsUp,
  type DeploymentKind,
  type DeployOptions,
  type StackFiles,
  type StackRecord,
  wasUp,
} from './stack.ts'
import { hostFiles } from './texts.ts'

/** A request to change what runs of a stack. */
export interface Order {
  kind: DeploymentKind
  stack: Stored<StackRecord>
  files: StackFiles
  environment: string | null
  options: DeployOptions
  /** What the project may access, by the permissions of the caller. */
  reach: Reach
  /** Returns whether the caller may read and deploy a stack; without it the answer is no. */
  mayDeploy?(stack: string): Promise<boolean>
  /**
   * References that an earlier attempt of this order began to fetch. If they moved, the order
   * itself moved them.
   */
  fetching?: readonly string[]
}

/** A prepared order: checked, observed and planned. Nothing has changed yet. */
export interface ReadyOrder {
  order: Order
  engine: Engine
  snapshot: Pick<Snapshot, 'containers'>
  /** Which of the names in the project exist on the host; null if they were not looked up. */
  resolved: Resolved | null
  /** All steps, as far as they can be known now. */
  plan: Plan
  /** The pulls and builds that the rest of the plan depends on; empty for most orders. */
  first: Plan
  /**
   * Returns the plan of the remaining steps, made from what exists after the pulls and builds.
   *
   * @param fetched reference → ID of each image that they brought
   * @throws 409 if an image that the plan needs moved in the meantime
   */
  planAgain(fetched: ReadonlyMap<string, string>): Promise<Plan>
  /** For the step that writes files; null if the order writes none. */
  changes: HostChanges | null
  /**
   * Files on the host that were changed by others and that differ from what the order would write.
   */
  drift: FoundDrift[]
  /** Images that moved on the host and that this order does not fetch. */
  moved: MovedImage[]
  /** The images to record for the stack: normal name → ID; null to record nothing. */
  images: Record<string, string> | null
  /** The names to record the stack as the owner of, and the names that it no longer builds. */
  names: NameChanges
  project: Project | null
  /** Warnings from loading the project. */
  warnings: string[]
  /**
   * Checks again that the stack may use what it refers to. Returns the names to record as its own.
   */
  ownThings(): Promise<OwnedName[]>
}

/** The ports that preparing an order needs. */
export type OrderPorts = Needs<
  'clock' | 'deployments' | 'engines' | 'owners' | 'stacks' | 'texts'
> &
  LoadPorts &
  ReferencePorts

/** Returns the stack whose images an order uses and builds. */
export const imageUser = ({ stack, reach, mayDeploy }: Order): ImageUser => ({
  ...{ stack: stack.id, hostId: stack.hostId, reach, mayDeploy },
})

/** The default options of a deploy. */
export const plainOptions: DeployOptions = {
  pull: null,
  forceRecreate: false,
  removeOrphans: false,
  services: [],
  volumes: false,
}

/**
 * Loads the project of an order. Returns null for an order other than a deploy or rollback if the
 * project does not load: an invalid file must not keep users from stopping a stack.
 *
 * @throws 422 if the project does not load, 403 if it accesses more than it may; only for a deploy
 *   or rollback
 */
export async function loadOrder(order: Order, ports: OrderPorts): Promise<LoadedFiles | null> {
  const { kind, stack, files } = order
  const loading = loadFiles(stack, files, order, ports)
  return bringsUp(kind) ? loading : loading.catch(() => null)
}

/**
 * Observes the host and plans an order.
 *
 * @throws 422 if the project needs what the Engine cannot do, 404 or 409 for things that it refers
 *   to, 500 if the Engine does not respond, and what `loadOrder` throws
 */
export async function makeReady(
  order: Order,
  ports: OrderPorts,
  loading: Promise<LoadedFiles | null> = loadOrder(order, ports),
): Promise<ReadyOrder> {
  // `engines.on` may throw before `loading` is awaited.
  started(loading)
  const { kind, stack, files } = order
  const engine = await ports.engines.on(stack.hostId)
  if (!bringsUp(kind)) return readyOther(order, engine, loading, ports)
  const observing = started(Promise.all([engine.apiVersion(), engine.observe(stack.id)]))
  // Started early because reading files takes the longest.
  const drifting = started(findDrift(stack, files, engine, ports))
  const loaded = (await loading)!
  return readyDeploy(order, engine, loaded, { observing, drifting, now: ports.clock.now() }, ports)
}

/** Reads of a host that are under way, and when they began (milliseconds since the epoch). */
interface Look {
  /** The version of the Engine's API, and what exists of the project. */
  observing: Promise<[string, Snapshot]>
  now: number
  /** The files that were edited on the host. */
  drifting: Promise<FoundDrift[]>
}

async function readyDeploy(
  order: Order,
  engine: Engine,
  { project: asWritten, texts, warnings, references }: LoadedFiles,
  { observing, drifting, now }: Look,
  ports: OrderPorts,
): Promise<ReadyOrder> {
  const { stack, options } = order
  const { images = {} } = options
  const project = pinImages(asWritten, images)
  const names = wanted(project, stack.keptVolumes)
  const owning = imageOwners(stack.hostId, ports)
  const looks = [observing, engine.resolve(names), drifting, owning] as const
  const [[apiVersion, snapshot], onHost, drifted, owners] = await Promise.all(looks)
  checkPins(project, images, onHost)
  refuseOthersProject(order, snapshot)
  const checkOwners = () => checkReferences(referenceUser(order), references, onHost, ports)
  await checkOwners()
  const facts = { resolved: onHost, owners, pinned: new Set(Object.values(images)) }
  const foreign = await checkImageAccess(project, facts, imageUser(order), ports)
  const imageEvidence: ImageEvidence = {
    ...{ project, foreign, recorded: stack.images ?? {} },
    accepted: options.acceptImages ? 'all' : (order.fetching ?? []),
  }
  const decided = decideImages(imageEvidence, snapshot, onHost)
  const { resolved } = decided
  const drift = driftAgainst(drifted, hostFiles(texts, stack))
  const changes = hostChanges(order, texts, drift)
  const planOptions = {
    apiVersion,
    pull: options.pull,
    forceRecreate: options.forceRecreate,
    removeOrphans: options.removeOrphans,
    files: [...changes.write, ...changes.remove.map((path) => ({ path, mode: 0 }))].map(
      ({ path, mode }) => ({ path, mode }),
    ),
    keptVolumes: stack.keptVolumes,
    now,
  }
  const question = { kind: 'deploy', project, resolved, snapshot, options: planOptions } as const
  const { plan, first } = await ports.composer.plan(question)
  const wrote = first.steps.some(({ action }) => action === 'write')
  const recorded = recordedImages(asWritten, imageEvidence, decided)
  return {
    ...{ order, engine, snapshot, resolved, project, warnings, changes, drift, first, plan },
    ...{ moved: warnOfMoved(plan, first, decided.moved), images: recorded },
    names: await nameChanges(asWritten, facts, imageUser(order), ports),
    ownThings: checkOwners,
    async planAgain(brought) {
      const [again, found] = await Promise.all([engine.observe(stack.id), engine.resolve(names)])
      checkFetched(found, brought)
      const fetched = [...brought.keys()]
      const rest = wrote ? { ...planOptions, files: [] } : planOptions
      const now = decideImages({ ...imageEvidence, recorded, accepted: fetched }, again, found)
      const options = { ...rest, fetched }
      const seen = { snapshot: again, resolved: now.resolved, options }
      const result = (await ports.composer.plan({ ...question, ...seen })).plan
      refuseMoved(stack.id, warnOfMoved(result, first, now.moved), result)
      return result
    },
  }
}

/**
 * Prepares an order other than a deploy or rollback. A stop or restart reads only the containers
 * because it changes nothing else.
 */
async function readyOther(
  order: Order,
  engine: Engine,
  loading: Promise<LoadedFiles | null>,
  ports: OrderPorts,
): Promise<ReadyOrder> {
  started(loading)
  const { composer } = ports
  const [loaded, question] = await Promise.all([loading, observed(order, engine, ports)])
  const project = loaded?.project ?? null
  // A project that takes too long to plan must not keep users from stopping it.
  const withoutProject = () => composer.plan({ ...question, project: null })
  const planning = composer.plan({ ...question, project })
  const { plan } = await (project ? planning.catch(withoutProject) : planning)
  return {
    ...{ order, engine, project, snapshot: question.snapshot, plan, resolved: null, warnings: [] },
    ...{ changes: null, drift: [], first: { steps: [], warnings: [] } },
    ...{ moved: [], images: null, names: { claim: [], release: [] } },
    planAgain: async () => plan,
    ownThings: async () => [],
  }
}

/** Returns the question for the planner, without the project. */
async function observed(
  { kind, stack, options }: Order,
  engine: Engine,
  ports: Needs<'owners'>,
): Promise<Observed> {
  const { volumes, services } = options
  if (kind === 'remove') {
    const all = wasUp(stack) ? await engine.observe(stack.id) : nothingOf(stack)
    const snapshot = await ownThings(all, { stack: stack.id, hostId: stack.hostId }, ports)
    return { kind, snapshot, options: { volumes, keptVolumes: stack.keptVolumes } }
  }
  const containers = wasUp(stack) ? await engine.projectContainers(stack.id) : []
  const snapshot = { containers }
  return kind === 'stop' ? { kind, snapshot } : { kind: 'restart', snapshot, options: { services } }
}

type WithoutProject<Question> = Question extends unknown ? Omit<Question, 'project'> : never
type Observed = WithoutProject<Exclude<PlanQuestion, { kind: 'deploy' }>>

/**
 * Returns the snapshot of a stack that was never deployed: anything with its labels belongs to
 * others.
 */
const nothingOf = ({ id }: StackRecord): Snapshot => ({
  ...{ project: id, containers: [], networks: [], volumes: [] },
})

const referenceUser = ({ stack, reach, mayDeploy }: Order): ReferenceUser => ({
  ...{ stack: stack.id, hostId: stack.hostId, reach, mayDeploy, wasUp: wasUp(stack) },
})

/**
 * Checks that the first deploy of a stack does not take over containers, and their data, of an
 * existing project of that name.
 *
 * @throws 403 if it would and the caller has no access to the host
 */
function refuseOthersProject({ stack, reach }: Order, { containers }: Snapshot): void {
  if (reach === 'host' || wasUp(stack) || containers.length === 0) return
  throw forbidden(
    `stack ${stack.id}: the host already has containers of a project with that name, which no stack created: ` +
      'adopt the project, or deploy with the permission stacks:privileged',
  )
}
