import { present } from '../../../adapters/testing/present.ts'
import { routesOf } from '../../../functions/kit/manifest.ts'
import { routes } from '../../../serverless.ts'
import { type CallResult, call } from '../../harness/call.ts'
import type { OurStack } from './stack.ts'

const byKey = new Map(routesOf(routes).map((route) => [`${route.method} ${route.path}`, route]))

/** Returns whether the service has an endpoint, such as `GET /stacks`. */
export const hasRoute = (key: string): boolean => byKey.has(key)

/** The parts of a request besides the name of the stack. */
interface RouteRequest {
  path?: Record<string, string>
  query?: Record<string, string | number | boolean | readonly string[]>
  body?: object
}

/** Calls the endpoint of a line in the manifest, for a stack. */
export async function callRoute(
  { ports, as, path: stack }: Pick<OurStack, 'ports' | 'as' | 'path'>,
  key: string,
  { path = {}, query, body }: RouteRequest = {},
): Promise<CallResult> {
  const { default: endpoint } = await present(byKey.get(key)).load()
  const names = [...key.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const all: Record<string, string> = { ...stack, ...path }
  const own = Object.fromEntries(names.map((name) => [name, present(all[name])]))
  return call(endpoint as Parameters<typeof call<typeof ports>>[0], {
    ports,
    as,
    path: own,
    query,
    body,
    route: key,
  })
}
