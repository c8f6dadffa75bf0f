import { z } from 'zod'
import type { EndpointFacts } from '../../functions/kit/endpoint-facts.ts'
import { unlike } from './foreign.ts'

/** Returns the placeholders of a route that name something. A part of a bundle has a number. */
export const placeholdersOf = (key: string) =>
  [...key.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => (name === 'n' ? [] : name))

/** Returns whether a schema is of an object that names a host. */
export function namesHost(schema: unknown): boolean {
  const inner = schema instanceof z.ZodDefault ? schema.unwrap() : schema
  return inner instanceof z.ZodObject && Object.hasOwn(inner.shape, 'host')
}

/**
 * Returns whether `unknown.test.ts` shows that a route responds with 404 to what does not exist.
 */
export function showsUnknown(key: string, { query, body }: EndpointFacts): boolean {
  const isNamed = placeholdersOf(key).some((name) => !unlike[`${key}: ${name}`])
  return isNamed || namesHost(query) || namesHost(body)
}
