import { z } from 'zod'
import { must } from '../../../functions/compose/must.ts'

/** The values of a group of variables after they were checked. */
export type ValuesOf<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>

export const port = z.coerce.number('expected a number').int().min(0).max(65535)

/** Returns a transform that calls `parse` and reports its error as the problem of the value. */
export function parsedBy<T>(parse: (text: string) => T) {
  return (text: string, context: z.RefinementCtx): T => {
    try {
      return parse(text)
    } catch (error) {
      context.addIssue((error as Error).message)
      return z.NEVER
    }
  }
}

/** An invalid configuration. The message names the key and the problem. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/**
 * Returns the checked value. `where` says where unknown keys come from.
 *
 * @throws ConfigError for an unknown key or an invalid value
 */
export function check<T extends z.ZodType>(schema: T, value: unknown, where: string): z.output<T> {
  const result = schema.safeParse(value, { error: wording })
  if (result.success) return result.data
  const issue = must(result.error.issues[0], 'issue')
  if (issue.code === 'unrecognized_keys') {
    throw new ConfigError(`${where}: unknown key ${issue.keys.join(', ')}`)
  }
  throw new ConfigError(`${issue.path.join('.')}: ${issue.message}`)
}

const wording: z.core.$ZodErrorMap = (issue) =>
  issue.code === 'invalid_type' && /^(number|int)$/.test(issue.expected)
    ? 'expected a number'
    : undefined
