import type { feeds, routes } from '../../serverless.ts'

/**
 * What requests may hold and what responses hold, derived from the manifest and the schemas of its
 * endpoints. An endpoint is named by its method and its path, as in the manifest.
 */

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The paths of a method, such as `/stacks/{name}`. */
export type PathOf<M extends Method> = keyof Endpoints[M] & string

/** The input of a request to an endpoint: values of the path, query and body. */
export type RequestOf<M extends Method, P extends PathOf<M>> = PathPart<P> &
  QueryPart<Wire<M, P>['query']> &
  BodyPart<Wire<M, P>['body']>

/** The body of an endpoint's requests. */
export type BodyOf<M extends Method, P extends PathOf<M>> = Exclude<Wire<M, P>['body'], undefined>

/** The value of an endpoint's successful responses. Undefined if they have no body. */
export type ResponseOf<M extends Method, P extends PathOf<M>> = Wire<M, P>['returns']

/** The paths of the feeds. */
export type FeedPath = keyof typeof feeds

/** The input that opens a feed: values of the path and query. */
export type FeedRequestOf<P extends FeedPath> = PathPart<P> & QueryPart<FeedWire<P>['query']>

/** A message of a feed. Undefined for a feed of bytes. */
export type MessageOf<P extends FeedPath> = FeedWire<P>['sends']

/** Turns the parameter of a function into a rest parameter, optional if it may be empty. */
export type Optional<Options> = Record<never, never> extends Options ? [Options?] : [Options]

type Routes = typeof routes
type Endpoints = {
  [M in Method]: {
    [Key in keyof Routes as Key extends `${M} ${infer Path}` ? Trimmed<Path> : never]: Routes[Key]
  }
}
type Wire<M extends Method, P extends PathOf<M>> = WireOf<
  Endpoints[M][P],
  { query: unknown; body: unknown; returns: unknown }
>

type FeedWire<P extends FeedPath> = WireOf<(typeof feeds)[P], { query: unknown; sends: unknown }>

type WireOf<Load, Shape> = Load extends () => Promise<{ default: { readonly wire?: infer Wire } }>
  ? Extract<Wire, Shape>
  : never

/** The manifest aligns its paths with blanks. */
type Trimmed<Text extends string> = Text extends ` ${infer Rest}` ? Trimmed<Rest> : Text

type Placeholders<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never

type PathPart<Path extends string> = [Placeholders<Path>] extends [never]
  ? { path?: undefined }
  : { path: Record<Placeholders<Path>, string> }

type QueryPart<Query> = [Query] extends [undefined]
  ? { query?: undefined }
  : Record<never, never> extends Query
    ? { query?: Parameters<Query> }
    : { query: Parameters<Query> }

/** The client converts booleans. The service converts a parameter of no type from any text. */
type Parameters<Query> = {
  [Name in keyof Query]: [Query[Name]] extends ['true' | 'false' | undefined]
    ? boolean | undefined
    : unknown extends Query[Name]
      ? string | undefined
      : Query[Name]
}

type BodyPart<Body> = undefined extends Body ? { body?: Body } : { body: Body }
