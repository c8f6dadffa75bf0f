import { label } from '../../compose/create/labels.ts'
import type { Reach } from '../../compose/project.ts'
import type { Reference } from '../../compose/references.ts'
import type { FoundOwner } from './find-owner.ts'
import { isReserved, reservedText } from './reserved-names.ts'
import { type Asking, lacks } from './rights.ts'

/** The facts that decide whether a stack may use a volume or network. */
export interface UseEvidence {
  /** The stack that uses it. */
  stack: string
  reach: Reach
  /** The stack can have things without a record; see `predatesOwners`. */
  predatesOwners: boolean
  /** Labels of the existing volume or network with that name; undefined if there is none. */
  labels: Readonly<Record<string, string>> | undefined
  /** Undefined if none owns it, or if only labels say that it is this stack. */
  owner: FoundOwner | undefined
  /** The caller may read and deploy the owner, or deleted the stack that left the volume. */
  mayDeployOwner: boolean
  /** A setting lists the name as one that every stack may use. */
  isShared: boolean
  /** It belongs to the service itself. */
  isInstallation: boolean
  /** The last deploy of the stack used it, so that it needed no right before. */
  wasUsed: boolean
}

/**
 * `claim`: it belongs to this stack and is not recorded for it yet. `installation`: 409, it belongs
 * to the service. The text says why it is refused and what the caller can do.
 */
export type UseVerdict = 'use' | 'claim' | 'installation' | { status: 403 | 409; text: string }

/** Decides whether a stack may use what it refers to. */
export function judgeUse(reference: Reference, evidence: UseEvidence): UseVerdict {
  const { owner, stack, isInstallation } = evidence
  if (isInstallation && lacks(useOf(reference), 'installation')) return 'installation'
  if (owner === undefined) return judgeUnowned(reference, evidence)
  if (owner.stack !== stack) return judgeForeign(reference, owner, evidence)
  return owner.how === 'left' ? judgeLeft(reference, owner, evidence) : 'use'
}

const useOf = ({ kind }: Reference) => (kind === 'volume' ? 'mount-volume' : 'join-network')

const askingOf = ({ reach, mayDeployOwner, isShared }: UseEvidence): Asking => ({
  may: (permission) => permission === 'stacks:privileged' && reach === 'host',
  mayDeployOwner,
  isShared,
})

/** An earlier stack of this name left it. Only a caller who could use it then takes it over. */
function judgeLeft(reference: Reference, owner: FoundOwner, evidence: UseEvidence): UseVerdict {
  const { kind, name, declared } = reference
  const takesOver = !lacks(useOf(reference), 'stack', { ...askingOf(evidence), isShared: false })
  if (takesOver && declared !== 'external') return 'claim'
  if (takesOver || evidence.isShared) return 'use'
  const { stack, leftBy } = owner
  const [end, account] = leftBy
    ? [`which ${leftBy.name} deleted`, `the account ${leftBy.name}, `]
    : ['which is gone', '']
  const text =
    `the ${kind} ${name} has the data of an earlier stack ${stack}, ${end}: using it requires ` +
    `${account}stacks:privileged, or the setting ${settingOf[kind]}; a stack of another name starts without it`
  return { status: 403, text }
}

function judgeForeign(reference: Reference, owner: FoundOwner, evidence: UseEvidence): UseVerdict {
  const { kind, name, declared } = reference
  const whose = evidence.mayDeployOwner ? `stack ${owner.stack}` : 'another stack'
  if (declared === 'own') {
    const text = `the ${kind} ${name} belongs to ${whose}: give this one a name of its own with \`name:\``
    return { status: 409, text }
  }
  if (!lacks(useOf(reference), 'stack', askingOf(evidence))) return 'use'
  const needed = `the permissions to read and deploy that stack, stacks:privileged, or the setting ${settingOf[kind]}`
  return {
    status: 403,
    text: `the ${kind} ${name} belongs to ${whose}: using it requires ${needed}`,
  }
}

function judgeUnowned(reference: Reference, evidence: UseEvidence): UseVerdict {
  const { kind, name } = reference
  const { labels, reach, stack, predatesOwners } = evidence
  const isLabelled = labels !== undefined && hasOwnLabels(reference, evidence)
  if (isLabelled && (predatesOwners || reach === 'host')) return 'claim'
  if (isReservedFor(reference, evidence)) {
    return { status: 403, text: reservedText(`${kind} ${name}`) }
  }
  if (labels === undefined) return 'use'
  const project = labels[label.project]
  const isItsProject = project === stack && predatesOwners
  const isHandmade = kind === 'network' && (project === undefined || isItsProject)
  const use = isHandmade ? 'join-handmade-network' : useOf(reference)
  if (!lacks(use, 'foreign', askingOf(evidence))) return 'use'
  const whose =
    project === stack
      ? `the ${kind} ${name} was made for a compose project ${stack} outside of this stack`
      : kind === 'volume'
        ? `the volume ${name} exists on the host, but no stack created it`
        : `the network ${name} belongs to the compose project ${project}, which is no stack`
  const text = `${whose}: using it requires stacks:privileged, or the setting ${settingOf[kind]}`
  return { status: 403, text }
}

/** The default names of a stack follow from its own, which is checked by itself. */
const isReservedFor = (
  { name, declared }: Reference,
  { reach, isShared, wasUsed }: UseEvidence,
): boolean => isReserved(name) && declared !== 'own' && reach !== 'host' && !isShared && !wasUsed

/**
 * Returns whether it has the labels that the service or docker compose sets for this key of this
 * project.
 */
function hasOwnLabels({ kind, key, declared }: Reference, { labels = {}, stack }: UseEvidence) {
  const keyLabel = kind === 'volume' ? label.volume : label.network
  return declared !== 'external' && labels[label.project] === stack && labels[keyLabel] === key
}

const settingOf = { volume: 'stacks.shared_volumes', network: 'stacks.shared_networks' } as const
