import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { composeSchema } from './schema/compose.ts'
import { schemaOptions } from './schema-errors.ts'

const compiled = new Map<'first' | 'all', ValidateFunction>()

/**
 * Returns the validator of compose files that stops at the first error, or the one that finds all.
 * Compiling takes about 0.1 s, so it is done on first use. In the build both are compiled already:
 * `packaging/build/compiled-schema.mjs`.
 */
export function validatorOf(errors: 'first' | 'all'): ValidateFunction {
  const options = { ...schemaOptions, allErrors: errors === 'all' }
  const validator = compiled.get(errors) ?? new Ajv2020(options).compile(composeSchema)
  compiled.set(errors, validator)
  return validator
}
