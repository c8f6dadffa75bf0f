import { label } from '../../compose/create/labels.ts'
import type { Reach } from '../../compose/project.ts'
import type { Reference } from '../../compose/references.ts'
import { type Asking, lacks } from './rights.ts'

/** The facts that decide whether a stack may use a volume or network. */
export interface UseEvidence {
  /** The stack that uses it. */
  stack: string
  reach: Reach
  /**
   * The stack was deployed or adopted before, so that it can have created things without a record.
   */
  wasEverDeployed: boolean
  /** Labels of the existing volume or network with that name; undefined if there is none. */
  labels: Readonly<Record<string, string>> | undefined
  /** The stack that owns it; undefined for none. */
  owner: string | undefined
  /** The caller may read and deploy the owner. */
  mayDeployOwner: boolean
  /** A setting lists the name as one that every stack may use. */
  isShared: boolean
  /** It belongs to the service itself. */
  isInstallation: boolean
}

/**
 * `claim`: it belongs to this stack and has no record yet. `installation`: 409, it belongs to the
 * service. The text says why it is refused and what the caller can do.
 */
export type UseVerdict = 'use' | 'claim' | 'installation' | { status: 403 | 409; text: string }

/** Decides whether a stack may use what it refers to. */
export function judgeUse(reference: Reference, evidence: UseEvidence): UseVerdict {
  const { owner, stack, isInstallation } = evidence
  if (isInstallation && lacks(useOf(reference), 'installation')) return 'installation'
  if (owner === stack) return 'use'
  return owner === undefined ? judgeUnowned(reference, evidence) : judgeForeign(reference, evidence)
}

const useOf = ({ kind }: Reference) => (kind === 'volume' ? 'mount-volume' : 'join-network')

const askingOf = ({ reach, mayDeployOwner, isShared }: UseEvidence): Asking => ({
  may: (permission) => permission === 'stacks:privileged' && reach === 'host',
  mayDeployOwner,
  isShared,
})

function judgeForeign(reference: Reference, evidence: UseEvidence): UseVerdict {
  const { kind, name, declared } = reference
  const { mayDeployOwner, owner } = evidence
  const whose = mayDeployOwner ? `stack ${owner}` : 'another stack'
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
  const { labels, reach, wasEverDeployed } = evidence
  if (labels === undefined) return 'use'
  const isLabelled = hasOwnLabels(reference, evidence)
  if (isLabelled && (wasEverDeployed || reach === 'host')) return 'claim'
  const project = labels[label.project]
  const isHandmade = kind === 'network' && (project === undefined || project === evidence.stack)
  const use = isHandmade ? 'join-handmade-network' : useOf(reference)
  if (!lacks(use, 'foreign', askingOf(evidence))) return 'use'
  const whose =
    kind === 'volume'
      ? `the volume ${name} exists on the host, but no stack created it`
      : `the network ${name} belongs to the compose project ${project}, which is no stack`
  const text = `${whose}: using it requires stacks:privileged, or the setting ${settingOf[kind]}`
  return { status: 403, text }
}

/**
 * Returns whether it has the labels that the service or docker compose sets for this key of this
 * project.
 */
function hasOwnLabels({ kind, key, declared }: Reference, { labels = {}, stack }: UseEvidence) {
  const keyLabel = kind === 'volume' ? label.volume : label.network
  return declared !== 'external' && labels[label.project] === stack && labels[keyLabel] === key
}

const settingOf = { volume: 'stacks.shared_volumes', network: 'stacks.shared_networks' } as const
