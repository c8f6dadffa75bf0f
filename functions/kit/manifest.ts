import type { Endpoint } from './endpoint.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Placeholders<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never
type RouteKey = `${Method} ${string}`
type Loader<E> = () => Promise<{ default: E }>

/** Routes by `METHOD /path`, each loaded when it is needed. */
export type Routes = Record<string, Loader<any>>

/** The manifest: a literal of lines. A path whose placeholders differ from the endpoint's schema does not compile. */
export function manifest<const R extends Record<RouteKey, Loader<any>>>(
  routes: R & { [Key in keyof R]: Loader<Endpoint<Placeholders<Key & string>>> },
): R {
  return routes
}

/** A line of the manifest, taken apart. `path` has its placeholders in braces. */
export interface Route {
  method: string
  path: string
  load: Loader<Endpoint>
}

/** The manifest's lines in order. */
export function routesOf(routes: Routes): Route[] {
  return Object.entries(routes).map(([key, load]) => {
    const [method = '', path = ''] = key.split(/\s+/)
    return { method, path, load }
  })
}
