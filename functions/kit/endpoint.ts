import type { z } from 'zod'
import type { AuthenticationPorts } from './authenticate.ts'
import type { Access, EndpointFacts, Input, Shape } from './endpoint-facts.ts'
import type { Handler } from './event.ts'
import { pipeline } from './pipeline.ts'
import type { Reply, TextReply } from './reply.ts'

/** The ports that need connections to hosts, the private key for agents or a lasting disk. */
type ServicePort =
  | 'engines'
  | 'hostGauges'
  | 'agentPrograms'
  | 'serviceUpgrades'
  | 'authority'
  | 'backupTargets'
  | 'systemArchive'
  | 'sourceReader'

/** Makes an endpoint that uses a port of the service say so. */
type Place<N> = [Extract<keyof N, ServicePort>] extends [never] ? unknown : { atService: true }

type Awaitable<T> = T | Promise<T>
type Result<R, C> =
  | (R extends z.ZodType ? z.input<R> | Reply<z.input<R>> : undefined | Reply<undefined>)
  | (C extends z.ZodType ? Reply<z.input<C>> : never)
  | TextReply

export interface EndpointSpec<
  A extends Access,
  P extends Shape,
  Q extends Shape,
  B extends z.ZodType | undefined,
  R extends z.ZodType | undefined,
  N,
  C extends z.ZodType | undefined,
> extends EndpointFacts {
  access: A
  path?: P & z.ZodObject
  query?: Q & z.ZodObject
  body?: B & z.ZodType
  returns?: R & z.ZodType
  accepts?: C & z.ZodType
  run(input: Input<A, P, Q, B>, ports: N): Awaitable<Result<R, C>>
}

/**
 * An endpoint: its facts, and `with(ports)`, which returns a plain `(event) → response` function.
 */
export interface Endpoint<Placeholder extends string, N, Wire = unknown> {
  readonly facts: EndpointFacts
  with(ports: N & AuthenticationPorts): Handler
  /** For the compiler only: the names of the path's placeholders. */
  readonly placeholders?: (name: Placeholder) => Placeholder
  /** For the compiler only: what a client sends and receives. */
  readonly wire?: Wire
}

/** An endpoint with any path and ports, as found by its route. */
export type AnyEndpoint = Pick<Endpoint<never, unknown>, 'facts' | 'with'>

type Names<P> = P extends z.ZodObject<infer S> ? Extract<keyof S, string> : never

/** What a client sends to an endpoint and receives from it, before and after JSON. */
interface EndpointWire<Q, B, R, C> {
  query: Q extends z.ZodType ? z.input<Q> : undefined
  body: B extends z.ZodType ? z.input<B> : undefined
  returns: R extends z.ZodType ? z.output<R> : undefined
  accepts: C extends z.ZodType ? z.output<C> : undefined
}

/** Makes an endpoint. Everything except `run` is declared once and enforced for every request. */
export function endpoint<
  const A extends Access,
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends z.ZodType | undefined = undefined,
  R extends z.ZodType | undefined = undefined,
  N = unknown,
  C extends z.ZodType | undefined = undefined,
>(
  spec: EndpointSpec<A, P, Q, B, R, N, C> & Place<N>,
): Endpoint<Names<P>, N, EndpointWire<Q, B, R, C>> {
  return {
    facts: spec,
    // The pipeline parses the input with the schemas of the spec, so it has their types.
    with: (ports) =>
      pipeline(
        spec,
        (input, scoped) => spec.run(input as unknown as Input<A, P, Q, B>, scoped as N),
        ports,
      ),
  }
}
