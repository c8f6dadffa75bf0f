import type { Step } from '../../compose/step.ts'
import { refusedByPolicy } from '../errors.ts'
import type { Engine } from '../ports/engine.ts'
import type { ContainerSummary } from '../records/container.ts'
import type { Installation } from '../records/installation.ts'
import { installationRefusal } from './installation-refusal.ts'
import { type ReportUse, refuseUse } from './refused-use.ts'
import { lacks } from './rights.ts'
import { aliasesIn, type JoinedNetwork, usedByContainer } from './used-by-container.ts'

/** A name that a container of a plan gets in a network. */
interface JoinedName {
  service: string | null
  network: string
  alias: string
}

/**
 * Checks that no container of a plan takes a name of the installation in a network that the two
 * share. The Engine port checks it again at each step.
 *
 * @throws 409 that names the service, the name and the network
 */
export async function refuseTakenNames(
  steps: readonly Step[],
  engine: Pick<Engine, 'installation'>,
): Promise<void> {
  const { joined } = await engine.installation()
  if (joined.size === 0 || !lacks('take-name', 'installation')) return
  const taken = steps
    .flatMap(joinedBy)
    .find(({ network, alias }) => takenName(joined, network, [alias]) !== undefined)
  if (taken) throw installationRefusal(nameOf(taken), 'use')
}

/** The stack of a plan, and what its caller may do. */
export interface NameUser {
  stack: string
  isPrivileged: boolean
  /** Returns whether a network exists that is not the stack's own. */
  isOthers(network: string): boolean
  /** Returns whether a compose project of the host is a stack that was deployed. */
  isStack(project: string): Promise<boolean>
  /** Returns whether the caller may read and deploy a stack. If absent, the caller may not. */
  mayDeploy?: ((stack: string) => Promise<boolean>) | undefined
  /** Returns what the deployed version of the stack uses, as `name:app@proxy`. */
  usedNames(): Promise<ReadonlySet<string>>
}

/** A name in a network of others that a container of another owner has too. */
export interface SharedName {
  service: string | null
  text: string
}

/**
 * Returns the names that containers of a plan newly share with containers of others in networks
 * that are not the stack's own: what looks one up there gets either.
 *
 * @throws 403 for a name of a container of no stack, or of a stack that the caller may not deploy,
 *   unless `report` keeps it
 */
export async function findSharedNames(
  steps: readonly Step[],
  user: NameUser,
  engine: Pick<Engine, 'aliasesIn' | 'containers' | 'installation'>,
  report: ReportUse = refuseUse,
): Promise<SharedName[]> {
  const names = steps.flatMap(joinedBy).filter(({ network }) => user.isOthers(network))
  if (names.length === 0) return []
  const { containers: members } = await engine.installation()
  const holders = await holdersIn(new Set(names.map(({ network }) => network)), engine)
  const found = new Map<string, SharedName>()
  for (const one of names) {
    const all = holders.get(one.network)?.get(nameIn(one.network, one.alias)) ?? []
    const others = all.filter(({ stack }) => stack !== user.stack)
    // The stack had the name before.
    if (others.length === 0 || others.length < all.length) continue
    if ((await user.usedNames()).has(joinedUse(one))) continue
    for (const holder of others) {
      // A name of the installation is refused by itself.
      if (members.has(holder.id)) continue
      const text = await checkHolder(one, holder, user, report)
      found.set(text, { service: one.service, text })
    }
  }
  return [...found.values()]
}

/** Returns the warning about a name that another container has. */
async function checkHolder(
  one: JoinedName,
  { name, stack }: ContainerSummary,
  user: NameUser,
  report: ReportUse,
): Promise<string> {
  const isOfStack = stack !== null && (await user.isStack(stack))
  const mayDeployOwner = isOfStack && ((await user.mayDeploy?.(stack)) ?? false)
  const may = () => user.isPrivileged
  const whose = mayDeployOwner
    ? `container ${name} of stack ${stack}`
    : isOfStack
      ? 'a container of another stack'
      : `container ${name}, which no stack made,`
  const text = `${nameOf(one)}: ${whose} has this name there too`
  if (!lacks('take-name', isOfStack ? 'stack' : 'foreign', { may, mayDeployOwner })) {
    return `${text}: what looks it up gets either`
  }
  const needed = isOfStack ? 'permission to read and deploy that stack, or ' : ''
  const refusal = refusedByPolicy(
    `${text}: taking it requires ${needed}stacks:privileged; give the service or its alias another name`,
  )
  report({ name: joinedUse(one) }, refusal)
  return refusal.message
}

/** Returns the name by which the use of a name in a network is known, and accepted. */
export const joinedUse = ({ alias, network }: Pick<JoinedName, 'alias' | 'network'>): string =>
  `name:${alias}@${network}`

/** Returns network → name → the containers that have the name in the network. */
async function holdersIn(
  networks: ReadonlySet<string>,
  engine: Pick<Engine, 'aliasesIn' | 'containers'>,
): Promise<Map<string, Map<string, ContainerSummary[]>>> {
  const containers = await engine.containers({ all: true })
  const found = [...networks].map(async (network) => {
    const aliases = await engine.aliasesIn(network)
    const holders = new Map<string, ContainerSummary[]>()
    for (const container of containers) {
      const own = aliases.get(container.id)
      const names = own ? [container.name, ...own].map((name) => nameIn(network, name)) : []
      for (const name of new Set(names)) {
        holders.set(name, [...(holders.get(name) ?? []), container])
      }
    }
    return [network, holders] as const
  })
  return new Map(await Promise.all(found))
}

const nameOf = ({ service, network, alias }: JoinedName) =>
  `${service === null ? '' : `services.${service}: `}name ${alias} in network ${network}`

function joinedBy(step: Step): JoinedName[] {
  return networksOf(step).flatMap(({ name: network, names }) =>
    names.map((alias) => ({ service: step.service, network, alias })),
  )
}

function networksOf(step: Step): JoinedNetwork[] {
  if (step.kind === 'container' && (step.action === 'create' || step.action === 'recreate'))
    return usedByContainer(step.name, step.body).networks
  if (step.kind === 'network' && step.action === 'connect')
    return [{ name: step.name, names: aliasesIn(step.body) }]
  return []
}

/**
 * Returns the first of the names that the installation has in a network, or undefined.
 *
 * @param joined the names of the installation, as `nameIn` returns them
 */
export const takenName = (
  joined: Installation['joined'],
  network: string,
  names: readonly string[],
): string | undefined => names.find((name) => joined.get(network)?.has(nameIn(network, name)))

/**
 * Returns a name of a container in the one form that all its spellings have: the Engine's resolver
 * ignores case, and finds `name.network` too.
 */
export function nameIn(network: string, name: string): string {
  const plain = name.toLowerCase().replace(/\.$/, '')
  const suffix = `.${network.toLowerCase()}`
  return plain.endsWith(suffix) ? plain.slice(0, -suffix.length) : plain
}
