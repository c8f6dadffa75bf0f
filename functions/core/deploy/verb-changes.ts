import type { Deployment } from '../records/deployment.ts'
import { keepsScale, rulesOf } from '../records/deployment-kinds.ts'
import type { StackRecord } from '../records/stack.ts'
import type { ServiceVerb } from '../records/stack-state.ts'

type Verbs = NonNullable<StackRecord['verbs']>

/**
 * Returns what users last did to the services of a stack, once an operation on services begins. A
 * service without containers cannot be stopped or paused.
 *
 * @param present the services that have containers
 */
export function verbsAfter(
  { verbs = {} }: StackRecord,
  deployment: Deployment,
  present: ReadonlySet<string>,
): Verbs {
  const { options, affected = Object.keys(verbs) } = deployment
  const { verb: change } = rulesOf(deployment)
  if (change === null) return verbs
  if ('set' in change) {
    const named = options.services.filter((name) => present.has(name))
    return { ...verbs, ...Object.fromEntries(named.map((name) => [name, made(name, change.set)])) }
  }
  const ended = new Set(change.end === 'pause' ? affected.filter(isPaused) : affected)
  return Object.fromEntries(
    Object.entries(verbs).flatMap(([name, verb]) => {
      if (!ended.has(name)) return [[name, verb]]
      const { replicas, by, at } = verb
      return replicas === undefined ? [] : [[name, { verb: 'scale', replicas, by, at }]]
    }),
  )

  function made(name: string, verb: 'stop' | 'pause'): ServiceVerb {
    const { by, startedAt: at } = deployment
    const replicas = Object.hasOwn(verbs, name) ? verbs[name]?.replicas : undefined
    return { verb, by, at, ...(replicas === undefined ? {} : { replicas }) }
  }
  function isPaused(name: string): boolean {
    return Object.hasOwn(verbs, name) && verbs[name]?.verb === 'pause'
  }
}

/**
 * Returns what users last did to the services of a stack, once a deployment changes containers: of
 * the services that it is about only what a scale says, and nothing after a deploy.
 *
 * @param services those that the deployment is about
 */
export function verbsAfterApply(
  { verbs = {} }: StackRecord,
  { kind, options, by, startedAt: at }: Deployment,
  services: readonly string[],
): Verbs {
  const others = Object.entries(verbs).filter(([name]) => !services.includes(name))
  const earlier = keepsScale({ kind, options }) ? Object.entries(verbs) : []
  const kept = earlier.flatMap(([name, verb]) => {
    const { replicas } = verb
    if (replicas === undefined || !services.includes(name)) return []
    return [[name, { verb: 'scale' as const, replicas, by: verb.by, at: verb.at }] as const]
  })
  const now = Object.entries(options.replicas ?? {}).map(
    ([name, replicas]) => [name, { verb: 'scale' as const, replicas, by, at }] as const,
  )
  return Object.fromEntries([...others, ...kept, ...now])
}

/** Returns the verbs without those of a stop of services that did not succeed. */
export function withoutFailedStops(
  { verbs = {} }: StackRecord,
  { startedAt, by }: Deployment,
): Verbs {
  return Object.fromEntries(
    Object.entries(verbs).flatMap(([name, verb]) => {
      const isOfStop = verb.verb === 'stop' && verb.at === startedAt && verb.by === by
      if (!isOfStop) return [[name, verb]]
      return verb.replicas === undefined
        ? []
        : [[name, { verb: 'scale', replicas: verb.replicas, by, at: verb.at }]]
    }),
  )
}
