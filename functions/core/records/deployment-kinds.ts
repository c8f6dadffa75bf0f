import type { PlanRequest } from '../../compose/plan/plan-request.ts'

/**
 * What a deployment does. Everything that changes what runs is recorded, so that recovery finds
 * those whose process died. A `stop` of services keeps their containers; one of the whole stack
 * removes them.
 */
export const deploymentKinds = [
  'deploy',
  'rollback',
  'stop',
  'restart',
  'remove',
  'start',
  'pause',
  'unpause',
  'scale',
  'pull',
  'build',
  'down',
] as const
export type DeploymentKind = (typeof deploymentKinds)[number]

/** What a kind of deployment means. */
export type KindRules = PlannedFrom & {
  /** Whether it may build images, which reads the stack's directory on the host. */
  builds: boolean
  /** Whether it first writes the stack's files to the host. */
  writes: boolean
  /** The revision of the files that the stack has afterwards; null if it deploys none. */
  revision: 'newest' | 'restored' | null
  /** The files that an operation on a service reads: those of the stack, or of its last deploy. */
  files: 'newest' | 'deployed' | 'written'
  /** Whether services keep the numbers of containers that users set earlier. */
  keepsScale: boolean
  /** Whether services that it changes are expected to start. */
  starts: boolean
  /** What users last did to its services, in the stack's record; null if that stays. */
  verb: { set: 'stop' | 'pause' } | { end: 'every' | 'pause' } | null
  /** What it removes of the whole stack, each with what stands before it; null for nothing. */
  takesDown: 'containers' | 'resources' | 'record' | null
  /** Whether recovery runs it again after the end of its process. */
  isRepeated: boolean
}

/** What it is planned from, and the plan that is asked for. */
type PlannedFrom =
  | { from: 'project'; plan: 'deploy' }
  | { from: 'images'; plan: 'pull' | 'build' }
  | { from: 'containers'; plan: ContainerPlan }

/** A plan of containers that exist, for which the project supplies the order alone. */
export type ContainerPlan = Exclude<PlanRequest['kind'], 'deploy' | 'pull' | 'build'>

const ofProject = {
  from: 'project',
  plan: 'deploy',
  builds: true,
  files: 'newest',
  starts: true,
  verb: null,
  takesDown: null,
  isRepeated: true,
} as const

const ofImages = {
  from: 'images',
  files: 'newest',
  revision: null,
  keepsScale: false,
  starts: false,
  verb: null,
  takesDown: null,
  isRepeated: true,
} as const

const ofContainers = {
  from: 'containers',
  builds: false,
  writes: false,
  files: 'written',
  revision: null,
  keepsScale: false,
  starts: false,
  verb: null,
  takesDown: null,
  isRepeated: true,
} as const

const startsAll = { starts: true, verb: { end: 'every' } } as const

/** A stop of services, which keeps their containers. */
const serviceStop: KindRules = { ...ofContainers, plan: 'stop services', verb: { set: 'stop' } }

/** Each kind, and what it means if the deployment names services, where that is something else. */
export const kindRules: Record<DeploymentKind, KindRules & { ofServices?: KindRules }> = {
  deploy: { ...ofProject, writes: true, revision: 'newest', keepsScale: false },
  rollback: { ...ofProject, writes: true, revision: 'restored', keepsScale: false },
  scale: { ...ofProject, writes: false, revision: null, files: 'deployed', keepsScale: true },
  pull: { ...ofImages, plan: 'pull', builds: false, writes: false },
  build: { ...ofImages, plan: 'build', builds: true, writes: true },
  start: { ...ofContainers, plan: 'start', ...startsAll },
  restart: { ...ofContainers, plan: 'restart', ...startsAll, isRepeated: false },
  pause: { ...ofContainers, plan: 'pause', verb: { set: 'pause' } },
  unpause: { ...ofContainers, plan: 'unpause', starts: true, verb: { end: 'pause' } },
  stop: { ...ofContainers, plan: 'stop', takesDown: 'containers', ofServices: serviceStop },
  down: { ...ofContainers, plan: 'remove', takesDown: 'resources' },
  remove: { ...ofContainers, plan: 'remove', takesDown: 'record' },
}

/** What decides which rules a deployment has. */
export interface RuledDeployment {
  kind: DeploymentKind
  options: { services: readonly string[] }
}

/** Returns what a deployment does, by its kind. */
export function rulesOf({ kind, options }: RuledDeployment): KindRules {
  const rules = kindRules[kind]
  return (options.services.length > 0 ? rules.ofServices : undefined) ?? rules
}

/**
 * Returns whether services keep the numbers of containers that users set earlier. A deploy that
 * gives names to images is none of a person: it changes nothing else.
 */
export const keepsScale = ({ kind, options }: { kind: DeploymentKind; options: Retagging }) =>
  kindRules[kind].keepsScale || options.retag !== undefined

interface Retagging {
  retag?: Readonly<Record<string, string>>
}

/** Returns whether a deployment deploys a project from files. */
export const bringsUp = (kind: DeploymentKind) => kindRules[kind].revision !== null

/** Returns whether a deployment makes containers what a project says. */
export const appliesProject = (kind: DeploymentKind) => kindRules[kind].from === 'project'

/**
 * Returns whether the result of a deployment says something of the stack as a whole. A pull, a
 * build, a scale or a restart of one service neither breaks nor mends what a deploy left.
 */
export const judgesStack = (deployment: RuledDeployment) =>
  bringsUp(deployment.kind) || deployment.options.services.length === 0
