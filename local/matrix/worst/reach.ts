import { present } from '../../../adapters/testing/present.ts'
import type { Permission } from '../../../functions/core/records/permissions.ts'
import { routesOf } from '../../../functions/kit/manifest.ts'
import * as manifest from '../../../serverless.ts'
import { access } from './access.ts'
import { hosts } from './hosts.ts'
import { type Effect, effects, type Judgement, type Way } from './judgement.ts'
import { service } from './service.ts'
import { stacks } from './stacks.ts'

/** The judgement of every route and feed, as `POST /stacks` and `/ws/events`. */
export const judgements: Readonly<Record<string, Judgement>> = {
  ...access,
  ...stacks,
  ...hosts,
  ...service,
}

type Load = () => Promise<{ default: { facts: { access: string } } }>

/** The routes and feeds of the manifest. */
const loaders = new Map<string, Load>([
  ...routesOf(manifest.routes).map(
    ({ method, path, load }) => [`${method} ${path}`, load] as const,
  ),
  ...Object.entries(manifest.feeds),
])

export const routeNames: readonly string[] = [...loaders.keys()]

/** Returns the routes without a judgement, and the judgements of routes that do not exist. */
export function unmatched(
  routes: readonly string[],
  judged: Readonly<Record<string, Judgement>>,
): string[] {
  const missing = routes.filter((route) => !Object.hasOwn(judged, route))
  const gone = Object.keys(judged).filter((route) => !routes.includes(route))
  return [
    ...missing.map((route) => `${route} is not judged`),
    ...gone.map((route) => `${route} is judged and does not exist`),
  ]
}

/** A way of a route with every permission that it needs. */
export interface JudgedWay extends Way {
  route: string
  needs: readonly string[]
}

/** Returns every way of every route. The permission of a route is the one that it declares. */
export async function judgedWays(): Promise<JudgedWay[]> {
  const ways = await Promise.all(
    Object.entries(judgements).map(async ([route, judgement]) => {
      const { facts } = (await present(loaders.get(route))()).default
      const own = ['public', 'signed-in'].includes(facts.access) ? [] : [facts.access]
      return [judgement]
        .flat()
        .map((way: Way) => ({ ...way, route, needs: [...own, ...(way.with ?? [])] }))
    }),
  )
  return ways.flat()
}

/**
 * Returns the worst way of a caller with these permissions and no others.
 *
 * @param ways in order: the first of the worst is returned
 */
export function worstOf(
  permissions: Iterable<Permission>,
  ways: readonly JudgedWay[],
  { withOthers = false } = {},
): JudgedWay {
  const held = new Set<string>(permissions)
  const open = ways.filter(
    ({ needs, isLater }) => (withOthers || !isLater) && needs.every((one) => held.has(one)),
  )
  return open.reduce((worst, way) => (rank(way.worst) > rank(worst.worst) ? way : worst))
}

export const rank = (effect: Effect) => effects.indexOf(effect)
