import type { RequestAction } from '../core/records/audit-actions.ts'
import type { ActionOf } from './audit-row.ts'
import type { AnyEndpoint, Endpoint } from './endpoint.ts'
import type { AnyFeed, Feed } from './feed.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Placeholders<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never
type RouteKey = `${Method} ${string}`
type Loader<E> = () => Promise<{ default: E }>

/** The loader of a line whose action of the audit log is known. */
type Known<Line extends string, E> =
  ActionOf<Line> extends RequestAction
    ? Loader<E>
    : { 'missing in functions/core/records/audit-actions.ts': ActionOf<Line> }

/** Routes by `METHOD /path`, each loaded when needed. */
export type Routes = Record<string, Loader<AnyEndpoint>>

/**
 * Returns the manifest's routes. A path whose placeholders differ from the endpoint's schema does
 * not compile, nor does one whose action of the audit log is not listed.
 */
export function manifest<const R extends Record<RouteKey, Loader<AnyEndpoint>>>(
  routes: R & {
    [Key in keyof R]: Known<Key & string, Endpoint<Placeholders<Key & string>, unknown>>
  },
): R {
  return routes
}

/** A parsed line of the manifest. `path` has its placeholders in braces. */
export interface Route {
  method: string
  path: string
  load: Loader<AnyEndpoint>
}

/** Returns the manifest's lines in order. */
export function routesOf(routes: Routes): Route[] {
  return Object.entries(routes).map(([key, load]) => {
    const [method = '', path = ''] = key.split(/\s+/)
    return { method, path, load }
  })
}

/** Feeds by path, each loaded when needed. */
export type Feeds = Record<string, Loader<AnyFeed>>

/**
 * Returns the manifest's feeds, path → file. Their placeholders are checked as those of routes are.
 */
export function feedManifest<const F extends Record<`/${string}`, Loader<AnyFeed>>>(
  feeds: F & {
    [Path in keyof F]: Known<`GET ${Path & string}`, Feed<Placeholders<Path & string>, unknown>>
  },
): F {
  return feeds
}
