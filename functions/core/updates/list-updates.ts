import { groupBy } from '../group-by.ts'
import { type FanOut, listOverHosts } from '../hosts/fan-out.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs, Ports } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { Host } from '../records/host.ts'
import type { ImageLook, NewerTag } from '../records/image-look.ts'
import { hourMs } from '../records/retention-state.ts'
import type { StackRecord } from '../records/stack.ts'
import { allowedRegistries, type RegistryListPorts } from '../registries/allowed.ts'
import { isClockTrusted as isTrusted } from '../retention/is-clock-trusted.ts'
import { getStack } from '../stacks/stack-record.ts'
import { backedUpNow, type CheckpointPorts } from './checkpoint-job.ts'
import type { NextUpdate } from './decide-update.ts'
import { isLeftOut, whyBlocked } from './judge-policy.ts'
import { judgeUpdate, type Terms, type UpdateState, type UpdateStatus } from './judge-update.ts'
import { nextUpdates } from './next-updates.ts'
import { type PolicyOf, readPolicies } from './policy-of.ts'
import { composeTexts, type Proposal, proposedLines } from './proposed-lines.ts'
import { type ServiceImage, serviceImages } from './service-images.ts'
import { type StackPlan, withWaits } from './update-order.ts'
import { hostImages } from './used-tags.ts'

export type UpdatePorts = CheckpointPorts &
  Needs<
    | 'engines'
    | 'clock'
    | 'imageLooks'
    | 'settings'
    | 'registries'
    | 'retentionStates'
    | 'backupRuns'
    | 'texts'
    | 'updatePolicies'
  >

/** Which services to list. */
export interface UpdateFilter {
  /** A host, or `all`. */
  host?: string | undefined
  /** The stack, on whatever host it is. */
  stack?: string | undefined
  state?: UpdateState | undefined
}

/** A service, and whether there is a newer image for it. Times are milliseconds since the epoch. */
export interface ServiceUpdate {
  service: ServiceImage
  host: Host
  status: UpdateStatus
  newerTags: readonly NewerTag[]
  checkedAt: number | null
  nextAt: number | null
}

/** An update, and what happens next with it. */
export interface PlannedUpdate extends ServiceUpdate {
  next: NextUpdate
}

/** An update, and what newer versions would change in the files. */
export interface ShownUpdate extends PlannedUpdate {
  newerTags: readonly Proposal[]
}

/**
 * Returns the services of stacks with what registries have for them, and what happens next. It asks
 * hosts, and no registry. The files are read for a single stack alone.
 */
export async function listUpdates(
  filter: UpdateFilter,
  caller: Caller,
  ports: UpdatePorts,
): Promise<readonly ShownUpdate[] | FanOut<ShownUpdate>> {
  const known = await knownLooks(ports)
  const stack = filter.stack === undefined ? undefined : await getStack(filter.stack, ports)
  // Also those for which the stack may wait.
  const stacks = await ports.stacks.list()
  const [isClockTrusted, policyOf] = await Promise.all([isTrusted(ports), readPolicies(ports)])
  return listOverHosts(stack?.hostId ?? filter.host, caller, ports, async (engine, host) => {
    const own = stacks.filter(({ hostId }) => hostId === host.id)
    if (own.length === 0) return []
    const found = updatesOf(host, serviceImages(own, await hostImages(engine), policyOf), known)
    const texts = stack && (await composeTexts(stack, ports))
    const plans = await planned(own, found, { engine, policyOf }, ports)
    const backedUp = await backedUpNow(own, ports)
    const updates = withWaits(plans, { isClockTrusted, backedUp, now: ports.clock.now() })
      .flatMap((plan) => plan.updates)
      .filter(({ service }) => (filter.stack ?? service.stack) === service.stack)
      .map((update) => withLines(update, texts))
    return updates.filter(({ status }) => (filter.state ?? status.state) === status.state)
  })
}

/** Adds the lines of the files that name the image, if the files are known. */
function withLines(
  update: PlannedUpdate,
  texts: ReadonlyMap<string, string> = new Map(),
): ShownUpdate {
  const { service, newerTags } = update
  const proposals = newerTags.map((newer) => {
    const lines = proposedLines(service.reference, newer.tag, texts)
    return { ...newer, lines }
  })
  return { ...update, newerTags: proposals }
}

/** Adds what happens next. Judges the rights of an account only where something is newer. */
async function planned(
  stacks: readonly StackRecord[],
  updates: readonly ServiceUpdate[],
  { engine, policyOf }: { engine: Engine; policyOf: PolicyOf },
  ports: UpdatePorts,
): Promise<StackPlan<ServiceUpdate>[]> {
  const byStack = groupBy(updates, ({ service }) => service.stack)
  const plans: StackPlan<ServiceUpdate>[] = []
  for (const stack of stacks) {
    const own = byStack.get(stack.id) ?? []
    const hasNewer = own.some(({ status }) => status.newer !== null)
    const policy = policyOf(stack)
    const isOwn = hasNewer && (await isLeftOut(stack, policy, engine))
    const reason = hasNewer ? await whyBlocked(stack, policy, ports) : null
    const blocked = isOwn ? leftOut : reason
    const updates = nextUpdates(stack, own, { policy, blocked, now: ports.clock.now() })
    plans.push({ stack, updates })
  }
  return plans
}

const leftOut = 'the service itself runs in this stack: use cli upgrade'

/** What registries said of all tags. */
export interface KnownLooks {
  byName: ReadonlyMap<string, ImageLook>
  terms: Terms
}

/** Returns what registries said of all tags. */
export async function knownLooks(
  ports: RegistryListPorts & Needs<'clock'> & { imageLooks: Pick<Ports['imageLooks'], 'list'> },
): Promise<KnownLooks> {
  const [looks, allowed, { 'updates.check_hours': hours }] = await Promise.all([
    ports.imageLooks.list(),
    allowedRegistries(ports),
    ports.settings.get(),
  ])
  const terms = { allowed, period: hours * hourMs, now: ports.clock.now() }
  return { byName: new Map(looks.map((look) => [look.id, look])), terms }
}

/** Returns what registries have for services of a host. */
export const updatesOf = (
  host: Host,
  services: readonly ServiceImage[],
  known: KnownLooks,
): ServiceUpdate[] => services.map((service) => updateOf(service, host, known))

function updateOf(service: ServiceImage, host: Host, { byName, terms }: KnownLooks): ServiceUpdate {
  const look = service.tag && byName.get(service.name.name)
  const status = judgeUpdate(service, look, terms)
  const isLookedAt = status.state !== 'not_checked'
  return {
    service,
    host,
    status,
    newerTags: (isLookedAt && look?.newerTags) || [],
    checkedAt: isLookedAt ? (look?.checkedAt ?? null) : null,
    nextAt: isLookedAt && terms.period > 0 ? (look?.nextAt ?? null) : null,
  }
}
