import type { EndpointFacts } from '../../functions/kit/endpoint-facts.ts'
import { unlike } from './foreign.ts'

/** Returns the placeholders of a route that name something. A part of a bundle has a number. */
export const placeholdersOf = (key: string) =>
  [...key.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => (name === 'n' ? [] : name))

interface Schema {
  /** The properties of an object. */
  shape?: object
  /** Returns the schema without its default. */
  unwrap?(): Schema
}

/** Returns whether a schema is of an object that names a host. */
export function namesHost(schema: unknown): boolean {
  const given = schema as Schema | undefined
  const { shape = {} } = given?.unwrap?.() ?? given ?? {}
  return Object.hasOwn(shape, 'host')
}

/**
 * Returns whether `unknown.test.ts` shows that a route responds with 404 to what does not exist.
 */
export function showsUnknown(key: string, { query, body }: EndpointFacts): boolean {
  const isNamed = placeholdersOf(key).some((name) => !unlike[`${key}: ${name}`])
  return isNamed || namesHost(query) || namesHost(body)
}
