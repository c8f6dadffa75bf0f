import type { AuthenticationPorts } from './authenticate.ts'
import type { EndpointFacts } from './endpoint-facts.ts'
import type { Handler } from './event.ts'
import { type Route, type Routes, routesOf } from './manifest.ts'

/** An endpoint with its ports. */
export interface LoadedEndpoint {
  facts: EndpointFacts
  handler: Handler
}

/** Returns a loader that makes the handler of an endpoint at its first call. */
export function handlerLoader({ load }: Pick<Route, 'load'>, ports: object) {
  let loaded: LoadedEndpoint | undefined
  return async (): Promise<LoadedEndpoint> => {
    if (loaded) return loaded
    const { default: endpoint } = await load()
    loaded = { facts: endpoint.facts, handler: endpoint.with(ports as AuthenticationPorts) }
    return loaded
  }
}

/** Returns the loaders of the manifest's endpoints by route key, such as `GET /stacks/{name}`. */
export const handlerLoaders = (routes: Routes, ports: object) =>
  new Map(
    routesOf(routes).map((route) => [`${route.method} ${route.path}`, handlerLoader(route, ports)]),
  )
